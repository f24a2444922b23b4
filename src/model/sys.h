/* A flat system of multi-port EFSMs (section 2.3.1): process instances, ports, transitions, and
 * the layout of a global state under one communication scheme.
 *
 * A global state is a string of bytes, equal iff the global states are equal:
 *
 *   fixed part   per process: local state (1 byte), variables (1, 2 or 4 bytes each); under
 *                causal communication also what each process knows (see causal.c)
 *   counts       one byte per queue
 *   messages     queue after queue, oldest first (async: sorted); a slot has a fixed size per port:
 *                [type] fields [causal vectors]
 *
 * Queues by scheme: async one pool per port; fifo and causal one queue per port and sender; mailbox
 * one queue per port; instant none. */
#ifndef MODEL_SYS_H
#define MODEL_SYS_H

#include "model/ir.h"

#include <stdint.h>

enum scheme { SCHEME_ASYNC, SCHEME_FIFO, SCHEME_CAUSAL, SCHEME_MAILBOX, SCHEME_INSTANT };

enum {
    SYS_STATE_MAX = 4096,
    SYS_REGS = 16,
    SYS_PROCS_MAX = 120,
    SYS_PORTS_MAX = 1024,
    SYS_FIELDS_MAX = 16
};

struct scalar { /* a variable, or one element of one, for printing */
    char *name;
    int off, width, type;
    long long lo, hi;
    long long init;
};

struct msg_field {
    char *name;
    int type, width, off; /* off in the slot's data */
    long long lo, hi;
};

struct msg_type {
    char *name;
    int nfields, size;
    struct msg_field fields[SYS_FIELDS_MAX];
};

struct trans {
    int proc, from, to;
    enum action action;
    struct ir *guard; /* NULL: always */
    int msg;          /* type, for send and recv */
    /* The port: base + Σ index·stride. Of a send: any of port_lo … port_hi. */
    int port_base, nindex;
    struct place_index port_index[2];
    int port_lo, port_hi;
    int nargs;
    struct ir *args[SYS_FIELDS_MAX];    /* send: values; recv: value to match or NULL */
    struct model_place *into[SYS_FIELDS_MAX]; /* recv: where to, or NULL */
    is_list body;
    int visible; /* may change the value of an invariant */
    int line;
    char *text;
};

struct proc {
    char *name; /* "Node[2]" */
    int group, index;
    int loc_off; /* of the local state */
    int end_off; /* of the last byte of its variables, plus 1 */
    int nlocs, init;
    char **locs;
    uint8_t *final;
    int *first, *count; /* transitions leaving each local state: sys.trans[first … ] */
    struct scalar *vars;
    int nvars;
    uint64_t *reach; /* per local state: the channels it can reach a send on (definition 10) */
    int ntracked, know_off; /* causal: queues it keeps count of, where in the state */
    int *tracked;
};

struct port {
    char *name; /* "Node[2].inbox" */
    int owner;
    int ntypes;
    int *types;
    int data; /* bytes of type and fields */
    int slot; /* bytes of a message */
    int queue, nqueues;
};

struct model_queue {
    int port, sender; /* sender -1: any */
};

struct group {
    char *name;
    struct process_decl *decl;
    int first, count, is_array;
    int *port_base, *port_len; /* per port declaration */
};

struct enum_type {
    char *name;
    char **values;
    int count;
};

struct invariant {
    char *name, *text;
    int line;
    struct ir *expr;
};

struct sys {
    const struct model_source *src;
    int nprocs, nports, nmsgs, ntrans, ngroups, nenums, ninvariants, nasserts;
    struct proc *procs;
    struct port *ports;
    struct msg_type *msgs;
    struct trans *trans;
    struct group *groups;
    struct enum_type *enums;
    struct invariant *invariants;
    /* Under the scheme: */
    enum scheme scheme;
    int capacity;       /* messages per port */
    int fixed, nqueues; /* counts at [fixed], messages from [fixed + nqueues] */
    struct model_queue *queues;
    int *queue_of; /* [port * nprocs + sender]: queue or -1 */
    int words;     /* of a set of channels: port * nmsgs + message type */
};

/* Lowers a model with the parameters given as "NAME=VALUE". 0 or -1. */
int sys_load(struct sys *s, const struct ast *a, const char *const *defs, size_t ndefs,
             struct error *e);

/* Lays the state out for a scheme. 0 or -1 (too large). */
int sys_layout(struct sys *s, enum scheme scheme, int capacity, struct error *e);

/* The initial global state; returns its length. */
int sys_initial(const struct sys *s, uint8_t *state);

const char *sys_scheme_name(enum scheme scheme);
int sys_scheme_parse(const char *name); /* or -1 */

/* Calls f for every port that the send t may be addressed to. */
void sys_each_port(const struct trans *t, void (*f)(void *arg, int port), void *arg);

/* Can this process, from this local state on, send that type to that port? (definition 10,
 * refined by the message's type) */
static inline int sys_reachable(const struct sys *s, int proc, int loc, int port, int msg)
{
    int k = port * s->nmsgs + msg;
    return (int)(s->procs[proc].reach[loc * s->words + (k >> 6)] >> (k & 63) & 1);
}

/* Little-endian numbers of 1, 2 or 4 bytes. */
static inline uint32_t sys_get(const uint8_t *p, int width)
{
    return width == 1 ? *p
           : width == 2
               ? (uint32_t)(p[0] | p[1] << 8)
               : (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void sys_put(uint8_t *p, int width, uint32_t v)
{
    p[0] = (uint8_t)v;
    if (width >= 2)
        p[1] = (uint8_t)(v >> 8);
    if (width == 4) {
        p[2] = (uint8_t)(v >> 16);
        p[3] = (uint8_t)(v >> 24);
    }
}

#endif
