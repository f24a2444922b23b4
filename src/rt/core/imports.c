/* Every import has a relocation. The table of symbols itself does not tell where it ends, nor that imports
 * come first in it: one whose address is taken (a pointer to a function, -fno-plt, --symbolic) need not. */
#include "rt/core/imports.h"

#include <elf.h>
#include <stddef.h>

/* What the dynamic section of a module says. */
struct imports {
    const char *strings;
    const ElfW(Sym) *symbols;
    struct {
        const ElfW(Rela) *at;
        size_t bytes;
    } table[2]; /* of the calls, and all others */
};

const ElfW(Dyn) *imports_dynamic(const struct dl_phdr_info *module)
{
    for (int i = 0; i < module->dlpi_phnum; i++)
        if (module->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const void *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
    return NULL;
}

static struct imports imports_of(const struct dl_phdr_info *info)
{
    struct imports m = {0};
    for (const ElfW(Dyn) *d = imports_dynamic(info); d && d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr;
        switch (d->d_tag) {
        case DT_STRTAB: m.strings = at; break;
        case DT_SYMTAB: m.symbols = at; break;
        case DT_JMPREL: m.table[0].at = at; break;
        case DT_PLTRELSZ: m.table[0].bytes = d->d_un.d_val; break;
        case DT_RELA: m.table[1].at = at; break;
        case DT_RELASZ: m.table[1].bytes = d->d_un.d_val; break;
        }
    }
    return m;
}

bool imports_any(const struct dl_phdr_info *module, bool (*look)(const char *name))
{
    struct imports m = imports_of(module);
    for (int t = 0; t < 2 && m.strings && m.symbols; t++)
        for (size_t i = 0; m.table[t].at && i < m.table[t].bytes / sizeof(ElfW(Rela)); i++) {
            const ElfW(Sym) *s = &m.symbols[ELF64_R_SYM(m.table[t].at[i].r_info)];
            if (s->st_shndx == SHN_UNDEF && look(m.strings + s->st_name))
                return true;
        }
    return false;
}
