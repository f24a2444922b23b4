/* See sym_pass.h. The first compilation runs none of LLVM's passes and always with -O1, so that the
 * branches that are explored are those of the source and do not depend on the user's -O; the last one,
 * from bitcode to the object, has the user's flags. With -O0, or no -O, the rewriter combines no accesses to
 * memory: each of the source is one that other threads can come between. Warnings and rules for make come
 * from the first. */
#include "cc/sym_pass.h"

#include "cc/asm_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LLVM "19"

static int refuse(struct error *e, const char *what)
{
    error_set(e, EXIT_CANNOT_START, "--symbolic: %s", what);
    return error_todo(e, "install the packages clang-" LLVM " and llvm-" LLVM "-dev, and build raddle again");
}

int sym_pass_compiler(struct compiler *c, int cplusplus, struct error *e)
{
    const char *variable = cplusplus ? "RADDLE_CXX" : "RADDLE_CC", *named = getenv(variable);
    struct error ignored;
    if (named && *named && !strstr(named, "clang")) {
        error_set(e, EXIT_CANNOT_START, "--symbolic: clang-" LLVM " is needed, and %s names another compiler",
                  variable);
        return error_todo(e, "leave %s out, or set it to clang%s-" LLVM, variable, cplusplus ? "++" : "");
    }
    if (!named || !strstr(named, LLVM)) /* bitcode of another version is not understood */
        setenv(variable, cplusplus ? "clang++-" LLVM : "clang-" LLVM, 1);
    if (compiler_find(c, cplusplus, &ignored) || compiler_ask(c, &ignored))
        return refuse(e, "clang-" LLVM " is needed, and is not there");
    return 0;
}

int sym_pass_check(const struct dirs *d, struct error *e)
{
    char *path = mem_printf("%s/raddle-rewrite", d->lib);
    int missing = access(path, X_OK);
    free(path);
    return missing ? refuse(e, "raddle was built without LLVM") : 0;
}

static int run(const struct pass_words *command)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execv(command->items[0], (char **)command->items);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void add_all(struct pass_words *into, const char *const *words)
{
    for (; *words; words++)
        vec_push(into, *words);
}

/* A source that the pass over assembly has put another file in the place of. */
static void add_source(struct pass_words *into, const struct cc_word *w)
{
    if (!w->instead)
        return;
    vec_push(into, "-x");
    vec_push(into, w->source == CC_CXX ? "c++-cpp-output" : "cpp-output");
    vec_push(into, w->instead);
}

static int to_bitcode(const struct cc_line *line, const struct cc_word *w, const struct compiler *c,
                      const char *const *words, const char *out)
{
    static const char *const first[] = {"-D__NO_CTYPE", /* functions, not tables */
                                        "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm",
                                        "-fno-discard-value-names", "-fno-vectorize",
                                        "-fno-slp-vectorize",
                                        "-fno-delete-null-pointer-checks", /* they are explored */
                                        "-c", "-o", NULL};
    struct pass_words command = {0};
    for (size_t i = 0; i < c->command.count; i++)
        vec_push(&command, c->command.items[i]);
    vec_push(&command, "--start-no-unused-arguments"); /* what is for the linker */
    vec_push(&command, "-g");
    pass_add_flags(line, w->instead ? NULL : w, &command);
    add_source(&command, w);
    if (!w->instead)
        pass_add_rule_flags(line, &command);
    add_all(&command, words);
    add_all(&command, first);
    vec_push(&command, out);
    vec_push(&command, NULL);
    int status = run(&command);
    vec_free(&command);
    return status;
}

static int rewritten(const struct cc_line *line, const struct dirs *d, const char *in, const char *out)
{
    struct pass_words command = {0};
    vec_push(&command, mem_printf("%s/raddle-rewrite", d->lib));
    vec_push(&command, in);
    vec_push(&command, out);
    vec_push(&command, mem_printf("%s/raddle-checks.bc", d->lib));
    vec_push(&command, mem_printf("%s/raddle-libc.bc", d->lib));
    if (!line->optimises)
        vec_push(&command, "-O0");
    vec_push(&command, NULL);
    int status = run(&command);
    vec_free(&command);
    return !status;
}

static void go_on_without(struct cc_line *line, const char *file)
{
    fprintf(stderr, "raddle cc: note: %s cannot be rewritten: built without --symbolic\n", file);
    for (size_t i = 0; i < line->words.count; i++)
        if (line->words.items[i].source == CC_BITCODE) {
            line->words.items[i].source = CC_C;
            line->words.items[i].instead = NULL;
        }
    line->rewritten = 0;
}

int sym_pass(struct cc_line *line, const struct compiler *c, const struct dirs *d,
             const char *const *words, char **folder)
{
    for (size_t i = 0; i < line->words.count; i++) {
        struct cc_word *w = &line->words.items[i];
        if (w->source != CC_C && w->source != CC_CXX)
            continue;
        char *first = pass_file(folder, w, line->words.count + i, ".bc");
        char *second = pass_file(folder, w, i, ".bc");
        int status = first ? to_bitcode(line, w, c, words, first) : 1;
        if (status)
            return status;
        if (!rewritten(line, d, first, second)) {
            go_on_without(line, w->text);
            return 0;
        }
        w->instead = second;
        w->source = CC_BITCODE;
        line->rewritten = 1;
    }
    return 0;
}
