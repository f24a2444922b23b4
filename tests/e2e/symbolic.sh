#!/usr/bin/env bash
# Symbolic inputs as a user meets them, and against brute force: random concurrent programs whose inputs are
# symbolic against the same programs with raddle_choose over all values (tests/e2e/symbolic/).
. "$(dirname "$0")/../lib.sh"
here=$TOP/tests/e2e/symbolic
cd "$SCRATCH" || exit 1

cat >overdraft.c <<'END'
#include <raddle.h>
int main(void)
{
    int x = raddle_input_int("x", -1000, 1000);
    char name[8];
    raddle_input_string(name, sizeof name, "name");
    if (x > 50 && x * 3 == 210 && name[0] == 'k' && name[1] > 'y')
        raddle_assert(x != 70);
    return x == 7 ? 3 : 0;
}
END
check "builds" "$RADDLE" cc --symbolic -g -o overdraft overdraft.c
check_status 1 "finds the bug" "$RADDLE" run --out bug --status any --json bug.json ./overdraft
check_output "^  x = 70 \(0x46\)" "…and shows its input" "$RADDLE" report bug
check_output '^  name = "kz"' "…minimised towards text" "$RADDLE" report bug
check_output '"inputs":\{"x":70,"name":"6b7a0000000000"\}' "…also in JSON" cat bug.json
check_output "^input 0.0 s4 70 x" "the schedule file keeps it" cat bug/schedule
check_output "^reproduced" "it replays" "$RADDLE" replay bug
plain() { local s=0; env "$@" ./overdraft || s=$?; echo "status $s"; }
check_output "^status 0" "the program runs by itself" plain A=
check_output "^status 3" "…with an input from the environment" plain RADDLE_INPUT_x=7
echo x=7 >given
check_output "^status 3" "…or from a file" plain RADDLE_INPUTS=given
gcc -I"$TOP/include" -o native overdraft.c
check_status 3 "…and without raddle's library" env RADDLE_INPUT_x=7 ./native
printf '0.0 s4 7 x\n0.1 text 6b7a0000000000 name\n' >saved
check_status 3 "…or from a file that --save-tests wrote" env RADDLE_INPUTS=saved ./native
printf '0.0 s4 70 x\n0.1 text 6b7a0000000000 name\n' >saved
check_status 134 "…where the bytes of strings are" bash -c 'RADDLE_INPUTS=saved ./native'
cat >drawn.c <<'END'
#include <raddle.h>
int main(void)
{
    for (int i = 0; i < 100; i++) {
        long x = raddle_input_long("x", -3, 4);
        char b[3];
        raddle_input(b, sizeof b, "b");
        if (x < -3 || x > 4)
            return 1;
        printf("%ld %d %d %d\n", x, b[0], b[1], b[2]);
    }
    return 0;
}
END
gcc -I"$TOP/include" -o drawn drawn.c
drawn() { RADDLE_SEED=$1 ./drawn; }
check_output "^8\$" "…or from RADDLE_SEED: all values of the range" bash -c 'RADDLE_SEED=5 ./drawn | cut -d" " -f1 | sort -u | wc -l'
check "…the same with the same seed" cmp <(drawn 5) <(drawn 5)
tap "$(cmp -s <(drawn 5) <(drawn 6); test $? = 1; echo $?)" "…others with another"

"$RADDLE" cc -g -o unbuilt overdraft.c
check_output "build with raddle cc --symbolic" "without --symbolic it says so" "$RADDLE" run --out o --status any ./unbuilt
check_status 2 "…and is incomplete" "$RADDLE" run --out o --status any ./unbuilt
check_output "RADDLE_CC names another compiler" "gcc is refused" env RADDLE_CC=gcc "$RADDLE" cc --symbolic -c overdraft.c
check_output "leave RADDLE_CC out" "… and what to do is said" env RADDLE_CC=gcc "$RADDLE" cc --symbolic -c overdraft.c
check_output "one worker" "-j with --save-tests is refused" "$RADDLE" run --out o -j 2 --save-tests kept ./overdraft

