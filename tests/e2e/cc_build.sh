#!/usr/bin/env bash
# raddle cc as the compiler of plain make, autoconf with automake and libtool, CMake and meson. The
# project is examples/account: a static library, a shared library with a global and a thread-local
# variable, two programs. Each build is made with an installed raddle, and its tests are run with
# raddle run.
. "$(dirname "$0")/../lib.sh"
unset MAKEFLAGS # a compiler named there would be used instead of raddle cc
make -s --no-print-directory -C "$TOP" install DESTDIR="$SCRATCH" PREFIX=/raddle >/dev/null || exit 1
PATH=$SCRATCH/raddle/bin:$PATH
export CMAKE_PREFIX_PATH=$SCRATCH/raddle
cd "$SCRATCH" || exit 1

fresh() { # fresh NAME: a copy of the example project, and into it
    mkdir "$SCRATCH/$1" && cd "$SCRATCH/$1" || exit 1
    cp "$TOP"/examples/account/{*.[ch],Makefile,CMakeLists.txt,meson.build} . || exit 1
}
good_program() { # loads the runtime first, and runs normally by itself
    readelf -d "$1" | grep NEEDED | head -1 | grep -q libraddle-rt.so && "$1"
}

check_run() { # a check that explores
    if "$RADDLE" run --help >/dev/null 2>&1; then
        check "$@"
    else
        tap 0 "$1 # SKIP there is no raddle run"
    fi
}

fresh make
check "make CC='raddle cc'" make -s CC="raddle cc"
check "…good program" good_program ./test_transfer
check_run "make check: raddle run gives the right verdicts" make -s check CC="raddle cc"
check "make with gcc underneath" env RADDLE_CC=gcc make -s clean all CC=raddle-cc
check "…good program" good_program ./test_transfer
fresh plain
check "the same with a plain compiler" make -s CC=cc CFLAGS="-I$TOP/include -fPIC"
check "…runs without raddle" ./test_audit
echo 'int in_library(const char *s) { return s[0]; }' >in_library.c
echo '#include <string.h>
int in_library(const char *);
int main(int c, char **v) { char s[9]; memcpy(s, v[0], 2); return in_library(s) != v[0][0]; }' >of_gcc.c
check "a library built with raddle cc" raddle cc -shared -fPIC -o libin.so in_library.c
check "…in a program that was not" gcc -o of_gcc of_gcc.c -L. -lin -Wl,-rpath,"$PWD"
check_output "the program itself was not: link both with it" "…says what to do" ./of_gcc

# gcc underneath, since configure calls the compiler some two hundred times.
fresh autoconf
cp "$TOP"/tests/e2e/autoconf/* . && rm -f Makefile
mkdir -p m4 out && cd out || exit 1
check "autoreconf" sh -c "cd .. && autoreconf -i -Wno-obsolete"
check "configure, with libtool" env RADDLE_CC=gcc ../configure CC=raddle-cc CXX=raddle-c++ --prefix="$SCRATCH/auto" --enable-silent-rules
check "make" env RADDLE_CC=gcc make -s
check_output "^hello$" "…C++ program runs, and all feature tests were answered rightly" ./hello
check "…C program runs" ./transfer
check_output "libraddle-rt" "…C++ library has the runtime" readelf -d .libs/libgreet.so
check "make install" env RADDLE_CC=gcc make -s install
check "…installed program is good" good_program "$SCRATCH/auto/bin/transfer"
check_output "libraddle-rt" "…and so is the library" readelf -d "$SCRATCH/auto/lib/libledger.so"

fresh cmake
check "cmake identifies the compiler" cmake -S . -B out -DCMAKE_C_COMPILER=raddle-cc
check_output "raddle-cc" "…which is raddle-cc" grep CMAKE_C_COMPILER: out/CMakeCache.txt
check "cmake --build" cmake --build out
check "…good program" good_program out/test_transfer
check_run "ctest runs raddle" ctest --test-dir out --output-on-failure
check_output "Total Tests: 1" "…which have a label" ctest --test-dir out -L raddle -N
check "cmake with CC='raddle cc'" env CC="raddle cc" cmake -S . -B out1
check "…builds" cmake --build out1
check "…good program" good_program out1/test_transfer
check_status 1 "raddle_add_test refuses a bad EXPECT" sh -c \
    "sed -i 's/EXPECT bug/EXPECT luck/' CMakeLists.txt && cmake -S . -B out2 -DCMAKE_C_COMPILER=raddle-cc"
cd "$SCRATCH" && mkdir plus && cd plus || exit 1
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(plus C CXX)
include(CheckCXXSourceRuns)
include(CheckIPOSupported)
check_cxx_source_runs("#include <thread>
int main() { std::thread t([]{}); t.join(); }" RUNS)
if(NOT RUNS)
  message(FATAL_ERROR "a thread does not run")
endif()
add_library(part OBJECT part.c)
add_executable(plus main.cpp $<TARGET_OBJECTS:part>)
EOF
echo 'int part(void) { return 7; }' >part.c
echo 'extern "C" int part(void); int main() { return part() != 7; }' >main.cpp
check "cmake with C and C++, Release, gcc underneath" env RADDLE_CC=gcc cmake -S . -B out -G Ninja \
    -DCMAKE_C_COMPILER=raddle-cc -DCMAKE_CXX_COMPILER=raddle-c++ -DCMAKE_BUILD_TYPE=Release
check "…builds" env RADDLE_CC=gcc cmake --build out
check "…good program" good_program out/plus

fresh meson
check "meson setup: sanity checks pass" env CC=raddle-cc meson setup out
check "meson compile" meson compile -C out
check "…good program" good_program out/test_transfer
check_run "meson test runs raddle" meson test -C out
check "meson with CC='raddle cc', gcc underneath" env RADDLE_CC=gcc CC="raddle cc" meson setup out2
check "…builds" env RADDLE_CC=gcc meson compile -C out2
check "…good program" good_program out2/test_transfer
finish
