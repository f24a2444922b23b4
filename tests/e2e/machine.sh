#!/usr/bin/env bash
# raddle on a machine: raddle doctor, completion, the Debian package, the source archive.
. "$(dirname "$0")/../lib.sh"
make_top() { make -s --no-print-directory -C "$TOP" "$@"; }

# --- doctor ---
"$RADDLE" doctor >"$SCRATCH/doctor"
tap $? "raddle doctor finds this machine fit" "$(cat "$SCRATCH/doctor")"
for what in files personality memory seccomp fsgsbase ptrace gdb symbolic clang gcc; do
    check "it looks at $what" grep -qE "^(ok|less|BAD) +$what " "$SCRATCH/doctor"
done
cut_off() { (ulimit -v 4000000; "$RADDLE" doctor); }
check_output '^BAD +memory .*ulimit -v' "too little memory is named, with what to do" cut_off
check_status 3 "…and makes the machine unfit" cut_off
mkdir "$SCRATCH/empty"
check_output '^less +gdb .*install gdb' "a machine without gdb is told what it lacks" env PATH="$SCRATCH/empty" "$RADDLE" doctor
check_output 'no compiler builds' "without a compiler nothing works" env PATH="$SCRATCH/empty" "$RADDLE" doctor
check_status 64 "doctor takes no operands" "$RADDLE" doctor x

# --- completion ---
complete_bash() { # the answers to words, of which the last is being typed
    "$RADDLE" completion bash >"$SCRATCH/completion"
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _raddle; echo "${COMPREPLY[*]}"' "$SCRATCH/completion" "$@"
}
check_output '^replay report$' "bash completes commands" complete_bash raddle rep
check_output '^--engine --exit$' "…options" complete_bash raddle run --e
check_output '^report stop off$' "…and values" complete_bash raddle run --races ''
check_output '^bash$' "…and the shells" complete_bash raddle completion b
for shell in bash zsh fish; do
    "$RADDLE" completion $shell >"$SCRATCH/script"
    missing=$(for c in $("$RADDLE" --help | sed -n 's/^  \([a-z+-][a-z+-]*\)  *[a-z].*/\1/p'); do
        "$RADDLE" "$c" --help | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p'
    done | sort -u | while read -r option; do grep -qE -- "(--|-l )$option\b" "$SCRATCH/script" || echo "$option"; done)
    [ -z "$missing" ]
    tap $? "$shell: every option of every command" "$missing"
    command -v $shell >/dev/null && check "$shell reads it" $shell -n "$SCRATCH/script"
done
check_status 64 "an unknown shell" "$RADDLE" completion tcsh

# --- the package and the archive ---
check "make deb" make_top deb
deb=$(ls "$TOP"/build/raddle_*.deb)
check_output '^ Package: raddle$' "dpkg can read it" dpkg-deb -I "$deb"
dpkg-deb -x "$deb" "$SCRATCH/root"
cd "$SCRATCH" || exit 1
for library in $(LC_ALL=C objdump -p root/usr/bin/raddle root/usr/lib/raddle/libraddle-rt.so | sed -n 's/^ *NEEDED *//p' | sort -u); do
    owner=$(dpkg -S "*/$library" | grep -v -e "i386\|x32" | head -n 1)
    check_output "(^| )${owner%%:*}," "the package asks for what has $library" dpkg-deb -f "$deb" Depends
done
check "what it holds compiles the demo" root/usr/bin/raddle cc -g -o pool root/usr/share/doc/raddle/examples/pool/pool.c
check_status 1 "…and finds its bug" root/usr/bin/raddle run -q ./pool
check "make dist" make_top dist
tar -xzf "$TOP"/build/raddle-*.tar.gz
check "the archive holds every file that is not built" diff -r --exclude build --exclude .git --exclude raddle-out \
    "$TOP" "$SCRATCH"/raddle-[0-9]*
if [ -n "${RADDLE_LONG:-}" ]; then
    check "and builds" timeout 600 make -s -C "$SCRATCH"/raddle-[0-9]* -j2
    check_status 1 "to a tool that finds bugs" "$SCRATCH"/raddle-[0-9]*/build/bin/raddle run -q ./pool
fi
finish
