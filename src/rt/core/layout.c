/* What a farm's participants must have in common: the same modules with code (by their build-ids and
 * segments; by their code where there is no build-id) at the same addresses, since work items name objects
 * by address. The kernel's own page (vdso) has no objects of the program. */
#include "rt/core/team.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#define BASIS 0xcbf29ce484222325u
#define NOTES 4096 /* bytes of them that are looked at */

static uint64_t mix(uint64_t h, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}

static bool has_build_id(const char *at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) n;
        memcpy(&n, at, sizeof n);
        size_t whole = sizeof n + ((n.n_namesz + 3u) & ~3u) + ((n.n_descsz + 3u) & ~3u);
        if (whole > size)
            return false;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && !memcmp(at + sizeof n, "GNU", 4))
            return true;
        at += whole;
        size -= whole;
    }
    return false;
}

static uint64_t content(const struct dl_phdr_info *info)
{
    uint64_t h = BASIS;
    bool identified = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
        if (p->p_type == PT_LOAD) {
            h = mix(h, &p->p_vaddr, sizeof p->p_vaddr);
            h = mix(h, &p->p_memsz, sizeof p->p_memsz);
        } else if (p->p_type == PT_NOTE && p->p_filesz <= NOTES) {
            h = mix(h, at, p->p_filesz);
            identified |= has_build_id(at, p->p_filesz);
        }
    }
    for (int i = 0; i < info->dlpi_phnum && !identified; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && (p->p_flags & PF_R))
            h = mix(h, (const void *)(info->dlpi_addr + p->p_vaddr), p->p_filesz);
    }
    return h;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *to)
{
    struct module_layout *l = to;
    const char *slash = strrchr(info->dlpi_name, '/');
    if (!strncmp(info->dlpi_name, "linux-vdso", 10))
        return 0;
    struct module_mark m = {.content = content(info), .address = info->dlpi_addr};
    snprintf(m.name, sizeof m.name, "%s", slash ? slash + 1 : info->dlpi_name);
    if (l->count < SHARED_MODULES)
        l->modules[l->count++] = m;
    else
        l->rest = mix(mix(l->rest, &m.content, sizeof m.content), &m.address, sizeof m.address);
    return 0;
}

void layout_note(void)
{
    rt.shared->layout.count = 0;
    rt.shared->layout.rest = BASIS;
    dl_iterate_phdr(note_module, &rt.shared->layout);
}
