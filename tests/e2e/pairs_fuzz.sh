#!/usr/bin/env bash
# Fuzzing of the readers of raddle pairs (tests/fuzz/pairs_fuzz.c), two minutes in `make check-long`.
. "$(dirname "$0")/../lib.sh"
seconds=120
if [ -z "${RADDLE_LONG:-}" ]; then
    echo "ok 1 - fuzzing of models # SKIP only in make check-long"
    echo "1..1"
    exit 0
fi
mkdir -p "$SCRATCH/corpus"
cp "$TOP"/tests/golden/pairs/*.pict "$TOP"/examples/pairs/* "$SCRATCH/corpus/"
cat >"$SCRATCH/dictionary" <<'D'
"IF" 
"THEN"
"ELSE"
"[A]"
"IN {"
"LIKE"
"@ 3"
"forbid"
"<Parameter name=\"A\">"
"<Constraint text=\""
"~"
" | "
"= {"
D
sed -i 's/ *$//' "$SCRATCH/dictionary"
check "the fuzz target builds" clang -std=gnu11 -O1 -g -D_GNU_SOURCE -I"$TOP/src" \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o "$SCRATCH/fuzz" \
    "$TOP"/tests/fuzz/pairs_fuzz.c "$TOP"/src/pairs/*.c "$TOP"/src/base/*.c -lm
timeout $((seconds * 3 + 60)) "$SCRATCH/fuzz" -max_total_time=$seconds -max_len=4096 -timeout=20 \
    -dict="$SCRATCH/dictionary" -artifact_prefix="$SCRATCH/" "$SCRATCH/corpus" >"$SCRATCH/log" 2>&1
status=$?
tap $status "no crash, leak, hang or wrong set in $seconds s of fuzzing" "$(tail -30 "$SCRATCH/log")"
finish
