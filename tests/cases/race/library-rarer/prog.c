/* Calls of the C library that write or read what another thread uses, one per argument: data races. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <iconv.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int which;
static int numbers[4] = {4, 3, 2, 1};
static struct random_data random_state;
static char random_room[64], text[64], path[] = "/";
static struct statvfs fs;
static cpu_set_t cpus;
static void *root;
static regex_t pattern;
static regmatch_t match;
static struct timespec t = {0, 1};
static pthread_attr_t attr;
static int key = 7;
static size_t count = 2, left, room = sizeof text;
static char *from = path, *other = path, *to = text;
static iconv_t letters;
static struct sockaddr_in home = {.sin_family = AF_INET};

static int compare(const void *a, const void *b, void *arg)
{
    return 0;
}

static int same(const void *a, const void *b)
{
    return 0;
}

static void name_of_home(void)
{
    getnameinfo((struct sockaddr *)&home, sizeof home, text, sizeof text, NULL, 0, NI_NUMERICHOST);
}

static void *calls(void *arg)
{
    int32_t r;
    switch (which) {
    case 0: qsort_r(numbers, 4, sizeof *numbers, compare, NULL); break;
    case 1: srandom_r(1, &random_state); break;
    case 2: timespec_get(&t, TIME_UTC); break;
    case 3: statvfs("/", &fs); break;
    case 4: sched_getaffinity(0, sizeof cpus, &cpus); break;
    case 5: tsearch(text, &root, same); break;
    case 6: regexec(&pattern, "a", 1, &match, 0); break;
    case 7: strerror_r(12345, text, sizeof text); break;
    case 8: nanosleep(&t, NULL); break;
    case 9: pthread_attr_setguardsize(&attr, 4096); break;
    case 10: close(open(path, O_RDONLY)); break;
    case 11: random_r(&random_state, &r); break;
    case 12: lsearch(&key, numbers, &count, sizeof *numbers, same); break;
    case 13: lfind(&key, numbers, &count, sizeof *numbers, same); break;
    case 14: iconv(letters, &from, &left, &to, &room); break;
    case 15: name_of_home(); break;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static const struct {
        void *at;
    } used[] = {{numbers}, {&random_state}, {&t},  {&fs},   {&cpus}, {&root},
                {&match},  {text},          {&t},  {&attr}, {path},  {&random_state},
                {numbers}, {numbers},       {NULL}, {text}};
    which = atoi(argv[1]);
    initstate_r(1, random_room, sizeof random_room, &random_state);
    regcomp(&pattern, "a", 0);
    letters = iconv_open("UTF-8", "UTF-16");
    pthread_attr_init(&attr);
    pthread_t thread;
    pthread_create(&thread, NULL, calls, NULL);
    char *p = used[which].at;
    if (p)
        *p ^= 1;
    else
        iconv(letters, &other, &left, &to, &room);
    pthread_join(thread, NULL);
    return 0;
}
