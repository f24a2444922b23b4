#!/usr/bin/env bash
# The house rules that a machine can check: include directions, sizes, no reference to anything
# outside of the repository, every command documented, every test run, clang as clean as gcc.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
export LC_ALL=C.UTF-8
files() { git ls-files -co --exclude-standard 2>/dev/null || find . -type f -not -path './build/*' -printf '%P\n'; }
none() { # none COMMAND…: it prints nothing
    local out
    out=$("$@") || true
    [ -z "$out" ] || { echo "$out" && false; }
}
sources() { files | grep -E '^(src|include|tests|bench|examples)/.*\.([chS]|def|cpp|cc)$'; }

check "includes follow the table in ARCHITECTURE.md" none scripts/check-includes
mkdir -p "$SCRATCH/top/include" "$SCRATCH/top/src" && cp ARCHITECTURE.md "$SCRATCH/top"
for room in base trace rt host; do mkdir "$SCRATCH/top/src/$room"; done
echo '#include "rt/core/rt.h"' >"$SCRATCH/top/src/trace/a.c"
printf '#include "base/x.h"\n#include "trace/x.h"\n#include "explore/engine.h"\n' >"$SCRATCH/top/src/rt/b.c"
printf '#include "explore/dfs.h"\n#include "own.h"\n' >"$SCRATCH/top/src/rt/c.c"
check_output "^4$" "…and the check finds what does not" sh -c "
    echo '#include \"host/x.h\"' >'$SCRATCH/top/src/base/d.h'
    scripts/check-includes '$SCRATCH/top' | grep -c -e src/trace/a.c:1 -e src/rt/c.c -e src/base/d.h:1"

too_long() { sources | xargs wc -l | awk '$2 != "total" && $1 >= 500 { print $2 ": " $1 " lines" }'; }
check "every file has less than 500 lines" none too_long
too_wide() { sources | grep -v '\.def$' | xargs grep -nE '^.{111,}' | cut -c1-100; }
check "no line is far beyond 100 columns" none too_wide
tabs() { sources | grep -E '\.[ch]$' | xargs grep -lP '^\t'; }
check "C is indented with spaces" none tabs
same_tags() { # one name, one thing: a struct tag is defined in one place of src/
    find src -name '*.[ch]' -print0 | xargs -0 grep -hoE '^(static (const )?|typedef )?struct [a-z_0-9]+ \{' |
        sed -E 's/.*struct ([a-z_0-9]+) .*/\1/' | sort | uniq -d | sed 's/^/struct /'
}
check "no struct tag is defined in two places" none same_tags
own_asserts() { files | grep -E '^src/.*\.[ch]$' | xargs grep -nE '<assert\.h>'; }
check "invariants are those of base/ensure.h" none own_asserts
few_invariants() { # at least 10 in a thousand lines
    local room lines
    for room in explore trace object host; do
        lines=$(find src/$room -name '*.[ch]' -print0 | xargs -0 cat | wc -l)
        find src/$room -name '*.[ch]' -print0 | xargs -0 cat | grep -c '\bensure(' |
            awk -v room=$room -v lines="$lines" '$1 * 100 < lines { print room ": " $1 " in " lines " lines" }'
    done
}
check "what must hold is written down: 10 invariants in a thousand lines" none few_invariants
# What an operation means stands in the file of its object: its kind is named where it is described and called,
# nowhere else. Exceptions never wait: accesses to memory, and what concerns one thread and the reports alone.
known_elsewhere() {
    local kind n
    sed -n 's/^EVENT(\([A-Z_]*\),.*/\1/p' src/trace/event.def | while read -r kind; do
        case $kind in LOAD | STORE | RMW | CAS | CAS_FAIL | READ | CHOOSE | ALLOC | NOTE) continue ;; esac
        n=$(grep -rlw "EV_$kind" src | wc -l)
        [ "$n" -le 4 ] || echo "EV_$kind: $n files"
    done
}
check "the kind of an operation that can wait is named in at most four files" none known_elsewhere
unfinished() { sources | xargs grep -nE 'TO''DO[:(]|FIX''ME|\bXX''X\b'; }
check "nothing is left to be done in comments" none unfinished

outside() { files | xargs grep -nIE '(^|[^a-z.])/(wo''rk|ro''ot)/|\.\./sha''red' | cut -c1-160; }
check "nothing refers to a path outside of the repository" none outside
dangling() { # relative links in the documents
    files | grep '\.md$' | while read -r doc; do
        grep -oE '\]\([^):#]+[)#]' "$doc" | sed 's/^](//; s/[)#]$//' | while read -r link; do
            [ -e "$(dirname "$doc")/$link" ] || echo "$doc: $link"
        done
    done
}
check "links between documents lead somewhere" none dangling

not_run() { find tests/e2e -name '*.sh' -not -executable; }
check "every e2e script is executable" none not_run
bad_shell() { files | grep -E '^(scripts/[a-z-]+|.*\.sh)$' | xargs -n1 bash -n 2>&1; }
check "shell scripts parse" none bad_shell

commands=$("$RADDLE" --help | sed -n 's/^  \([a-z+-][a-z+-]*\)  *[a-z].*/\1/p')
for c in $commands; do
    check_output "^usage: raddle ${c//+/\\+} " "raddle $c --help" "$RADDLE" "$c" --help
    check_output "^\.SH DESCRIPTION" "raddle $c has a manual page with a description" "$RADDLE" "$c" --help-man
    check "…that groff accepts" none sh -c "'$RADDLE' '$c' --help-man | groff -K utf8 -man -Tutf8 -ww -z 2>&1"
done
missing() {
    local n
    n=$(grep -c '^COMMAND(' src/cli/commands.def)
    [ "$(echo "$commands" | wc -l)" -eq "$n" ] || echo "--help lists not all of the $n commands"
}
check "raddle --help lists all commands" none missing

undocumented() { # engines that no document tells of
    sed -n 's/^ENGINE(.*"\([a-z-]*\)", USER)/\1/p' src/explore/engines.def | while read -r engine; do
        grep -qE "(\`|--engine |--engine=|\*\*)$engine\b" README.md docs/*.md || echo "engine $engine"
    done
}
check "every engine is documented" none undocumented

# Only the front end of clang: warnings without code generation, one process for all files (RADDLE_SINCE=COMMIT:
# for those that changed since then, for the time of writing).
clang_clean() {
    make -s --no-print-directory print-flags | sed 's/ -MMD -MP//' >"$SCRATCH/flags"
    local llvm # the rewriter needs its headers
    llvm=$(llvm-config-19 --includedir 2>/dev/null)
    if [ -n "${RADDLE_SINCE:-}" ]; then
        git diff --name-only --diff-filter=d "$RADDLE_SINCE" -- 'src/*.c'
    else
        find src -name '*.c'
    fi | if [ -n "$llvm" ]; then cat; else grep -v '^src/rewrite/'; fi |
        xargs -r clang -fsyntax-only ${llvm:+-isystem "$llvm"} @"$SCRATCH/flags" 2>&1
}
check "clang finds nothing to warn about" none clang_clean
finish
