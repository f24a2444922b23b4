#!/usr/bin/env bash
# compare.sh SEED COUNT ENGINE…: random programs with symbolic inputs against raddle_choose over all values.
# The pairs (trace, outcomes of branches) must be the same, the values at the end must be among those that
# some input leads to, and so must the verdict. optimal and reach must execute each pair once; but a
# compare-exchange on inputs that fails is an update to raddle, and a read to the log, and some programs are "rough"
# (random.py). "ENGINE,OPTION…" adds options. context and unfold promise local states: each thread's outcomes of branches must be the same, and
# none that no execution has. Prints a line for each difference; the last line says how many programs, pairs and differences.
set -u
here=$(cd "$(dirname "$0")" && pwd)
raddle=${RADDLE:-$here/../../../build/bin/raddle}
seed=$1 count=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
python3 "$here/random.py" "$seed" "$count" >programs.c
gcc -O1 -shared -fPIC "$here/log.c" -o liblog.so || exit 1
"$raddle" cc --symbolic -w -O1 -g -o symbolic programs.c "$dir/liblog.so" -pthread || exit 1
"$raddle" cc -DCHOOSE -w -O1 -g -o choose programs.c "$dir/liblog.so" -pthread || exit 1
bad=0 pairs=0
explore() { # FILE ENGINE PROGRAM NUMBER
    local words
    IFS=, read -ra words <<<"$2"
    timeout 300 "$raddle" run --hang 60s --engine "${words[@]}" --show-output --keep-going --out "$dir/out" "./$3" "$4" >all 2>&1
    status=$?
    grep '^outcome' all | sort >"$1"
    sed 's/ end .*//' "$1" | sort -u >"$1.pairs"
}
locals() { # FILE: of each thread the outcomes of its branches
    sed 's/.* branches //' "$1" | awk '{ n = split($1, b, ","); for (i = 1; i <= n; i++) print i, b[i] }' | sort -u
}
differs() {
    echo "program $number of seed $seed: $*"
    bad=$((bad + 1))
}
for ((number = 0; number < count; number++)); do
    explore want dfs choose "$number"
    wanted=$status stuck=$(grep -c 'bug: deadlock' all) # then not all local states come to where they are printed
    [ $wanted -le 1 ] || differs "choose: status $wanted: $(grep -v '^outcome' all | head -3)"
    sort -u want >values
    n=$(wc -l <want.pairs)
    pairs=$((pairs + n))
    body=$(sed -n "/^static void \*p${number}_1(/,/^static void program$number(/p" programs.c)
    once='@(optimal|reach)*'
    [[ $body != *@(rwlock|trylock)* ]] || once='optimal*' # reach orders these all (docs/reachability.md)
    [[ $body != *@(compare_exchange|rough)* ]] || once=none
    for engine in "$@"; do
        explore got "$engine" symbolic "$number"
        if [ $status != $wanted ]; then
            differs "$engine: status $status, not $wanted: $(grep -v '^outcome' all | head -3)"
        elif [[ $engine = @(context|unfold)* ]]; then
            [ "$stuck" != 0 ] || [ "$(locals want.pairs)" = "$(locals got.pairs)" ] || differs "$engine: other local states"
            [ -z "$(comm -13 want.pairs got.pairs)" ] || differs "$engine: pairs that there are not"
        elif ! cmp -s want.pairs got.pairs; then
            differs "$engine: $(wc -l <got.pairs) pairs, not $n"
        elif [ "$(sort -u got | comm -23 - values | wc -l)" != 0 ]; then
            differs "$engine: values that no input leads to"
        elif [[ $engine = $once ]] && [ "$(wc -l <got)" != "$n" ]; then
            differs "$engine: $(wc -l <got) executions of $n pairs"
        fi
    done
done
echo "$count programs, $pairs pairs, $bad differences"
[ $bad = 0 ]
