#!/usr/bin/env bash
# Everything that the compilers' instrumentation can call is defined by the runtime: the names that gcc and
# clang have inside, whichever of them a program makes them use.
. "$(dirname "$0")/../lib.sh"
missing() { # missing FILE: fails and shows what the runtime does not define
    comm -23 "$1" "$SCRATCH/have" | grep . && return 1
    return 0
}
nm -D --defined-only "$(dirname "$RADDLE")/../lib/libraddle-rt.so" | awk '{ print $3 }' | sort >"$SCRATCH/have"

# gcc names them in full.
strings -a "$(gcc -print-prog-name=cc1)" | grep -E '^__tsan_[a-z0-9_]*$' | sort -u >"$SCRATCH/gcc"
check "gcc has names" test -s "$SCRATCH/gcc"
check "all of gcc's are defined" missing "$SCRATCH/gcc"

# clang builds names of a beginning, a size and an operation.
library=$(ldd "$(readlink -f "$(command -v clang)")" | awk '/libLLVM/ { print $3 }')
strings -a "${library:-$(readlink -f "$(command -v clang)")}" | grep -E '^__tsan_[a-z0-9_]*$' | sort -u >"$SCRATCH/parts"
check "clang has names" test -s "$SCRATCH/parts"
while read -r name; do
    case $name in
    __tsan_atomic)
        for bits in 8 16 32 64 128; do
            for op in load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand \
                compare_exchange_val; do
                echo "__tsan_atomic${bits}_$op"
            done
        done ;;
    *read | *write)
        case $name in *vptr*) echo "$name" ;; *) for size in 1 2 4 8 16; do echo "$name$size"; done ;; esac ;;
    *) echo "$name" ;;
    esac
done <"$SCRATCH/parts" | sort -u >"$SCRATCH/clang"
check "all of clang's are defined" missing "$SCRATCH/clang"

# Functions that ask who called them: what a program can call, and whatever that ends with a jump to, calls them and does
# not jump to them, or the call would seem to come from the program. Other names of the same function jump, as they should.
jumps() { # "FROM -> TO" of all jumps out of a function
    objdump -d --no-show-raw-insn "$(dirname "$RADDLE")/../lib/libraddle-rt.so" |
        sed -nE 's/^[0-9a-f]+ <(.*)>:$/\1/; t name; s/.*\tjmp +[0-9a-f]+ <([^>+@]*)(@plt)?(\+[^>]*)?>.*/\1/; T; G; s/(.*)\n(.*)/\2 -> \1/p; d; :name; h' |
        awk '$1 != $3 && $1 != $3 ".cold"' | sort -u
}
jumps >"$SCRATCH/jumps"
check "jumps are found" grep -q "^index -> strchr" "$SCRATCH/jumps"
wrong() {
    awk 'NR == FNR { program[$1] = exported[$1] = 1; next }
         { from[++n] = $1; to[n] = $3 }
         END {
             for (more = 1; more;)
                 for (i = more = 0; i++ < n;)
                     if (program[from[i]] && !program[to[i]])
                         program[to[i]] = more = 1
             for (i = 1; i <= n; i++)
                 if (program[from[i]] && exported[to[i]])
                     print from[i], "->", to[i]
         }' "$SCRATCH/have" "$SCRATCH/jumps" |
        grep -E -- '-> (syscall|mmap|mmap64|munmap|mremap|mprotect|madvise|mem[a-z]+|str[a-z]+|bzero|bcmp)$' |
        grep -vE '^(__[a-z]+|r?index) -> ' && return 1
    return 0
}
check "none hides who called" wrong
finish
