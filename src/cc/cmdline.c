/* Reads a compiler command line with the table flags.def. A word that is no flag and no value of a
 * flag is an input: a source file if its suffix (or a -x before it) says so, something for the
 * linker otherwise. The line links if it has an input, is not stopped before (-c, -E, …), and is
 * not only headers (which are precompiled). Response files are read for the words in them; the
 * driver still hands on "@FILE" unless a word in it must be dropped. */
#include "cc/cmdline.h"

#include "cc/respfile.h"

#include <stdlib.h>
#include <string.h>

enum form { EXACT, PREFIX, NEXT, EITHER };

static const struct flag {
    const char *spelling;
    enum form form;
    enum cc_effect effect;
} flags[] = {
#define FLAG(spelling, form, effect) {spelling, form, CC_##effect},
#include "cc/flags.def"
#undef FLAG
};

enum input { FOR_LINKER, SOURCE, HEADER };

static const char *const source_suffixes[] = {
    "c",  "i",  "ii", "C",   "cc", "cp", "cpp", "CPP", "cxx", "c++", "m", "mi", "mm",
    "mii", "M", "s",  "S",   "sx", "ll", "bc",  "cppm", "ixx", NULL};
static const char *const header_suffixes[] = {"h",   "hh",  "H",   "hp", "hxx",
                                              "hpp", "HPP", "h++", "tcc", NULL};

static int is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return 1;
    return 0;
}

static enum input input_kind(const char *name, const char *language)
{
    if (language && strcmp(language, "none"))
        return strstr(language, "-header") ? HEADER : SOURCE;
    if (!strcmp(name, "-"))
        return SOURCE;
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    if (!dot)
        return FOR_LINKER;
    if (is_one_of(dot + 1, source_suffixes))
        return SOURCE;
    return is_one_of(dot + 1, header_suffixes) ? HEADER : FOR_LINKER;
}

/* What can have inline assembly. */
static enum cc_source source_kind(const char *name, const char *language)
{
    static const char *const c[] = {"c", "i", "cpp-output", NULL};
    static const char *const cxx[] = {"cc",  "cp",  "cpp", "CPP", "cxx", "c++",
                                      "C",   "ii",  "c++-cpp-output", NULL};
    static const char *const preprocessed[] = {"S", "sx", "assembler-with-cpp", NULL};
    static const char *const assembly[] = {"s", "assembler", NULL};
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    const char *kind = language && strcmp(language, "none") ? language : dot ? dot + 1 : "";
    return is_one_of(kind, c)              ? CC_C
           : is_one_of(kind, cxx)          ? CC_CXX
           : is_one_of(kind, preprocessed) ? CC_ASSEMBLY_CPP
           : is_one_of(kind, assembly)     ? CC_ASSEMBLY
                                           : CC_NO_SOURCE;
}

static int fits(const struct flag *f, const char *word)
{
    size_t n = strlen(f->spelling);
    if (f->form == PREFIX || f->form == EITHER)
        return !strncmp(word, f->spelling, n);
    return !strcmp(word, f->spelling);
}

static const struct flag *find_flag(const char *word)
{
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (fits(&flags[i], word))
            return &flags[i];
    return NULL;
}

/* --- response files --- */

struct expansion {
    struct cc_line *line;
    int arg, depth;
    int files; /* read so far: a file that names itself twice would never end */
};

#define MAX_FILES 500

static void add_word(char *text, void *context)
{
    struct expansion *x = context;
    if (text[0] == '@' && x->depth < 20 && x->files < MAX_FILES) {
        x->files++;
        x->depth++;
        int status = respfile_read(text + 1, add_word, x);
        x->depth--;
        if (!status)
            return;
    }
    struct cc_word word = {.text = text, .arg = x->arg};
    vec_push(&x->line->words, word);
}

/* --- what the words say --- */

struct reading {
    const char *language; /* of -x, or NULL */
    int stopped, object, partial, inputs, sources, headers, libraries;
};

static void take_input(struct reading *r, struct cc_word *word)
{
    enum input kind = input_kind(word->text, r->language);
    word->source = kind == SOURCE ? source_kind(word->text, r->language) : CC_NO_SOURCE;
    word->language = r->language;
    r->inputs++;
    r->sources += kind == SOURCE;
    r->headers += kind == HEADER;
}

static void drop(struct cc_word *word, const char **first)
{
    word->drop = 1;
    if (first && !*first)
        *first = word->text;
}

static void take_flag(struct cc_line *line, struct reading *r, const struct flag *f,
                      struct cc_word *word, const char *value)
{
    switch (f->effect) {
    case CC_PASS: break;
    case CC_ASK: line->asks = 1; break;
    case CC_STOP: r->stopped = 1; break;
    case CC_OBJECT: r->object = 1; break;
    case CC_OUTPUT: line->output = value; break;
    case CC_RULE: line->makes_rule = 1; break;
    case CC_RULE_FILE: line->names_rule = 1; break;
    case CC_RULE_TARGET: line->names_target = 1; break;
    case CC_PARTIAL: r->partial = 1; break;
    case CC_STATIC: line->is_static = word->text; break;
    case CC_DROP: drop(word, NULL); break;
    case CC_DROP_LTO: drop(word, &line->lto); break;
    case CC_DROP_SANITIZER: drop(word, &line->sanitizer); break;
    case CC_DROP_STRIP: drop(word, &line->strip); break;
    case CC_LANGUAGE: r->language = value; break;
    case CC_LIBRARY: r->libraries++; break;
    case CC_LEVEL: line->optimises = strcmp(word->text, "-O0") != 0; break;
    case CC_SYMBOLIC:
        drop(word, NULL);
        line->symbolic = 1;
        break;
    }
}

/* The value of flag f at words[*at]: attached, or the next word (advancing *at), or NULL. */
static const char *value_of(const struct cc_line *line, const struct flag *f, size_t *at)
{
    const char *attached = line->words.items[*at].text + strlen(f->spelling);
    if (f->form == EITHER && *attached)
        return attached;
    if (f->form != EITHER && f->form != NEXT)
        return NULL;
    return *at + 1 < line->words.count ? line->words.items[++*at].text : NULL;
}

void cc_line_read(struct cc_line *line, int argc, char **argv)
{
    *line = (struct cc_line){0};
    for (int i = 1; i < argc; i++) {
        struct expansion x = {line, i, 0, 0};
        add_word(argv[i], &x);
    }
    struct reading r = {0};
    for (size_t i = 0; i < line->words.count; i++) {
        struct cc_word *word = &line->words.items[i];
        const struct flag *f = find_flag(word->text);
        if (f)
            take_flag(line, &r, f, word, value_of(line, f, &i));
        else if (word->text[0] != '-' || !word->text[1])
            take_input(&r, word);
    }
    int only_headers = r.headers && r.headers == r.inputs;
    line->compiles = r.sources + r.headers > 0;
    line->makes_code = !line->asks && !r.stopped && r.sources > 0;
    line->links = !line->asks && !r.stopped && !r.object && !r.partial && !only_headers &&
                  r.inputs + r.libraries > 0;
}

void cc_line_free(struct cc_line *line)
{
    vec_free(&line->words);
}
