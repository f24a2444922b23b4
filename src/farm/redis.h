/* A connection to Redis, with or without TLS. Commands go out in order and replies come back in order;
 * nothing waits unless asked to. hiredis reads and writes the protocol, the socket is ours (its TLS is not
 * in every version). Reading does not trust the server: replies are as large as REDIS_LARGEST at most. */
#ifndef FARM_REDIS_H
#define FARM_REDIS_H

#include "farm/url.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDIS_LARGEST (512u << 20)

struct redis {
    int fd; /* -1: not connected */
    bool lost; /* the server is gone, or not yet there: to be tried again */
    void *tls; /* SSL, NULL = plain */
    void *tls_context;
    redisReader *reader;
    char *out;
    size_t out_length, out_room, sent;
    uint64_t bytes_out, bytes_in, commands;
};

struct redis_arg {
    const void *bytes;
    size_t length;
};
#define REDIS_TEXT(s) ((struct redis_arg){(s), strlen(s)})

/* Connects and logs in. EXIT_CANNOT_START with what is wrong: no server, wrong password, no certificate. */
int redis_open(struct redis *r, const struct farm_url *u, double seconds, struct error *e);
void redis_close(struct redis *r);

/* Puts a command into the queue; redis_pump sends. */
void redis_send(struct redis *r, const struct redis_arg *args, size_t count);
/* Sends and receives what is possible now; -1: the connection is lost. */
int redis_pump(struct redis *r, struct error *e);
/* The next reply that has come (freeReplyObject), or NULL. -1 in *status: it is not Redis that talks. */
redisReply *redis_next(struct redis *r, int *status);
/* What to wait for. */
struct pollfd redis_wanted(const struct redis *r);

/* A command and its reply; nothing else may be under way. NULL: lost, or no reply within `seconds`. */
redisReply *redis_call(struct redis *r, double seconds, const struct redis_arg *args, size_t count,
                       struct error *e);

/* The server refused a command: what that means and what to do. */
int redis_refused(const struct farm_url *u, const redisReply *reply, struct error *e);

#endif
