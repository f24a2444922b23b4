/* The inner loop of the full graph as C made from the model: one function per process, a switch
 * over its local states, guards and computation blocks inlined, all offsets constant. It is built
 * by the system's compiler into a shared object and loaded. A successor is written straight into
 * the batch: what is before the message, the message, what is after it. Any fault makes the
 * function give the state up; the interpreter then expands it again and tells what is wrong, so the
 * two can never disagree about a finding.
 *
 * Written for async, fifo and mailbox; causal and instant communication are interpreted.
 * Measured (leader election, N = 8): see docs/bsra.md. */
#include "model/gen.h"

#include "model/gen_expr.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct gen_job { /* the same in the generated code */
    uint8_t *out;
    struct succ *succs;
    int n, max;
    uint32_t at;
    uint64_t busy[2];
    uint8_t *executed;
};

struct compiled {
    void *handle;
    int (*expand)(struct gen_job *j, const uint8_t *state, int len);
    int (*invariant)(const uint8_t *state);
    int slot; /* the largest */
};

enum { SLACK = 64 };

static const char prelude[] =
    "typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32;\n"
    "typedef unsigned long long u64; typedef long long i64;\n"
    "#include <string.h>\n"
    "struct succ { u32 off; u16 len; short trans; u32 more[4]; };\n"
    "struct gen_job { u8 *out; struct succ *succs; int n, max; u32 at; u64 busy[2]; u8 *executed; };\n"
    "typedef struct { u64 a, b; } __attribute__((aligned(1), may_alias)) v16;\n"
    "static inline void copy(u8 *d, const u8 *s, int n)\n"
    "{ for (int i = 0; i < n; i += 16) *(v16 *)(d + i) = *(const v16 *)(s + i); }\n"
    "#define GET1(p) ((i64)*(p))\n"
    "static inline i64 GET2(const u8 *p) { u16 v; memcpy(&v, p, 2); return v; }\n"
    "static inline i64 GET4(const u8 *p) { u32 v; memcpy(&v, p, 4); return v; }\n"
    "#define PUT1(p, v) (*(p) = (u8)(v))\n"
    "#define PUT2(p, v) do { u16 w_ = (u16)(v); memcpy((p), &w_, 2); } while (0)\n"
    "#define PUT4(p, v) do { u32 w_ = (u32)(v); memcpy((p), &w_, 4); } while (0)\n"
    "#define CHECKED(i, n) ({ i64 i_ = (i); if (i_ < 0 || i_ >= (n)) goto fault; i_; })\n"
    "#define NONZERO(x) ({ i64 x_ = (x); if (!x_) goto fault; x_; })\n"
    "#define MIN(x, y) ({ i64 a_ = (x), b_ = (y); a_ < b_ ? a_ : b_; })\n"
    "#define MAX(x, y) ({ i64 a_ = (x), b_ = (y); a_ > b_ ? a_ : b_; })\n"
    /* room for one more, its bytes begin at d */
    "#define BEGIN if (j->n == j->max) return -2; u8 *d = j->out + j->at;\n"
    "#define END(p, t, to, loc, l) d[loc] = (to); { struct succ *x_ = &j->succs[j->n++];\\\n"
    " x_->off = j->at; x_->len = (u16)(l); x_->trans = (t); j->at += (u32)(l);\\\n"
    " j->busy[(p) >> 6] |= 1ull << ((p) & 63); j->executed[t] = 1; }\n"
    "static inline void insert(u8 *d, const u8 *s, int len, int at, const u8 *m, int size)\n"
    "{ copy(d, s, at); memcpy(d + at, m, (u32)size); copy(d + at + size, s + at, len - at); }\n"
    "static inline void cut(u8 *d, const u8 *s, int len, int at, int size)\n"
    "{ copy(d, s, at); copy(d + at, s + at + size, len - at - size); }\n";

static void int_table(struct sbuf *b, const char *name, const int *v, int n)
{
    sbuf_printf(b, "static const int %s[] = {", name);
    for (int i = 0; i < n; i++)
        sbuf_printf(b, "%d,", v[i]);
    sbuf_puts(b, "0};\n");
}