printf '#include <raddle.h>\nint main(void) { raddle_assert(raddle_input_char("c", 0, 99) != 39); return 0; }\n' >character.c
"$RADDLE" cc --symbolic -g -o character character.c
check_output "^  c = 39 \(0x27, '\\\\''\)" "a byte is shown as a character, too" "$RADDLE" run --out o --status any ./character

printf '#include <raddle.h>\nint main(void) { raddle_assume(raddle_input_int("x", 0, 9) > 9); return 0; }\n' >never.c
"$RADDLE" cc --symbolic -g -o never never.c
check_output "^note: no execution counts" "it says so if no input fulfils the assumptions" "$RADDLE" run --out o ./never

# Paths do not depend on -O.
paths() { "$RADDLE" cc --symbolic "$1" -o parser "$here/parser.c" && "$RADDLE" run --out o --engine dfs --status any ./parser; }
"$RADDLE" cc --symbolic -O0 -o parser "$here/parser.c"
want=$("$RADDLE" run --out o --engine dfs --status any ./parser | sed -n 's/^dfs: \([0-9,]*\) .*/\1/p')
for level in -O1 -O2 -O3 -Os; do
    check_output "^dfs: $want exec" "$level: as many paths as -O0 ($want)" paths $level
done

# Objects with and without, C++, a rule for make.
cat >mixed.c <<'END'
int twice(int x);
int twice(int x) { return 2 * x; }
END
cat >main.c <<'END'
#include <raddle.h>
int twice(int x);
int main(void)
{
    int x = raddle_input_int("x", 0, 20);
    raddle_assert(twice(x) != 26);
    return 0;
}
END
"$RADDLE" cc -g -c mixed.c && "$RADDLE" cc --symbolic -g -MD -c main.c
check_output "^main.o: main.c" "-MD writes the rule" cat main.d
"$RADDLE" cc -o mixed main.o mixed.o
check_status 1 "a value that enters a file built without --symbolic is tried with all its values" \
    "$RADDLE" run --out o ./mixed
cat >peek.c <<'END'
extern int *where;
int peek(void);
int peek(void) { return *where == 13; }
END
cat >hidden.c <<'END'
#include <raddle.h>
int *where;
int peek(void);
static int cell;
int main(void)
{
    cell = raddle_input_int("x", 0, 20);
    where = &cell;
    raddle_assert(!peek());
    return 0;
}
END
"$RADDLE" cc -g -c peek.c && "$RADDLE" cc --symbolic -g -c hidden.c && "$RADDLE" cc -o hidden hidden.o peek.o
check_output "not built with --symbolic, .*: peek.c" "a file built without --symbolic that reads memory is named" \
    "$RADDLE" run --out o --status any ./hidden
strip -o bare hidden
check_status 2 "…also if the program has no symbols" "$RADDLE" run --out o ./bare
"$RADDLE" cc --symbolic -g -o whole hidden.c peek.c
check_status 1 "…and the bug is found when all is built with it" "$RADDLE" run --out o ./whole
"$RADDLE" cc --symbolic -g -shared -fPIC -o libpeek.so peek.c && "$RADDLE" cc -g -shared -fPIC -o libplain.so peek.c
"$RADDLE" cc -o library hidden.o ./libpeek.so && "$RADDLE" cc -o plain_library hidden.o ./libplain.so
check_status 1 "…or in a library built with it" "$RADDLE" run --out o ./library
check_status 2 "a library built without it makes the verdict incomplete" "$RADDLE" run --out o ./plain_library
cat >throw.cc <<'END'
#include <raddle.h>
#include <stdexcept>
static int check(int x) { if (x == 12345) throw std::runtime_error("no"); return x; }
int main() { int x = raddle_input_int("x", 0, 1000000); try { return check(x) < 0; } catch (std::exception &) { raddle_assert(0); } }
END
check "C++ builds" "$RADDLE" c++ --symbolic -g -o throw throw.cc
check_output "x = 12345 " "…and the input that throws is found" "$RADDLE" run --out o ./throw

