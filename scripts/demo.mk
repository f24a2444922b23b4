# make demo: from nothing to a bug and its schedule, in well under a minute.
DEMO := $(B)/demo

demo: setup
	@$(MAKE) --no-print-directory $(PARALLEL) -s all
	@mkdir -p $(DEMO)
	@echo; echo "\$$ raddle cc -g -o pool examples/pool/pool.c"
	@$(TOOL) cc -g -o $(DEMO)/pool examples/pool/pool.c
	@echo "\$$ ./pool; ./pool; ./pool            # on its own the program works"
	@for i in 1 2 3; do $(DEMO)/pool; done
	@echo "\$$ raddle run ./pool"
	@cd $(DEMO) && $(CURDIR)/$(TOOL) run ./pool; test $$? -eq 1
	@echo; echo "Replay it:            $(TOOL) replay $(DEMO)/raddle-out/latest"
	@echo "Look at it in gdb:    $(TOOL) replay --gdb $(DEMO)/raddle-out/latest"
