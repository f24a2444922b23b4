#include "farm/url.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEASE 10.0
#define MEMORY (256.0 * 1024 * 1024)

static int bad_url(struct error *e, const char *why)
{
    error_set(e, EXIT_USAGE, "the farm's address %s", why);
    return error_todo(e, "it looks like redis://HOST[:PORT]/JOB or rediss://USER:PASSWORD@HOST/JOB");
}

static int hex_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower(c) - 'a' + 10 : -1;
}

/* Copies n characters, %41 as A; -1 if there is no room. */
static int copy_part(char *to, size_t room, const char *from, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        char c = from[i];
        if (c == '%' && i + 2 < n && hex_of(from[i + 1]) >= 0 && hex_of(from[i + 2]) >= 0) {
            c = (char)(16 * hex_of(from[i + 1]) + hex_of(from[i + 2]));
            i += 2;
        }
        if (length + 1 >= room || !c)
            return -1;
        to[length++] = c;
    }
    to[length] = 0;
    return 0;
}

static int parse_login(struct farm_url *u, const char *at, size_t n)
{
    const char *colon = memchr(at, ':', n);
    size_t user = colon ? (size_t)(colon - at) : n;
    return copy_part(u->user, sizeof u->user, at, user) ||
           (colon && copy_part(u->password, sizeof u->password, colon + 1, n - user - 1));
}

static int parse_port(struct farm_url *u, const char *at, size_t n)
{
    if (!n || n > 5 || strspn(at, "0123456789") < n)
        return -1;
    memcpy(u->port, at, n);
    u->port[n] = 0;
    return atoi(u->port) < 1 || atoi(u->port) > 65535;
}

/* host:port, [::1]:port */
static int parse_host(struct farm_url *u, const char *at, size_t n)
{
    const char *end = at + n, *close = n && *at == '[' ? memchr(at, ']', n) : NULL;
    const char *colon = close ? close + 1 : memchr(at, ':', n);
    const char *host_end = close ? close : colon ? colon : end;
    colon = colon == end ? NULL : colon;
    if ((n && *at == '[' && !close) || (colon && *colon != ':'))
        return -1;
    at += close != NULL;
    return host_end == at || copy_part(u->host, sizeof u->host, at, (size_t)(host_end - at)) ||
           parse_port(u, colon ? colon + 1 : "6379", colon ? (size_t)(end - colon - 1) : 4);
}

static int parse_settings(struct farm_url *u, const char *at)
{
    while (*at) {
        size_t n = strcspn(at, "&");
        char *end;
        double value = strtod(at + strcspn(at, "=") + (at[strcspn(at, "=")] == '='), &end);
        if (end != at + n || !(value > 0))
            return -1;
        if (!strncmp(at, "lease=", 6) && value >= 0.2 && value <= 3600)
            u->lease = value;
        else if (!strncmp(at, "memory=", 7) && value <= 1e15)
            u->memory = value, u->memory_given = true;
        else
            return -1;
        at += n + (at[n] == '&');
    }
    return 0;
}

int farm_url_parse(struct farm_url *u, const char *text, struct error *e)
{
    *u = (struct farm_url){.lease = LEASE, .memory = MEMORY};
    u->tls = !strncmp(text, "rediss://", 9);
    if (!u->tls && strncmp(text, "redis://", 8))
        return bad_url(e, "begins with redis:// or rediss://");
    const char *at = text + 8 + u->tls, *slash = strchr(at, '/');
    if (!slash)
        return bad_url(e, "ends with /JOB, the name of the search");
    const char *login = memrchr(at, '@', (size_t)(slash - at));
    if (login && parse_login(u, at, (size_t)(login - at)))
        return bad_url(e, "has a user or password that is too long");
    at = login ? login + 1 : at;
    if (parse_host(u, at, (size_t)(slash - at)))
        return bad_url(e, "wants HOST, HOST:PORT (1 to 65535) or [IPV6]:PORT");
    size_t n = strcspn(slash + 1, "?");
    if (!n || n >= sizeof u->job || strspn(slash + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "0123456789-_.") != n)
        return bad_url(e, "wants a job's name of letters, digits, '-', '_' and '.'");
    memcpy(u->job, slash + 1, n);
    if (slash[1 + n] == '?' && parse_settings(u, slash + 2 + n))
        return bad_url(e, "has a setting other than lease=SECONDS (0.2 to 3600) and memory=BYTES");
    const char *secret = getenv("REDISCLI_AUTH");
    if (!u->password[0] && secret &&
        (size_t)snprintf(u->password, sizeof u->password, "%s", secret) >= sizeof u->password)
        return bad_url(e, "has a password (REDISCLI_AUTH) that is too long");
    return 0;
}