# Inputs from outside, without a change to the program.
cat >outside.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char line[8], c;
    const char *mode = getenv("MODE");
    FILE *f = fopen("settings", "r");
    if (argc == 3 && !strcmp(argv[1], "-n") && atoi(argv[2]) == 42)
        return 1;
    if (mode && !strcmp(mode, "x9"))
        return 2;
    if (f && fgets(line, sizeof line, f) && !strcmp(line, "q\n"))
        return 3;
    if (read(0, &c, 1) == 1 && c == '!' && getchar() == '?' && getchar() == EOF)
        return 4;
    return 0;
}
END
"$RADDLE" cc --symbolic -g -o outside outside.c
outside() { timeout 100 "$RADDLE" run --out out --engine dfs "$@" ./outside 2>&1; }
check_output 'arg2 = "42"' "--sym-args finds arguments" outside --sym-args 0:3:2
check_output 'MODE = "x9"' "--sym-env finds a variable" outside --sym-env MODE:3
check_output 'settings = "q.012' "--sym-file finds the contents of a file that is not there" outside --sym-file settings:3
cat >mapped.c <<'END'
#include <fcntl.h>
#include <sys/mman.h>
int main(void)
{
    int f = open("settings", O_RDONLY);
    char *p = f < 0 ? MAP_FAILED : mmap(0, 1, PROT_READ, MAP_PRIVATE, f, 0);
    return p != MAP_FAILED && *p == 'q';
}
END
"$RADDLE" cc --symbolic -g -o mapped mapped.c
check_output "^incomplete.*mapped into memory" "a file of input that is mapped is named" \
    "$RADDLE" run --out o --engine dfs --sym-file settings:3 ./mapped
check_output 'stdin = "!\?"' "--sym-stdin finds what is read" outside --sym-stdin 2
check_output "^reproduced" "…and that replays" "$RADDLE" replay out
check_output "^safe" "without them there is nothing to find" outside
check_status 64 "a wrong description is refused" "$RADDLE" run --sym-args 3:1:2 ./outside
check_output "NAME:N" "…and says what is right" "$RADDLE" run --sym-file settings ./outside

# One test per path, and running them.
cat >paths.c <<'END'
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
static atomic_int v;
static int x;
static void *run(void *a)
{
    if (x > 10)
        atomic_fetch_add(&v, 1);
    else
        atomic_store(&v, 5);
    return NULL;
}
int main(void)
{
    pthread_t t;
    char name[3];
    x = raddle_input_int("x", -5, 100);
    raddle_input_string(name, sizeof name, "name");
    pthread_create(&t, NULL, run, NULL);
    if (name[0] == 'k')
        atomic_fetch_add(&v, 2);
    pthread_join(t, NULL);
    raddle_assert(v != 7);
    return 0;
}
END
"$RADDLE" cc --symbolic -g -o paths paths.c -pthread
check_output "^4 tests in kept" "--save-tests writes one test per path" \
    "$RADDLE" run --keep-going --out o --save-tests kept --status any ./paths
