#!/usr/bin/env bash
# Fuzzing of everything that reads a file (tests/fuzz/files_fuzz.c): a minute, an hour in `make check-long`. The seeds
# are what raddle itself writes about the examples.
. "$(dirname "$0")/../lib.sh"
seconds=60
[ -n "${RADDLE_LONG:-}" ] && seconds=3300
seconds=${RADDLE_FUZZ_SECONDS:-$seconds}
seed=${RADDLE_SEED:-$RANDOM}
cd "$TOP" || exit 1
sanitizers="-g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
build() {
    make -s -j2 B=build/fuzz OPT=-O1 CFLAGS="$sanitizers" build/fuzz/lib/libraddle-host.a &&
        gcc -std=gnu11 -O1 $sanitizers -D_GNU_SOURCE -Isrc -Iinclude -o build/fuzz/files_fuzz \
            tests/fuzz/files_fuzz.c build/fuzz/lib/libraddle-host.a -lhiredis -lssl -lcrypto -ldw -lelf -lm -lpthread -ldl
}
check "the fuzzer builds" build
# The tool finds its own files beside the program it is.
mkdir -p "$SCRATCH/tool/bin" "$SCRATCH/seeds"
ln -s "$TOP/build/lib" "$SCRATCH/tool/lib"
mkdir -p "$SCRATCH/include" && cp -r "$TOP"/include/. "$SCRATCH/include/"
cp build/fuzz/files_fuzz "$SCRATCH/tool/bin/"
cd "$SCRATCH/seeds" || exit 1
here=$TOP/tests/e2e/run

target() { # target NAME WORD…: a folder with its command
    mkdir -p "$1"
    printf '%s\n' "${@:2}" >"$1/command"
}
target model model --time 2s @
cp "$TOP"/examples/models/*.efsm model/
target pairs pairs -t 3 @
cp "$TOP"/examples/pairs/*.* "$TOP"/tests/golden/pairs/*.pict pairs/
target check pairs --check @ tests
printf 'A: 1, 2\nB: x, y, z\nC: 0, 1\n' >check/model.pict
"$RADDLE" pairs -q check/model.pict >check/tests
target kept pairs --check model @
cp check/model.pict kept/model
cp check/tests kept/tests.txt
target plan pairs --plan --seed-tests @ model
cp check/model.pict plan/model
cp check/tests plan/tests.txt
target cc cc -### -c @@
printf -- '-O2 "-DX=a b" -Iinclude @more.rsp\n' >cc/args.rsp
printf -- '-g x.c -o x.o -fsanitize=address -flto\n' >cc/more.rsp
printf 'int x;\n' >cc/x.c
"$RADDLE" cc -g -o bug "$here/locks.c" -pthread
"$RADDLE" run -q -k -n 50 --out ../made ./bug wrong >/dev/null
"$RADDLE" run -q --engine reach -n 30 --save-tree tree --save-sequences sequences ./bug >/dev/null
"$RADDLE" run -q -n 30 --engine dfs --coverage coverage.csv ./bug >/dev/null
for part in schedule story summary; do
    target $part report .
    cp ../made/* $part/
    mv $part/$part $part/x.$part
    ln -s x.$part $part/$part
    chmod a-w $part/report.* $part/schedule.* $part/story.* 2>/dev/null
    chmod u+w $part/x.$part
done
cp -r story svg
target svg report --svg - .
cp -r story json
target json report --json - .
target replay replay --hang 200ms @
cp ../made/schedule replay/x.schedule
target coverage report --coverage out.svg @
cp coverage.csv coverage/x.csv
target sequences sequences @
cp tree sequences/x.tree
target patterns sequences --patterns @
cp tree patterns/x.tree
target check-sequence check-sequence @ ../bug
find . -maxdepth 2 -name '0000001.seq' -exec cp {} check-sequence/ \; -quit
target regress run -q --time 1s --engine reach -n 5 --out out --regress @ ../bug
cp tree regress/x.tree
target inputs run -q --time 1s -n 3 --out out --inputs @ ../bug
printf 'A: 1, 2\nB: x, y, z\n' >inputs/x.pict
names=$(for d in */command; do dirname "$d"; done)
timeout $((seconds * 2 + 300)) "$SCRATCH/tool/bin/files_fuzz" "$seconds" "$seed" "$PWD" $names >"$SCRATCH/log" 2>&1
status=$?
for name in $names; do
    grep -q "^$name: [1-9][0-9]* cases, 0 wrong" "$SCRATCH/log"
    tap $? "$(grep "^$name: " "$SCRATCH/log" || echo "$name: not reached")" "RADDLE_SEED=$seed: $(grep -a -A15 "^$name, case" "$SCRATCH/log")"
done

# What participants of a farm read from its log: logs of real jobs, changed (tests/fuzz/farm_fuzz.c).
. "$TOP/tests/shared_search.sh"
gcc -std=gnu11 -O1 $sanitizers -D_GNU_SOURCE -I"$TOP/src" -I"$TOP/include" -o farm_fuzz "$TOP/tests/fuzz/farm_fuzz.c" \
    "$TOP/build/fuzz/lib/libraddle-host.a" -lhiredis -lssl -lcrypto -ldw -lelf -lm -lpthread -ldl
start_redis
build sigma6 sigma -DN=6
build lastzero10 lastzero -DN=10
build sigma5 sigma -DN=5
case_program bb-select
fuzzed="^[1-9][0-9]* rounds, [1-9][0-9]* messages refused, [1-9][0-9]* snapshots, [1-9][0-9]* refused"
fuzz_farm() { # fuzz_farm KIND PROGRAM OPTIONS…
    local kind=$1 program=$2
    shift 2
    together 3 "$kind.$program" "$program" $SPLIT "$@" >/dev/null
    python3 "$TOP/tests/farm/log.py" $PORT "$kind.$program" "$kind.$program.log"
    timeout $((seconds + 300)) ./farm_fuzz $((seconds / 12)) "$seed" "$kind" "$kind.$program.log" || echo "seed $seed"
}
check_output "$fuzzed" "a farm's log, optimal" fuzz_farm grove sigma6 --engine optimal
check_output "$fuzzed" "a farm's log, optimal with much to tell" fuzz_farm grove lastzero10 --engine optimal
check_output "$fuzzed" "a farm's log, source" fuzz_farm grove sigma5 --engine source
check_output "$fuzzed" "a farm's log, reach" fuzz_farm parts bb-select --engine reach
check_output "$fuzzed" "a farm's log, icb" fuzz_farm parts sigma6 --engine icb -n 3000
check_output "$fuzzed" "a farm's log, random" fuzz_farm sampling sigma6 --engine random -n 3000
stop_redis
[ -n "${RADDLE_KEEP:-}" ] && mkdir -p "$RADDLE_KEEP" && cp -r "$SCRATCH"/log "$SCRATCH"/seeds "$RADDLE_KEEP/"
[ $status -eq 0 ]
tap $? "no crash, endless loop or control character in $seconds s"
finish
