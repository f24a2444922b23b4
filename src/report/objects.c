#include "report/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIE_BASE 0x555555554000ull /* of a position-independent program, randomization off */

static int by_address(const void *a, const void *b)
{
    const struct object_symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void load_table(struct objects *o, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       uint64_t base)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        int type = GELF_ST_TYPE(symbol.st_info);
        if (!symbol.st_size || !name || !*name || (type != STT_OBJECT && type != STT_FUNC))
            continue;
        struct object_symbol s = {symbol.st_value + base, symbol.st_size, mem_strdup(name)};
        if (type == STT_OBJECT)
            vec_push(&o->symbols, s);
        else
            vec_push(&o->functions, s);
    }
}

static void load(struct objects *o, Elf *elf)
{
    GElf_Ehdr header;
    GElf_Shdr section;
    o->base = gelf_getehdr(elf, &header) && header.e_type == ET_DYN ? PIE_BASE : 0;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &section) && section.sh_type == SHT_SYMTAB)
            load_table(o, elf, s, &section, o->base);
    if (o->symbols.count)
        qsort(o->symbols.items, o->symbols.count, sizeof *o->symbols.items, by_address);
}

int objects_open(struct objects *o, const char *program, struct error *e)
{
    *o = (struct objects){0};
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", program, strerror(errno));
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf)
        load(o, elf);
    elf_end(elf);
    close(fd);
    char *path = realpath(program, NULL);
    vec_push(&o->tale.modules, ((struct tale_module){o->base, o->base, o->base + (1ull << 30),
                                                     path ? path : mem_strdup(program)}));
    o->debug = symbols_open(&o->tale);
    return 0;
}

void objects_free(struct objects *o)
{
    for (size_t i = 0; i < o->symbols.count; i++)
        free(o->symbols.items[i].name);
    for (size_t i = 0; i < o->functions.count; i++)
        free(o->functions.items[i].name);
    vec_free(&o->symbols);
    vec_free(&o->functions);
    symbols_free(o->debug);
    tale_free(&o->tale);
}

uint64_t objects_function(const struct objects *o, const char *name)
{
    for (size_t i = 0; i < o->functions.count; i++)
        if (!strcmp(o->functions.items[i].name, name))
            return o->functions.items[i].address;
    return 0;
}

void objects_name(const struct objects *o, uint64_t address, struct sbuf *out)
{
    char *name = symbols_variable(o->debug, address, 0);
    if (name && symbols_address(o->debug, name) == address) {
        sbuf_puts(out, name);
        free(name);
        return;
    }
    free(name);
    for (size_t i = 0; i < o->symbols.count; i++) {
        const struct object_symbol *s = &o->symbols.items[i];
        if (address < s->address || address >= s->address + s->size)
            continue;
        sbuf_puts(out, s->name);
        if (address != s->address)
            sbuf_printf(out, "+%#llx", (unsigned long long)(address - s->address));
        return;
    }
    sbuf_printf(out, "%#llx", (unsigned long long)address);
}

uint64_t objects_find(const struct objects *o, const char *name)
{
    char *end;
    size_t n = strcspn(name, "+");
    uint64_t offset = name[n] ? strtoull(name + n + 1, &end, 0) : 0;
    if (name[0] >= '0' && name[0] <= '9') {
        uint64_t address = strtoull(name, &end, 0);
        return *end ? 0 : address;
    }
    uint64_t found = symbols_address(o->debug, name);
    if (found)
        return found;
    if (name[n] && *end)
        return 0;
    for (size_t i = 0; i < o->symbols.count; i++)
        if (!strncmp(o->symbols.items[i].name, name, n) && !o->symbols.items[i].name[n])
            return o->symbols.items[i].address + offset;
    return 0;
}
