/* Each source is preprocessed with the flags of the command line and looked through. Nearly always there
 * is nothing in it that matters, and the command runs as it is. Otherwise the instrumented text is
 * written to a file of the same name in a folder of its own, and that is compiled. Rules for make (-MD)
 * are written by the preprocessing then. If the preprocessor fails, the compiler will say why. Standard
 * input is copied first, since it is read twice. */
#include "cc/asm_pass.h"

#include "base/foreign.h"
#include "cc/asm_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Flags of the line without its sources, its output and what says how far to go. */
void pass_add_flags(const struct cc_line *line, const struct cc_word *source, struct pass_words *into)
{
    static const char *const left_out[] = {"-c", "-S", "-o", "--output", "--compile", "--assemble", "-pipe"};
    for (size_t i = 0; i < line->words.count; i++) {
        const struct cc_word *w = &line->words.items[i];
        int skip = w->drop || (w->source && w != source);
        for (size_t k = 0; k < sizeof left_out / sizeof left_out[0]; k++)
            skip |= !strcmp(w->text, left_out[k]);
        if (w->text == line->output || (line->output && w->text + 2 == line->output))
            skip = 1;
        if (!skip)
            vec_push(into, w->text);
    }
}

static char *with_suffix(const char *path, const char *suffix)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return mem_printf("%.*s%s", (int)(dot ? (size_t)(dot - path) : strlen(path)), path, suffix);
}

void pass_add_rule_flags(const struct cc_line *line, struct pass_words *into)
{
    if (!line->makes_rule || !line->output)
        return;
    if (!line->names_rule) {
        vec_push(into, "-MF");
        vec_push(into, with_suffix(line->output, ".d"));
    }
    if (!line->names_target) {
        vec_push(into, "-MT");
        vec_push(into, line->output);
    }
}

static int read_all(int fd, struct sbuf *into)
{
    char part[65536];
    ssize_t n;
    while ((n = read(fd, part, sizeof part)) > 0)
        sbuf_add(into, part, (size_t)n);
    return n < 0 ? -1 : 0;
}

/* The output of the command; its messages are not for the user, the compiler repeats them. */
static int output_of(const struct pass_words *command, struct sbuf *into)
{
    int fds[2], status = 0;
    if (pipe2(fds, O_CLOEXEC))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], 1);
        dup2(open("/dev/null", O_RDWR), 2);
        execv(command->items[0], (char **)command->items);
        _exit(127);
    }
    close(fds[1]);
    int bad = child < 0 || read_all(fds[0], into);
    close(fds[0]);
    return child < 0 || waitpid(child, &status, 0) < 0 || bad || status ? -1 : 0;
}

static int preprocess(struct cc_line *line, const struct cc_word *source, const struct compiler *c,
                      const char *const *words, struct sbuf *into)
{
    struct pass_words command = {0};
    for (size_t i = 0; i < c->command.count; i++)
        vec_push(&command, c->command.items[i]);
    pass_add_flags(line, source, &command);
    pass_add_rule_flags(line, &command);
    for (; *words; words++)
        vec_push(&command, *words);
    vec_push(&command, "-E");
    vec_push(&command, "-w");
    vec_push(&command, NULL);
    int status = output_of(&command, into);
    vec_free(&command);
    return status;
}

static int is_stdin(const char *path)
{
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdin");
}

/* Standard input becomes a file that has the same contents. */
static int keep_stdin(void)
{
    struct sbuf all = {0};
    FILE *f = tmpfile();
    int bad = !f || read_all(0, &all) || fwrite(sbuf_str(&all), 1, all.len, f) != all.len ||
              fflush(f) || dup2(fileno(f), 0) < 0;
    sbuf_free(&all);
    return bad ? -1 : 0;
}

