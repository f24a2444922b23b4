#!/usr/bin/env python3
"""Random concurrent programs with inputs: random.py SEED COUNT > programs.c

The file has COUNT programs (argv[1] picks one) with 1 to 3 inputs of 3 to 8 bits, together at most 10, and 2 or 3
threads: atomic variables, an array of them with an index that is an input, mutexes, a read-write lock, a semaphore, a
condition variable, assumptions, inputs read by a thread, tables.
Built with raddle cc --symbolic the inputs are symbolic; built with -DCHOOSE every value of every input is
tried by raddle_choose. Each execution prints one line: the operations on every object in their order
(neighbouring reads sorted, for they commute), the outcomes of all branches of each thread, and the values
of the variables at the end. Half of the programs branch on bits of these values at their ends, so that they
are part of the path; a quarter has an assertion that may fail. The word "rough" in a program says that the line
does not tell its traces apart: what was done to the semaphore or the condition variable is not in it."""
import random
import sys

HEAD = r'''
#include <pthread.h>
#include <raddle.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef CHOOSE
#define INPUT(name, low, high) ((low) + raddle_choose((high) - (low) + 1))
#else
#define INPUT(name, low, high) raddle_input_int(name, low, high)
#endif

static atomic_int v0, v1, v2, cells[2];
static int in0, in1, in2;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int g0, g1; /* written with m0 and m1 held */
void log_access(int object, int thread, int writes);
void log_branch(int thread, int taken);
const char *log_text(void);
'''
CELLS, MUTEXES, RWLOCK = 3, 5, 7 # numbers of objects in the log, after those of the variables
SMALL = [[3], [4], [5], [3, 3]]
LARGE = [[8], [7], [6], [5], [3, 3], [4, 3], [3, 5], [4, 4], [6, 4], [3, 3, 3], [3, 3, 4]]
KINDS = ['locks', 'nested', 'trylock', 'rwlock', 'sem', 'cond', 'cells', 'atomics']


