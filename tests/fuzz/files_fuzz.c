/* Fuzzing of everything that reads a file, through the commands themselves: files made by raddle are
 * mutated and given to it. Each case runs in a forked child of this process, which is the whole tool
 * built with sanitizers, so a crash, an endless loop or an exit() ends only that case. Wrong is: death by
 * a signal, an internal error or a sanitizer's report, more time than its limits allow, and control
 * characters in what it prints.
 *
 *     files_fuzz SECONDS SEED FOLDER TARGET…        a target is a folder FOLDER/TARGET with
 *         command     words, one per line; @ is the mutated file (which keeps its name)
 *         NAME.EXT    files to mutate (and what the command needs besides)
 *
 * The reader has a chance only if the file is nearly right, so most mutations are small: a bit, a byte,
 * a number, a piece cut out, doubled or taken from another seed, and words the formats have. */
#include "base/utf8.h"
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_BYTES (1u << 20)
#define MAX_SEEDS 64
#define MAX_WORDS 32
#define LIMIT 10 /* seconds of CPU time a case may take; commands are given less by their options */

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1:exitcode=99:max_allocation_size_mb=2048";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:exitcode=99:print_stacktrace=1";
}

struct seed {
    char name[128];
    unsigned char *data;
    size_t size;
};

struct target {
    const char *name;
    char folder[512], words_text[4096];
    char *words[MAX_WORDS];
    int word_count;
    struct seed seeds[MAX_SEEDS];
    int seed_count;
    unsigned long cases;
};

static int run_command(int argc, char **argv)
{
#define COMMAND(command)                                                                           \
    if (!strcmp(argv[0], cmd_##command##_options.name))                                            \
        return cmd_##command(argc, argv);
#include "cli/commands.def"
#undef COMMAND
    return 2;
}

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (state * 0x2545f4914f6cdd1dull >> 11) % below : 0;
}

/* ---- mutation ---- */

static const char *const pieces[] = {
    "\033]0;x\007", "\033[2J", "\xe2\x80\xae", "\x9b" "31m", "\xff", "\n", "\r\n", "\t", " ", "-1", "0", "1",
    "255", "256", "65535", "65536", "4294967295", "4294967296", "18446744073709551615", "1e308", "@", "@@",
    "c1/3", "0x1", "x1000000", "(", ")", "{", "}", "[", "]", "/* ", "\"", "'", "\\", ",", ";", ":", "|", "~",
    "IF ", " THEN ", " LIKE ", " IN ", "<Parameter", "0..1000000000", "..", "#", "end", "steps ", "sequence ",
    "operation ", "thread 1 f", "%s%n", "../../../etc/passwd",
};

struct text {
    unsigned char *data;
    size_t size;
};

static void put_part(struct text *t, size_t at, size_t cut, const void *with, size_t n)
{
    if (at > t->size || cut > t->size - at || t->size - cut + n > MAX_BYTES)
        return;
    memmove(t->data + at + n, t->data + at + cut, t->size - at - cut);
    if (n)
        memcpy(t->data + at, with, n);
    t->size += n - cut;
}

static void change_number(struct text *t)
{
    static const uint64_t values[] = {0, 1, 255, 256, 65535, 1u << 31, UINT32_MAX, UINT64_MAX, 1ull << 63};
    uint64_t value = values[draw(sizeof values / sizeof values[0])];
    size_t width = (size_t)1 << draw(4), at = draw(t->size);
    at -= at % width;
    if (t->size >= width && at <= t->size - width)
        memcpy(t->data + at, &value, width);
}

/* A whole line in another place, twice, or from another seed. */
static void move_line(struct text *t, const struct target *g)
{
    const struct seed *s = &g->seeds[draw((uint64_t)g->seed_count)];
    size_t from = draw(s->size), to = draw(t->size + 1), n = 0;
    while (from && s->data[from - 1] != '\n')
        from--;
    while (from + n < s->size && s->data[from + n++] != '\n')
        ;
    while (to && to < t->size && t->data[to - 1] != '\n')
        to--;
    put_part(t, to, 0, s->data + from, n);
}

static void mutate(struct text *t, const struct target *g)
{
    const char *piece = pieces[draw(sizeof pieces / sizeof pieces[0])];
    size_t at = draw(t->size + 1), n = draw(draw(4) ? 16 : 4096);
    switch (draw(8)) {
    case 0:
        if (at < t->size)
            t->data[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        if (at < t->size)
            t->data[at] = (unsigned char)draw(256);
        break;
    case 2:
        change_number(t);
        break;
    case 3:
        put_part(t, at, n < t->size - at ? n : t->size - at, NULL, 0);
        break;
    case 4:
        move_line(t, g);
        break;
    case 5:
        put_part(t, at, draw(2) ? 0 : (strlen(piece) < t->size - at ? strlen(piece) : t->size - at), piece,
               strlen(piece));
        break;
    case 6: {
        unsigned char copy[4096];
        size_t length = n < t->size - at ? n : t->size - at;
        memcpy(copy, t->data + at, length);
        for (uint64_t times = 1 + draw(8); times--;)
            put_part(t, at, 0, copy, length);
        break;
    }
    default:
        if (!draw(20))
            t->size = at;
    }
}

/* ---- one case ---- */

static void put_file(const char *path, const void *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
        perror(path);
        exit(2);
    }
    close(fd);
}

static void run_case(const struct target *g, const char *file, int out)
{
    char *argv[MAX_WORDS + 1] = {NULL};
    struct rlimit cpu = {LIMIT, LIMIT + 1};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &cpu);
    for (int i = 0; i < g->word_count; i++) {
        char *at = strchr(g->words[i], '@'), *word = NULL;
        if (at && asprintf(&word, "%.*s%s%s", (int)(at - g->words[i]), g->words[i], file, at + 1) < 0)
            _exit(2);
        argv[i] = word ? word : g->words[i];
    }
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(out, 1);
    dup2(out, 2);
    if (chdir(g->folder))
        _exit(2);
    exit(run_command(g->word_count, argv));
}