static void tables(struct sbuf *b, const struct sys *s)
{
    int *v = mem_alloc((size_t)(s->nqueues + s->nports + 1) * sizeof *v);
    sbuf_printf(b, "enum { FIXED = %d, NQ = %d, CAPACITY = %d, ROOM = %d, NPROCS = %d };\n",
                s->fixed, s->nqueues, s->capacity, SYS_STATE_MAX, s->nprocs);
    for (int i = 0; i < s->nqueues; i++)
        v[i] = s->ports[s->queues[i].port].slot;
    int_table(b, "slot", v, s->nqueues);
    for (int i = 0; i < s->nports; i++)
        v[i] = s->ports[i].queue;
    int_table(b, "queue", v, s->nports);
    for (int i = 0; i < s->nports; i++)
        v[i] = s->ports[i].nqueues;
    int_table(b, "nqueues", v, s->nports);
    int_table(b, "queue_of", s->queue_of, s->nports * s->nprocs);
    free(v);
}

static int type_index(const struct port *p, int msg)
{
    for (int i = 0; i < p->ntypes; i++)
        if (p->types[i] == msg)
            return i;
    return 0;
}

/* The message of a send: u8 m[]. */
static void message(struct sbuf *b, const struct sys *s, const struct trans *t)
{
    const struct port *p = &s->ports[t->port_lo];
    const struct msg_type *m = &s->msgs[t->msg];
    sbuf_printf(b, "u8 m[%d] = {%d};\n", p->data + 1, p->ntypes > 1 ? type_index(p, t->msg) : 0);
    for (int i = 0; i < t->nargs; i++) {
        const struct msg_field *f = &m->fields[i];
        const struct ir *x = t->args[i];
        sbuf_puts(b, "{ i64 v_ = ");
        gen_expr(b, s, x, "s");
        sbuf_puts(b, "; ");
        if (x->lo < f->lo || x->hi > f->hi)
            sbuf_printf(b, "if (v_ < %lldLL || v_ > %lldLL) goto fault; ", f->lo, f->hi);
        sbuf_printf(b, "PUT%d(m + %d, v_ - (%lldLL)); }\n", f->width, f->off + (p->ntypes > 1),
                    f->lo);
    }
}

static void finish(struct sbuf *b, const struct sys *s, int trans, const char *len)
{
    const struct trans *t = &s->trans[trans];
    gen_block(b, s, &t->body, "d");
    sbuf_printf(b, "END(%d, %d, %d, %d, %s)\n", t->proc, trans, t->to, s->procs[t->proc].loc_off,
                len);
}

static void send(struct sbuf *b, const struct sys *s, int trans)
{
    const struct trans *t = &s->trans[trans];
    const struct port *p = &s->ports[t->port_lo];
    sbuf_puts(b, "int port = (int)(");
    gen_port(b, s, t, "s");
    sbuf_printf(b, "); int q = queue_of[port * NPROCS + %d], used = 0;\n", t->proc);
    sbuf_puts(b, "for (int i = 0; i < nqueues[port]; i++) used += s[FIXED + queue[port] + i];\n");
    sbuf_printf(b, "if (used >= CAPACITY || len + %d > ROOM) goto fault;\n", p->slot);
    message(b, s, t);
    if (s->scheme == SCHEME_ASYNC)
        sbuf_printf(
            b,
            "int at = off[q]; for (int i = s[FIXED + q]; i > 0 && memcmp(s + at, m, %d) < 0;"
            " i--) at += %d;\n",
            p->slot, p->slot);
    else
        sbuf_puts(b, "int at = off[q + 1];\n");
    sbuf_printf(b, "BEGIN insert(d, s, len, at, m, %d); d[FIXED + q]++;\n", p->slot);
    struct sbuf length = {0};
    sbuf_printf(&length, "len + %d", p->slot);
    finish(b, s, trans, sbuf_str(&length));
    sbuf_free(&length);
}

