/* Source lines and functions (inlined ones too) from DWARF through libdwfl.
 *
 * Lines and functions are asked for the byte before a return address: that one belongs to the call. Code of
 * libraries that programs are compiled with (the C++ library, raddle.h) is passed over: its caller is what a
 * reader knows. */
#include "report/symbols_impl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Debug information is looked for on this machine only: a report asks no server. */
static int find_debuginfo(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word crc, char **found)
{
    const char *urls = getenv("DEBUGINFOD_URLS");
    char *kept = urls ? mem_strdup(urls) : NULL;
    unsetenv("DEBUGINFOD_URLS");
    int fd = dwfl_standard_find_debuginfo(m, user, name, base, file, link, crc, found);
    if (kept)
        setenv("DEBUGINFOD_URLS", kept, 1);
    free(kept);
    return fd;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

struct symbols *symbols_open(const struct tale *t)
{
    struct symbols *s = mem_alloc(sizeof *s);
    s->dwfl = dwfl_begin(&callbacks);
    if (!s->dwfl)
        return s;
    dwfl_report_begin(s->dwfl);
    for (size_t i = 0; i < t->modules.count; i++) {
        const struct tale_module *m = &t->modules.items[i];
        if (m->path[0] == '/' && !tale_foreign(t, m->start))
            dwfl_report_elf(s->dwfl, m->path, m->path, -1, m->base, true);
    }
    dwfl_report_end(s->dwfl, NULL, NULL);
    return s;
}

void symbols_free(struct symbols *s)
{
    for (size_t i = 0; i < s->paths.count; i++)
        free(s->paths.items[i]);
    vec_free(&s->paths);
    vec_free(&s->variables);
    vec_free(&s->kinds);
    free(s->places);
    symbols_scopes_free(s);
    if (s->dwfl)
        dwfl_end(s->dwfl);
    free(s);
}

/* ---- code ---- */

/* The name as C++ programmers write it. The demangler is the C++ library's own, if there is one here. */
const char *symbols_demangled(struct symbols *s, const char *name)
{
    typedef char *demangle(const char *, char *, size_t *, int *);
    static demangle *function;
    static int looked;
    if (!name || strncmp(name, "_Z", 2))
        return name;
    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        function = library ? (demangle *)dlsym(library, "__cxa_demangle") : NULL;
        looked = 1;
    }
    int status = 1;
    char *bare = mem_strndup(name, strcspn(name, "@")); /* without the version of a library's symbol */
    char *plain = function ? function(bare, NULL, NULL, &status) : NULL;
    free(bare);
    if (!plain || status)
        return name;
    const char *kept = symbols_keep(s, plain);
    free(plain);
    return kept;
}

const char *symbols_keep(struct symbols *s, const char *path)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (!strcmp(s->paths.items[i], path))
            return s->paths.items[i];
    vec_push(&s->paths, mem_strdup(path));
    return s->paths.items[s->paths.count - 1];
}

static const char *without(const char *path, const char *directory)
{
    size_t n = directory ? strlen(directory) : 0;
    return n && !strncmp(path, directory, n) && path[n] == '/' ? path + n + 1 : path;
}

static const char *short_path(struct symbols *s, const char *path, Dwarf_Die *cu)
{
    Dwarf_Attribute a;
    char here[4096];
    const char *directory = cu ? dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &a)) : NULL;
    path = without(path, directory);
    path = without(path, getcwd(here, sizeof here));
    if (!strncmp(path, "./", 2))
        path += 2;
    char *shown = mem_strdup(path);
    for (char *c = shown; *c; c++) /* a file's name cannot be taken for further lines */
        *c = *c == '\n' || *c == '\r' ? '?' : *c;
    const char *kept = symbols_keep(s, shown);
    free(shown);
    return kept;
}

int symbols_is_function(Dwarf_Die *d)
{
    int tag = dwarf_tag(d);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Where an inlined function was called: the place in the function around it. */
static void call_site(struct symbols *s, Dwarf_Die *inlined, Dwarf_Die *cu, struct place *out)
{
    Dwarf_Attribute a;
    Dwarf_Word line = 0, file = 0;
    Dwarf_Files *files;
    if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &a), &line))
        out->line = (int)line;
    if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &a), &file) &&
        !dwarf_getsrcfiles(cu, &files, NULL)) {
        const char *path = dwarf_filesrc(files, file, NULL, NULL);
        out->file = path ? short_path(s, path, cu) : NULL;
        out->source = path;
    }
}

/* The class around a member function; NULL if there is none. */
static Dwarf_Die *class_around(Dwarf_Die *function, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    Dwarf_Die declared = *function, *scopes;
    while (dwarf_formref_die(dwarf_attr(&declared, DW_AT_abstract_origin, &a), out) ||
           dwarf_formref_die(dwarf_attr(&declared, DW_AT_specification, &a), out))
        declared = *out;
    int n = dwarf_getscopes_die(&declared, &scopes), found = 0;
    int tag = n > 1 ? dwarf_tag(&scopes[1]) : 0;
    if (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) {
        *out = scopes[1];
        found = 1;
    }
    if (n > 0)
        free(scopes);
    return found ? out : NULL;
}