/* What it printed must be harmless; NULL, or what is wrong. */
static const char *harmful(int out, char **text)
{
    off_t size = lseek(out, 0, SEEK_END);
    *text = calloc(1, (size_t)size + 1);
    if (!*text || pread(out, *text, (size_t)size, 0) != size)
        return "cannot read its output";
    for (const char *s = *text; *s;) {
        uint32_t c = utf8_next(&s);
        if (c == UTF8_BAD || utf8_is_control(c))
            return "control characters in its output";
    }
    return NULL;
}

static const char *judge(int status, int out, double seconds, char **text)
{
    const char *wrong = harmful(out, text);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "it takes too long" : "it died";
    if (WEXITSTATUS(status) == 99 || strstr(*text, "runtime error:") || strstr(*text, "AddressSanitizer"))
        return "a sanitizer complains";
    /* The sanitizer lies where workers have their memory: a command that has read its file ends there. */
    if (WEXITSTATUS(status) == 70 && !strstr(*text, "cannot set up shared memory"))
        return "an internal error";
    return seconds > 3 * LIMIT ? "it takes too long" : wrong;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static pid_t start(const struct target *g, const char *file, int out)
{
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        run_case(g, file, out);
    }
    return pid;
}

/* Waits at most three times the CPU limit; nothing it started is left. */
static int finish(pid_t pid)
{
    int status = 0;
    double end = now() + 3 * LIMIT;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (now() > end)
            kill(pid, SIGKILL);
        usleep(200);
    }
    kill(-pid, SIGKILL);
    return status;
}

static int one_case(struct target *g, const char *keep)
{
    static unsigned char room[MAX_BYTES + 1];
    const struct seed *s = &g->seeds[draw((uint64_t)g->seed_count)];
    struct text t = {room, s->size};
    char path[1024], *said = NULL;
    memcpy(room, s->data, s->size);
    for (uint64_t n = g->cases ? 1 + draw(draw(3) ? 4 : 30) : 0; n--;)
        mutate(&t, g);
    snprintf(path, sizeof path, "%s/%s", g->folder, s->name);
    put_file(path, t.data, t.size);
    int out = memfd_create("out", MFD_CLOEXEC);
    double since = now();
    int status = finish(start(g, s->name, out));
    const char *wrong = judge(status, out, now() - since, &said);
    g->cases++;
    if (wrong) {
        printf("%s, case %lu, %s: %s (status %#x, %.1f s)\n%.3000s\n", g->name, g->cases, s->name, wrong,
               status, now() - since, said);
        put_file(keep, t.data, t.size);
    }
    put_file(path, s->data, s->size); /* the others of this folder find it as it was */
    free(said);
    close(out);
    return wrong != NULL;
}

/* ---- targets ---- */

static size_t load(const char *path, unsigned char *into, size_t room)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(into, 1, room, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static void add_seeds(struct target *g)
{
    static unsigned char room[MAX_BYTES];
    char path[1024];
    struct dirent **list;
    int n = scandir(g->folder, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", g->folder, name);
        if (stat(path, &st) || !S_ISREG(st.st_mode) || !strchr(name, '.') || g->seed_count == MAX_SEEDS ||
            strlen(name) >= sizeof g->seeds[0].name || name[0] == '.' || access(path, W_OK))
            continue;
        struct seed *s = &g->seeds[g->seed_count];
        s->size = load(path, room, sizeof room / 2);
        s->data = malloc(s->size + 1);
        memcpy(s->data, room, s->size);
        strcpy(s->name, name);
        g->seed_count += s->size > 0;
    }
}

static int open_target(struct target *g, const char *folder, const char *name)
{
    char path[1024];
    g->name = name;
    snprintf(g->folder, sizeof g->folder, "%s/%s", folder, name);
    snprintf(path, sizeof path, "%s/command", g->folder);
    g->words_text[load(path, (unsigned char *)g->words_text, sizeof g->words_text - 1)] = 0;
    for (char *w = strtok(g->words_text, "\n"); w && g->word_count < MAX_WORDS; w = strtok(NULL, "\n"))
        g->words[g->word_count++] = w;
    add_seeds(g);
    return g->word_count && g->seed_count ? 0 : -1;
}

int main(int argc, char **argv)
{
    int count = argc - 4, bad = 0;
    struct target *targets = calloc((size_t)(count > 0 ? count : 1), sizeof *targets);
    if (count < 1 || !targets)
        return 2;
    state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < count; i++)
        if (open_target(&targets[i], argv[3], argv[4 + i])) {
            fprintf(stderr, "no command or no seeds in %s/%s\n", argv[3], argv[4 + i]);
            return 2;
        }
    double share = atof(argv[1]) / count;
    for (int i = 0; i < count; i++) {
        char keep[1024];
        int wrong = 0;
        for (double end = now() + share; now() < end && wrong < 3;) {
            snprintf(keep, sizeof keep, "%s/wrong-%s-%d", argv[3], argv[4 + i], wrong + 1);
            wrong += one_case(&targets[i], keep);
        }
        printf("%s: %lu cases, %d wrong\n", argv[4 + i], targets[i].cases, wrong);
        fflush(stdout);
        bad |= wrong > 0;
    }
    return bad;
}
