#!/usr/bin/env bash
# raddle replay --gdb, in batch mode: all threads of the program with their stacks and variables, who holds what,
# stepping, breakpoints and watchpoints in the program's own code, going from step to step, C and C++.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
command -v gdb >/dev/null || { tap 1 "gdb is installed (scripts/setup)"; finish; }

cat >bank.c <<'C'
#include <pthread.h>
struct account { pthread_mutex_t lock; int balance; };
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100}, current = {PTHREAD_MUTEX_INITIALIZER, 100};
static int booked;
static void transfer(struct account *from, struct account *to, int amount)
{
    int before = amount * 10;
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); /* LOCKS */
    from->balance -= amount;
    to->balance += amount;
    booked += before;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
static void *there(void *unused)
{
    transfer(&savings, &current, 10);
    return unused;
}
static void *back(void *unused)
{
    transfer(&current, &savings, 20);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
cat >box.cc <<'C'
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct box { std::mutex m; std::vector<int> items; std::map<std::string, int> index; };
static box b;
static int done;
static void fill(box &x, int from)
{
    for (int i = from; i < from + 2; i++) {
        std::lock_guard<std::mutex> guard(x.m); // GUARD
        x.items.push_back(i);
        x.index["k" + std::to_string(i)] = i;
    }
    std::lock_guard<std::mutex> guard(x.m);
    done++;
    assert(done != 2 || x.items[1] == 1);
}
int main()
{
    std::thread a(fill, std::ref(b), 0), c([] { fill(b, 10); });
    a.join();
    c.join();
}
C
line() { grep -n "$2" "$1" | head -1 | cut -d: -f1; }
# in_gdb FOLDER COMMAND…: what gdb says to these commands.
in_gdb() {
    local folder=$1 words=()
    shift
    for c in "$@"; do words+=(--gdb-args -ex --gdb-args "$c"); done
    timeout 120 "$RADDLE" replay "$folder" --gdb --gdb-args -batch "${words[@]}" </dev/null 2>&1
}
# says REGEX… -- NAME: every one of them is in out.txt.
says() {
    local missing=""
    while [ "$1" != -- ]; do
        grep -qE -- "$1" out.txt || missing+="  lacks: $1"$'\n'
        shift
    done
    [ -z "$missing" ]
    tap $? "$2" "$missing$(tail -n 40 out.txt)"
}

"$RADDLE" cc -g -o bank bank.c && "$RADDLE" run -q --out deadlock ./bank >/dev/null
at=$(line bank.c LOCKS)
in_gdb deadlock 'info threads' 'thread apply all bt' 'raddle threads' 'raddle locks' 'print *from' 'info locals' >out.txt
says "^raddle: step [0-9]+ of [0-9]+, thread [12]" "in transfer \(from=.*savings|in transfer \(from=.*current" "^$at" -- \
    "a deadlock: stopped in a thread that waits, in the program's frame"
says '"thread 0 \(main\) waits: join' '"thread 1 \(there\) waits: lock current.lock, held by thread 2 \(back\)' \
    '"thread 2 \(back\) waits: lock savings.lock, held by thread 1 \(there\)' -- "info threads: the program's threads, and what they wait for"
says '^#[0-9]+ .* in transfer \(from=.*<savings>, to=.*<current>, amount=10\)' 'in there \(unused' \
    'transfer \(from=.*<current>, to=.*<savings>, amount=20\)' 'in back \(unused' 'in main \(\)' -- "thread apply all bt: the real stacks"
! grep -q 'sched_\|fiber_trampoline\|thread_entry' <(grep '^#' out.txt)
tap $? "…without frames of raddle" "$(grep '^#' out.txt)"
says 'lock = held by thread [12] \((there|back)\), locked at bank.c:[0-9]+, balance = 100' 'before = (100|200)' -- \
    "variables, and who holds a lock"
says "^savings.lock  held by thread 1 \(there\), locked at bank.c:$((at - 1))" -- "raddle locks"

in_gdb deadlock 'raddle thread 1' 'info args' 'thread 3' 'print amount' 'raddle thread 7' >out.txt
says 'amount = 10' '= 20' 'there is no thread 7' -- "another thread and its variables"

in_gdb deadlock 'raddle goto 1' 'print from->lock' 'next' 'print from->lock' 'print to->lock' >out.txt
says '= (free|not used yet)' "^$at" '= held by thread [12]' -- "goto a step; next performs the operation and stays in the program"
in_gdb deadlock 'raddle goto 1' 'next' 'raddle where' >out.txt
[ "$(grep -oE "^$at|^$((at - 1))|^raddle: step [0-9]+" out.txt | tail -5 | tr '\n' ' ')" = \
    "raddle: step 1 $((at - 1)) $at raddle: step 1 $at " ]
tap $? "…and comes to the next line, even if that begins where the operation ends" "$(cat out.txt)"
in_gdb deadlock 'raddle goto 1' 'raddle step' 'raddle back' 'raddle step 1' 'raddle goto 99' >out.txt
[ "$(grep -oE '^raddle: step [0-9]+' out.txt | tr -dc '0-9 \n' | tr -s '\n ' ' ' | cut -d' ' -f3-7)" = "1 2 1 2 " ]
tap $? "raddle step, back and goto" "$(cat out.txt)"
says 'ended before it came to that point' -- "…and beyond the end"
in_gdb deadlock 'raddle goto 1' 'run' 'raddle where' 'run' 'raddle where' >out.txt
[ "$(grep -cE '^raddle: step 2 of 2' out.txt)" -ge 3 ]
tap $? "run replays again, and again" "$(cat out.txt)"

"$RADDLE" c++ -g -o box box.cc && "$RADDLE" run -q --out assertion ./box >/dev/null
guard=$(line box.cc GUARD)
in_gdb assertion 'print x' bt >out.txt
says 'items = std::vector of length 4, capacity 4 = \{' 'index = std::map with 4 elements' '\["k10"\] = 10' \
    '_M_mutex = held by thread [12]' 'in fill\(box&, int\)' -- "C++: pretty printers, a lock inside of std::mutex"
in_gdb assertion 'raddle goto 3' 'next' 'next' 'step' 'finish' >out.txt
says "^$guard" "^$((guard + 1))" "^$((guard + 2))" 'main::|fill' -- "C++: next, step and finish stay in the program"
! grep -qE 'libraddle|src/rt|std_mutex.h|gthr-default' out.txt
tap $? "…and out of raddle's and the library's" "$(cat out.txt)"
in_gdb assertion "break box.cc:$((guard + 1))" 'watch done' run 'print i' continue 'delete 2' continue >out.txt
says "hit Breakpoint 2, fill \(x=\.\.\., from=1?0\) at box.cc:$((guard + 1))" '= 1?0$' 'hit Hardware watchpoint 3: done' \
    'Old value = 0' 'New value = 1' -- "breakpoints and watchpoints"

# Every kind of object, a thread that has ended, all stacks, a step instead of the finding.
cat >objects.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static int go;
static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}
static void *quick(void *unused)
{
    pthread_rwlock_rdlock(&rw);
    sem_post(&s);
    return unused;
}
int main(void)
{
    pthread_t t, q;
    sem_init(&s, 0, 2);
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&q, 0, quick, 0);
    pthread_join(q, 0);
    pthread_join(t, 0);
}
C
"$RADDLE" cc -g -o objects objects.c && "$RADDLE" run -q --out objects.out ./objects >/dev/null
in_gdb objects.out 'raddle bt all' 'print c' 'print rw' 'print b' 'print s' 'print m' 'info threads' >out.txt
says '= awaited by thread 1 \(waiter\)' '= read by thread 2 \(quick\)' '= 0 of 2 have arrived' '= value 3' '= free' -- \
    "conditions, rwlocks, barriers, semaphores and mutexes print as what they are"
