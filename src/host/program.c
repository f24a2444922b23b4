/* Looks at the ELF file before it is started: a program without our runtime would just run, outside
 * of any control, and the user would wait for a verdict that never comes. */
#include "host/program.h"

#include "base/mem.h"
#include "base/sbuf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char RUNTIME[] = "libraddle-rt.so";

static int refuse(struct error *e, const char *name, const char *why, const char *todo)
{
    error_set(e, EXIT_CANNOT_START, "%s %s", name, why);
    return error_todo(e, "%s", todo);
}

static int check_file(const char *name, struct error *e)
{
    struct stat st;
    if (stat(name, &st)) {
        error_set(e, EXIT_CANNOT_START, "cannot run %s: %s", name, strerror(errno));
        if (errno == ENOENT && !strchr(name, '/'))
            return error_todo(e, "give the path of the program, as in ./%s", name);
        return -1;
    }
    if (S_ISDIR(st.st_mode))
        return refuse(e, name, "is a directory", "give the program inside it");
    if (!S_ISREG(st.st_mode))
        return refuse(e, name, "is not a regular file", "give a program built with raddle cc");
    if (access(name, X_OK))
        return refuse(e, name, "is not executable", "is it the program itself? chmod +x makes it one");
    return 0;
}

struct dynamic {
    int interp, runtime;
    char loader[256];
};

static void look_at_needed(Elf *elf, const GElf_Phdr *ph, struct dynamic *d)
{
    Elf_Scn *scn = gelf_offscn(elf, ph->p_offset);
    GElf_Shdr sh;
    Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
    if (!data || !gelf_getshdr(scn, &sh) || !sh.sh_entsize)
        return;
    for (size_t i = 0; i < sh.sh_size / sh.sh_entsize; i++) {
        GElf_Dyn dyn;
        if (!gelf_getdyn(data, (int)i, &dyn) || dyn.d_tag != DT_NEEDED)
            continue;
        const char *needed = elf_strptr(elf, sh.sh_link, dyn.d_un.d_val);
        if (needed && !strcmp(needed, RUNTIME))
            d->runtime = 1;
    }
}

static void look_at_segments(Elf *elf, struct dynamic *d)
{
    size_t count = 0;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr ph;
        if (!gelf_getphdr(elf, (int)i, &ph))
            continue;
        if (ph.p_type == PT_DYNAMIC)
            look_at_needed(elf, &ph, d);
        if (ph.p_type != PT_INTERP)
            continue;
        d->interp = 1;
        Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_BYTE);
        if (data && data->d_size && data->d_size <= sizeof d->loader)
            memcpy(d->loader, data->d_buf, data->d_size);
        d->loader[sizeof d->loader - 1] = 0;
    }
}

static int check_elf(Elf *elf, const char *name, struct error *e)
{
    static const char build[] = "build it with: raddle cc -g -o PROGRAM FILE.c -pthread";
    GElf_Ehdr eh;
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
        return refuse(e, name, "is not an ELF program (a script?)",
                      "run the compiled program itself, built with raddle cc");
    if (gelf_getclass(elf) != ELFCLASS64 || eh.e_machine != EM_X86_64)
        return refuse(e, name, "is built for another machine; raddle tests x86-64 programs", build);
    if (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)
        return refuse(e, name, "is not a linked program (an object file?)", build);
    struct dynamic d = {0};
    look_at_segments(elf, &d);
    if (!d.interp)
        return refuse(e, name, "is statically linked (or a shared library); raddle needs a dynamic program",
                      "leave out -static and build it with raddle cc");
    if (!d.runtime)
        return refuse(e, name, "was not built with raddle cc", build);
    if (access(d.loader, X_OK))
        return error_set(e, EXIT_CANNOT_START, "%s wants the loader %s, which is not on this machine",
                         name, d.loader);
    return 0;
}

/* Does the program use a function of this name that it does not have itself? */
static int uses(Elf *elf, const char *name)
{
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr sh;
        GElf_Sym sym;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
            const char *found = elf_strptr(elf, sh.sh_link, sym.st_name);
            if (found && sym.st_shndx == SHN_UNDEF && !strcmp(found, name))
                return 1;
        }
    }
    return 0;
}

static char *hash_id(int fd)
{
    uint64_t hash = 0xcbf29ce484222325u, size = 0;
    unsigned char part[8192];
    lseek(fd, 0, SEEK_SET);
    for (ssize_t n; (n = read(fd, part, sizeof part)) > 0; size += (uint64_t)n)
        for (ssize_t i = 0; i < n; i++)
            hash = (hash ^ part[i]) * 0x100000001b3u;
    return mem_printf("%llu-%016llx", (unsigned long long)size, (unsigned long long)hash);
}

static char *build_id(Elf *elf, int fd)
{
    const void *bytes = NULL;
    ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);
    if (n <= 0)
        return hash_id(fd);
    struct sbuf hex = {0};
    for (ssize_t i = 0; i < n; i++)
        sbuf_printf(&hex, "%02x", ((const unsigned char *)bytes)[i]);
    return hex.s;
}

int program_open(struct program *p, const char *name, struct error *e)
{
    *p = (struct program){0};
    if (check_file(name, e))
        return -1;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(e, EXIT_CANNOT_START, "cannot read %s: %s", name, strerror(errno));
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    int status = elf ? check_elf(elf, name, e)
                     : error_set(e, EXIT_CANNOT_START, "cannot read %s: %s", name, elf_errmsg(-1));
    if (!status) {
        p->path = realpath(name, NULL);
        p->id = build_id(elf, fd);
        p->sections = uses(elf, "__VERIFIER_atomic_begin") || uses(elf, "raddle_rt_section_begins");
    }
    elf_end(elf);
    close(fd);
    return status;
}

char *program_own_id(void)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return mem_strdup("unknown");
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    char *id = elf ? build_id(elf, fd) : hash_id(fd);
    elf_end(elf);
    close(fd);
    return id;
}

void program_free(struct program *p)
{
    free(p->path);
    free(p->id);
    *p = (struct program){0};
}
