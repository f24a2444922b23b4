/* The procedure linkage table has a stub per function, "jmp *slot(%rip)"; the relocation of the
 * slot names the function. A direct call (e8) to such a stub, or an indirect one (ff 15) through
 * the slot, is a call site. The code is searched byte by byte, not instruction by instruction:
 * bytes within an instruction that look like a call of exactly one of these few stubs are too
 * unlikely to matter. */
#include "report/callsites.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIE_BASE 0x555555554000ull /* of a position-independent program, randomization off */

typedef VEC(uint64_t) addresses;

struct code {
    Elf *elf;
    addresses slots; /* of functions that matter */
    addresses stubs;
    uint64_t base;
};

static int matters(const char *name)
{
    static const char *const operations[] = {"pthread_mutex_lock",
                                             "pthread_mutex_unlock",
                                             "pthread_mutex_trylock",
                                             "pthread_cond_wait",
                                             "pthread_cond_timedwait",
                                             "pthread_cond_signal",
                                             "pthread_cond_broadcast",
                                             "pthread_create",
                                             "pthread_join",
                                             "pthread_rwlock_rdlock",
                                             "pthread_rwlock_wrlock",
                                             "pthread_rwlock_unlock",
                                             "pthread_barrier_wait",
                                             "sem_wait",
                                             "sem_post",
                                             "sem_trywait"};
    if (!strncmp(name, "__tsan_", 7))
        return strstr(name, "read") || strstr(name, "write") || strstr(name, "atomic");
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (!strcmp(name, operations[i]))
            return 1;
    return 0;
}

static int has(const addresses *a, uint64_t address)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i] == address)
            return 1;
    return 0;
}

static void take_slots(struct code *c, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    Elf_Scn *symbols = elf_getscn(c->elf, header->sh_link);
    Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr symbols_header;
    GElf_Rela r;
    GElf_Sym s;
    if (!table || !gelf_getshdr(symbols, &symbols_header))
        return;
    for (int i = 0; data && gelf_getrela(data, i, &r); i++) {
        unsigned type = (unsigned)GELF_R_TYPE(r.r_info);
        if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
            !gelf_getsym(table, (int)GELF_R_SYM(r.r_info), &s))
            continue;
        const char *name = elf_strptr(c->elf, symbols_header.sh_link, s.st_name);
        if (name && matters(name))
            vec_push(&c->slots, r.r_offset);
    }
}

/* The address that a displacement of four bytes, the last ones of an instruction, stands for. */
static uint64_t target_of(const unsigned char *displacement, uint64_t end)
{
    int32_t d;
    memcpy(&d, displacement, sizeof d);
    return end + (uint64_t)(int64_t)d;
}

/* Stubs are 16 bytes each, or 8 in .plt.got. */
static void take_stubs(struct code *c, const Elf_Data *d, const GElf_Shdr *header)
{
    const unsigned char *code = d->d_buf;
    uint64_t size = header->sh_entsize == 8 ? 8 : 16;
    for (size_t i = 0; i + 6 <= d->d_size; i++)
        if (code[i] == 0xff && code[i + 1] == 0x25 &&
            has(&c->slots, target_of(code + i + 2, header->sh_addr + i + 6)))
            vec_push(&c->stubs, header->sh_addr + i / size * size);
}

static void take_calls(const struct code *c, const Elf_Data *d, uint64_t address,
                       struct callsites *out)
{
    const unsigned char *code = d->d_buf;
    for (size_t i = 0; i + 6 <= d->d_size; i++) {
        uint64_t direct = address + i + 5, indirect = direct + 1;
        if (code[i] == 0xe8 && has(&c->stubs, target_of(code + i + 1, direct)))
            vec_push(&out->items, c->base + direct);
        else if (code[i] == 0xff && code[i + 1] == 0x15 &&
                 has(&c->slots, target_of(code + i + 2, indirect)))
            vec_push(&out->items, c->base + indirect);
    }
}

static void search(struct code *c, struct callsites *out)
{
    size_t names;
    GElf_Shdr h;
    if (elf_getshdrstrndx(c->elf, &names))
        return;
    for (int pass = 0; pass < 3; pass++)
        for (Elf_Scn *s = NULL; (s = elf_nextscn(c->elf, s));) {
            Elf_Data *data = gelf_getshdr(s, &h) ? elf_getdata(s, NULL) : NULL;
            const char *name = elf_strptr(c->elf, names, h.sh_name);
            if (!data || !data->d_buf || !name)
                continue;
            int code = h.sh_type == SHT_PROGBITS && h.sh_flags & SHF_EXECINSTR;
            int stubs = code && !strncmp(name, ".plt", 4);
            if (pass == 0 && h.sh_type == SHT_RELA)
                take_slots(c, s, &h);
            if (pass == 1 && stubs)
                take_stubs(c, data, &h);
            if (pass == 2 && code && !stubs)
                take_calls(c, data, h.sh_addr, out);
        }
}

void callsites_find(struct callsites *out, const char *program)
{
    struct code c = {0};
    GElf_Ehdr header;
    *out = (struct callsites){0};
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    c.elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (c.elf && gelf_getehdr(c.elf, &header) && header.e_machine == EM_X86_64) {
        c.base = header.e_type == ET_DYN ? PIE_BASE : 0;
        search(&c, out);
    }
    elf_end(c.elf);
    if (fd >= 0)
        close(fd);
    vec_free(&c.slots);
    vec_free(&c.stubs);
}

void callsites_free(struct callsites *c)
{
    vec_free(&c->items);
}