static int entry_line(Dwarf_Die *cu, Dwarf_Die *function)
{
    Dwarf_Addr entry;
    Dwarf_Line *line = dwarf_entrypc(function, &entry) ? NULL : dwarf_getsrc_die(cu, entry);
    int number = 0;
    return line && !dwarf_lineno(line, &number) ? number : 0;
}

/* "Queue<int>::push", "lambda:13" after its line, "worker". */
static const char *function_name(struct symbols *s, Dwarf_Die *cu, Dwarf_Die *function)
{
    const char *name = dwarf_diename(function);
    Dwarf_Die class;
    int member = name && class_around(function, &class) != NULL, line = 0;
    const char *around = member ? dwarf_diename(&class) : NULL;
    int lambda = name && !strcmp(name, "operator()") && (!around || strchr(around, '('));
    if (!member && !lambda)
        return name;
    if (member)
        dwarf_decl_line(&class, &line);
    else
        line = entry_line(cu, function);
    char *text = lambda ? mem_printf("lambda:%d", line) : mem_printf("%s::%s", around ? around : "", name);
    const char *kept = symbols_keep(s, text);
    free(text);
    return kept;
}

static int frames_of_scopes(struct symbols *s, Dwarf_Die *cu, Dwarf_Die *scopes, int n,
                            struct place *out, int room)
{
    int count = 0;
    struct place here = out[0];
    for (int i = 0; i < n && count < room; i++) {
        if (!symbols_is_function(&scopes[i]))
            continue;
        here.function = function_name(s, cu, &scopes[i]);
        out[count++] = here;
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            break;
        call_site(s, &scopes[i], cu, &here);
    }
    return count;
}

/* The compilation unit of an address; clang writes no .debug_aranges, which the quick way needs. */
Dwarf_Die *symbols_unit(Dwfl_Module *m, Dwarf_Addr at, Dwarf_Addr *bias)
{
    Dwarf_Die *cu = dwfl_module_addrdie(m, at, bias);
    while (!cu || dwarf_haspc(cu, at - *bias) <= 0)
        if (!(cu = dwfl_module_nextcu(m, cu, bias)))
            return NULL;
    return cu;
}

/* Code that the compiler gives no line (0) belongs to the line before it. */
static void find_line(struct symbols *s, Dwarf_Die *cu, Dwarf_Addr at, struct place *out)
{
    for (int back = 0; back < 64 && !out->line; back++) {
        Dwarf_Line *line = dwarf_getsrc_die(cu, at - (Dwarf_Addr)back);
        const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
        if (!path || dwarf_lineno(line, &out->line))
            return;
        out->file = short_path(s, path, cu);
        out->source = path;
    }
}

int symbols_frames(struct symbols *s, uint64_t pc, struct place *out, int room)
{
    out[0] = (struct place){0};
    Dwarf_Addr at = pc ? pc - 1 : 0, bias;
    Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, at) : NULL;
    if (!m)
        return 1;
    Dwarf_Die *cu = symbols_unit(m, at, &bias);
    if (cu)
        find_line(s, cu, at - bias, &out[0]);
    const struct scopes *around = symbols_scopes(s, pc);
    int count = around->count ? frames_of_scopes(s, cu, around->items, around->count, out, room) : 0;
    if (count)
        return count;
    out[0].function = symbols_demangled(s, dwfl_module_addrname(m, at));
    return 1;
}

/* clang names its way to some of them. */
static int is_of_system(const char *file)
{
    return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
           !strncmp(file, "/usr/bin/../", 12) || strstr(file, "/include/c++/");
}

int symbols_internal(const struct place *p)
{
    size_t n = p->file ? strlen(p->file) : 0;
    if (!n)
        return 0;
    if (strstr(p->file, "/include/raddle/") || (p->source && !strncmp(p->source, "/raddle/libc/", 13)))
        return 1;
    return (n >= 8 && !strcmp(p->file + n - 8, "raddle.h")) || is_of_system(p->file);
}

static struct place find_place(struct symbols *s, uint64_t pc)
{
    struct place p[8];
    int n = symbols_frames(s, pc, p, 8), k = 0;
    while (k + 1 < n && symbols_internal(&p[k]))
        k++;
    return p[k];
}

/* Reports ask for the same places again and again. */
struct place symbols_place(struct symbols *s, uint64_t pc)
{
    if (!s->places)
        s->places = mem_alloc(SYMBOLS_PLACES * sizeof *s->places);
    struct known_place *k = &s->places[symbols_hash(pc)];
    if (k->pc != pc || !pc)
        *k = (struct known_place){pc, find_place(s, pc)};
    return k->place;
}
