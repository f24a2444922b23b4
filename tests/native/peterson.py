#!/usr/bin/env python3
"""How many traces Peterson's lock has, counted here and by raddle.

    peterson.py RADDLE FOLDER

A trace is which write every read reads from, and the order of the writes to each variable. Left out are rounds of the
waiting loop that only go round: the second look of a round is not performed while it would send the thread back, and
an execution in which a thread stays there though it could go on is covered by another. All interleavings are tried,
state by state.
"""
import os, subprocess, sys

PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
static _Atomic int flag[2], turn;
static int inside;
static void *work(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    for (int r = 0; r < ROUNDS; r++) {
        flag[me] = 1;
        turn = other;
        while (flag[other] && turn == other);
        assert(++inside == 1);
        inside--;
        flag[me] = 0;
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
"""
# Of a state: the variables' values and last writes, where each thread is (step, round), what each has done, and the
# order of the writes. The steps of a round: flag = 1, turn = other, look at flag, look at turn, flag = 0.
VARIABLES = ("flag0", "flag1", "turn")
DONE = 5


def after(state, me, rounds):
    """The state after thread `me` has taken a step; None if it cannot."""
    values, writers, places, deeds, orders = (dict(state[0]), dict(state[1]), list(state[2]), list(state[3]), dict(state[4]))
    (step, turn), other = places[me], 1 - me

    def write(variable, value):
        writers[variable] = (me, len(deeds[me]))
        values[variable] = value
        orders[variable] += (writers[variable],)
        deeds[me] += (("writes", variable),)

    def read(variable):
        deeds[me] += ((variable, writers[variable]),)
        return values[variable]

    if step == DONE or (step == 3 and values["turn"] == other):
        return None
    if step in (0, 4):
        write("flag%d" % me, int(step == 0))
    elif step == 1:
        write("turn", other)
    looked = read("flag%d" % other) if step == 2 else read("turn") if step == 3 else None
    last = step == 4
    places[me] = ((DONE if turn + 1 == rounds else 0, turn + 1) if last else (4 if step == 2 and not looked else step + 1, turn))
    return (tuple(values.items()), tuple(writers.items()), tuple(places), tuple(deeds), tuple(orders.items()))


def traces(rounds):
    first = (tuple((v, 0) for v in VARIABLES), tuple((v, None) for v in VARIABLES), ((0, 0), (0, 0)), ((), ()),
             tuple((v, ()) for v in VARIABLES))
    seen, todo, ends = {first}, [first], set()
    while todo:
        state = todo.pop()
        new = {s for s in (after(state, 0, rounds), after(state, 1, rounds)) if s} - seen
        seen |= new
        todo += new
        if all(step == DONE for step, _ in state[2]):
            ends.add((state[3], state[4]))
    return len(ends)


def main():
    raddle, folder = sys.argv[1:]
    source, program = os.path.join(folder, "peterson.c"), os.path.join(folder, "peterson")
    with open(source, "w") as out:
        out.write(PROGRAM)
    for rounds in (1, 2, 3):
        subprocess.run([raddle, "cc", "-w", "-O1", "-DROUNDS=%d" % rounds, "-o", program, source], check=True)
        wanted = "verdict safe\nexecutions %d\n" % traces(rounds)
        for engine in ("optimal", "reach"):
            said = subprocess.run([raddle, "run", "--count-only", "--engine", engine, program], capture_output=True, text=True)
            if not said.stdout.startswith(wanted):
                sys.exit("%d rounds, %s: %s, wanted %s" % (rounds, engine, said.stdout, wanted))
        print("%d rounds: %s" % (rounds, wanted.split()[-1]))


main()