/* Can the source be read twice? */
static int is_readable(const struct cc_word *w, int *kept)
{
    struct stat st;
    if (is_stdin(w->text)) {
        if (!*kept && keep_stdin())
            return 0;
        *kept = 1;
        return lseek(0, 0, SEEK_SET) == 0;
    }
    if (stat(w->text, &st) || S_ISREG(st.st_mode))
        return 1;
    if (!S_ISCHR(st.st_mode))
        foreign_printf(stderr, "raddle cc: note: %s is not a file: assembly in it is not looked for\n",
                       w->text);
    return 0;
}

static int read_source(const char *path, struct sbuf *into)
{
    int fd = open(strcmp(path, "-") ? path : "/dev/stdin", O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -1 : read_all(fd, into);
    if (fd >= 0)
        close(fd);
    return status;
}

/* A source that is preprocessed already, of which no preprocessor makes anything. Its name and lines are its
 * own, unless it says otherwise. */
static int read_preprocessed(const char *path, struct sbuf *into)
{
    if (!strpbrk(path, "\"\\\n"))
        sbuf_printf(into, "# 1 \"%s\"\n# 1 \"%s\"\n", path, path);
    return read_source(path, into);
}

static char *new_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = mem_printf("%s/raddle-cc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(folder) ? folder : NULL;
}

/* The name decides what the object is called. */
char *pass_file(char **folder, const struct cc_word *w, size_t number, const char *suffix)
{
    if (!*folder && !(*folder = new_folder()))
        return NULL;
    const char *slash = strrchr(w->text, '/');
    char *sub = mem_printf("%s/%zu", *folder, number);
    char *name = with_suffix(slash ? slash + 1 : w->text, suffix);
    char *path = mem_printf("%s/%s", sub, name);
    mkdir(sub, 0700);
    free(sub);
    free(name);
    return path;
}

static void write_instead(struct cc_word *w, char **folder, size_t number, const struct sbuf *text)
{
    static const char *const suffixes[] = {
        [CC_C] = ".i", [CC_CXX] = ".ii", [CC_ASSEMBLY] = ".s", [CC_ASSEMBLY_CPP] = ".s"};
    char *path = pass_file(folder, w, number, suffixes[w->source]);
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f && fwrite(text->s, 1, text->len, f) == text->len && !fclose(f))
        w->instead = path;
}

/* Could the text matter at all? Most sources end here. */
static int may_matter(const struct sbuf *text)
{
    static const char section[] = "__VERIFIER_atomic_";
    return memmem(text->s, text->len, "asm", 3) || memmem(text->s, text->len, section, sizeof section - 1);
}

static void look_through(struct cc_line *line, struct cc_word *w, const struct compiler *c,
                         const char *const *words, char **folder)
{
    struct sbuf text = {0}, out = {0};
    int is_assembly = w->source == CC_ASSEMBLY || w->source == CC_ASSEMBLY_CPP, found = 0;
    int bad = w->source == CC_ASSEMBLY ? read_source(w->text, &text)
                                       : preprocess(line, w, c, words, &text);
    if (!bad && !text.len && !is_stdin(w->text))
        bad = read_preprocessed(w->text, &text);
    if (!bad && text.len && is_assembly)
        found = asm_text_note(&out, text.s, text.len, w->text);
    else if (!bad && text.len && may_matter(&text))
        found = asm_text_instrument(&out, text.s, text.len, w->source == CC_CXX);
    if (found)
        write_instead(w, folder, (size_t)(w - line->words.items), &out);
    sbuf_free(&text);
    sbuf_free(&out);
}

char *asm_pass(struct cc_line *line, const struct compiler *c, const char *const *words)
{
    char *folder = NULL;
    int kept = 0;
    for (size_t i = 0; i < line->words.count; i++)
        if (line->words.items[i].source && is_readable(&line->words.items[i], &kept))
            look_through(line, &line->words.items[i], c, words, &folder);
    if (kept)
        lseek(0, 0, SEEK_SET);
    return folder;
}

void asm_pass_remove(char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    free(folder);
}
