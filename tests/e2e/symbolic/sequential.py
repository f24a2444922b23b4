#!/usr/bin/env python3
"""Random sequential programs with inputs: sequential.py SEED COUNT > programs.c

The file has COUNT programs with inputs of every integer type and a buffer of bytes; loops, structures, pointers,
arrays with an index that is an input, casts, every integer operation. Built with raddle cc --symbolic, argv[1]
picks one. Built with -DCONCRETE it reads lines "PROGRAM VALUE…" (a value for each of the three inputs and the four
bytes of the buffer) and runs each. Either way an execution prints which way each of its branches went, and what it
computed."""
import random
import sys

HEAD = r'''
#include <raddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[4096];
static int steps;
#define BR(c) ((c) ? (path[steps++] = '1', 1) : (path[steps++] = '0', 0))
#define AT(i) (path[steps++] = (char)('a' + at), (i))

#ifdef CONCRETE
static unsigned long long given[7];
#define INPUT(k, type, name, low, high) ((type)given[k])
#define BYTES(b) for (int k = 0; k < 4; k++) (b)[k] = (uint8_t)given[3 + k]
#else
#define INPUT(k, type, name, low, high) raddle_input_##name("in" #k, low, high)
#define BYTES(b) raddle_input(b, 4, "bytes")
#endif

struct inner { uint8_t x[4]; int16_t y; };
struct record { int8_t a; uint16_t b; int32_t c; uint64_t d; struct inner e; uint32_t bits : 5, more : 9; };
union both { uint32_t word; uint8_t part[4]; int16_t half[2]; };

static int64_t mixed(int64_t a, uint32_t b) { return (int64_t)((uint64_t)a * 31u + b); }
static uint16_t low(uint32_t v) { return (uint16_t)(v & 0x3fff); }
static void bump(uint32_t *p, uint32_t by) { *p += by; }
'''

TYPES = {'int8': 'INT8', 'uint8': 'UINT8', 'int16': 'INT16', 'uint16': 'UINT16', 'int32': 'INT32',
         'uint32': 'UINT32', 'int64': 'INT64', 'uint64': 'UINT64'}


