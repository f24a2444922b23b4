/* Finds the compiler underneath. RADDLE_CC and RADDLE_CXX may name a program, a path, or a command
 * of several words ("ccache gcc"); if only one is set, the other follows from it (gcc-12 → g++-12),
 * so that RADDLE_CC=gcc is enough for a project of both languages. A clang is known by its name.
 * Any other name (gcc, cc, a wrapper) is asked with -v, which takes gcc 3 ms: what it accepts depends
 * on its version. */
#include "cc/compiler.h"

#include "base/sbuf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The first program of that name on the PATH that will do (NULL: any), as a path that is allocated. */
static char *first_on_path(const char *name, bool (*will_do)(const char *path))
{
    if (strchr(name, '/'))
        return !access(name, X_OK) && (!will_do || will_do(name)) ? mem_strdup(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *full = n ? mem_printf("%.*s/%s", (int)n, p, name) : mem_strdup(name);
        if (!access(full, X_OK) && (!will_do || will_do(full)))
            return full;
        free(full);
        p += n + (p[n] == ':');
    }
    return NULL;
}

char *compiler_on_path(const char *name)
{
    return first_on_path(name, NULL);
}

/* text with the last occurrence of from replaced by to, or NULL if it has none. */
static char *replace_last(const char *text, const char *from, const char *to)
{
    const char *at = NULL;
    for (const char *p = base_name(text); (p = strstr(p, from)); p++)
        at = p;
    return at ? mem_printf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : NULL;
}

/* The C++ (or C) compiler that belongs to the named C (or C++) one. */
static char *counterpart(const char *other, int cplusplus)
{
    static const char *const pairs[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    for (int i = 0; i < 3; i++) {
        char *name = replace_last(other, pairs[i][!cplusplus], pairs[i][cplusplus]);
        if (name)
            return name;
    }
    return NULL;
}

static char *wanted(int cplusplus)
{
    const char *own = getenv(cplusplus ? "RADDLE_CXX" : "RADDLE_CC");
    const char *other = getenv(cplusplus ? "RADDLE_CC" : "RADDLE_CXX");
    if (own && *own)
        return mem_strdup(own);
    return other && *other ? counterpart(other, cplusplus) : NULL;
}

static void add_words(struct compiler *c, const char *command)
{
    if (!access(command, X_OK)) { /* a path, which may contain spaces */
        vec_push(&c->command, mem_strdup(command));
        return;
    }
    for (const char *p = command + strspn(command, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        vec_push(&c->command, mem_strndup(p, n));
        p += n;
    }
}

static int use_named(struct compiler *c, const char *name, int cplusplus, struct error *e)
{
    const char *variable = cplusplus ? "RADDLE_CXX" : "RADDLE_CC";
    add_words(c, name);
    char *path = c->command.count ? compiler_on_path(c->command.items[0]) : NULL;
    if (!path) {
        error_set(e, EXIT_CANNOT_START, "cannot find the compiler '%s'", name);
        return error_todo(e, "%s names the compiler to use: clang, gcc, gcc-12, a path", variable);
    }
    c->command.items[0] = path;
    for (size_t i = 0; i < c->command.count; i++)
        if (!strncmp(base_name(c->command.items[i]), "raddle", 6)) {
            error_set(e, EXIT_USAGE, "%s='%s' names raddle itself", variable, name);
            return error_todo(e, "%s names the compiler underneath: clang, gcc", variable);
        }
    return 0;
}

int compiler_find(struct compiler *c, int cplusplus, struct error *e)
{
    static const char *const defaults[][2] = {{"clang", "gcc"}, {"clang++", "g++"}};
    *c = (struct compiler){0};
    char *name = wanted(cplusplus);
    if (name) {
        int status = use_named(c, name, cplusplus, e);
        free(name);
        return status;
    }
    for (int i = 0; i < 2; i++) {
        char *path = compiler_on_path(defaults[cplusplus][i]);
        if (path) {
            vec_push(&c->command, path);
            c->by_default = 1;
            return 0;
        }
    }
    error_set(e, EXIT_CANNOT_START, "cannot find a compiler: neither %s nor %s is on the PATH",
              defaults[cplusplus][0], defaults[cplusplus][1]);
    return error_todo(e, "install clang or gcc, or name one with %s",
                      cplusplus ? "RADDLE_CXX" : "RADDLE_CC");
}

/* Looks for "gcc version 12.2.0" or "clang version 14.0.6" in what -v prints. */
static void read_version(struct compiler *c, FILE *out)
{
    char line[1024];
    while (fgets(line, sizeof line, out)) {
        const char *clang = strstr(line, "clang version "), *gcc = strstr(line, "gcc version ");
        if (clang || gcc) {
            c->is_clang = clang != NULL;
            c->version = atoi(clang ? clang + 14 : gcc + 12);
        }
    }
}

int compiler_ask(struct compiler *c, struct error *e)
{
    const char *name = base_name(c->command.items[c->command.count - 1]);
    if (strstr(name, "clang")) {
        c->is_clang = 1;
        return 0;
    }
    struct sbuf shell = {0};
    for (size_t i = 0; i < c->command.count; i++) {
        sbuf_word(&shell, c->command.items[i]);
        sbuf_putc(&shell, ' ');
    }
    sbuf_puts(&shell, "-v 2>&1 </dev/null");
    FILE *out = popen(sbuf_str(&shell), "r");
    sbuf_free(&shell);
    if (!out)
        return error_set(e, EXIT_INTERNAL, "cannot run %s: %s", name, strerror(errno));
    read_version(c, out);
    pclose(out);
    if (c->version)
        return 0;
    error_set(e, EXIT_CANNOT_START, "%s is neither clang nor gcc", name);
    return error_todo(e, "raddle needs a compiler with -fsanitize=thread: clang 14 or gcc 7, or a "
                         "later one");
}

/* The version is read off the place of a clang that was installed with its library (…/llvm-14/bin/clang): a
 * clang from elsewhere may be built in another way. 0: it does not tell. */
static int installed_version(const char *clang)
{
    char *path = realpath(clang, NULL);
    const char *at = path ? strstr(path, "/llvm-") : NULL;
    int version = at ? atoi(at + 6) : 0;
    free(path);
    return version;
}

/* A link to ccache, distcc or the like stands before the compiler of the same name that it calls. */
static bool is_no_wrapper(const char *clang)
{
    char *path = realpath(clang, NULL);
    bool itself = path && strstr(base_name(path), "clang");
    free(path);
    return itself;
}

char *compiler_plugin(const struct compiler *c, const char *lib)
{
    const char *last = c->command.items[c->command.count - 1];
    char *named = first_on_path(is_no_wrapper(last) ? last : base_name(last), is_no_wrapper);
    int version = named ? installed_version(named) : 0;
    char *plugin = version ? mem_printf("%s/raddle-locals-%d.so", lib, version) : NULL;
    if (plugin && access(plugin, R_OK)) {
        free(plugin);
        plugin = NULL;
    }
    free(named);
    return plugin;
}

void compiler_free(struct compiler *c)
{
    for (size_t i = 0; i < c->command.count; i++)
        free((char *)c->command.items[i]);
    vec_free(&c->command);
}
