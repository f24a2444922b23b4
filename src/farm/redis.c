#include "farm/redis.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int wait_for(int fd, short events, double until)
{
    double left = until - progress_now();
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
}

/* ---- connecting ---- */

static int connect_to(const struct addrinfo *a, double until)
{
    int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol), one = 1;
    int failed = 0;
    socklen_t size = sizeof failed;
    if (fd < 0)
        return -1;
    if (connect(fd, a->ai_addr, a->ai_addrlen) && errno != EINPROGRESS)
        failed = errno;
    else if (wait_for(fd, POLLOUT, until) <= 0)
        failed = ETIMEDOUT;
    else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &size))
        failed = errno;
    if (failed) {
        close(fd);
        errno = failed;
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    return fd;
}

static int reach_host(struct redis *r, const struct farm_url *u, double until, struct error *e)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int bad = getaddrinfo(u->host, u->port, &hints, &found);
    if (bad)
        return error_set(e, EXIT_CANNOT_START, "there is no host %s: %s", u->host, gai_strerror(bad));
    for (struct addrinfo *a = found; a && r->fd < 0; a = a->ai_next)
        r->fd = connect_to(a, until);
    int why = errno;
    freeaddrinfo(found);
    if (r->fd >= 0)
        return 0;
    error_set(e, EXIT_CANNOT_START, "no Redis answers at %s:%s: %s", u->host, u->port, strerror(why));
    return error_todo(e, "start one there (redis-server), or check the address and the firewall");
}

static const char *tls_words(void)
{
    unsigned long code = ERR_get_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    return reason ? reason : "the connection was closed";
}

/* The certificate must be the host's and signed by an authority that this machine (SSL_CERT_FILE)
 * knows. */
static int begin_tls(struct redis *r, const struct farm_url *u, double until, struct error *e)
{
    SSL_CTX *context = r->tls_context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = context && SSL_CTX_set_default_verify_paths(context) ? r->tls = SSL_new(context) : NULL;
    if (!ssl || !SSL_set_fd(ssl, r->fd) || !SSL_set_tlsext_host_name(ssl, u->host) ||
        !SSL_set1_host(ssl, u->host))
        return error_set(e, EXIT_CANNOT_START, "cannot set up TLS: %s", tls_words());
    SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    /* What is left to be sent may have been moved, and have grown, by the next attempt. */
    SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    for (int got; (got = SSL_connect(ssl)) != 1;) {
        int why = SSL_get_error(ssl, got);
        short events = why == SSL_ERROR_WANT_READ ? POLLIN : why == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
        if (events && wait_for(r->fd, events, until) > 0)
            continue;
        error_set(e, EXIT_CANNOT_START, "%s:%s does not speak TLS as it should: %s", u->host, u->port,
                  events ? "no answer" : tls_words());
        return error_todo(e, "redis:// is without TLS; SSL_CERT_FILE names the authorities to trust");
    }
    return 0;
}

static int log_in(struct redis *r, const struct farm_url *u, double until, struct error *e)
{
    struct redis_arg args[] = {REDIS_TEXT("AUTH"), REDIS_TEXT(u->user), REDIS_TEXT(u->password)};
    if (!u->user[0])
        args[1] = args[2];
    if (!u->password[0])
        args[0] = REDIS_TEXT("PING");
    redisReply *reply = redis_call(r, until - progress_now(), args,
                                   !u->password[0] ? 1 : u->user[0] ? 3 : 2, e);
    if (!reply)
        return -1;
    int bad = reply->type == REDIS_REPLY_ERROR ? redis_refused(u, reply, e) : 0;
    freeReplyObject(reply);
    return bad;
}

int redis_open(struct redis *r, const struct farm_url *u, double seconds, struct error *e)
{
    double until = progress_now() + seconds;
    *r = (struct redis){.fd = -1, .reader = redisReaderCreate()};
    signal(SIGPIPE, SIG_IGN);
    if (reach_host(r, u, until, e) || (u->tls && begin_tls(r, u, until, e)) || log_in(r, u, until, e)) {
        redis_close(r);
        return -1;
    }
    return 0;
}

void redis_close(struct redis *r)
{
    if (r->tls)
        SSL_free(r->tls);
    if (r->tls_context)
        SSL_CTX_free(r->tls_context);
    if (r->fd >= 0)
        close(r->fd);
    if (r->reader)
        redisReaderFree(r->reader);
    free(r->out);
    *r = (struct redis){.fd = -1};
}

/* ---- commands and replies ---- */

static void put(struct redis *r, const void *bytes, size_t n)
{
    if (r->out_length + n > r->out_room) {
        r->out_room = 2 * (r->out_length + n);
        r->out = mem_realloc(r->out, r->out_room);
    }
    memcpy(r->out + r->out_length, bytes, n);
    r->out_length += n;
}

void redis_send(struct redis *r, const struct redis_arg *args, size_t count)
{
    ensure(count > 0);
    const char **texts = mem_alloc(count * sizeof *texts);
    size_t *lengths = mem_alloc(count * sizeof *lengths);
    char *command = NULL;
    for (size_t i = 0; i < count; i++) {
        texts[i] = args[i].bytes;
        lengths[i] = args[i].length;
    }
    int n = (int)redisFormatCommandArgv(&command, (int)count, texts, lengths);
    ensure(n > 0);
    put(r, command, (size_t)n);
    free(command);
    free(texts);
    free(lengths);
    r->commands++;
}