/* The message at `at`, taken by transition `trans` if it is of the right kind. */
static void take(struct sbuf *b, const struct sys *s, int trans)
{
    const struct trans *t = &s->trans[trans];
    const struct port *p = &s->ports[t->port_lo];
    const struct msg_type *m = &s->msgs[t->msg];
    int head = p->ntypes > 1;
    sbuf_puts(b, "if (1");
    if (head)
        sbuf_printf(b, " && s[at] == %d", type_index(p, t->msg));
    for (int i = 0; i < t->nargs; i++)
        if (t->args[i]) {
            sbuf_printf(b, " && GET%d(s + at + %d) + (%lldLL) == ", m->fields[i].width,
                        m->fields[i].off + head, m->fields[i].lo);
            gen_expr(b, s, t->args[i], "s");
        }
    sbuf_printf(b, ") { BEGIN cut(d, s, len, at, %d); d[FIXED + q]--;\n", p->slot);
    for (int i = 0; i < t->nargs; i++) {
        const struct msg_field *f = &m->fields[i];
        struct sbuf value = {0};
        sbuf_printf(&value, "GET%d(s + at + %d) + (%lldLL)", f->width, f->off + head, f->lo);
        if (t->into[i])
            gen_store(b, s, t->into[i], "d", sbuf_str(&value), f->lo, f->hi);
        sbuf_free(&value);
    }
    struct sbuf length = {0};
    sbuf_printf(&length, "len - %d", p->slot);
    finish(b, s, trans, sbuf_str(&length));
    sbuf_free(&length);
    sbuf_puts(b, "}\n");
}

static void receive(struct sbuf *b, const struct sys *s, int trans)
{
    const struct trans *t = &s->trans[trans];
    int size = s->ports[t->port_lo].slot;
    sbuf_puts(b, "int port = (int)(");
    gen_port(b, s, t, "s");
    sbuf_puts(b, ");\nfor (int q = queue[port]; q < queue[port] + nqueues[port]; q++) {\n");
    if (s->scheme == SCHEME_ASYNC) {
        sbuf_printf(b, "for (int at = off[q], i = 0; i < s[FIXED + q]; at += %d, i++) {\n", size);
        sbuf_printf(b, "if (i && !memcmp(s + at, s + at - %d, %d)) continue;\n", size, size);
    } else {
        sbuf_puts(b, "if (s[FIXED + q]) { int at = off[q];\n");
    }
    take(b, s, trans);
    sbuf_puts(b, "}\n}\n");
}

static void transition(struct sbuf *b, const struct sys *s, int trans)
{
    const struct trans *t = &s->trans[trans];
    sbuf_puts(b, "if (");
    if (t->guard)
        gen_expr(b, s, t->guard, "s");
    else
        sbuf_puts(b, "1");
    sbuf_puts(b, ") {\n");
    if (t->action == ACT_SEND) {
        send(b, s, trans);
    } else if (t->action == ACT_RECV) {
        receive(b, s, trans);
    } else {
        sbuf_puts(b, "BEGIN copy(d, s, len);\n");
        finish(b, s, trans, "len");
    }
    sbuf_puts(b, "}\n");
}

static void process(struct sbuf *b, const struct sys *s, int proc)
{
    const struct proc *p = &s->procs[proc];
    sbuf_printf(b,
                "static int proc%d(struct gen_job *j, const u8 *s, int len, const int *off)\n{\n"
                "switch (s[%d]) {\n",
                proc, p->loc_off);
    for (int i = 0; i < p->nlocs; i++) {
        if (!p->count[i])
            continue;
        sbuf_printf(b, "case %d:\n", i);
        for (int k = p->first[i]; k < p->first[i] + p->count[i]; k++)
            transition(b, s, k);
        sbuf_puts(b, "break;\n");
    }
    sbuf_puts(b, "}\nreturn 0;\nfault: __attribute__((unused)); return -1;\n}\n");
}

char *gen_text(const struct sys *s)
{
    struct sbuf b = {0};
    sbuf_puts(&b, prelude);
    tables(&b, s);
    for (int i = 0; i < s->nprocs; i++)
        process(&b, s, i);
    sbuf_puts(&b, "int expand(struct gen_job *j, const u8 *s, int len)\n{\nint off[NQ + 1], r;\n"
                  "off[0] = FIXED + NQ;\n"
                  "for (int q = 0; q < NQ; q++) off[q + 1] = off[q] + s[FIXED + q] * slot[q];\n");
    for (int i = 0; i < s->nprocs; i++)
        sbuf_printf(&b, "if ((r = proc%d(j, s, len, off))) return r;\n", i);
    sbuf_puts(&b, "return 0;\n}\nint invariant(const u8 *s)\n{\n");
    for (int i = 0; i < s->ninvariants; i++) {
        sbuf_puts(&b, "if (!");
        gen_expr(&b, s, s->invariants[i].expr, "s");
        sbuf_printf(&b, ") return %d;\n", i);
    }
    sbuf_puts(&b, "return -1;\nfault: __attribute__((unused)); return -1;\n}\n");
    char *text = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return text;
}

