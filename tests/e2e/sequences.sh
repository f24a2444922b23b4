#!/usr/bin/env bash
# Synchronization sequences as files: saved, checked, compared with those of an earlier version, listed.
. "$(dirname "$0")/../lib.sh"
cases=$TOP/tests/cases
cd "$SCRATCH" || exit 1
build() { "$RADDLE" cc -g -w -o "$1" "$2" "${@:3}" || exit 1; }
explore() { timeout 100 "$RADDLE" run -q -k --engine reach --out out "$@"; }

# Every saved sequence is feasible; with two of its lines exchanged it is told where it is not, or is
# feasible as well (the two were independent).
round_trip() { # PROGRAM HOW-MANY
    rm -rf seqs
    explore --max-executions 2000 --save-sequences seqs -- ./"$1" >/dev/null
    local n=0 f k
    for f in $(find seqs -name '*.seq' | sort | awk -v n="$2" 'NR % 7 == 1 && c++ < n'); do
        timeout 20 "$RADDLE" check-sequence "$f" ./"$1" >answer ||
            { echo "$1: $f: $(head -3 answer)"; return 1; }
        grep -q '^feasible' answer || return 1
        k=$(($(wc -l <"$f") / 2))
        [ $k -ge 2 ] || k=2
        awk -v k=$k 'NR == k { held = $0; next } { print } NR == k + 1 { print held }' "$f" >altered.seq
        timeout 20 "$RADDLE" check-sequence altered.seq ./"$1" >answer
        case $? in
        0) ;;
        1) grep -q '^infeasible at event [0-9]* (line [0-9]*)' answer && grep -q '^possible instead' answer ||
            { cat answer; return 1; } ;;
        *) cat answer; return 1 ;;
        esac
        n=$((n + 1))
    done
    [ $n -gt 0 ]
}
for p in bb-select bb-semaphore bb-monitor-su bb-monitor-sc rw-select rw-semaphore rw-monitor-su rw-monitor-sc \
    dme dp-deadlock dp-monitor-su; do
    build $p "$cases/reach/$p/prog.c"
    check "saved sequences of $p are feasible" round_trip $p 3
done
for p in cond/broadcast rwlock/write-under-read-lock race/reader-forgotten sync/else sync/order-causal \
    mqueue/two-senders mqueue/notify-thread thread/double-checked cond/timedwait; do
    build other "$cases/$p/prog.c"
    check "saved sequences of $p are feasible" round_trip other 2
done

# Threads that threads create are called after their creators, whoever comes first.
cat >nested.c <<'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *leaf(void *a) { sem_wait(&s); sem_post(&s); return 0; }
static void *branch(void *a) { pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); return 0; }
int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 1);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, branch, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
END
build nested nested.c
check "saved sequences with nested threads are feasible" round_trip nested 2
check "…and name threads by who created them" grep -q '^2\.1 sem-wait s$' seqs/0000001.seq

# A tree does not depend on the seed, on who explores it, on the algorithm or on the memory.
explore --save-tree a.tree -- ./rw-select >/dev/null
check_output "^end 768$" "a tree has all sequences" cat a.tree
same() { explore "$@" -- ./rw-select >/dev/null && cmp a.tree b.tree; }
check "the same tree with another seed" same --seed 5 --save-tree b.tree
check "…with two workers" same -j 2 --set split_after=0 --save-tree b.tree
check "…with the older algorithm" same --set history=on --save-tree b.tree
check "…with little memory" same --memory 64K --save-tree b.tree
explore --save-tree sc.tree -- ./bb-monitor-sc >/dev/null
explore --memory 256K --save-tree sc2.tree -- ./bb-monitor-sc >/dev/null
check "sorted in files, the tree is the same" cmp sc.tree sc2.tree

# Regression testing: the same program; one with less room; one with a thread more; another program.
build v1 "$cases/reach/bb-semaphore/prog.c"
sed 's/RADDLE_SEMAPHORE(2)/RADDLE_SEMAPHORE(1)/' "$cases/reach/bb-semaphore/prog.c" >less.c
build v2 less.c
explore --save-tree v1.tree -- ./v1 >/dev/null
check_status 0 "nothing has changed: status 0" "$RADDLE" run -q --engine reach --out out --regress v1.tree ./v1
check_output "the 324 saved sequences are exactly those" "…and it says so" \
    "$RADDLE" run -q --engine reach --out out --regress v1.tree ./v1
