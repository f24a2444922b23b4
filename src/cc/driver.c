/* The driver. A command line is read (cmdline.c), the compiler underneath is found (compiler.c),
 * and the same line is run again with additions:
 *
 *   compiling: the compiler's thread-sanitizer instrumentation, without the calls at function entry
 *     and exit (stacks are walked by frame pointer instead), debug information, and no built-in
 *     expansion of the memory functions that the runtime must see. clang turns every memcpy it
 *     knows into a call when it instruments; gcc expands those of constant size without
 *     instrumenting them, so there the built-ins are switched off one by one.
 *   linking: libraddle-rt.so as the first library, so that it comes before libc in the order of
 *     symbol lookup, in the place of libtsan. When one command compiles and links, clang is told
 *     not to link its own runtime; gcc has no such flag, so gcc.specs hands -fsanitize=thread to
 *     the compiler proper behind the gcc driver's back.
 *
 * What raddle adds for both kinds of step comes before the user's words if the user may overrule it
 * (-g → -g3) and after them if not. The compiler is executed in place, so its exit status, output and
 * signals are those of the command. Before that the sources are looked through for assembly
 * (asm_pass.c); if some must be compiled in another form, the compiler is a child and its status is
 * handed on. */
#include "cc/driver.h"

#include "base/foreign.h"
#include "base/stop.h"
#include "cc/asm_pass.h"
#include "cc/sym_pass.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END (const char *)NULL

static const char *const compile_flags[] = {
    "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE", "-D__RADDLE__=1", "-pthread",
    "-fno-builtin-malloc",     "-fno-builtin-calloc", "-fno-builtin-realloc", "-fno-builtin-free",
    "-fno-builtin-memcmp",     "-fno-builtin-bcmp",   END};

static const char *const clang_compile_flags[] = {
    "-fno-sanitize-link-runtime",
    "-mllvm", "-tsan-instrument-func-entry-exit=0",
    /* x++: the load must not come before its turn */
    "-mllvm", "-tsan-instrument-read-before-write=1",
    "-mllvm", "-tsan-distinguish-volatile=1", /* for --volatile=atomic */
    "-gdwarf-aranges", /* without it libdw finds no source lines by address */
    END};

static const char *const gcc_compile_flags[] = {
    "-fno-builtin-memcpy",  "-fno-builtin-memmove", "-fno-builtin-memset",  "-fno-builtin-mempcpy",
    "-fno-builtin-bcopy",   "-fno-builtin-bzero",   "-fno-builtin-strcpy",  "-fno-builtin-stpcpy",
    "-fno-builtin-strncpy", "-fno-builtin-strcat",  "-fno-builtin-strncat", "-fno-builtin-strcmp",
    "-fno-builtin-strncmp", "-fno-allocation-dce",
#ifdef __x86_64__
    /* For the __builtin_memcpy of headers and of struct copies. */
    "-mmemcpy-strategy=libcall:-1:noalign", "-mmemset-strategy=libcall:-1:noalign",
#endif
    "-Wno-tsan", /* "atomic_thread_fence is not supported": raddle's runtime does */
    END};

static void add(struct cc_args *into, const char *word)
{
    vec_push(&into->words, word);
}

static void add_all(struct cc_args *into, const char *const *words)
{
    for (; *words; words++)
        add(into, *words);
}

/* clang warns of flags that a step has no use for; not of those between these two. */
static void open_quiet(struct cc_args *into, const struct compiler *c)
{
    if (c->is_clang)
        add(into, "--start-no-unused-arguments");
}

static void close_quiet(struct cc_args *into, const struct compiler *c)
{
    if (c->is_clang)
        add(into, "--end-no-unused-arguments");
}

static void add_link_flags(struct cc_args *into, const struct dirs *d)
{
    add(into, mem_printf("-L%s", d->lib));
    add(into, "-Wl,--push-state,--no-as-needed");
    add(into, "-lraddle-rt");
    add(into, "-Wl,--pop-state");
    add(into, "-Xlinker"); /* not -Wl: the path may have a comma */
    add(into, "-rpath");
    add(into, "-Xlinker");
    add(into, d->lib);
    add(into, "-Wl,-z,now"); /* no lazy binding to be put back after every execution */
    add(into, "-pthread");
}

/* What is linked says that no plugin was there for its compiler (rt/abi/units.c). */
static void tell_no_plugin(struct cc_args *into, const struct compiler *c, const struct dirs *d)
{
    char *plugin = c->is_clang ? compiler_plugin(c, d->lib) : NULL;
    if (c->is_clang && !plugin) {
        add(into, "-Wl,--defsym=raddle_rt_no_plugin=1");
        add(into, "-Wl,--export-dynamic-symbol=raddle_rt_no_plugin");
    }
    free(plugin);
}

