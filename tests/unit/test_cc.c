/* The compiler driver: how command lines are read, and what is run in their place. */
#include "cc/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

/* Splits at spaces; argv[0] is "cc". */
static int split(char *text, char **argv, int room)
{
    int argc = 0;
    argv[argc++] = "cc";
    for (char *w = strtok(text, " "); w && argc < room - 1; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return argc;
}

/* Reads a line of words; the result names what it does: a(sks) c(ompiles) l(inks) s(tatic) o(ptimises). */
static const char *reading(const char *words)
{
    static char does[8];
    char text[256], *argv[32];
    struct cc_line line;
    snprintf(text, sizeof text, "%s", words);
    cc_line_read(&line, split(text, argv, 32), argv);
    snprintf(does, sizeof does, "%s%s%s%s%s", line.asks ? "a" : "", line.compiles ? "c" : "",
             line.links ? "l" : "", line.is_static ? "s" : "", line.optimises ? "o" : "");
    cc_line_free(&line);
    return does;
}

static void tells_what_a_line_does(void **state)
{
    static const struct {
        const char *words, *does;
    } lines[] = {
        {"a.c -o a", "cl"},
        {"-o a.c b.o", "l"},
        {"-c a.c", "c"},
        {"-c -O2 a.c", "co"},
        {"-c -O3 -O0 a.c", "c"},
        {"-O a.c", "clo"},
        {"-c -o a.o a.cpp -MD -MF a.c", "c"},
        {"-E a.c", "c"},
        {"-M a.c", "c"},
        {"-MM -MT x.c a.c", "c"},
        {"-S a.c", "c"},
        {"-fsyntax-only a.c", "c"},
        {"a.o b.a -lm", "l"},
        {"-shared -o b.so -Wl,--whole-archive -lx", "l"},
        {"-r a.o b.o -o c.o", ""},
        {"-nostdlib -Wl,-r a.o -o c.o", ""},
        {"-x c -", "cl"},
        {"-xc++ -E -", "c"},
        {"-x c a.weird -x none b.o", "cl"},
        {"-x c -c /dev/null -o x.o", "c"},
        {"a.h", "c"},
        {"-x c-header a.h -o a.h.gch", "c"},
        {"-include a.h b.o", "l"},
        {"-Xclang a.c b.o", "l"},
        {"dir.c/file", "l"},
        {"--version", "a"},
        {"-print-prog-name=ld", "a"},
        {"-dumpmachine", "a"},
        {"-v", ""},
        {"-o x", ""},
        {"-Wl,--version", ""},
        {"-static a.c", "cls"},
        {"-static -c a.c", "cs"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(reading(lines[i].words), lines[i].does))
            fail_msg("'%s' is read as '%s', not '%s'", lines[i].words, reading(lines[i].words),
                     lines[i].does);
}

/* A folder that looks like raddle's lib, and a compiler that is never run. */
struct fixture {
    char dir[64];
    struct dirs dirs;
    struct compiler compiler;
};

static int set_up(void **state)
{
    struct fixture *f = mem_alloc(sizeof *f);
    strcpy(f->dir, "/tmp/raddle-test-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    f->dirs.lib = f->dirs.include = f->dir;
    char *runtime = mem_printf("%s/libraddle-rt.so", f->dir);
    fclose(fopen(runtime, "w"));
    free(runtime);
    vec_push(&f->compiler.command, "/bin/cc");
    f->compiler.version = 12;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char *remove_all = mem_printf("rm -rf %s", f->dir);
    int status = system(remove_all);
    free(remove_all);
    vec_free(&f->compiler.command);
    free(f);
    return status;
}

/* The command for a line, joined with spaces and one at each end. */
static char *command_for(struct fixture *f, const char *words, struct error *e)
{
    char *text = mem_strdup(words), *argv[32], *joined = mem_strdup(" ");
    struct cc_line line;
    struct cc_args args = {0};
    cc_line_read(&line, split(text, argv, 32), argv);
    if (driver_command(&args, &line, &f->compiler, &f->dirs, argv, e))
        return NULL;
    for (size_t i = 0; args.words.items[i]; i++) {
        char *longer = mem_printf("%s%s ", joined, args.words.items[i]);
        free(joined);
        joined = longer;
    }
    vec_free(&args.words);
    cc_line_free(&line);
    free(text);
    return joined;
}

static void assert_command(struct fixture *f, const char *words, const char *has, const char *not)
{
    struct error e;
    char *command = command_for(f, words, &e);
    assert_non_null(command);
    if (has && !strstr(command, has))
        fail_msg("'%s' lacks '%s': %s", words, has, command);
    if (not && strstr(command, not))
        fail_msg("'%s' has '%s': %s", words, not, command);
    free(command);
}

static void adds_per_step(void **state)
{
    struct fixture *f = *state;
    for (f->compiler.is_clang = 0; f->compiler.is_clang < 2; f->compiler.is_clang++) {
        assert_command(f, "-c a.c", " -fsanitize=thread ", "raddle-rt");
        assert_command(f, "-c a.c", " -fno-omit-frame-pointer ", " -specs");
        assert_command(f, "a.o", " -lraddle-rt ", "-fsanitize");
        assert_command(f, "a.o -lc", " -lraddle-rt -Wl,--pop-state", " -I");
        assert_command(f, "-shared a.o", " -lraddle-rt ", NULL);
        assert_command(f, "-r a.o", NULL, "raddle-rt");
        assert_command(f, "-O3 -g3 -c a.c", " -O3 -g3 -c a.c ", NULL);
        assert_command(f, "--version", " /bin/cc --version ", "-g");
        assert_command(f, "-c -- a.c", " -- a.c ", "-- a.c -");
    }
    f->compiler.is_clang = 0;
    assert_command(f, "a.c", "/gcc.specs ", " -fsanitize=thread ");
    assert_command(f, "-c a.c", " --param=tsan-instrument-func-entry-exit=0 ", NULL);
    f->compiler.version = 10;
    assert_command(f, "-c a.c", NULL, "tsan-instrument-func-entry-exit");
    f->compiler.is_clang = 1;
    assert_command(f, "a.c", " -fno-sanitize-link-runtime ", "-specs");
}

static void drops_and_refuses(void **state)
{
    struct fixture *f = *state;
    struct error e;
    assert_command(f, "-flto=auto a.o -flto", " a.o ", "-flto");
    assert_command(f, "-fsanitize=address a.o", " a.o ", "address");
    assert_command(f, "-D_FORTIFY_SOURCE=2 -c a.c", " -U_FORTIFY_SOURCE ", "=2");
    assert_command(f, "-s a.o", " a.o ", " -s ");
    assert_null(command_for(f, "-static a.c", &e));
    assert_int_equal(e.status, EXIT_CANNOT_START);
    assert_command(f, "-static -c a.c", " -static -c a.c ", NULL);
    f->dirs.lib = "/nonexistent";
    assert_null(command_for(f, "a.c", &e));
    assert_non_null(strstr(e.what, "/nonexistent/libraddle-rt.so"));
    assert_command(f, "-c a.c", " a.c ", NULL);
}

static char *write_file(struct fixture *f, const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", f->dir, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static void reads_response_files(void **state)
{
    struct fixture *f = *state;
    char words[256], expect[256];
    char *plain = write_file(f, "plain", "-c\n'a b.c'  -D\"X=\\\"1 2\\\"\"\n");
    snprintf(words, sizeof words, "@%s", plain);
    snprintf(expect, sizeof expect, " @%s ", plain);
    assert_string_equal(reading(words), "c");
    assert_command(f, words, expect, "raddle-rt");

    char *outer = mem_printf("-flto @%s", plain), *nested = write_file(f, "nested", outer);
    snprintf(words, sizeof words, "@%s", nested);
    assert_command(f, words, " -c a b.c -DX=\"1 2\" ", "-flto");

    snprintf(words, sizeof words, "-c @%s/missing.c", f->dir);
    assert_string_equal(reading(words), "c");
    free(plain);
    free(outer);
    free(nested);
}

static const char *found(const char *cc, const char *cxx, int cplusplus)
{
    static struct compiler c;
    static struct error e;
    cc ? setenv("RADDLE_CC", cc, 1) : unsetenv("RADDLE_CC");
    cxx ? setenv("RADDLE_CXX", cxx, 1) : unsetenv("RADDLE_CXX");
    return compiler_find(&c, cplusplus, &e) ? e.what : c.command.items[0];
}

static void finds_compilers(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"clang", "clang++", "gcc", "gcc-9", "g++-9", "my"};
    for (int i = 0; i < 6; i++) {
        char *path = mem_printf("%s/%s", f->dir, names[i]);
        fclose(fopen(path, "w"));
        assert_int_equal(chmod(path, 0755), 0);
        free(path);
    }
    char *saved = mem_strdup(getenv("PATH"));
    setenv("PATH", f->dir, 1);
    assert_non_null(strstr(found(NULL, NULL, 0), "/clang"));
    assert_non_null(strstr(found(NULL, NULL, 1), "/clang++"));
    assert_non_null(strstr(found("gcc-9", NULL, 0), "/gcc-9"));
    assert_non_null(strstr(found("gcc-9", NULL, 1), "/g++-9"));
    assert_non_null(strstr(found(NULL, "g++-9", 0), "/gcc-9"));
    assert_non_null(strstr(found("my gcc", NULL, 0), "/my"));
    assert_non_null(strstr(found("gone", NULL, 0), "cannot find the compiler 'gone'"));
    assert_non_null(strstr(found("raddle-cc", NULL, 0), "cannot find"));
    setenv("PATH", "/nonexistent", 1);
    assert_non_null(strstr(found(NULL, NULL, 0), "neither clang nor gcc"));
    setenv("PATH", saved, 1);
    free(saved);
    unsetenv("RADDLE_CC");
    unsetenv("RADDLE_CXX");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_a_line_does),
        cmocka_unit_test_setup_teardown(adds_per_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drops_and_refuses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_response_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_compilers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