says '^thread 0 \(main\)  waits: join' 'in main \(\) at objects.c' 'in waiter \(unused=0x0\) at objects.c' '^thread 2 \(quick\)  ended' \
    '"thread 2 \(quick\) ended"' -- "raddle bt all; a thread that has ended is still listed"
timeout 120 "$RADDLE" replay objects.out --until 2 --gdb --gdb-args -batch --gdb-args -ex --gdb-args 'raddle where' </dev/null >out.txt 2>&1
says '^raddle: step 2 of 4' -- "--until N: stops there"

# A script for editors that start gdb themselves.
"$RADDLE" replay deadlock --gdb-script script.gdb
timeout 120 gdb -q -batch -x script.gdb -ex run -ex 'raddle threads' ./bank </dev/null >out.txt 2>&1
says '^raddle: step 2 of 2' 'thread 2 \(back\)  waits' -- "--gdb-script: gdb -x FILE PROGRAM, and run"

# The same as editors do it, through gdb's machine interface.
timeout 300 python3 "$TOP/tests/gdb/mi.py" script.gdb ./bank >out.txt 2>&1
says '^run: breakpoint-hit [23] ' '^thread 2 thread 1 \(there\) waits: lock current.lock, held by thread 2 \(back\)' \
    "^    frame transfer $SCRATCH/bank.c $at" '^        from = .*<savings>' '^        before = 100' -- \
    "gdb/MI: it stops, with threads, the program's frames, files and variables"
! grep -E '^    frame' out.txt | grep -vE '^    frame (main|transfer|there|back) '
tap $? "…and no frames of raddle" "$(cat out.txt)"
says '^raddle: step 1 of 2' "^next: end-stepping-range [23] transfer $at" '^value: .*held by thread [12] ' \
    '^again: breakpoint-hit [0-9] transfer' '^continue: breakpoint-hit [0-9] transfer' -- "…steps, breakpoints, and run again"

# The findings of other cases, each thread on a kernel thread of its own.
families="crash cancel barrier"
[ -z "${RADDLE_LONG:-}" ] || families="crash heap thread cancel signals cond mutex cxx barrier rwlock sem race descriptors"
# shellcheck disable=SC2086
timeout 900 python3 "$TOP/tests/gdb/cases.py" $families >out.txt 2>&1
tap $? "gdb stops at the findings of tests/cases ($families)" "$(cat out.txt)"
finish