static void add_head(struct cc_args *into, const struct cc_line *line, const struct compiler *c,
                     const struct dirs *d)
{
    open_quiet(into, c);
    add(into, "-g");
    if (line->links) {
        add_link_flags(into, d);
        tell_no_plugin(into, c, d);
    }
    close_quiet(into, c);
}

static void add_gcc_flags(struct cc_args *into, const struct cc_line *line,
                          const struct compiler *c, const struct dirs *d)
{
    add(into, line->links ? mem_printf("-specs=%s/gcc.specs", d->lib) : "-fsanitize=thread");
    add_all(into, gcc_compile_flags);
    if (c->version >= 11) {
        add(into, "--param=tsan-instrument-func-entry-exit=0");
        add(into, "--param=tsan-distinguish-volatile=1"); /* for --volatile=atomic */
    }
}

/* Accesses to parts of local variables that other threads may know (rewrite/locals.cc); without the
 * plugin all local variables in memory are taken for such, which is slow without optimisation. */
static void add_locals(struct cc_args *into, const struct compiler *c, const struct dirs *d)
{
    char *plugin = compiler_plugin(c, d->lib);
    if (plugin) {
        add(into, mem_printf("-fpass-plugin=%s", plugin));
    } else {
        add(into, "-mllvm");
        add(into, "-capture-tracking-max-uses-to-explore=0");
    }
    free(plugin);
}

static void add_tail(struct cc_args *into, const struct cc_line *line, const struct compiler *c,
                     const struct dirs *d)
{
    if (!line->compiles)
        return;
    open_quiet(into, c);
    add_all(into, compile_flags);
    if (line->rewritten) /* -MD and the like were for the first compilation */
        add(into, "-Wno-unused-command-line-argument");
    else if (c->is_clang)
        add(into, "-fsanitize=thread");
    if (c->is_clang) {
        add_all(into, clang_compile_flags);
        add_locals(into, c, d);
    } else
        add_gcc_flags(into, line, c, d);
    add(into, mem_printf("-I%s", d->include));
    add(into, mem_printf("-isystem%s/raddle/cxx", d->include));
    close_quiet(into, c);
}

/* A source in its instrumented form, which is not preprocessed again. Warnings that come from macros
 * are not recognised as such any more, so none may be an error. */
static void add_instead(struct cc_args *into, const struct cc_word *word)
{
    static const char *const languages[] = {[CC_C] = "cpp-output", [CC_CXX] = "c++-cpp-output",
                                            [CC_ASSEMBLY] = "assembler",
                                            [CC_ASSEMBLY_CPP] = "assembler", [CC_BITCODE] = "ir"};
    add(into, "-Wno-error");
    add(into, "-x");
    add(into, languages[word->source]);
    add(into, word->instead);
    add(into, "-x");
    add(into, word->language ? word->language : "none");
}

/* The words of one argument: itself, or those of a response file that has a word to change. */
static size_t add_argument(struct cc_args *into, const struct cc_line *line, size_t at, char **argv)
{
    const struct cc_word *words = line->words.items;
    size_t end = at;
    int drops = 0;
    for (; end < line->words.count && words[end].arg == words[at].arg; end++)
        drops += words[end].drop || words[end].instead;
    if (!drops)
        add(into, argv[words[at].arg]);
    else
        for (size_t i = at; i < end; i++)
            if (words[i].instead)
                add_instead(into, &words[i]);
            else if (!words[i].drop)
                add(into, words[i].text);
    return end;
}

static int refuse_static(const struct cc_line *line, struct error *e)
{
    error_set(e, EXIT_CANNOT_START, "%s: raddle needs a dynamically linked program",
              line->is_static);
    return error_todo(e, "leave it out: the runtime takes the place of libc's functions when the "
                         "program is loaded");
}

static int refuse_missing_runtime(const struct dirs *d, struct error *e)
{
    error_set(e, EXIT_CANNOT_START, "raddle's runtime is missing: %s/libraddle-rt.so", d->lib);
    return error_todo(e, "build or install raddle again");
}

static int has_runtime(const struct dirs *d)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/libraddle-rt.so", d->lib);
    return access(path, R_OK) == 0;
}