check_status 1 "sequences are gone: status 1" "$RADDLE" run -q --engine reach --out out2 --regress v1.tree ./v2
explore --save-tree v2.tree -- ./v2 >/dev/null
difference() { # as sets of lines of text, computed without the merge
    "$RADDLE" sequences -n 0 v1.tree | tail -n +2 | cut -c11- | sort >x
    "$RADDLE" sequences -n 0 v2.tree | tail -n +2 | cut -c11- | sort >y
    echo "\"saved\":324,\"exercised\":$(wc -l <y),\"gone\":$(comm -23 x y | wc -l),\"new\":$(comm -13 x y | wc -l)"
}
explore --json r.json --regress v1.tree -- ./v2 >text
check_output "$(difference)" "JSON has the exact numbers" cat r.json
check_output "no longer exercised, out2/gone-1.seq" "examples are shown and kept" \
    "$RADDLE" run --engine reach --out out2 --regress v1.tree ./v2
check_output "^infeasible at event" "…and are infeasible" "$RADDLE" check-sequence out2/gone-1.seq ./v2
check_output "^end $(comm -23 x y | wc -l)$" "the output folder has a tree of those that are gone" cat out2/gone.tree
check_status 1 "the other way round they are new" "$RADDLE" run -q --engine reach --out out --regress v2.tree ./v1
check_output '"verdict":"incomplete".*"complete":false' "an incomplete search claims nothing" \
    "$RADDLE" run -q --engine reach -n 10 --json - --out out --regress v1.tree ./v1
check_output "not exercised" "…and says what it did not exercise" \
    "$RADDLE" run --engine reach -n 10 --out out --regress v1.tree ./v1
check_output "no operation in common with v1: it was saved from rw-select" "another program's tree is refused" \
    "$RADDLE" run -q --engine reach --out out --regress a.tree ./v1
refused() { # NAME MESSAGE: bad.tree is refused by both readers
    check_output "bad.tree:[0-9]*: .*$2" "$1" "$RADDLE" sequences bad.tree
    check_status 64 "$1, by raddle run too" "$RADDLE" run -q --engine reach --out out --regress bad.tree ./v1
}
echo nonsense >bad.tree && refused "not a tree" "does not begin with"
head -5 v1.tree >bad.tree && refused "a head without an end" "ends too early"
sed 's/^complete yes/complete perhaps/' v1.tree >bad.tree && refused "an unknown word" "cannot read this line"
head -40 v1.tree >bad.tree
check_output "bad.tree:41: the file ends too early" "a cut tree" "$RADDLE" sequences bad.tree
sed '35d' v1.tree >bad.tree
check_status 64 "a missing line" "$RADDLE" sequences bad.tree
sed '35s/$/ 999999/' v1.tree >bad.tree
check_output "bad.tree:35: not the number of an operation" "an unknown operation" "$RADDLE" sequences bad.tree
check_status 64 "no such tree" "$RADDLE" run --engine reach --regress none.tree ./v1
check_status 64 "--save-tree wants reach" "$RADDLE" run --engine dfs --save-tree x.tree ./v1
check_status 64 "an unwritable tree" "$RADDLE" run --engine reach --save-tree /nonexistent/x.tree ./v1

# Patterns that have nothing in common but a sum of small numbers.
{
    printf 'raddle tree 1\nprogram p\ncomplete yes\n'
    for t in 1 2 3 4; do echo "thread $t f$t"; done
    for t in 1 2 3 4; do for o in a b c d e f g h; do echo "operation $t lock $o"; done; done
    for i in $(seq 0 31); do echo "sequence 0 $i"; done
    echo "end 32"
} >sums.tree
check_output "32 sequences, 32 different patterns" "different operations are different patterns" \
    "$RADDLE" sequences --patterns sums.tree
# Listing: patterns are sequences up to exchanging the 3! producers and the 3! consumers.
patterns() { explore --save-tree p.tree -- ./"$1" >/dev/null; "$RADDLE" sequences -p -n 1 p.tree; }
check_output "324 sequences, 9 different patterns" "patterns of bb-semaphore" patterns bb-semaphore
check_output "144 sequences, 4 different patterns" "patterns of bb-select" patterns bb-select
check_output "12096 sequences, 336 different patterns" "patterns of bb-monitor-sc" patterns bb-monitor-sc
check_output "^ *36  A\(producer\)" "…with how many sequences show them" "$RADDLE" sequences -p -n 1 p.tree
check_output "sequences on full" "orders on one object" "$RADDLE" sequences --object full v1.tree
check_output '"sequences":324,"different":9' "as JSON" "$RADDLE" sequences -p --json - v1.tree
check_status 64 "no such object" "$RADDLE" sequences --object none v1.tree
check_output "do not fit into the memory" "more than the memory holds" "$RADDLE" sequences -n 0 --memory 1K v1.tree
check_status 64 "no tree" "$RADDLE" sequences
finish
