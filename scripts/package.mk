# make dist: a source archive that builds and tests. make deb: a Debian package of what make install installs.
DIST      := raddle-$(VERSION)
DEB_ARCH  := $(shell dpkg --print-architecture 2>/dev/null)
DEB       := $(B)/raddle_$(VERSION)_$(DEB_ARCH).deb
DEB_TREE  := $(B)/deb
# The packages of the libraries that what is always used is linked with, as dpkg knows them; compilers are what
# raddle cc drives.
DEB_LINKED = $(DEB_TREE)/usr/bin/raddle $(DEB_TREE)/usr/lib/raddle/libraddle-rt.so
DEB_NEEDS  = $$(readelf -d $(DEB_LINKED) | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u | \
  while read l; do dpkg -S "*/$$(gcc -print-multiarch)/$$l"; done | sed 's/:.*/,/' | sort -u | tr '\n' ' ')clang | gcc, libc6-dev

dist: $(B)/$(DIST).tar.gz

# From git where there is one; from an unpacked archive the files are those that are not built.
$(B)/$(DIST).tar.gz: FORCE
	@mkdir -p $(B)
	@{ git ls-files -c 2>/dev/null || find . -type f -not -path './$(B)/*' -printf '%P\n'; } | sort >$(B)/dist-files
	@tar --create --gzip --file $@ --transform 's|^|$(DIST)/|' --owner 0 --group 0 --numeric-owner \
	  --mtime '2026-01-01 00:00Z' --files-from $(B)/dist-files
	@echo "$@: $$(wc -l <$(B)/dist-files) files"

deb: $(DEB)

$(DEB): all FORCE
	@rm -rf $(DEB_TREE)
	@$(MAKE) --no-print-directory -s install DESTDIR=$(CURDIR)/$(DEB_TREE) PREFIX=/usr
	@strip --strip-unneeded $(DEB_TREE)/usr/bin/raddle $(DEB_TREE)/usr/lib/raddle/libraddle-rt.so \
	  $(if $(SYMBOLIC),$(DEB_TREE)/usr/lib/raddle/raddle-rewrite)
	@gzip -9n $(DEB_TREE)/usr/share/man/man[13]/*
	@cp LICENSE $(DEB_TREE)/usr/share/doc/raddle/copyright
	@cp $(DEB_TREE)/usr/share/doc/raddle/CHANGELOG.md $(DEB_TREE)/usr/share/doc/raddle/changelog
	@gzip -9n $(DEB_TREE)/usr/share/doc/raddle/changelog
	@install -d $(DEB_TREE)/DEBIAN
	@{ echo "Package: raddle"; echo "Version: $(VERSION)"; echo "Architecture: $(DEB_ARCH)"; \
	  echo "Maintainer: the raddle developers <raddle@localhost>"; echo "Section: devel"; \
	  echo "Priority: optional"; echo "Depends: $(DEB_NEEDS)"; \
	  echo "Recommends: gdb$(if $(SYMBOLIC),$(comma) libllvm19$(comma) clang-19)"; \
	  echo "Suggests: gnuplot-nox$(comma) graphviz"; \
	  echo "Installed-Size: $$(du -sk $(DEB_TREE)/usr | cut -f1)"; \
	  echo "Description: tries every relevant interleaving of a concurrent C or C++ program"; \
	  echo " raddle holds every thread of a program in its place and tries all the ways they"; \
	  echo " can be woven together. It finds deadlocks, data races, failed assertions and"; \
	  echo " memory errors that depend on timing, and replays each of them exactly."; \
	  } >$(DEB_TREE)/DEBIAN/control
	@chmod -R u+rwX,go=rX $(DEB_TREE)
	@chmod 644 $(DEB_TREE)/usr/lib/raddle/*.so $(if $(SYMBOLIC),$(DEB_TREE)/usr/lib/raddle/*.bc)
	@dpkg-deb --root-owner-group --build $(DEB_TREE) $@ >/dev/null
	@echo "$@: $$(du -k $@ | cut -f1) KiB"

comma := ,
FORCE:

.PHONY: dist deb FORCE
