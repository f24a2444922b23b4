#!/usr/bin/env bash
# <raddle/test.h> and raddle test: TAP, JUnit, filters, options of a test, without raddle, several files.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

check "the example compiles" "$RADDLE" cc -o counter "$TOP/examples/unit/counter.c"
"$RADDLE" test --junit results.xml ./counter >tap 2>&1
tap $(($? != 1)) "a bug in a test is exit status 1" "$(cat tap)"
check "a safe test is ok" grep -qx "ok 1 - two_threads_count_to_two" tap
check "an incomplete one is skipped and says so" grep -q "^ok 2 - many_threads # SKIP incomplete: no bug in 500" tap
check "a bug is not ok" grep -q "^not ok 3 - careless_counting" tap
check "its report follows" grep -q "raddle replay raddle-out/test/careless_counting" tap
check "the plan is at the end" grep -qx "1..3" tap
check_status 1 "what it names can be replayed" "$RADDLE" replay raddle-out/test/careless_counting
check "JUnit counts" grep -q 'testsuite name="./counter" tests="3" failures="1"' results.xml
check "JUnit is XML" python3 -c "import xml.dom.minidom as m; m.parse('results.xml')"
check_status 0 "a filter selects" "$RADDLE" test --filter 'two*' ./counter
check_status 2 "incomplete only is exit status 2" "$RADDLE" test -f many_threads ./counter
check_status 2 "options for all tests" "$RADDLE" test -f 'two*' --run "--max-executions 1 --engine dfs --symmetry off" ./counter
check_output "^many_threads  --engine random" "the tests are listed" "$RADDLE" test --list counter
check_status 64 "no program is a usage error" "$RADDLE" test
check_status 3 "a program without tests is refused" "$RADDLE" test /bin/false

check "the example compiles without raddle" cc -Wall -Wextra -Werror -I"$TOP/include" -pthread -o plain \
    "$TOP/examples/unit/counter.c"
check_output "ok 3 - careless_counting" "and runs without it" ./plain
cat >fails.c <<'C'
#include <raddle/test.h>
RADDLE_TEST(fine) {}
RADDLE_TEST(broken) { raddle_assert(1 > 2); }
C
cat >more.cc <<'C'
#include <raddle/test.h>
RADDLE_TEST(in_another_file) {}
C
check "several files, C and C++" sh -c "cc -I$TOP/include -c fails.c && c++ -std=c++11 -I$TOP/include -o both more.cc fails.o"
check_status 1 "a failed test without raddle is exit status 1" ./both
check_output "not ok [0-9] - broken" "and is not ok, the others go on" ./both
check_output "ok [0-9] - in_another_file" "tests of all files are there" ./both
check_status 0 "arguments select without raddle" ./both fine 'in*'
finish
