#!/usr/bin/env bash
# make install into a scratch DESTDIR: what is there works from there, wherever it is moved, and
# uninstall leaves nothing behind.
. "$(dirname "$0")/../lib.sh"
dest=$SCRATCH/dest root=$SCRATCH/dest/opt/raddle
make_top() { make -s --no-print-directory -C "$TOP" "$@"; }
check "make install" make_top install DESTDIR="$dest" PREFIX=/opt/raddle
for f in bin/raddle bin/raddle-cc bin/raddle-c++ lib/raddle/libraddle-rt.so lib/raddle/gcc.specs \
    include/raddle.h lib/pkgconfig/raddle.pc lib/cmake/raddle/raddle-config.cmake \
    share/man/man1/raddle.1 share/man/man1/raddle-cc.1 share/doc/raddle/LICENSE; do
    check "installs $f" test -s "$root/$f"
done
check "no page of the man pages has a fault" sh -c \
    "for m in $root/share/man/man1/*; do groff -K utf8 -man -Tutf8 -ww -z \$m 2>&1; done | grep . && exit 1 || exit 0"
check_output '@' "no template is left" sh -c "grep -lI '@[A-Z]*@' -r '$root/lib' '$root/share' || echo @"

check "links of the documents lead somewhere" python3 "$TOP/tests/e2e/links_check.py" "$TOP"
check "…and those of the installed ones" python3 "$TOP/tests/e2e/links_check.py" "$root/share/doc/raddle"
check "the examples are installed" test -s "$root/share/doc/raddle/examples/pool/pool.c"

pc() { PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --define-variable=prefix="$1" "${@:2}" raddle; }
check_output "-I.*/opt/raddle/include" "pkg-config --cflags" pc "$root" --cflags
check_output "/opt/raddle/bin/raddle-cc$" "pkg-config --variable=cc" pc "$root" --variable=cc
check_output "^$($RADDLE --version | cut -d' ' -f2)$" "pkg-config --modversion" pc "$root" --modversion

# Moved as a whole: paths are found from the executable.
mv "$root" "$SCRATCH/moved"
cd "$SCRATCH" || exit 1
cat >hello.c <<'EOF'
#include <raddle.h>
int main(void)
{
    raddle_assert(1);
    puts("hello");
    return 0;
}
EOF
for compiler in clang gcc; do
    check "the installed raddle-cc compiles with $compiler" env RADDLE_CC=$compiler moved/bin/raddle-cc -Wall -Werror hello.c -o hello
    check_output "^hello$" "…and the program runs" ./hello
    check_output "RUNPATH.*$SCRATCH/moved/lib/raddle" "…with the installed runtime" readelf -d hello
done
check_output "$(basename "$SCRATCH")/moved/include/raddle.h" "…and the installed header" moved/bin/raddle cc -M hello.c

mkdir -p "$dest/opt" && mv "$SCRATCH/moved" "$root"
check "make uninstall" make_top uninstall DESTDIR="$dest" PREFIX=/opt/raddle
check_output '^none$' "nothing is left" sh -c "find '$dest' -type f -o -type l | grep . || echo none"
finish