check_output "text 6b00 name" "…with types and names" cat kept/000001.inputs kept/000002.inputs kept/000003.inputs kept/000004.inputs
check "…and headers of C" gcc -fsyntax-only -Wno-unused-variable -xc kept/000001.h kept/000004.h
cat >names.c <<'END'
#include <raddle.h>
int main(void)
{
    static const char *const names[] = {"a_b", "a-b", "a b", "a_b_2", "a_b", "int", "class", "INT8_MAX", "uint8_t",
                                        "unix", "_Bool", "__x", "2x", "", "main", "int_input", "\xc3\xa4"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        raddle_input_int(names[i], 0, 9);
}
END
"$RADDLE" cc --symbolic -g -o names names.c
check "inputs of any name are saved" "$RADDLE" run -q --out o --save-tests named ./names
check "…and have names of C in the header, 17 different ones" test "$(grep -c '^static const uint32_t [A-Za-z_0-9]* = 0u;' \
    named/000001.h) $(sed -n 's/^static const uint32_t \(.*\) = .*/\1/p' named/000001.h | sort -u | wc -l)" = "17 17"
{ echo '#include <limits.h>'; cat named/000001.h; echo 'int main(void) { return 0; }'; } >header.c
check "…which C takes" gcc -w -fsyntax-only header.c
check "…and C++" g++ -w -fsyntax-only -xc++ header.c
check_output "^4 tests: 1 with a bug, 0 incomplete, 3 without" "--tests runs all their schedules" \
    "$RADDLE" run --tests kept --out kept_out ./paths
mkdir many
for ((i = 0; i < 500; i++)); do cp kept/000001.inputs many/$i.inputs; done
stopped() {
    : >many.txt
    "$RADDLE" run --tests many --out many_out ./paths >many.txt 2>&1 &
    local host=$!
    while [ "$(wc -l <many.txt)" -lt 2 ] && kill -0 $host; do sleep 0.1; done
    kill -TERM $host
    wait $host
    tail -1 many.txt
}
check_output "^stopped by a signal: [1-9][0-9]* were not run" "a signal ends --tests" stopped
check_status 64 "an empty folder is refused" "$RADDLE" run --tests . ./paths

check_output "reduce and history do not explore inputs" "reach with --reduce is incomplete" \
    "$RADDLE" run --engine reach --reduce=pv --out o ./paths

# What was asked of the solver, and how far the branches were covered.
check_output "^solver: [1-9][0-9]* questions, [0-9.]+% of the time" "--verbose tells of the solver" \
    "$RADDLE" run --keep-going --out o --verbose --status any ./paths
"$RADDLE" run -q --keep-going --out o --lcov paths.info --json paths.json --status any ./paths >o.txt
check "--lcov has both sides of a branch on an input" grep -qE '^BRDA:8,0,0,[1-9]' paths.info
check "…and counts them" grep -q '^BRH:4' paths.info
"$RADDLE" run -q --keep-going --out o --coverage same.info --status any ./paths >o.txt
check "--coverage FILE.info writes the same" cmp same.info paths.info
check "the JSON has the layers of the solver" grep -qE '"solver":.{1,3}"asked":[1-9]' paths.json
"$RADDLE" run -q --keep-going --out o --save-queries questions --status any ./paths >o.txt
check "--save-queries writes what another solver reads" grep -qE '^\(check-sat\) ; (un)?sat' questions

check_output " 0 differences" "random sequential programs: concrete execution, other inputs, and Z3 agree" \
    "$here/sequential.sh" 1 12
split=-j,2,--set,split_after=0 # work is given away from the start
check_output " 0 differences" "random programs: the pairs of all inputs, each once, in every engine" \
    "$here/compare.sh" 1 10 optimal dfs idfs source dpor dpor-cr icb idb auto reach context unfold "optimal,$split" \
    "source,$split" "dfs,$split" "reach,$split"
check_output " 0 differences" "…and 40 more" "$here/compare.sh" 12 40 optimal reach context unfold "optimal,$split" "reach,$split"
if [ -n "${RADDLE_LONG:-}" ]; then
    for seed in 2 3 4 5 6 7 8 9 10 11; do
        check_output " 0 differences" "…100 more, seed $seed" timeout 1800 "$here/compare.sh" $seed 100 \
            optimal dfs source dpor dpor-cr icb idb auto reach context unfold "optimal,$split" "dfs,$split" "reach,$split"
        check_output " 0 differences" "100 sequential programs, seed $seed" timeout 3600 "$here/sequential.sh" $seed 100
    done
fi
finish
