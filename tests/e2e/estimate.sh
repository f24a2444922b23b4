#!/usr/bin/env bash
# What raddle says about the size of a search while it runs, held against searches that came to their end; and what it
# advises when one was too large.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
programs=$TOP/bench/programs
cat >holds.py <<'P'
"""What explore/estimate.h would have told at every sample: never more than there was, never a range beside it."""
import json, sys
report = json.load(open(sys.argv[1]))
total, told = report["executions"] + report["blocked"], 0
for p in report["pace"]:
    done, all_, spread = p["executions"], p["estimate"], p["spread"]
    left = all_ - spread - done
    least = done + left / 4 if left > 0 else done
    assert total >= 0.99 * least, (total, p, "at least")
    if done > all_ / 20 and spread < all_ / 4:
        told += 1
        assert total <= 1.01 * (done + max(0, all_ - done) * 4), (total, p, "at most")
print(total, told)
sys.exit(not report["complete"])
P
for p in "fib 4" "sigma 6" "readers 13" "lastzero 12" "indexer 15" "ainc 6" "casrot 6"; do
    set -- $p
    "$RADDLE" cc -g -O1 "-DN=$2" -o "$1" "$programs/$1.c" -I"$programs" || exit 1
    "$RADDLE" run -q --engine optimal --count-only --json "$1.json" "./$1" >/dev/null 2>&1
    check "$1($2): the range holds at every sample" python3 holds.py "$1.json"
done

"$RADDLE" cc -g -O1 -DN=12 -o large "$programs/sigma.c" -I"$programs" || exit 1
"$RADDLE" run -t 2 --json large.json ./large >large.txt 2>&1
says() { grep -qE -- "$1" large.txt; tap $? "too large: $2" "$(cat large.txt)"; }
says '^what makes it large' "says what to do"
says '^  (idx|a\[[0-9]+\]) has [0-9]+% of the conflicts' "names the objects"
says '^  sigma.c:[0-9]+ with sigma.c:[0-9]+: [0-9]+%' "…and the pairs of lines"
says 'threads look symmetric' "…and threads that look alike"
says '^  --bound 1: (comes to its end after|more than) [0-9,]+ executions' "…and what a bound would cost"
check "…in the JSON too" python3 -c "import json; assert len(json.load(open('large.json'))['advice']) > 3"
"$RADDLE" run -q -t 1 ./large >quiet.txt 2>&1
! grep -q 'what makes it large' quiet.txt
tap $? "-q says the verdict alone" "$(cat quiet.txt)"
"$RADDLE" run ./ainc >safe.txt 2>&1
! grep -q 'what makes it large' safe.txt
tap $? "a search that ended needs no advice" "$(cat safe.txt)"
finish
