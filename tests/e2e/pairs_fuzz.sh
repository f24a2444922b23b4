#!/usr/bin/env bash
# Fuzzing of the readers of raddle pairs: a short run always, two minutes in `make check-long`.
. "$(dirname "$0")/../lib.sh"
seconds=8
[ -n "${RADDLE_LONG:-}" ] && seconds=120
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
