#!/usr/bin/env python3
"""Random concurrent programs with inputs: random.py SEED COUNT > programs.c

The file has COUNT programs (argv[1] picks one) with 1 to 3 inputs of 3 to 8 bits, together at most 10.
Built with raddle cc --symbolic the inputs are symbolic; built with -DCHOOSE every value of every input is
tried by raddle_choose. Each execution prints one line: the operations on every variable in their order
(neighbouring reads sorted, for they commute), the outcomes of all branches of each thread, and the values
of the variables at the end. Half of the programs branch on bits of these values at their ends, so that they
are part of the path; a quarter has an assertion that may fail."""
import random
import sys

HEAD = r'''
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef CHOOSE
#define INPUT(name, low, high) ((low) + raddle_choose((high) - (low) + 1))
#else
#define INPUT(name, low, high) raddle_input_int(name, low, high)
#endif

static atomic_int v0, v1, v2;
static int in0, in1, in2;
void log_access(int variable, int thread, int writes);
void log_branch(int thread, int taken);
const char *log_text(void);
'''


class Program:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        bits = rng.choice([[8], [7], [6], [5], [3, 3], [4, 3], [3, 5], [4, 4], [6, 4], [3, 3, 3], [3, 3, 4]])
        rng.shuffle(bits)
        self.ranges = [(low, low + 2 ** b - 1) for b in bits
                       for low in [rng.choice([0, 0, -2 ** (b - 1), 2, -1])]]
        self.inputs = len(bits)

    def leaf(self):
        r = self.rng
        k = r.random()
        if k < 0.45:
            return 'in%d' % r.randrange(self.inputs)
        if k < 0.75:
            return 'r%d' % r.randrange(2)
        return str(r.randint(-3, 9))

    def expr(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return self.leaf()
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        op = r.choice(['+', '-', '*', '&', '|', '^', '+', '-', '/', '%', '<<', '>>', '?', 'cast'])
        if op in '/%':
            return '(%s %s ((%s & 7) + 1))' % (a, op, b)
        if op == '<<':
            return '((int)((unsigned)%s << (%s & 3)))' % (a, b)
        if op == '>>':
            return '(%s >> (%s & 3))' % (a, b)
        if op == 'cast':
            return '((%s)%s)' % (r.choice(['signed char', 'unsigned char', 'short']), a)
        if op == '?':
            return '(%s & 1 ? (log_branch(%d, 1), %s) : (log_branch(%d, 0), %s))' % (
                self.leaf(), self.thread, a, self.thread, b)
        return '(int)((unsigned)%s %s (unsigned)%s)' % (a, op, b)

    def cond(self):
        return '%s %s %s' % (self.expr(), self.rng.choice(['<', '<=', '==', '!=', '>', '>=']), self.expr(1))

    def access(self, t):
        r = self.rng
        v = r.randrange(3)
        reg = r.randrange(2)
        k = r.random()
        if k < 0.35:
            return 'r%d = atomic_load(&v%d); log_access(%d, %d, 0);' % (reg, v, v, t)
        if k < 0.65:
            return 'atomic_store(&v%d, %s); log_access(%d, %d, 1);' % (v, self.expr(), v, t)
        if k < 0.85:
            return 'r%d = atomic_fetch_add(&v%d, %s); log_access(%d, %d, 1);' % (reg, v, self.expr(1), v, t)
        return ('{ int e = %s; if (atomic_compare_exchange_strong(&v%d, &e, %s)) '
                '{ log_access(%d, %d, 1); log_branch(%d, 1); } else { r%d = e; log_access(%d, %d, 0); '
                'log_branch(%d, 0); } }' % (self.expr(1), v, self.expr(1), v, t, t, reg, v, t, t))

    def statement(self, t, depth):
        r = self.rng
        if depth and r.random() < 0.5:
            return 'if (%s) { log_branch(%d, 1); %s } else { log_branch(%d, 0); %s }' % (
                self.cond(), t, self.statement(t, depth - 1), t,
                self.statement(t, depth - 1) if r.random() < 0.6 else ';')
        if r.random() < 0.06:
            return ('switch (%s) { case 1: log_branch(%d, 1); break; case 2: log_branch(%d, 2); break; '
                    'default: log_branch(%d, 0); }' % (self.expr(1), t, t, t))
        return self.access(t)

    def text(self):
        r, n = self.rng, self.number
        out = []
        for t in (1, 2):
            self.thread = t
            body = '\n    '.join(self.statement(t, 2) for _ in range(r.randint(2, 3)))
            out.append('static void *p%d_%d(void *a)\n{\n    int r0 = (int)(long)a, r1 = 0;\n    %s\n'
                       '    (void)r0; (void)r1;\n    return NULL;\n}\n' % (n, t, body))
        ins = ''.join('    in%d = INPUT("in%d", %d, %d);\n' % ((i, i) + self.ranges[i])
                      for i in range(self.inputs))
        out.append('static void program%d(void)\n{\n    pthread_t t, u;\n%s'
                   '    pthread_create(&t, NULL, p%d_1, (void *)(long)in0);\n'
                   '    pthread_create(&u, NULL, p%d_2, NULL);\n'
                   '    pthread_join(t, NULL);\n    pthread_join(u, NULL);\n%s}\n' % (n, ins, n, n, self.end()))
        return '\n'.join(out)

    def end(self):
        r = self.rng
        text = ''
        if r.random() < 0.5:
            text += ''.join('    if (v%d >> %d & 1) log_branch(0, 1); else log_branch(0, 0);\n' % (v, b)
                            for v in range(3) for b in range(r.randint(1, 2)))
        fails = r.random() < 0.25
        if fails:
            text += ('    int fails = 0;\n    if (v%d == %d) { log_branch(0, 1); '
                     'if (in0 %s %d) { log_branch(0, 1); fails = 1; } else log_branch(0, 0); } else '
                     'log_branch(0, 0);\n') % (
                r.randrange(3), r.randint(0, 5), r.choice(['<', '>', '==']), r.randint(*self.ranges[0]))
        text += '    dprintf(1, "%s end %d,%d,%d\\n", log_text(), v0, v1, v2);\n'
        if fails:
            text += '    raddle_assert(!fails);\n'
        return text


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    for i in range(count):
        print(Program(random.Random(seed * 100003 + i), i).text())
    print('int main(int argc, char **argv)\n{\n    switch (atoi(argv[1])) {')
    for i in range(count):
        print('    case %d: program%d(); break;' % (i, i))
    print('    }\n    return 0;\n}')


main()
