/* What a farm's participants must have in common: the same modules with code (by their build-ids and
 * segments) at the same addresses, since work items name objects by address. The kernel's own page
 * (vdso) has no objects of the program. */
#include "rt/core/team.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static uint64_t mix(uint64_t h, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}

/* The notes of the linker: build-id and the like. */
static uint64_t mix_notes(uint64_t h, const struct dl_phdr_info *info, const ElfW(Phdr) *p)
{
    return p->p_filesz <= 4096 ? mix(h, (const void *)(info->dlpi_addr + p->p_vaddr), p->p_filesz) : h;
}

static int mix_module(struct dl_phdr_info *info, size_t size, void *hash)
{
    uint64_t *h = hash;
    if (strstr(info->dlpi_name, "vdso"))
        return 0;
    *h = mix(*h, &info->dlpi_addr, sizeof info->dlpi_addr);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD) {
            *h = mix(*h, &p->p_vaddr, sizeof p->p_vaddr);
            *h = mix(*h, &p->p_memsz, sizeof p->p_memsz);
        } else if (p->p_type == PT_NOTE) {
            *h = mix_notes(*h, info, p);
        }
    }
    return 0;
}

void layout_note(void)
{
    uint64_t h = 0xcbf29ce484222325u;
    dl_iterate_phdr(mix_module, &h);
    rt.shared->layout = h;
}
