# make install, make uninstall: PREFIX (default /usr/local) is where raddle will live, DESTDIR a
# folder to put in front of it while packaging. raddle finds its files relative to its executable,
# so an installed tree may be moved as a whole.
I       := $(DESTDIR)$(PREFIX)
MAN     := $(B)/man
DOCDIR  := $(I)/share/doc/raddle
# Debian keeps site-functions for what is installed by hand.
ZSH_DIR := $(I)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
HEADERS := $(patsubst include/%,%,$(wildcard include/*.h include/*/*.h include/*/*/*/*.h include/raddle/cxx/future \
    include/raddle/cxx/memory_resource include/raddle/cxx/mutex))
# The documents are installed as they lie here, so that their links lead somewhere; what is built stays out.
TOP_DOCS  := README.md CHANGELOG.md LICENSE ARCHITECTURE.md CONTRIBUTING.md Containerfile
DOC_FILES := $(shell git ls-files docs examples 2>/dev/null | grep . || find docs examples -type f)
# The words that raddle --help lists.
LIST_COMMANDS = $(TOOL) --help | sed -n 's/^  \([a-z+-][a-z+-]*\)  *[a-z].*/\1/p'

$(MAN)/stamp: $(TOOL) man/raddle.1 man/raddle-sync.3
	@mkdir -p $(MAN)
	@sed 's/@VERSION@/$(VERSION)/' man/raddle.1 >$(MAN)/raddle.1
	@for c in $$($(LIST_COMMANDS)); do \
	  $(TOOL) $$c --help-man >$(MAN)/raddle-$$c.1 || exit 1; done
	@sed 's/@VERSION@/$(VERSION)/' man/raddle-sync.3 >$(MAN)/raddle-sync.3
	@touch $@

man: $(MAN)/stamp

install: all man
	install -d $(I)/share/bash-completion/completions $(ZSH_DIR) \
	  $(I)/share/fish/vendor_completions.d
	$(TOOL) completion bash >$(I)/share/bash-completion/completions/raddle
	$(TOOL) completion zsh >$(ZSH_DIR)/_raddle
	$(TOOL) completion fish >$(I)/share/fish/vendor_completions.d/raddle.fish
	install -d $(I)/bin $(I)/lib/raddle $(I)/lib/cmake/raddle $(I)/lib/pkgconfig $(I)/include \
	  $(I)/share/man/man1 $(I)/share/man/man3 $(DOCDIR)
	install -m 755 $(TOOL) $(I)/bin/raddle
	ln -sf raddle $(I)/bin/raddle-cc
	ln -sf raddle $(I)/bin/raddle-c++
	install -m 755 $(RT) $(I)/lib/raddle/
	for f in $(SYMBOLIC) $(LOCALS); do install -m 755 $$f $(I)/lib/raddle/ || exit 1; done
	install -m 644 $(SYNC) $(I)/lib/
	install -m 644 src/cc/gcc.specs $(I)/lib/raddle/
	install -m 644 scripts/raddle-config.cmake $(I)/lib/cmake/raddle/
	sed 's/@VERSION@/$(VERSION)/' scripts/raddle-config-version.cmake \
	  >$(I)/lib/cmake/raddle/raddle-config-version.cmake
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's/@VERSION@/$(VERSION)/' scripts/raddle.pc.in \
	  >$(I)/lib/pkgconfig/raddle.pc
	for h in $(HEADERS); do install -D -m 644 include/$$h $(I)/include/$$h || exit 1; done
	install -m 644 $(MAN)/*.1 $(I)/share/man/man1/
	install -m 644 $(MAN)/*.3 $(I)/share/man/man3/
	install -m 644 $(TOP_DOCS) $(DOCDIR)/
	ln -sfn ../../../include $(DOCDIR)/include
	for f in $(DOC_FILES); do install -D -m 644 $$f $(DOCDIR)/$$f || exit 1; done

# Removes exactly what install puts there, and the folders that are raddle's alone.
uninstall: all
	rm -f $(I)/bin/raddle $(I)/bin/raddle-cc $(I)/bin/raddle-c++
	rm -f $(I)/lib/libraddle-sync.a $(I)/share/man/man3/raddle-sync.3
	rm -rf $(I)/lib/raddle $(I)/lib/cmake/raddle $(DOCDIR)
	rm -f $(I)/lib/pkgconfig/raddle.pc $(addprefix $(I)/include/,$(HEADERS))
	rmdir $(addprefix $(I)/include/raddle,/cxx/bits /cxx ) $(I)/include/raddle 2>/dev/null || true
	rm -f $(I)/share/man/man1/raddle.1
	rm -f $(I)/share/bash-completion/completions/raddle $(ZSH_DIR)/_raddle \
	  $(I)/share/fish/vendor_completions.d/raddle.fish
	for c in $$($(LIST_COMMANDS)); do rm -f $(I)/share/man/man1/raddle-$$c.1; done

.PHONY: man install uninstall
