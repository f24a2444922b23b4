# For tests/e2e/*.sh: TAP lines and a scratch folder. Usage:
#   . "$(dirname "$0")/../lib.sh"
#   check "name of the claim" command args…          # ok if the command succeeds
#   check_status 64 "bad option is refused" "$RADDLE" pairs --nonsense
#   check_output "regex" "name" command args…        # stdout+stderr must match
#   finish
set -u
TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
RADDLE=${RADDLE:-$TOP/build/bin/raddle}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
tap_n=0 tap_bad=0

tap() { # tap STATUS NAME [DETAIL]
    tap_n=$((tap_n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_n - $2"
    else
        tap_bad=$((tap_bad + 1))
        echo "not ok $tap_n - $2"
        [ -n "${3:-}" ] && printf '%s\n' "$3" | head -20 | sed 's/^/# /'
    fi
    return 0
}

# Programs get two minutes; a shell function is bounded by what it calls.
bounded() {
    if declare -F "$1" >/dev/null; then "$@"; else timeout 120 "$@"; fi
}

check() {
    local name=$1 out status
    shift
    out=$(bounded "$@" 2>&1 </dev/null)
    status=$?
    tap $status "$name" "status $status: $* : $out"
}

check_status() {
    local want=$1 name=$2 out status
    shift 2
    out=$(bounded "$@" 2>&1 </dev/null)
    status=$?
    [ $status -eq "$want" ]
    tap $? "$name" "status $status, wanted $want: $* : $out"
}

check_output() {
    local want=$1 name=$2 out
    shift 2
    out=$(bounded "$@" 2>&1 </dev/null)
    printf '%s' "$out" | grep -qE -- "$want"
    tap $? "$name" "no match for '$want' in: $out"
}

# retell LOG: the TAP lines that another program wrote, with our numbers.
retell() {
    local verdict rest
    while read -r verdict rest; do
        case $verdict in
        ok) tap 0 "${rest#* - }" ;;
        not) tap 1 "${rest#* - }" "$(grep -A3 -F "$verdict $rest" "$1" | grep '^#')" ;;
        esac
    done < <(grep -E '^(ok|not ok) ' "$1")
}

# kill_workers TIMES HOST: kills workers of a raddle that runs under `timeout`, until so many are dead or it has ended.
# Only those that have computed for 0.1 s are killed: one that is killed again and again while it starts is given up, rightly.
kill_workers() {
    local times=$1 host=$2 n=0 tool victim ticks
    while [ $n -lt "$times" ] && kill -0 "$host" 2>/dev/null; do
        sleep 0.02
        tool=$(pgrep -P "$host" | head -1)
        for victim in $(cat /proc/"$tool"/task/*/children 2>/dev/null); do
            ticks=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$victim/stat" 2>/dev/null)
            [ "${ticks:-0}" -ge 10 ] && kill -KILL "$victim" 2>/dev/null && n=$((n + 1))
        done
    done
    wait "$host"
    [ $n -gt 0 ] || echo "none was killed"
}

finish() {
    echo "1..$tap_n"
    exit $((tap_bad > 0))
}