/* Bytes, 0: not now, -1: lost. */
static ssize_t transfer(struct redis *r, void *to, const void *from, size_t n)
{
    ssize_t got;
    if (r->tls) {
        ERR_clear_error(); /* SSL_get_error looks at what others left there */
        n = n < INT_MAX ? n : INT_MAX;
        int done = to ? SSL_read(r->tls, to, (int)n) : SSL_write(r->tls, from, (int)n);
        int why = done > 0 ? 0 : SSL_get_error(r->tls, done);
        return done > 0 ? done : why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? 0 : -1;
    }
    got = to ? recv(r->fd, to, n, 0) : send(r->fd, from, n, MSG_NOSIGNAL);
    if (got > 0)
        return got;
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static int lost(struct redis *r, struct error *e)
{
    r->lost = true;
    return error_set(e, EXIT_INCOMPLETE, "the connection to Redis was lost");
}

int redis_pump(struct redis *r, struct error *e)
{
    char buffer[65536];
    ssize_t n = 1;
    if (r->fd < 0)
        return lost(r, e);
    while (r->sent < r->out_length &&
           (n = transfer(r, NULL, r->out + r->sent, r->out_length - r->sent)) > 0) {
        r->sent += (size_t)n;
        r->bytes_out += (uint64_t)n;
    }
    if (n < 0)
        return lost(r, e);
    if (r->sent == r->out_length)
        r->sent = r->out_length = 0;
    while ((n = transfer(r, buffer, NULL, sizeof buffer)) > 0) {
        r->bytes_in += (uint64_t)n;
        if (redisReaderFeed(r->reader, buffer, (size_t)n) != REDIS_OK)
            return lost(r, e);
    }
    return n < 0 ? lost(r, e) : 0;
}

struct pollfd redis_wanted(const struct redis *r)
{
    ensure(r->sent <= r->out_length);
    short out = r->sent < r->out_length ? POLLOUT : 0;
    return (struct pollfd){.fd = r->fd, .events = (short)(POLLIN | out)};
}

redisReply *redis_next(struct redis *r, int *status)
{
    void *reply = NULL;
    *status = redisReaderGetReply(r->reader, &reply) == REDIS_OK && r->reader->len < REDIS_LARGEST ? 0 : -1;
    return reply;
}

redisReply *redis_call(struct redis *r, double seconds, const struct redis_arg *args, size_t count,
                       struct error *e)
{
    double until = progress_now() + seconds;
    int status;
    redis_send(r, args, count);
    for (;;) {
        if (redis_pump(r, e))
            return NULL;
        redisReply *reply = redis_next(r, &status);
        if (reply)
            return reply;
        if (status) {
            error_set(e, EXIT_CANNOT_START, "what answers is not a Redis server");
            return NULL;
        }
        if (wait_for(r->fd, redis_wanted(r).events, until) == 0 &&
            progress_now() >= until) {
            error_set(e, EXIT_CANNOT_START, "Redis does not answer");
            return NULL;
        }
    }
}

int redis_refused(const struct farm_url *u, const redisReply *reply, struct error *e)
{
    static const struct {
        const char *begins, *what, *todo;
    } known[] = {
        {"NOAUTH", "wants a password", "put it into the address, or into REDISCLI_AUTH"},
        {"WRONGPASS", "does not accept the user or password", "check the address and REDISCLI_AUTH"},
        {"ERR AUTH", "does not accept the user or password", "check the address and REDISCLI_AUTH"},
        {"ERR invalid password", "does not accept the password", "check the address and REDISCLI_AUTH"},
        {"NOPERM", "does not let this user do what a farm needs",
         "it needs scripts, streams, strings and hashes under the job's keys (docs/farm.md)"},
        {"OOM", "is out of memory", "raise its maxmemory, or remove jobs (raddle farm remove)"},
        {"READONLY", "is a read-only replica", "use the address of its master"},
        {"UNBLOCKED", "has become a read-only replica", "use the address of its master"},
        {"MISCONF", "cannot write its data to disk", "make room there, or see stop-writes-on-bgsave-error"},
        {"LOADING", "is still loading its data", "wait a moment"},
        {"WRONGTYPE", "has something else under this job's name", "choose another name for the job"},
        {"FOREIGN", "has something else under this job's name", "choose another name for the job"},
        {"FULL", "holds as much of this job as it may", "a larger ?memory=BYTES behind the job's name"},
        {"REMOVED", "no longer has this job", "somebody removed it (raddle farm remove)"},
    };
    const char *said = reply->str ? reply->str : "", *own = said;
    own += !strncmp(own, "ERR ", 4) ? 4 : 0; /* so Redis 7 has the errors of scripts */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(said, known[i].begins, strlen(known[i].begins)) ||
            !strncmp(own, known[i].begins, strlen(known[i].begins))) {
            error_set(e, EXIT_CANNOT_START, "the Redis at %s:%s %s", u->host, u->port, known[i].what);
            return error_todo(e, "%s", known[i].todo);
        }
    return error_set(e, EXIT_CANNOT_START, "the Redis at %s:%s says: %s", u->host, u->port, said);
}