static int write_file(const char *file, const char *text)
{
    FILE *f = fopen(file, "w");
    return !f || fputs(text, f) < 0 || fclose(f) ? -1 : 0;
}

#define COMPILE_SECONDS 20 /* of the processor; a model that takes longer is interpreted */

static int run_compiler(const char *source, const char *object)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit cpu = {COMPILE_SECONDS, COMPILE_SECONDS};
        setrlimit(RLIMIT_CPU, &cpu);
        const char *cc = getenv("RADDLE_CC");
        cc = cc && *cc ? cc : "cc";
        execlp(cc, cc, "-O1", "-w", "-shared", "-fPIC", "-o", object, source, (char *)NULL);
        _exit(127);
    }
    int status;
    return pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0 ? -1 : 0;
}

static struct compiled *load(const struct sys *s, const char *object, struct error *e)
{
    struct compiled *c = mem_alloc(sizeof *c);
    c->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (c->handle) {
        c->expand = (int (*)(struct gen_job *, const uint8_t *, int))dlsym(c->handle, "expand");
        c->invariant = (int (*)(const uint8_t *))dlsym(c->handle, "invariant");
    }
    if (!c->handle || !c->expand || !c->invariant) {
        error_set(e, EXIT_INTERNAL, "cannot load the compiled model: %s", dlerror());
        free(c);
        return NULL;
    }
    for (int i = 0; i < s->nports; i++)
        c->slot = s->ports[i].slot > c->slot ? s->ports[i].slot : c->slot;
    return c;
}

struct compiled *gen_load(const struct sys *s, struct error *e)
{
    char dir[] = "/tmp/raddle-model-XXXXXX", source[64], object[64];
    struct compiled *c = NULL;
    if (s->scheme == SCHEME_CAUSAL || s->scheme == SCHEME_INSTANT) {
        error_set(e, EXIT_USAGE, "the model is not compiled under %s communication",
                  sys_scheme_name(s->scheme));
        return NULL;
    }
    if (!mkdtemp(dir)) {
        error_set(e, EXIT_INTERNAL, "cannot make a folder for the compiled model in /tmp");
        return NULL;
    }
    snprintf(source, sizeof source, "%s/model.c", dir);
    snprintf(object, sizeof object, "%s/model.so", dir);
    char *text = gen_text(s);
    if (write_file(source, text) || run_compiler(source, object)) {
        error_set(e, EXIT_CANNOT_START, "cannot compile the model; going on by interpreting it");
        error_todo(e, "a C compiler named cc is wanted (or RADDLE_CC=…)");
    } else {
        c = load(s, object, e);
    }
    free(text);
    unlink(source);
    unlink(object);
    rmdir(dir);
    return c;
}

void gen_unload(struct compiled *c)
{
    if (!c)
        return;
    dlclose(c->handle);
    free(c);
}

int gen_invariant(const struct compiled *c, const uint8_t *state)
{
    return c->invariant(state);
}

void gen_expand(struct expander *x, const struct gstate *g)
{
    const struct compiled *c = x->code;
    size_t room = x->succs.room ? x->succs.room : 64;
    for (;; room *= 2) {
        vec_reserve(&x->succs, room);
        vec_reserve(&x->bytes, room * (size_t)(g->len + c->slot) + SLACK);
        struct gen_job j = {x->bytes.items, x->succs.items, 0, (int)x->succs.room, 0,
                        {0, 0},         x->executed};
        int r = c->expand(&j, g->b, g->len);
        if (r == -2)
            continue;
        if (r == -1) { /* the interpreter tells what is wrong */
            x->code = NULL;
            expand_full(x, g);
            x->code = c;
            return;
        }
        x->succs.count = (size_t)j.n;
        x->bytes.count = j.at;
        x->busy[0] = j.busy[0];
        x->busy[1] = j.busy[1];
        x->enabled = j.n > 0;
        return;
    }
}
