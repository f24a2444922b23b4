#!/usr/bin/env bash
# sequential.sh SEED COUNT: random sequential programs (sequential.py). What raddle says of the paths is compared
# with concrete execution outside of raddle: each input that it found leads along the path it was found for, with the
# same values; no two along the same one; and the paths of some thousand other inputs are all among them. Every answer
# of the solver that something cannot be, and some that it can, is asked of Z3 again.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
raddle=${RADDLE:-$top/build/bin/raddle}
seed=$1 count=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
python3 "$here/sequential.py" "$seed" "$count" >programs.c
gcc -O1 -Wall -o answers "$here/z3_answers.c" -lz3 || exit 1
gcc -w -O1 -fwrapv -DCONCRETE -I"$top/include" -o concrete programs.c || exit 1
"$raddle" cc --symbolic -w -O1 -fwrapv -o symbolic programs.c || exit 1
bad=0 paths=0 answers=0 undecided=0 incomplete=0
differs() {
    echo "program $number of seed $seed: $*"
    bad=$((bad + 1))
}
# The inputs that raddle found, and others, as lines for ./concrete.
inputs() { python3 "$here/inputs.py" "$@"; }
for ((number = 0; number < count; number++)); do
    rm -rf tests queries
    timeout 300 "$raddle" run --hang 60s --engine dfs --keep-going --show-output --save-tests tests --save-queries queries \
        --out out ./symbolic "$number" >all 2>&1
    status=$?
    grep '^path' all | sort >got
    inputs "$number" tests/*.inputs | ./concrete | sort >executed
    cut -d' ' -f1-3 got >got.paths
    paths=$((paths + $(wc -l <got)))
    cmp -s got executed || differs "$(comm -3 got executed | wc -l) of $(wc -l <got) executions differ"
    [ -z "$(uniq -d got.paths)" ] || differs "a path was executed twice"
    case $status in
    0)  inputs "$number" "any:$seed:$((${RADDLE_SEQUENTIAL:-3000}))" | ./concrete | cut -d' ' -f1-3 | sort -u >some
        [ -z "$(comm -13 got.paths some)" ] || differs "$(comm -13 got.paths some | wc -l) paths were not found" ;;
    2)  incomplete=$((incomplete + 1)) ;;
    *)  differs "status $status: $(grep -v '^path' all | head -3)" ;;
    esac
    said=$(timeout 600 ./answers queries 20 60)
    [[ $said = *" 0 wrong" ]] || differs "Z3: $said"
    set -- $said 0 0 0
    answers=$((answers + $1)) undecided=$((undecided + $3))
done
echo "$count programs, $paths paths, $incomplete incomplete, $answers answers asked of Z3 ($undecided not decided)," \
    "$bad differences"
[ $bad = 0 ]
