#!/usr/bin/env bash
# raddle run --inputs: one exploration per row, the failing rows, what they have in common, replay.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
"$RADDLE" cc -o queue "$TOP/examples/inputs/queue.c" || exit 1
model=$TOP/examples/inputs/queue.pict

check_status 1 "a failing row is a bug" "$RADDLE" run -q --inputs "$model" ./queue
check_output "1 of 4 inputs fail, 3 pass" "rows are counted" "$RADDLE" run -q --inputs "$model" ./queue
check_output "have pairs = 2 and wake = signal" "the cause is named" \
    "$RADDLE" run -q --inputs "$model" ./queue
check_output '"outcome": *"?fail' "JSON has the rows" "$RADDLE" run -q --inputs "$model" --json - ./queue
row=$(dirname "$(ls raddle-out/latest/row-*/schedule)")
check_output "reproduced: deadlock" "a failing row is replayed with its values" "$RADDLE" replay "$row"

cat >arguments.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    const char *e = getenv("LEVEL");
    return argc == 3 && !strcmp(argv[1], "--mode=fast") && !strcmp(argv[2], "3") && e && !strcmp(e, "l3");
}
C
"$RADDLE" cc -o arguments arguments.c || exit 1
printf 'mode: fast, slow\nthreads: 1, 3\n' >m.pict
check_output "have (mode = fast and threads = 3|threads = 3 and mode = fast)" "values in arguments and environment" \
    env "LEVEL=l{threads}" "$RADDLE" run -q --inputs m.pict ./arguments '--mode={mode}' '{threads}'
check_status 64 "an unknown name in the arguments is refused" \
    "$RADDLE" run -q --inputs m.pict ./arguments '{nosuch}'
check_status 64 "a missing model is refused" "$RADDLE" run -q --inputs nosuch.pict ./arguments
printf 'mode fast slow\n' >bad.pict
check_status 64 "a malformed model is refused" "$RADDLE" run -q --inputs bad.pict ./arguments

awk 'BEGIN { for (i = 0; i < 60; i++) { printf "P%d: 0", i; for (v = 1; v < 20; v++) printf ", %d", v; print "" }
             printf "{ P0"; for (i = 1; i < 60; i++) printf ", P%d", i; print " } @ 6" }' >explodes.pict
check_status 2 "--time holds for the choice of the rows too" \
    "$RADDLE" run -q --inputs explodes.pict --time 1s --out explodes.out ./arguments
check_output "choosing the rows of --inputs was not done in time" "… and says so" \
    "$RADDLE" run -q --inputs explodes.pict --time 1s --out explodes.out ./arguments
[ ! -e explodes.out ]
tap $? "… and leaves no folder"
finish