int driver_command(struct cc_args *into, const struct cc_line *line, const struct compiler *c,
                   const struct dirs *d, char **argv, struct error *e)
{
    if (line->links && line->is_static)
        return refuse_static(line, e);
    if (line->links && !has_runtime(d))
        return refuse_missing_runtime(d, e);
    for (size_t i = 0; i < c->command.count; i++)
        add(into, c->command.items[i]);
    int ours = !line->asks && (line->compiles || line->links), tail = ours;
    if (ours)
        add_head(into, line, c, d);
    for (size_t i = 0; i < line->words.count;) {
        if (tail && !strcmp(line->words.items[i].text, "--")) { /* only files follow */
            add_tail(into, line, c, d);
            tail = 0;
        }
        i = add_argument(into, line, i, argv);
    }
    if (tail)
        add_tail(into, line, c, d);
    add(into, NULL);
    return 0;
}

static void print_notices(const struct cc_line *line)
{
    if (line->lto)
        foreign_printf(stderr, "raddle cc: note: %s left out: the program is instrumented and linked "
                        "object by object\n", line->lto);
    if (line->sanitizer)
        foreign_printf(stderr, "raddle cc: note: %s left out: raddle's runtime takes the place of the "
                        "sanitizers\n", line->sanitizer);
    if (line->strip)
        foreign_printf(stderr, "raddle cc: note: %s left out: raddle tells failures with source lines\n",
                line->strip);
}

static int execute(const struct cc_args *args)
{
    struct error e;
    execv(args->words.items[0], (char **)args->words.items);
    error_set(&e, EXIT_CANNOT_START, "cannot run %s: %s", args->words.items[0], strerror(errno));
    return error_print(&e);
}

/* Runs the compiler as a child, for what is to be done after it, also after a signal. */
static int execute_and_wait(const struct cc_args *args)
{
    int status = 0, told = stop_asked();
    pid_t child = fork();
    if (child == 0)
        _exit(execute(args));
    if (child < 0)
        return EXIT_CANNOT_START;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (stop_asked() != told)
            kill(child, stop_signal());
        told = stop_asked();
        usleep(2000);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What compiling adds to the command line, for the preprocessor to see the same. */
static char *look_for_assembly(struct cc_line *line, const struct compiler *c, const struct dirs *d,
                               int argc, char **argv)
{
    struct cc_args tail = {0};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-###"))
            return NULL;
    add_tail(&tail, line, c, d);
    add(&tail, NULL);
    char *folder = asm_pass(line, c, tail.words.items);
    vec_free(&tail.words);
    return folder;
}

static int rewrite(struct cc_line *line, const struct compiler *c, const struct dirs *d, char **folder)
{
    struct cc_args tail = {0};
    add_tail(&tail, line, c, d);
    add(&tail, NULL);
    int status = sym_pass(line, c, d, tail.words.items, folder);
    vec_free(&tail.words);
    return status;
}

/* A project that is built with gcc may not be what clang, which nobody asked for, understands. */
static int run_and_hint(const struct cc_args *args, int cplusplus)
{
    int status = execute_and_wait(args);
    if (status == 1 && !stop_asked())
        fprintf(stderr, "raddle cc: note: the compiler was %s; if the project is built with gcc, try "
                        "RADDLE_CC=gcc\n", cplusplus ? "clang++" : "clang");
    return status;
}

static int may_hint(const struct cc_line *line, const struct compiler *c)
{
    char *gcc = line->makes_code && c->by_default && c->is_clang ? compiler_on_path("gcc") : NULL;
    free(gcc);
    return gcc != NULL;
}

int driver_run(int cplusplus, int argc, char **argv)
{
    struct cc_line line;
    struct compiler c;
    struct dirs d;
    struct cc_args args = {0};
    struct error e;
    cc_line_read(&line, argc, argv);
    if ((line.symbolic ? sym_pass_compiler(&c, cplusplus, &e) : compiler_find(&c, cplusplus, &e)) ||
        dirs_find(&d, &e) || (line.symbolic && sym_pass_check(&d, &e)))
        return error_print(&e);
    if (!line.asks && (line.compiles || line.links) && compiler_ask(&c, &e))
        return error_print(&e);
    if (line.makes_code)
        stop_watch();
    char *folder = line.makes_code ? look_for_assembly(&line, &c, &d, argc, argv) : NULL;
    int failed = line.symbolic && line.makes_code ? rewrite(&line, &c, &d, &folder) : 0;
    if (failed) {
        if (folder)
            asm_pass_remove(folder);
        return failed;
    }
    if (driver_command(&args, &line, &c, &d, argv, &e))
        return error_print(&e);
    print_notices(&line);
    int hints = may_hint(&line, &c);
    if (!folder && !hints && !stop_asked())
        return execute(&args);
    int status = stop_asked() ? 128 + stop_signal()
                 : hints      ? run_and_hint(&args, cplusplus)
                              : execute_and_wait(&args);
    if (!folder)
        return status;
    asm_pass_remove(folder);
    return status;
}