class Program:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.types = [rng.choice(list(TYPES)) for _ in range(3)]

    def leaf(self):
        r = self.rng
        if r.random() < 0.4:
            return r.choice(['in0', 'in1', 'in2', 'buf[0]', 'buf[1]'])
        return r.choice(['in0', 'in1', 'in2', 'buf[%d]' % r.randrange(4), 'u', 'v', 's.%s' % self.field(),
                         'arr[%d]' % r.randrange(4), '*p', 'w.part[%d]' % r.randrange(4), 'w.half[1]', 'w.word',
                         str(r.choice([0, 1, 2, 3, 7, 10, 100, 255, -1, -128, 1000, 65535]))])

    def field(self):
        return self.rng.choice(['a', 'b', 'c', 'd', 'e.x[1]', 'e.x[3]', 'e.y', 'bits', 'more'])

    def cast(self):
        return '(%s_t)' % self.rng.choice(list(TYPES))

    def small(self, depth):
        return '(%s)(%s)' % (self.rng.choice(['int8_t', 'uint8_t']), self.expr(depth))

    def expr(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.2:
            return self.leaf()
        d = depth - 1
        op = r.choice(['+', '-', '+', '-', '*', '*c', '/', '%', '/c', '%c', '&', '|', '^', '<<', '>>', '<<v', '>>v', '~',
                       'neg', '!', 'cmp', 'cast', 'cast', 'index', 'call', 'low'])
        wide = r.choice(['uint32_t', 'uint64_t'])
        if op in ('+', '-', '&', '|', '^'):
            return '((%s)(%s) %s (%s)(%s))' % (wide, self.expr(d), op, wide, self.expr(d))
        if op == '*':
            return '((int)%s * (int)%s)' % (self.small(d), self.small(d))
        if op == '*c':
            return '((%s)(%s) * %du)' % (wide, self.expr(d), r.choice([2, 3, 5, 10, 31]))
        if op in '/%':
            return '((int)%s %s ((int)(%s & 7) + 1))' % (self.small(d), op, self.small(d))
        if op in ('/c', '%c'):
            return '(%s %s %d)' % (self.cast() + '(' + self.expr(d) + ')', op[0], r.choice([2, 3, 4, 7, 10, 16]))
        if op in ('<<', '>>'):
            return '((%s)(%s) %s %d)' % (wide, self.expr(d), op, r.randrange(1, 31))
        if op == '<<v':
            return '((%s)(%s) << (%s & 15))' % (wide, self.expr(d), self.leaf())
        if op == '>>v':
            return '((int32_t)(%s) >> (%s & 15))' % (self.expr(d), self.leaf())
        if op == '~':
            return '(~(%s)(%s))' % (wide, self.expr(d))
        if op == 'neg':
            return '(0 - (%s)(%s))' % (wide, self.expr(d))
        if op == '!':
            return '(!(%s))' % self.expr(d)
        if op == 'cmp':
            return '(%s)' % self.cond(d)
        if op == 'index':
            return r.choice(['arr[(%s) & 3]', 'table[(%s) & 7]', '*(arr + ((%s) & 1))', 's.e.x[(%s) & 3]']) % self.expr(d)
        if op == 'call':
            return 'mixed(%s, (uint32_t)(%s))' % (self.leaf(), self.expr(d))
        if op == 'low':
            return 'low((uint32_t)(%s))' % self.expr(d)
        return '(%s(%s))' % (self.cast(), self.expr(d))

    def cond(self, depth=2):
        r = self.rng
        cast = self.cast() if r.random() < 0.5 else ''
        return '%s(%s) %s %s(%s)' % (cast, self.expr(depth), r.choice(['<', '<=', '==', '!=', '>', '>=']), cast,
                                     self.expr(1))

    def assignment(self):
        r = self.rng
        e = self.expr()
        return r.choice(['u = (uint32_t)(%s);', 'v = (int64_t)(%s);', 's.' + self.field() + ' = %s;',
                         'arr[' + str(r.randrange(4)) + '] = (int32_t)(%s);', '*p = (uint32_t)(%s);',
                         'bump(&u, (uint32_t)(%s));', 'w.word = (uint32_t)(%s);',
                         'w.part[' + str(r.randrange(4)) + '] = (uint8_t)(%s);',
                         'memcpy(&w.half[1], (int16_t[]){(int16_t)(%s)}, 2);',
                         '((uint8_t *)&s.d)[' + str(r.randrange(8)) + '] = (uint8_t)(%s);',
                         'at = (int)((%s) & 3); arr[AT(at)] += 5;',
                         't = s; t.d ^= (uint64_t)(%s); s = t;']) % e

    def statement(self, depth):
        r = self.rng
        k = r.random()
        if depth and k < 0.35:
            return 'if (BR(%s)) { %s } else { %s }' % (self.cond(), self.statement(depth - 1), self.statement(0))
        if depth and k < 0.45:
            return 'for (int i = 0; BR(i < (int)((%s) & 3)); i++) { %s }' % (self.leaf(), self.statement(0))
        if k < 0.52:
            return 'p = BR(%s) ? &u : &w.word;' % self.cond(1)
        if k < 0.58:
            return ('switch ((uint8_t)(%s)) { case 1: path[steps++] = \'x\'; u++; break; case 7: path[steps++] = \'y\'; v--; '
                    'break; default: path[steps++] = \'z\'; }' % self.expr(1))
        return self.assignment()

    def text(self):
        r = self.rng
        inputs = ''.join('    %s_t in%d = INPUT(%d, %s_t, %s, %s, %s);\n' % (
            t, i, i, t, t, '0' if t[0] == 'u' else TYPES[t] + '_MIN', TYPES[t] + '_MAX')
            for i, t in enumerate(self.types))
        body = '\n'.join('    ' + self.statement(2) for _ in range(r.randint(4, 6)))
        return ('static void program%d(void)\n{\n    static const int32_t table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n'
                '    struct record s = {1, 2, 3, 4, {{5, 6, 7, 8}, 9}, 3, 77}, t;\n    union both w = {0x01020304};\n'
                '    int32_t arr[4] = {1, -2, 300, 4};\n    uint32_t u = 5, *p = &u;\n    int64_t v = -6;\n'
                '    int at = 0;\n    uint8_t buf[4];\n%s    BYTES(buf);\n%s\n'
                '    printf("path %d %%s end %%u %%lld %%d %%u %%d %%llu %%u %%u %%d %%u %%u %%u %%d\\n", path, u, (long long)v, '
                's.a, s.b, s.c, (unsigned long long)s.d, s.e.x[1], s.e.x[3], s.e.y, s.bits, s.more, w.word, '
                'arr[0] ^ arr[1] ^ arr[2] ^ arr[3]);\n    (void)t; (void)at; (void)table; (void)p;\n}\n') % (
                    self.number, inputs, body, self.number)


TAIL = r'''
int main(int argc, char **argv)
{
#ifdef CONCRETE
    int which;
    unsigned long long *g = given;
    while (scanf("%%d %%llu %%llu %%llu %%llu %%llu %%llu %%llu", &which, g, g + 1, g + 2, g + 3, g + 4, g + 5, g + 6) == 8) {
        memset(path, 0, sizeof path);
        steps = 0;
        programs[which]();
    }
#else
    programs[atoi(argv[1])]();
#endif
    return 0;
}
'''


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    for i in range(count):
        print(Program(random.Random(seed * 100003 + i), i).text())
    print('static void (*const programs[])(void) = {%s};' % ', '.join('program%d' % i for i in range(count)))
    print(TAIL % ())


main()
