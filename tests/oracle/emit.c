/* emit.c — programs as C. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

static const char *const texts[] = {
#define OP(name, text) text,
#include "ops.def"
#undef OP
};

struct writer {
    const struct program *p;
    int number, body;
    FILE *to;
};

static void put_register(struct writer *w, int reg)
{
    if (w->body < THREADS)
        fprintf(w->to, "R[%d][%d]", w->body, reg);
    else
        fprintf(w->to, "R[me][%d]", reg);
}

static void put_field(struct writer *w, char field, const struct instruction *i)
{
    switch (field) {
    case 'a':
        fprintf(w->to, "%d", i->a);
        break;
    case 'b':
        fprintf(w->to, "%d", i->b);
        break;
    case 'v':
        fprintf(w->to, "%d", i->v);
        break;
    case 'w':
        fprintf(w->to, "%d", i->w);
        break;
    case 'x':
        fprintf(w->to, "%d", i->x);
        break;
    case 'd':
        put_register(w, i->d);
        break;
    case 'r':
        put_register(w, i->w);
        break;
    case 'L':
        fprintf(w->to, "ATOMIC(%d, %d)", i->b, i->a);
        break;
    case 'o':
        fprintf(w->to, "p%d_outcome", w->number);
        break;
    case 'f':
        fprintf(w->to, "p%d_%d", w->number, i->op == OP_CREATE ? i->a : i->v);
        break;
    default:
        abort();
    }
}

/* "$a" and, before a letter, "${a}". */
static void put_text(struct writer *w, const char *text, const struct instruction *i)
{
    for (; *text; text++) {
        if (*text != '$') {
            fputc(*text, w->to);
        } else if (text[1] == '{') {
            put_field(w, text[2], i);
            text += 3;
        } else {
            put_field(w, *++text, i);
        }
    }
}

static void put_instruction(struct writer *w, const struct instruction *i)
{
    const char *text = texts[i->op];
    if (i->op == OP_END && (w->body == 0 || w->body >= THREADS))
        text = "return;";
    else if (i->d < 0 && !strncmp(text, "$d = ", 5))
        text += 5;
    fprintf(w->to, "    ");
    put_text(w, text, i);
    fprintf(w->to, "\n");
}

static void put_body(struct writer *w, int body)
{
    const struct body *own = &w->p->body[body];
    w->body = body;
    if (body == 0)
        fprintf(w->to, "static void p%d_0(void)\n{\n", w->number);
    else if (body < THREADS)
        fprintf(w->to, "static void *p%d_%d(void *unused)\n{\n    me = %d;\n", w->number, body,
                body);
    else
        fprintf(w->to, "static void p%d_%d(%s)\n{\n", w->number, body,
                body >= KEY_BODY && body < CLEANUP_BODY ? "void *unused" : "void");
    for (int c = own->first; c < own->first + own->count; c++)
        put_instruction(w, &w->p->code[c]);
    fprintf(w->to, "}\n");
}

/* Of a program that ends anywhere: what the thread that ends it has seen. */
static void put_observed(struct writer *w)
{
    const struct program *p = w->p;
    uint8_t observed[THREADS * REGISTERS];
    fprintf(w->to, "static void p%d_outcome(void)\n{\n", w->number);
    for (int t = p->flags & FLAG_KILL ? 0 : -1; t < (p->flags & FLAG_KILL ? THREADS : 0); t++) {
        int count = program_observed(p, t, observed);
        if (t >= 0)
            fprintf(w->to, "    if (me == %d)\n", t);
        fprintf(w->to, "        put_outcome((const unsigned char[]){");
        for (int i = 0; i < count; i++)
            fprintf(w->to, "%d, ", observed[i]);
        fprintf(w->to, "0}, %d, %d);\n", count, t >= 0 ? 0 : p->flags & FLAG_LAST ? 2 : 1);
    }
    fprintf(w->to, "}\n");
}

static void put_objects(const struct program *p, int number, FILE *to)
{
    static const char *const init[KINDS] = {"make_mutex(%d, %d);",
                                            "make_rwlock(%d, %d);",
                                            "sem_init(&S[%d], 0, %d);",
                                            "pthread_barrier_init(&B[%d], NULL, %d);",
                                            NULL,
                                            "make_port(%d, %d);",
                                            "make_monitor(%d, %d);",
                                            "raddle_semaphore_init(&Y[%d], %d);",
                                            "raddle_binary_init(&X[%d], %d);",
                                            "make_queue(%d, %d);",
                                            "make_pipe(%d, %d);",
                                            "make_event(%d, %d);"};
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < OBJECTS; i++)
            if (p->object[k][i] >= 0) {
                fprintf(to, "    ");
                if (k == KEY)
                    fprintf(to, "pthread_key_create(&K[%d], (void (*)(void *))p%d_%d);", i, number,
                            KEY_BODY + i);
                else
                    fprintf(to, init[k], i, p->object[k][i]);
                fprintf(to, "\n");
            }
    for (int c = 0; c < p->codes; c++)
        if (p->code[c].op == OP_SPINLOCK || p->code[c].op == OP_SPINTRY) {
            fprintf(to, "    pthread_spin_init(&Q[0], 0);\n    pthread_spin_init(&Q[1], 0);\n");
            break;
        }
}

void emit(const struct program *p, int number, FILE *to)
{
    struct writer w = {p, number, 0, to};
    fprintf(to, "\n/* seed %ld */\nstatic void p%d_outcome(void);\n", p->seed, number);
    for (int body = BODIES - 1; body >= 0; body--)
        if (p->body[body].count)
            put_body(&w, body);
    put_observed(&w);
    fprintf(to, "static void p%d_main(void)\n{\n", number);
    put_objects(p, number, to);
    if (p->flags & FLAG_KILL)
        fprintf(to, "    at_quick_exit(p%d_outcome);\n", number);
    if (p->flags & (FLAG_KILL | FLAG_LAST))
        fprintf(to, "    atexit(p%d_outcome);\n    p%d_0();\n", number, number);
    else
        fprintf(to, "    p%d_0();\n    p%d_outcome();\n", number, number);
    fprintf(to, "}\n");
}
