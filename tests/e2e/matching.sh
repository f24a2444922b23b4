#!/usr/bin/env bash
# State matching as a user sees it: what is told of the states, and --states.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

build() {
    "$RADDLE" cc -O1 -g -pthread -o "$1" "$TOP/bench/unfold/$2.c" "${@:3}"
}

# Numbers of a search, from its JSON.
number() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"
}

build dining dining -DN=4
"$RADDLE" run -q --engine stateful --symmetry off --no-shrink -k -o out --states graph.dot dining >/dev/null
states=$(number out/report.json graph_states)
transitions=$(number out/report.json transitions)
[ "$states" -gt 100 ] && [ "$(grep -c -- '->' graph.dot)" = "$transitions" ]
tap $? "--states FILE.dot has a line for every transition" "$states $transitions"
[ "$(awk '$2 == "->" { print $1; print $3 }' graph.dot | sort -u | wc -l)" = "$states" ]
tap $? "and all states"
"$RADDLE" run -q --engine stateful --symmetry off --no-shrink -k --states graph.txt dining >/dev/null
[ "$(grep -vc '^#' graph.txt)" = "$transitions" ]
tap $? "--states FILE has one line each"
if [ -n "$(command -v dot)" ]; then
    dot -Tplain graph.dot 2>&1 | grep -q '^stop'
    tap $? "dot reads it"
fi
"$RADDLE" run --engine stateful --symmetry off --no-shrink -k dining 2>&1 | tr '\n' ' ' | tr -s ' ' |
    grep -q 'states and .* transitions, a net of .* places and .* transitions'
tap $? "states, transitions and the net are told"
"$RADDLE" run --engine optimal --states x dining >log 2>&1
[ $? -eq 64 ] && grep -q 'is for engines stateful' log
tap $? "--states with another engine" "$(cat log)"

# Where others do not come to the same after a step as before it (it ends the program), nobody sleeps: as many states are
# found as without sleep sets.
cat >stops.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x[3];
static void *work(void *arg)
{
    atomic_store(&x[(long)arg], 1);
    if (arg)
        exit(0);
    return NULL;
}
int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        atomic_load(&x[i]);
    for (long i = 0; i < 2; i++)
        pthread_create(&t, NULL, work, (void *)i);
    atomic_store(&x[2], 1);
    pthread_join(t, NULL);
}
END
"$RADDLE" cc -O1 -g -pthread -o stops stops.c
"$RADDLE" run -q --engine stateful -o asleep ./stops >/dev/null
"$RADDLE" run -q --engine stateful -o whole --states graph.txt ./stops >/dev/null
[ "$(number asleep/report.json graph_states)" = "$(number whole/report.json graph_states)" ]
tap $? "states that a thread's end of the program leads to" "$(number asleep/report.json graph_states) $(number whole/report.json graph_states)"

# Where a step creates a thread, which gets the next number, another one that creates one does not come to the same.
cat >creates.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x[4];
static void *leaf(void *arg)
{
    atomic_store(&x[(long)arg], 1);
    return NULL;
}
static void *work(void *arg)
{
    pthread_t t;
    atomic_store(&x[(long)arg + 2], 1); /* a step, of which the creation is part */
    pthread_create(&t, NULL, leaf, arg);
    return NULL;
}
int main(void)
{
    pthread_t t;
    for (int i = 0; i < 4; i++)
        atomic_load(&x[i]);
    for (long i = 0; i < 2; i++)
        pthread_create(&t, NULL, work, (void *)i);
    atomic_load(&x[0]);
    atomic_load(&x[1]);
    pthread_exit(NULL);
}
END
"$RADDLE" cc -O1 -g -pthread -o creates creates.c
for words in "" "--states graph.txt"; do
    "$RADDLE" run -q --engine stateful --symmetry off $words -o creates.out ./creates >/dev/null
    found+=" $(number creates.out/report.json graph_states)"
done
set -- $found
[ "$1" -gt 20 ] && [ "$1" = "$2" ]
tap $? "threads that are created side by side" "$found"

# gcc announces that a structure is written before it has read what is copied there: its value is not known yet.
cat >copies.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static struct pair {
    int x, y;
} from, to;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value, turn;
static void *writer(void *arg)
{
    int v = atomic_load(&value);
    pthread_mutex_lock(&lock);
    from.x = from.y = v;
    to = from;
    pthread_mutex_unlock(&lock);
    return arg;
}
static void *count(void *arg)
{
    for (int i = 1; i < 5; i++)
        atomic_store((atomic_int *)arg, i);
    return arg;
}
static void *reader(void *arg)
{
    int t = atomic_load(&turn);
    pthread_mutex_lock(&lock);
    struct pair p = to;
    pthread_mutex_unlock(&lock);
    assert(!(p.x == 2 && t == 3));
    return arg;
}
int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, count, &value);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_create(&t[3], NULL, count, &turn);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}
END
for compiler in clang gcc; do
    [ -n "$(command -v $compiler)" ] || continue
    RADDLE_CC=$compiler "$RADDLE" cc -O1 -g -pthread -o copies copies.c
    for words in "stateful" "stateful --match values" "stateful-unfold --match values --set unfold=1"; do
        "$RADDLE" run -q --no-shrink -o copies.out --engine $words ./copies >log
        grep -q '^bug: assertion failed' log
        tap $? "$compiler, a copied structure: $words" "$(cat log)"
    done
done

# What makes threads never come back to a state is named; and whether threads that go on for ever are a livelock.
case_of() {
    "$RADDLE" cc -O1 -g -pthread -o "$1" "$TOP/tests/cases/match-states/$1/prog.c"
    "$RADDLE" run --engine stateful --match states ./"$1" 2>&1 | tr '\n' ' ' | tr -s ' '
}
case_of allocates | grep -q 'a thread allocates memory again and again, at another address each time'
tap $? "malloc in every round is named"
case_of ticket | grep -q 'safe: .*note: 3 threads can go on for ever and change something in every round'
tap $? "threads that go on for ever are told"
case_of polite | grep -q 'can be repeated for ever'
tap $? "a livelock is shown"
"$RADDLE" run --engine stateful --match states ./polite 2>&1 | grep -q 'can go on for ever and'
[ $? -ne 0 ]
tap $? "and is not told as threads that go on"

# The bound of memory holds for both engines, with all ways of matching.
build pi locking -DN=7 -DONCE=7
build sections sections -DN=6
for words in "stateful pi" "stateful-unfold pi" "stateful-unfold --set unfold=1 sections"; do
    set -- $words
    "$RADDLE" run -q --symmetry off --memory 2M -o little --engine "${@:1:$#-1}" "./${!#}" >log
    grep -q '^incomplete.*did not fit into the 2048 KiB' log
    tap $? "--memory: $words" "$(cat log)"
done
"$RADDLE" cc -O1 -g -pthread -o dining10 "$TOP/tests/cases/match-states/dining/prog.c"
for engine in stateful stateful-unfold; do
    for match in states exact; do
        "$RADDLE" run -q --memory 2M -o little --engine $engine --match $match ./dining10 >log
        grep -q '^incomplete.*did not fit into the 2048 KiB' log
        tap $? "--memory: $engine --match $match" "$(cat log)"
    done
done
finish
