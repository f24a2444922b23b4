# raddle: `make` builds into build/, `make demo` shows a bug being found, `make check` runs all
# tests. demo and check install what is missing (Debian packages) by themselves.
CC      ?= gcc
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0
B       := build
# What demo and check build first uses all cores, unless make was told how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

WARN    := -Wall -Wextra -Werror -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes
CSTD    := -std=gnu11
OPT     ?= -O2
CFLAGS  ?= -g
ALL_CFLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -Isrc -Iinclude -DRADDLE_VERSION='"$(VERSION)"' -MMD -MP
LIBS    := -lhiredis -lssl -lcrypto -ldw -lelf -lm -lpthread -ldl

# The tool: every room but those that live only inside the tested program.
HOST_ROOMS := base cc trace object explore solve model pairs farm host report cli
HOST_SRC   := $(foreach r,$(HOST_ROOMS),$(wildcard src/$(r)/*.c src/$(r)/*/*.c))
HOST_OBJ   := $(HOST_SRC:src/%.c=$(B)/obj/%.o) $(B)/obj/report/page/assets.o $(B)/obj/cli/gdb_script.o
HOST_LIB   := $(B)/lib/libraddle-host.a

# The runtime: linked into the tested program.
RT_ROOMS := trace object solve explore rt sync
RT_SRC   := $(filter-out src/trace/schedule.c src/sync/standalone/%,$(foreach r,$(RT_ROOMS),$(wildcard src/$(r)/*.c src/$(r)/*/*.c))) src/base/arena.c src/base/htable.c
RT_ASM   := $(wildcard src/rt/*/*.S)
RT_OBJ   := $(RT_SRC:src/%.c=$(B)/rt/%.o) $(RT_ASM:src/%.S=$(B)/rt/%.o)
# Structures are mostly copied right after their parts were written; as whole vectors they would have to
# wait for these to reach the cache.
RT_CFLAGS = -fPIC -fexceptions -fvisibility=hidden -fno-builtin-malloc -fno-builtin-free -fno-builtin-calloc \
            -fno-builtin-realloc -fno-stack-protector -ftls-model=initial-exec -mpopcnt -msse4.1 \
            $(if $(filter -O2,$(OPT)),-O3) -fno-tree-slp-vectorize $(if $(findstring -g,$(CFLAGS)),,-g1)

# An operation of the program passes through several of these files: optimised together they are 3–6%
# faster. clang would need a linker of its own for it.
RT_LTO  := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,-flto=auto)
$(foreach r,trace object solve explore rt,$(B)/rt/$(r)/%.o): RT_CFLAGS += $(RT_LTO)

# raddle/sync.h for programs linked without raddle.
SYNC_OBJ := $(B)/rt/sync/native.o $(B)/rt/sync/native_monitor.o $(B)/rt/sync/standalone/sync.o
SYNC     := $(B)/lib/libraddle-sync.a

TOOL := $(B)/bin/raddle
RT   := $(B)/lib/libraddle-rt.so

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/%)
SIM_OBJ  := $(patsubst tests/sim/%.c,$(B)/sim/%.o,$(wildcard tests/sim/*.c))
SIM_LIB  := $(B)/sim/libsim.a

all: $(TOOL) $(SYNC) $(RT) symbolic locals $(B)/bin/raddle-cc $(B)/bin/raddle-c++ $(B)/lib/gcc.specs

$(B)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  cc $<"; $(CC) $(ALL_CFLAGS) -c -o $@ $<

# The style and script of HTML reports go into the tool, and the script for gdb.
$(B)/obj/%.o: src/%.S src/report/page/page.css src/report/page/page.js src/cli/gdb.py
	@mkdir -p $(@D)
	$(CC) -c -o $@ $<

$(B)/rt/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  cc $<"; $(CC) $(ALL_CFLAGS) $(RT_CFLAGS) -c -o $@ $<

$(B)/rt/%.o: src/%.S
	@mkdir -p $(@D)
	$(CC) -g -c -o $@ $<

$(HOST_LIB): $(filter-out $(B)/obj/cli/main.o,$(HOST_OBJ))
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^

# The whole archive is linked so that two functions of the same name are an error, not a choice.
$(TOOL): $(B)/obj/cli/main.o $(HOST_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $< -Wl,--whole-archive $(HOST_LIB) -Wl,--no-whole-archive $(LIBS)

# A debugger is to step through the program and over the runtime, so that has no line numbers (they are in
# libraddle-rt.so.debug, for symbol-file).
$(RT): $(RT_OBJ) src/rt/rt.map $(B)/obj/own_code
	@mkdir -p $(@D)
	$(CC) $(OPT) $(CFLAGS) $(RT_LTO) -shared -o $@.linked $(RT_OBJ) -Wl,-z,now -Wl,-z,defs -Wl,--version-script=src/rt/rt.map \
	  -Wl,-soname,libraddle-rt.so -ldl -lpthread
	$(B)/obj/own_code $@.linked >$(B)/obj/own_code.table
	objcopy --only-keep-debug $@.linked $@.debug
	objcopy --strip-debug --update-section raddle_own=$(B)/obj/own_code.table $@.linked $@
	@rm $@.linked

# Which of its instructions are raddle's own (src/rt/check/own.h).
$(B)/obj/own_code: scripts/own_code.c src/rt/check/own.h
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(WARN) -Isrc -o $@ $< -ldw -lelf

# What raddle cc --symbolic needs: the rewriter, the only part that links LLVM, and the checks it puts in.
# Without LLVM they are left out, and --symbolic says what to install.
LLVM_CONFIG := $(shell command -v llvm-config-19 2>/dev/null)
SYMBOLIC    := $(if $(LLVM_CONFIG),$(B)/lib/raddle-rewrite $(B)/lib/raddle-checks.bc $(B)/lib/raddle-libc.bc)
LIBC_SRC    := $(wildcard src/rewrite/libc*.c)
REWRITE_SRC := $(filter-out %/inline.c $(LIBC_SRC),$(wildcard src/rewrite/*.c))

$(B)/lib/raddle-rewrite: $(REWRITE_SRC) $(wildcard src/rewrite/*.h)
	@mkdir -p $(@D)
	@echo "  cc src/rewrite"; $(CC) $(CSTD) $(OPT) $(CFLAGS) $(WARN) -D_GNU_SOURCE -Isrc \
	  -isystem $$($(LLVM_CONFIG) --includedir) -o $@ $(REWRITE_SRC) -L$$($(LLVM_CONFIG) --libdir) \
	  $$($(LLVM_CONFIG) --libs)

$(B)/lib/raddle-checks.bc: src/rewrite/inline.c src/rewrite/hooks.h
	@mkdir -p $(@D)
	$$($(LLVM_CONFIG) --bindir)/clang -O1 -Isrc -c -emit-llvm -o $@ $<

$(B)/obj/rewrite/%.bc: src/rewrite/%.c src/rewrite/libc.h
	@mkdir -p $(@D)
	@$$($(LLVM_CONFIG) --bindir)/clang -D_GNU_SOURCE -U_FORTIFY_SOURCE -O1 -g -fPIC -fno-builtin -fsanitize=thread -Isrc \
	  -ffile-compilation-dir=/raddle -ffile-prefix-map=src/rewrite=libc -Xclang -disable-llvm-passes -c -emit-llvm -o $@ $<

$(B)/lib/raddle-libc.bc: $(LIBC_SRC:src/rewrite/%.c=$(B)/obj/rewrite/%.bc)
	@mkdir -p $(@D)
	$$($(LLVM_CONFIG) --bindir)/llvm-link -o $@ $^

symbolic: $(SYMBOLIC)

# Plugins for the clangs that leave out parts of shared local variables (src/rewrite/locals.cc), for each LLVM that is there.
LLVM_SEEN := $(foreach v,14 15 16 17 18 19,$(if $(wildcard /usr/lib/llvm-$v/include/llvm/Passes/PassPlugin.h),$v))
LOCALS    := $(LLVM_SEEN:%=$(B)/lib/raddle-locals-%.so)
locals: $(LOCALS)

$(B)/lib/raddle-locals-%.so: src/rewrite/locals.cc
	@mkdir -p $(@D)
	@echo "  c++ $< for clang $*"; $(CXX) -std=c++17 $(OPT) -Wall -Wextra -fPIC -shared \
	  -fno-rtti -isystem /usr/lib/llvm-$*/include -o $@ $<

$(SYNC): $(SYNC_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^

$(B)/bin/raddle-cc $(B)/bin/raddle-c++: $(TOOL)
	ln -sf raddle $@

$(B)/lib/gcc.specs: src/cc/gcc.specs
	@mkdir -p $(@D)
	@cp $< $@

$(B)/tests/%: tests/unit/%.c $(HOST_LIB) $(SIM_LIB)
	@mkdir -p $(@D)
	@echo "  cc $<"; $(CC) $(ALL_CFLAGS) -Itests/unit -Itests/sim -o $@ $< $(SIM_LIB) $(HOST_LIB) -lcmocka $(LIBS)

$(B)/tests/test_solve: LIBS += -lz3

# The simulator that engines are tested in.
$(B)/sim/%.o: tests/sim/%.c
	@mkdir -p $(@D)
	@echo "  cc $<"; $(CC) $(ALL_CFLAGS) -c -o $@ $<

$(SIM_LIB): $(SIM_OBJ)
	@rm -f $@
	@ar rcs $@ $^

# All that scripts/check runs; then `scripts/check NAME…` runs some of it.
tests: all $(UNIT_BIN)

# One runner for everything: unit tests, e2e scripts, cases. Ends with "N passed, N failed".
check: setup
	@$(MAKE) --no-print-directory $(PARALLEL) tests
	@scripts/check

check-long: setup
	@$(MAKE) --no-print-directory $(PARALLEL) tests
	@RADDLE_LONG=1 scripts/check

setup:
	@scripts/setup

print-flags:
	@echo "$(subst ",\",$(ALL_CFLAGS))"

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf $(B)

-include $(HOST_OBJ:.o=.d) $(RT_SRC:src/%.c=$(B)/rt/%.d) $(UNIT_BIN:=.d) $(SIM_OBJ:.o=.d)
-include bench/bench.mk scripts/install.mk scripts/package.mk scripts/examples.mk scripts/demo.mk

.PHONY: all locals tests check check-long setup print-flags format clean demo bench install

