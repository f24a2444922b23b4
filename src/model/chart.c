/* Matching receives with sends: beside the state, one list per queue of the numbers of the messages
 * in it. In order for queues; in a pool the oldest equal message is taken. */
#include "model/chart.h"

#include "model/chan.h"
#include "model/show.h"

#include <stdlib.h>
#include <string.h>

struct waiting {
    int queue, number, event;
    char *text;
};

struct matcher {
    struct chart *c;
    VEC(struct waiting) waiting;
};

static char *sent_text(const struct sys *s, const struct gstate *g, const struct trans *t)
{
    struct sbuf b = {0};
    struct run r = {.s = s};
    const struct msg_type *m = &s->msgs[t->msg];
    sbuf_puts(&b, m->name);
    for (int i = 0; i < t->nargs; i++) {
        sbuf_puts(&b, i ? ", " : "(");
        show_value(s, m->fields[i].type, eval(&r, t->args[i], g->b), &b);
    }
    if (t->nargs)
        sbuf_putc(&b, ')');
    char *text = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return text;
}

static char *received_text(const struct sys *s, const struct gstate *g, struct model_step st)
{
    struct sbuf b = {0};
    int port = s->queues[st.queue].port;
    show_message(s, port, g->b + chan_off(s, g->b, st.queue) + st.pos * s->ports[port].slot, &b);
    char *text = mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return text;
}

static void match_send(struct matcher *m, const struct gstate *g, struct chart_event *e)
{
    const struct sys *s = m->c->s;
    const struct trans *t = &s->trans[e->trans];
    struct run r = {.s = s};
    int port = eval_port(&r, t, g->b);
    e->text = sent_text(s, g, t);
    e->message = ++m->c->messages;
    e->peer = port < 0 ? -1 : s->ports[port].owner;
    if (port < 0 || s->scheme == SCHEME_INSTANT)
        return;
    struct waiting w = {s->queue_of[port * s->nprocs + t->proc], e->message,
                        (int)m->c->events.count, mem_strdup(e->text)};
    vec_push(&m->waiting, w);
}

static void match_recv(struct matcher *m, const struct gstate *g, struct model_step st,
                       struct chart_event *e)
{
    const struct sys *s = m->c->s;
    e->text = received_text(s, g, st);
    for (size_t i = 0; i < m->waiting.count; i++) {
        struct waiting *w = &m->waiting.items[i];
        if (w->queue != st.queue || strcmp(w->text, e->text))
            continue;
        e->message = w->number;
        e->peer = m->c->events.items[w->event].proc;
        free(w->text);
        memmove(w, w + 1, (--m->waiting.count - i) * sizeof *w);
        return;
    }
}

static void add_event(struct matcher *m, const struct gstate *g, struct model_step st)
{
    const struct trans *t = &m->c->s->trans[st.trans];
    struct chart_event e = {.proc = t->proc,
                            .trans = st.trans,
                            .action = t->action,
                            .message = -1,
                            .peer = -1,
                            .to = t->to};
    if (t->action == ACT_SEND)
        match_send(m, g, &e);
    else if (t->action == ACT_RECV)
        match_recv(m, g, st, &e);
    else
        e.text = mem_strdup(t->text);
    vec_push(&m->c->events, e);
    if (st.other >= 0) { /* the receive of the same moment */
        const struct trans *o = &m->c->s->trans[st.other];
        struct chart_event f = {.proc = o->proc,
                                .trans = st.other,
                                .action = ACT_RECV,
                                .message = e.message,
                                .peer = e.proc,
                                .to = o->to,
                                .text = mem_strdup(e.text)};
        vec_push(&m->c->events, f);
    }
}

void chart_build(struct chart *c, const struct sys *s, const step_list *steps)
{
    struct matcher m = {.c = c};
    struct run r = {.s = s};
    struct gstate next;
    *c = (struct chart){.s = s};
    c->end.len = sys_initial(s, c->end.b);
    for (size_t i = 0; i < steps->count; i++) {
        add_event(&m, &c->end, steps->items[i]);
        next = c->end;
        step_exec(&r, &next, steps->items[i]);
        if (r.fault.kind) {
            c->events.items[c->events.count - 1].failed = 1;
            break;
        }
        c->end = next;
    }
    for (size_t i = 0; i < m.waiting.count; i++)
        free(m.waiting.items[i].text);
    vec_free(&m.waiting);
}

