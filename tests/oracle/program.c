/* program.c — the text form of programs, and what their outcome consists of. */
#include "program.h"

#include <string.h>

static const char *const names[] = {
#define OP(name, text) #name,
#include "ops.def"
#undef OP
};

const char *op_name(enum op op)
{
    return names[op];
}

void program_clear(struct program *p)
{
    memset(p, 0, sizeof *p);
    memset(p->object, -1, sizeof p->object);
}

void program_write(const struct program *p, FILE *to)
{
    fprintf(to, "program %ld flags %d\n", p->seed, p->flags);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < OBJECTS; i++)
            if (p->object[k][i] >= 0)
                fprintf(to, "object %d %d %d\n", k, i, p->object[k][i]);
    for (int b = 0; b < BODIES; b++) {
        if (p->body[b].count)
            fprintf(to, "body %d\n", b);
        for (int c = p->body[b].first; c < p->body[b].first + p->body[b].count; c++) {
            const struct instruction *i = &p->code[c];
            fprintf(to, "  %s %d %d %d %d %d %d\n", op_name(i->op), i->d, i->a, i->b, i->v, i->w,
                    i->x);
        }
    }
    fprintf(to, "end\n");
}

static bool read_instruction(struct program *p, int body, const char *line)
{
    char name[32];
    int d, a, b, v, w, x;
    if (body < 0 || p->codes == CODE ||
        sscanf(line, " %31s %d %d %d %d %d %d", name, &d, &a, &b, &v, &w, &x) != 7)
        return false;
    for (int op = 0; op < OPS; op++)
        if (!strcmp(name, names[op])) {
            p->code[p->codes++] = (struct instruction){op, d, a, b, v, w, x};
            p->body[body].count++;
            return true;
        }
    return false;
}

bool program_read(struct program *p, FILE *from)
{
    char line[200];
    int k, i, v, body = -1;
    program_clear(p);
    while (fgets(line, sizeof line, from)) {
        if (sscanf(line, "program %ld flags %d", &p->seed, &p->flags) == 2)
            continue;
        if (sscanf(line, "object %d %d %d", &k, &i, &v) == 3 && k < KINDS && i < OBJECTS)
            p->object[k][i] = v;
        else if (sscanf(line, "body %d", &body) == 1 && body < BODIES)
            p->body[body].first = p->codes;
        else if (!strcmp(line, "end\n"))
            return true;
        else if (!read_instruction(p, body, line))
            return false;
    }
    return false;
}

static bool writes(const struct program *p, int body, int reg)
{
    const struct body *own = &p->body[body];
    for (int c = own->first; c < own->first + own->count; c++)
        if (p->code[c].d == reg)
            return true;
    return false;
}

int program_observed(const struct program *p, int exiting, uint8_t *observed)
{
    int count = 0;
    for (int t = 0; t < THREADS; t++) {
        if (!p->body[t].count || ((p->flags & (FLAG_KILL | FLAG_LAST)) && t != exiting))
            continue;
        for (int r = 0; r < REGISTERS; r++) {
            bool used = writes(p, t, r);
            for (int b = THREADS; b < BODIES; b++)
                used |= writes(p, b, r);
            if (used)
                observed[count++] = t * REGISTERS + r;
        }
    }
    return count;
}
