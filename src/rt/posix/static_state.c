/* Functions of the C library that keep their result or their state in static memory ("MT-Unsafe race:…"
 * in its manual): two threads that call them without order race for it, as for any variable. Where the
 * result is in static memory, it is that; elsewhere a word here stands for it. */
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"

#include <getopt.h>
#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t tokens, numbers, users, groups, hosts, tables, characters, names;
static uint64_t locales, logins, terminals, digits, services, protocols;

static void keeps(const void *state, size_t size, uintptr_t pc)
{
    if (!strings_watched(pc))
        return;
    if (rt.threads > 1)
        file_state_is_elsewhere();
    strings_write(state, size, pc);
}

#define KEEPS(type, name, parameters, state, ...)                                                  \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        keeps(&state, sizeof state, RT_PC());                                                      \
        return REAL(name)(__VA_ARGS__);                                                            \
    }

KEEPS(char *, strtok, (char *restrict s, const char *restrict delimiters), tokens, s, delimiters)
KEEPS(double, drand48, (void), numbers)
KEEPS(long, lrand48, (void), numbers)
KEEPS(long, mrand48, (void), numbers)
KEEPS(void, srand48, (long seed), numbers, seed)
KEEPS(unsigned short *, seed48, (unsigned short seed[3]), numbers, seed)
KEEPS(struct passwd *, getpwnam, (const char *name), users, name)
KEEPS(struct passwd *, getpwuid, (uid_t id), users, id)
KEEPS(struct group *, getgrnam, (const char *name), groups, name)
KEEPS(struct group *, getgrgid, (gid_t id), groups, id)
KEEPS(struct hostent *, gethostbyname, (const char *name), hosts, name)
KEEPS(int, hcreate, (size_t n), tables, n)
KEEPS(ENTRY *, hsearch, (ENTRY item, ACTION action), tables, item, action)
KEEPS(void, hdestroy, (void), tables)
KEEPS(int, mblen, (const char *s, size_t n), characters, s, n)
KEEPS(int, mbtowc, (wchar_t *restrict c, const char *restrict s, size_t n), characters, c, s, n)
KEEPS(int, wctomb, (char *s, wchar_t c), characters, s, c)
KEEPS(char *, ttyname, (int fd), names, fd)
KEEPS(struct lconv *, localeconv, (void), locales)
KEEPS(struct passwd *, getpwent, (void), users)
KEEPS(struct group *, getgrent, (void), groups)
KEEPS(char *, getlogin, (void), logins)
KEEPS(char *, ptsname, (int fd), terminals, fd)
KEEPS(char *, l64a, (long n), digits, n)
KEEPS(char *, ecvt, (double x, int n, int *point, int *sign), digits, x, n, point, sign)
KEEPS(char *, fcvt, (double x, int n, int *point, int *sign), digits, x, n, point, sign)
KEEPS(struct servent *, getservbyname, (const char *name, const char *protocol), services, name, protocol)
KEEPS(struct servent *, getservbyport, (int port, const char *protocol), services, port, protocol)
KEEPS(struct protoent *, getprotobyname, (const char *name), protocols, name)
KEEPS(int, getopt, (int n, char *const words[], const char *letters), optind, n, words, letters)
KEEPS(int, getopt_long,
      (int n, char *const words[], const char *letters, const struct option *o, int *at), optind, n,
      words, letters, o, at)

/* Where the library puts its results, asked for when nobody has one yet. */
static struct tm *time_buffer(void)
{
    static struct tm *at;
    if (!at)
        at = REAL(gmtime)(&(time_t){0});
    return at;
}

static char *text_buffer(void)
{
    static char *at;
    if (!at)
        at = REAL(asctime)(&(struct tm){.tm_mday = 1});
    return at;
}

static void writes_time(uintptr_t pc)
{
    if (strings_watched(pc))
        keeps(time_buffer(), sizeof(struct tm), pc);
}

static void writes_text(uintptr_t pc)
{
    if (strings_watched(pc))
        keeps(text_buffer(), sizeof "Thu Jan  1 00:00:00 1970\n", pc);
}

RT_EXPORT struct tm *gmtime(const time_t *t)
{
    writes_time(RT_PC());
    return REAL(gmtime)(t);
}

RT_EXPORT struct tm *localtime(const time_t *t)
{
    writes_time(RT_PC());
    return REAL(localtime)(t);
}

RT_EXPORT char *asctime(const struct tm *t)
{
    writes_text(RT_PC());
    return REAL(asctime)(t);
}

RT_EXPORT char *ctime(const time_t *t)
{
    writes_time(RT_PC());
    writes_text(RT_PC());
    return REAL(ctime)(t);
}