class Program:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.threads = 3 if rng.random() < 0.4 else 2
        self.kind = rng.choice(KINDS)
        small = self.threads == 3 or self.kind not in ('atomics', 'cells')
        bits = list(rng.choice(SMALL if small else LARGE))
        rng.shuffle(bits)
        self.ranges = [(low, low + 2 ** b - 1) for b in bits
                       for low in [rng.choice([0, 0, -2 ** (b - 1), 2, -1])]]
        self.inputs = len(bits)
        # The last of several inputs may be read by a thread, which alone uses it.
        self.reader = rng.randint(1, self.threads) if self.inputs > 1 and rng.random() < 0.3 else 0

    def leaf(self):
        r = self.rng
        k = r.random()
        if k < 0.45:
            return 'in%d' % r.randrange(self.inputs - (self.reader not in (0, self.thread)))
        if k < 0.75:
            return 'r%d' % r.randrange(2)
        return str(r.randint(-3, 9))

    def expr(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return self.leaf()
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        op = r.choice(['+', '-', '*', '&', '|', '^', '+', '-', '/', '%', '<<', '>>', '?', 'cast', 'table'])
        if op in '/%':
            return '(%s %s ((%s & 7) + 1))' % (a, op, b)
        if op == '<<':
            return '((int)((unsigned)%s << (%s & 3)))' % (a, b)
        if op == '>>':
            return '(%s >> (%s & 3))' % (a, b)
        if op == 'cast':
            return '((%s)%s)' % (r.choice(['signed char', 'unsigned char', 'short']), a)
        if op == 'table':
            return 'table[%s & 7]' % a
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
        if self.kind == 'cells' and k < 0.4:
            i = '{ int i = (%s) & 1; ' % self.expr(1)
            log = 'log_access(%d + i, %d, %%d); log_branch(%d, i); }' % (CELLS, t, t)
            return i + r.choice(['r%d = atomic_load(&cells[i]); ' % reg + log % 0,
                                 'atomic_store(&cells[i], %s); ' % self.leaf() + log % 1,
                                 'r%d = atomic_fetch_add(&cells[i], 1); ' % reg + log % 1])
        if k < 0.35:
            return 'r%d = atomic_load(&v%d); log_access(%d, %d, 0);' % (reg, v, v, t)
        if k < 0.65:
            return 'atomic_store(&v%d, %s); log_access(%d, %d, 1);' % (v, self.expr(), v, t)
        if k < 0.85:
            return 'r%d = atomic_fetch_add(&v%d, %s); log_access(%d, %d, 1);' % (reg, v, self.expr(1), v, t)
        return ('{ int e = %s; if (atomic_compare_exchange_strong(&v%d, &e, %s)) '
                '{ log_access(%d, %d, 1); log_branch(%d, 1); } else { r%d = e; log_access(%d, %d, 0); '
                'log_branch(%d, 0); } }' % (self.expr(1), v, self.expr(1), v, t, t, reg, v, t, t))

    def guarded(self, m):
        """What is done with mutex m held."""
        r = self.rng
        return r.choice(['g%d = %s;' % (m, self.expr(1)), 'r%d = g%d;' % (r.randrange(2), m),
                         'g%d += %s;' % (m, self.leaf()),
                         'if (g%d < %s) { log_branch(%d, 1); g%d++; } else log_branch(%d, 0);' % (
                             m, self.leaf(), self.thread, m, self.thread)])

    def locked(self, t, m, body):
        take = 'pthread_mutex_lock(&m%d); log_access(%d, %d, 1);' % (m, MUTEXES + m, t)
        give = 'pthread_mutex_unlock(&m%d); log_access(%d, %d, 1);' % (m, MUTEXES + m, t)
        return '%s %s %s' % (take, body, give)

    def special(self, t):
        r, kind = self.rng, self.kind
        m = r.randrange(2)
        if kind == 'locks' or kind == 'trylock' and r.random() < 0.5:
            return self.locked(t, m, self.guarded(m))
        if kind == 'nested':
            inside = self.locked(t, 1 - m, self.guarded(1 - m))
            if r.random() < 0.5:
                inside = 'if (%s) { log_branch(%d, 1); %s } else log_branch(%d, 0);' % (self.cond(), t, inside, t)
            return self.locked(t, m, inside)
        if kind == 'trylock':
            return ('if (pthread_mutex_trylock(&m%d) == 0) { log_access(%d, %d, 1); log_branch(%d, 1); %s '
                    'pthread_mutex_unlock(&m%d); log_access(%d, %d, 1); } else { log_access(%d, %d, 0); log_branch(%d, 0); }'
                    % (m, MUTEXES + m, t, t, self.guarded(m), m, MUTEXES + m, t, MUTEXES + m, t, t))
        if kind == 'rwlock':
            writes = r.random() < 0.5
            name, n = ('wr', 1) if writes else ('rd', 0)
            body = 'g0 = %s;' % self.expr(1) if writes else 'r%d = g0;' % r.randrange(2)
            return ('pthread_rwlock_%slock(&rw); log_access(%d, %d, %d); %s pthread_rwlock_unlock(&rw); '
                    'log_access(%d, %d, %d);' % (name, RWLOCK, t, n, body, RWLOCK, t, n))
        if kind == 'sem':
            return r.choice(['sem_post(&sem);', 'sem_wait(&sem);', 'if (%s) { log_branch(%d, 1); sem_wait(&sem); } else { '
                             'log_branch(%d, 0); sem_post(&sem); }' % (self.cond(), t, t),
                             'if (sem_trywait(&sem) == 0) log_branch(%d, 1); else log_branch(%d, 0);' % (t, t)])
        if kind == 'cond' and r.random() < 0.4:
            return self.locked(t, 0, 'while (g0 < %s) { log_branch(%d, 1); pthread_cond_wait(&changed, &m0); '
                               'log_access(%d, %d, 1); } log_branch(%d, 0);' % (self.leaf(), t, MUTEXES, t, t))
        if kind == 'cond':
            return self.locked(t, 0, 'g0 = %s; pthread_cond_%s(&changed);' % (
                self.expr(1), r.choice(['signal', 'broadcast'])))
        return self.access(t)

    def statement(self, t, depth):
        r = self.rng
        if depth and r.random() < 0.5:
            return 'if (%s) { log_branch(%d, 1); %s } else { log_branch(%d, 0); %s }' % (
                self.cond(), t, self.statement(t, depth - 1), t,
                self.statement(t, depth - 1) if r.random() < 0.6 else ';')
        if r.random() < 0.06:
            return ('switch (%s) { case 1: log_branch(%d, 1); break; case 2: log_branch(%d, 2); break; '
                    'default: log_branch(%d, 0); }' % (self.expr(1), t, t, t))
        if self.kind not in ('atomics', 'cells') and self.specials > 0:
            self.specials -= 1
            return self.special(t)
        if r.random() < 0.04:
            return 'raddle_assume(%s != %d);' % (r.choice(['in0', 'r0', 'r1']), r.randint(1, 9))
        return self.access(t)

    def input(self, i):
        return '    in%d = INPUT("in%d", %d, %d);\n' % ((i, i) + self.ranges[i])

    def text(self):
        r, n = self.rng, self.number
        out = []
        for t in range(1, self.threads + 1):
            self.thread = t
            self.specials = 1 if self.threads == 3 or self.kind == 'nested' else 2
            most = 1 if self.threads == 3 and self.kind in ('nested', 'cond') else 2 if self.threads == 3 else 3
            body = '\n    '.join(self.statement(t, 2 if self.threads == 2 else 1) for _ in range(r.randint(1, most)))
            out.append('static void *p%d_%d(void *a)%s\n{\n    int r0 = (int)(long)a, r1 = 0;\n%s    %s\n'
                       '    (void)r0; (void)r1;\n    return NULL;\n}\n' % (
                           n, t, ' /* rough */' if self.kind in ('sem', 'cond') else '', self.input(self.inputs - 1) if self.reader == t else '', body))
        ins = ''.join(self.input(i) for i in range(self.inputs - (self.reader != 0)))
        self.thread = 0
        threads = range(1, self.threads + 1)
        create = ''.join('    pthread_create(&t[%d], NULL, p%d_%d, %s);\n' % (
            t, n, t, '(void *)(long)in0' if t == 1 else 'NULL') for t in threads)
        join = ''.join('    pthread_join(t[%d], NULL);\n' % t for t in threads)
        out.append('static void program%d(void)\n{\n    pthread_t t[4];\n%s%s%s%s}\n' % (
            n, ins, create, join, self.end()))
        return '\n'.join(out)

    def end(self):
        r = self.rng
        text = ''
        if r.random() < 0.5:
            text += ''.join('    if (%s >> %d & 1) log_branch(0, 1); else log_branch(0, 0);\n' % (v, b)
                            for v in ('v0', 'v1', 'v2', 'g0') for b in range(r.randint(1, 2)))
        fails = r.random() < 0.25
        if fails:
            text += ('    int fails = 0;\n    if (v%d == %d) { log_branch(0, 1); '
                     'if (in0 %s %d) { log_branch(0, 1); fails = 1; } else log_branch(0, 0); } else '
                     'log_branch(0, 0);\n') % (
                r.randrange(3), r.randint(0, 5), r.choice(['<', '>', '==']), r.randint(*self.ranges[0]))
        text += ('    dprintf(1, "%s end %d,%d,%d %d,%d %d,%d\\n", log_text(), v0, v1, v2, cells[0], cells[1], g0, '
                 'g1);\n')
        if fails:
            text += '    raddle_assert(!fails);\n'
        return text


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    for i in range(count):
        print(Program(random.Random(seed * 100003 + i), i).text())
    print('int main(int argc, char **argv)\n{\n    sem_init(&sem, 0, 1);\n    switch (atoi(argv[1])) {')
    for i in range(count):
        print('    case %d: program%d(); break;' % (i, i))
    print('    }\n    return 0;\n}')


main()
