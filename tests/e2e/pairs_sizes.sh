#!/usr/bin/env bash
# Sizes over the oracle's table: no larger than the best of the other tools in any row, smaller in
# total, every set proved complete and valid by --check. In check-long also with --optimize.
. "$(dirname "$0")/../lib.sh"

# model_file NAME: the model of that row ("4^15,3^17" or a file of tests/golden/pairs).
model_file() {
    if [ -f "$TOP/tests/golden/pairs/$1.pict" ]; then
        echo "$TOP/tests/golden/pairs/$1.pict"
        return
    fi
    local file="$SCRATCH/$1.pict"
    awk -v spec="$1" 'BEGIN { n = split(spec, part, ",")
        for (i = 1; i <= n; i++) { split(part[i], x, "^")
            for (k = 0; k < x[2]; k++) { printf "P%d: v0", p++
                for (v = 1; v < x[1]; v++) printf ", v%d", v
                print "" } } }' >"$file"
    echo "$file"
}

total=0 most_total=0
while read -r model t most optimised _; do
    case $model in '#'* | '') continue ;; esac
    file=$(model_file "$model")
    if [ -n "${RADDLE_LONG:-}" ]; then
        timeout 200 "$RADDLE" pairs -q -t "$t" --optimize 60s "$file" >"$SCRATCH/tests" 2>&1
        most=$optimised
    else
        timeout 60 "$RADDLE" pairs -q -t "$t" "$file" >"$SCRATCH/tests" 2>&1
    fi
    size=$(($(wc -l <"$SCRATCH/tests") - 1))
    [ "$size" -gt 0 ] && [ "$size" -le "$most" ]
    tap $? "$model t=$t: $size tests, at most $most"
    timeout 100 "$RADDLE" pairs --check -t "$t" "$file" "$SCRATCH/tests" >"$SCRATCH/check" 2>&1
    tap $? "$model t=$t: valid and complete" "$(tail -5 "$SCRATCH/check")"
    total=$((total + size)) most_total=$((most_total + most))
done <"$TOP/tests/golden/pairs/sizes.txt"
[ $total -lt $most_total ]
tap $? "in total $total tests, the best of the others $most_total"
finish