void chart_free(struct chart *c)
{
    for (size_t i = 0; i < c->events.count; i++)
        free(c->events.items[i].text);
    vec_free(&c->events);
}

static int columns(const char *s) /* UTF-8 */
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void cell(struct sbuf *b, const char *s, int width)
{
    int n = columns(s);
    if (n > width - 1) {
        int k = 0;
        for (const char *p = s; *p && k < width - 2; k++) {
            int bytes = 1;
            while (((unsigned char)p[bytes] & 0xc0) == 0x80)
                bytes++;
            sbuf_add(b, p, (size_t)bytes);
            p += bytes;
        }
        sbuf_puts(b, "…");
        n = width - 1;
    } else {
        sbuf_puts(b, s);
    }
    sbuf_pad(b, ' ', (size_t)(width - n));
}

static char *event_text(const struct chart *c, const struct chart_event *e)
{
    const char *mark = e->failed ? " ✗" : "";
    const char *peer = e->peer >= 0 ? c->s->procs[e->peer].name : "?";
    if (e->action == ACT_SEND)
        return mem_printf("%s → %s #%d%s", e->text, peer, e->message, mark);
    if (e->action == ACT_RECV)
        return mem_printf("%s ← %s #%d%s", e->text, peer, e->message, mark);
    return mem_printf("· %s%s", *e->text ? e->text : c->s->procs[e->proc].locs[e->to], mark);
}

/* How wide the columns are, and what stands in them (allocated); all of them together. */
static int measure(const struct chart *c, int *width, char **texts)
{
    int n = c->s->nprocs, all = 6;
    for (int i = 0; i < n; i++)
        width[i] = columns(c->s->procs[i].name) + 2;
    for (size_t i = 0; i < c->events.count; i++) {
        const struct chart_event *e = &c->events.items[i];
        texts[i] = event_text(c, e);
        int w = columns(texts[i]) + 2, most = n > 4 ? 28 : 40;
        w = w > most ? most : w;
        width[e->proc] = w > width[e->proc] ? w : width[e->proc];
    }
    for (int i = 0; i < n; i++)
        all += width[i];
    return all;
}

static void put_list(const struct chart *c, char **texts, struct sbuf *b)
{
    for (size_t i = 0; i < c->events.count; i++)
        sbuf_printf(b, "%4zu  %s: %s\n", i + 1, c->s->procs[c->events.items[i].proc].name, texts[i]);
}

static void put_columns(const struct chart *c, const int *width, char **texts, struct sbuf *b)
{
    int n = c->s->nprocs;
    sbuf_puts(b, "      ");
    for (int k = 0; k < n; k++)
        cell(b, c->s->procs[k].name, width[k]);
    sbuf_putc(b, '\n');
    for (size_t i = 0; i < c->events.count; i++) {
        sbuf_printf(b, "%4zu  ", i + 1);
        for (int k = 0; k <= c->events.items[i].proc; k++)
            cell(b, k == c->events.items[i].proc ? texts[i] : "│", width[k]);
        for (int k = c->events.items[i].proc + 1; k < n; k++)
            cell(b, "│", width[k]);
        while (b->len && b->s[b->len - 1] == ' ')
            b->s[--b->len] = 0;
        sbuf_putc(b, '\n');
    }
}

void chart_text(const struct chart *c, int width, struct sbuf *b)
{
    int *widths = mem_alloc((size_t)c->s->nprocs * sizeof *widths);
    char **texts = mem_alloc((c->events.count + 1) * sizeof *texts);
    if (measure(c, widths, texts) > width && width)
        put_list(c, texts, b);
    else
        put_columns(c, widths, texts, b);
    for (size_t i = 0; i < c->events.count; i++)
        free(texts[i]);
    free(texts);
    free(widths);
}
