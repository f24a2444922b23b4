#!/usr/bin/env bash
# compare.sh SEED COUNT ENGINE…: random programs with symbolic inputs against raddle_choose over all values.
# optimal must execute each pair once; but a compare-exchange on inputs that fails is an update to raddle, and
# a read to the log. Prints a line for each difference; the last line says how many programs, pairs and differences.
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
    timeout 60 "$raddle" run --engine "$2" --show-output --keep-going --out "$dir/out" "./$3" "$4" >all 2>&1
    status=$?
    grep '^outcome' all | sort >"$1"
    [ $status = 0 ] || echo "program $4 of seed $seed, $2: status $status: $(grep -v '^outcome' all | head -3)"
    [ $status = 0 ] || bad=$((bad + 1))
}
for ((i = 0; i < count; i++)); do
    explore want optimal choose "$i"
    sort -u want >all_pairs
    pairs=$((pairs + $(wc -l <all_pairs)))
    for engine in "$@"; do
        explore got "$engine" symbolic "$i"
        sort -u got >got_pairs
        if ! cmp -s all_pairs got_pairs; then
            echo "program $i of seed $seed, $engine: $(wc -l <got_pairs) pairs, not $(wc -l <all_pairs)"
            bad=$((bad + 1))
        elif [ "$engine" = optimal ] && ! sed -n "/^static void \*p${i}_1/,/^static void program$i/p" programs.c |
            grep -q compare_exchange && [ "$(wc -l <got)" != "$(wc -l <got_pairs)" ]; then
            echo "program $i of seed $seed, $engine: $(wc -l <got) executions of $(wc -l <got_pairs) pairs"
            bad=$((bad + 1))
        fi
    done
done
echo "$count programs, $pairs pairs, $bad differences"
[ $bad = 0 ]
