#!/usr/bin/env bash
# The synchronization library without raddle: the examples of every construct, built by gcc and by clang
# with the sanitizer for data races, run as ordinary programs; misuse ends the program with a message.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
library="$TOP/src/sync/native.c $TOP/src/sync/native_monitor.c $TOP/src/sync/standalone/sync.c"
native() { # COMPILER EXAMPLE
    # shellcheck disable=SC2086
    $1 -Wall -Wextra -Werror -Wno-unused-parameter -g -O1 -fsanitize=thread -I"$TOP/include" -I"$TOP/src" \
        -o "$1-$2" "$TOP/examples/sync/$2.c" $library -pthread || return 1
    for _ in 1 2 3 4 5; do timeout 30 setarch -R "./$1-$2" || return 1; done
}
for c in gcc clang; do
    for e in "$TOP"/examples/sync/*.c; do
        check "$c: $(basename "$e" .c) runs on its own, without a data race" native $c "$(basename "$e" .c)"
    done
done
linked() {
    for e in "$TOP"/examples/sync/*.c; do
        gcc -I"$TOP/include" -o linked "$e" -L"$TOP/build/lib" -lraddle-sync -pthread && timeout 20 ./linked ||
            return 1
    done
}
check "-lraddle-sync is all they need" linked
misused() { # CODE MESSAGE
    printf '#include <raddle/sync.h>\n%s\n' "$1" >misuse.c
    gcc -I"$TOP/include" -o misuse misuse.c -L"$TOP/build/lib" -lraddle-sync -pthread || return 1
    timeout 10 ./misuse 2>said && return 1
    grep -q "$2" said
}
check "leaving a monitor one is not in" misused \
    'int main(void) { raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE); raddle_monitor_leave(&m); }' \
    "raddle/sync.h: "
check "a second receiver of a port" misused \
    'static raddle_port p = RADDLE_PORT(char, RADDLE_FIFO);
     static void *r(void *a) { char c; raddle_port_receive(&p, &c); return 0; }
     int main(void) { pthread_t t; char c; raddle_port_send(&p, ""); raddle_port_send(&p, "");
         raddle_port_receive(&p, &c); pthread_create(&t, 0, r, 0); pthread_join(t, 0); }' \
    "two threads receive from one port"
finish
