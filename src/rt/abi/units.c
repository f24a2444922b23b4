/* An object that was compiled without raddle cc and only linked with it: its accesses to memory are not
 * seen, and nothing else would tell. Each object that the compiler has instrumented has a constructor,
 * local to it; the linker keeps the local symbols of an object together, behind the name of its
 * source. So a source without the constructor was not instrumented. A program without symbols (strip)
 * does not tell.
 *
 * In an object built with --symbolic the constructor has another name and makes another call, so one that
 * was not is noticed when its constructor runs. */
#include "rt/abi/units.h"

#include "rt/check/finding.h"
#include "rt/core/restart.h"

#include "rewrite/hooks.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The compiler's own files at the ends of every program. */
static bool of_toolchain(const char *name)
{
    size_t n = strlen(name);
    return n == 0 || !strcmp(name, "crtstuff.c") || (n > 2 && !strcmp(name + n - 2, ".o"));
}

void names_add(struct unit_names *n, const char *name)
{
    size_t used = strlen(n->text);
    if (n->count++ < NAMES_KEPT)
        rt_format(n->text + used, sizeof n->text - used, "%s%s", used ? ", " : "", name);
    else if (n->count == NAMES_KEPT + 1)
        rt_format(n->text + used, sizeof n->text - used, ", …");
}

bool names_have(const struct unit_names *n, const char *name)
{
    return strstr(n->text, name) != NULL;
}

static bool is_constructor(const char *name)
{
    return !strcmp(name, "tsan.module_ctor") || !strncmp(name, "_sub_I_00099_0", 14);
}

static bool is_symbolic_constructor(const char *name)
{
    return !strcmp(name, "raddle_sym.module_ctor");
}

/* The sources that lack what is looked for. */
struct unit_query {
    bool symbolic; /* built with --symbolic; otherwise: instrumented at all */
    struct unit_names names;
};

static bool tells(const struct unit_query *q, const char *name)
{
    return is_symbolic_constructor(name) || (!q->symbolic && is_constructor(name));
}

static void read_symbols(const ElfW(Sym) *s, size_t n, const char *strings, struct unit_query *q)
{
    const char *file = NULL;
    bool told = false;
    for (size_t i = 0; i <= n; i++) {
        bool local = i < n && ELF64_ST_BIND(s[i].st_info) == STB_LOCAL;
        if (local && ELF64_ST_TYPE(s[i].st_info) != STT_FILE) {
            told |= tells(q, strings + s[i].st_name);
            continue;
        }
        if (file && !told && !of_toolchain(file))
            names_add(&q->names, file);
        if (!local)
            return;
        file = strings + s[i].st_name;
        told = false;
    }
}

static void read_file(const char *bytes, size_t size, struct unit_query *q)
{
    const ElfW(Ehdr) *head = (const void *)bytes;
    if (size < sizeof *head || head->e_shoff > size ||
        (size - head->e_shoff) / sizeof(ElfW(Shdr)) < head->e_shnum)
        return;
    const ElfW(Shdr) *sections = (const void *)(bytes + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        const ElfW(Shdr) *t = &sections[i], *strings = &sections[t->sh_link % head->e_shnum];
        if (t->sh_type != SHT_SYMTAB || t->sh_offset > size || t->sh_size > size - t->sh_offset ||
            strings->sh_offset > size || strings->sh_size > size - strings->sh_offset)
            continue;
        read_symbols((const void *)(bytes + t->sh_offset), t->sh_size / sizeof(ElfW(Sym)),
                     bytes + strings->sh_offset, q);
    }
}

static int check_module(struct dl_phdr_info *info, size_t unused, void *arg)
{
    const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
    if (!restart_built_with_raddle(info))
        return 0;
    int fd = (int)syscall(SYS_open, path, O_RDONLY | O_CLOEXEC);
    long size = fd < 0 ? -1 : syscall(SYS_lseek, fd, 0L, SEEK_END);
    if (size > 0) {
        char *bytes = (char *)syscall(SYS_mmap, NULL, size, PROT_READ, MAP_PRIVATE, fd, 0L);
        if (bytes != MAP_FAILED && (long)bytes > 0) {
            read_file(bytes, (size_t)size, arg);
            syscall(SYS_munmap, bytes, size);
        }
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
    return 0;
}

/* There, if the clang that linked the program is one that raddle has no plugin for (rewrite/locals.cc). */
extern const char raddle_rt_no_plugin __attribute__((weak));

void units_check(void)
{
    struct unit_query q = {.symbolic = false};
    if (&raddle_rt_no_plugin)
        finding_incomplete("raddle has no plugin for the clang that compiled the program: accesses of other "
                           "sizes than 1, 2, 4, 8 and 16 bytes are not seen (see docs/compiling.md)");
    dl_iterate_phdr(check_module, &q);
    if (q.names.count)
        finding_incomplete("not compiled with raddle cc, so what it does is not seen: %s", q.names.text);
}

/* ---- built with --symbolic, and not ---------------------------------------------------------- */

static bool plain; /* a constructor of an object without it has run */

void __tsan_init(void);
RT_EXPORT void __tsan_init(void)
{
    plain = true;
}

RT_EXPORT void raddle_sym_module(void)
{
}

void units_check_symbolic(void)
{
    struct unit_query q = {.symbolic = true};
    static bool checked;
    if (checked || !plain)
        return;
    checked = true;
    dl_iterate_phdr(check_module, &q);
    finding_incomplete("not built with --symbolic, so what it does with inputs is not followed: %s",
                       q.names.count ? q.names.text : "part of the program (it has no symbols)");
}
