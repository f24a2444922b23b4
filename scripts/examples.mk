# make examples: the pages in examples/reports, one per kind of bug. make pictures: the picture in the README, of
# the first of them (needs chromium).
EXAMPLES  := $(B)/examples
PAGES     := examples/reports
EXAMPLE_C := three_locks lost_wakeup race use_after_free selective_wait property

# Shown as one finds them from the top of the repository; a bug is what they are for.
define EXAMPLE_RUN
$(TOOL) run -q --out $(EXAMPLES)/$(1).out --html $(PAGES)/$(1).html $(2) $(EXAMPLES)/$(1); test $$? -eq 1
endef

examples: all
	@mkdir -p $(EXAMPLES)
	@for e in $(EXAMPLE_C); do \
	  $(TOOL) cc -g -o $(EXAMPLES)/$$e $(PAGES)/$$e.c -pthread || exit 1; done
	@$(call EXAMPLE_RUN,three_locks)
	@$(call EXAMPLE_RUN,lost_wakeup)
	@$(call EXAMPLE_RUN,race,--coverage $(EXAMPLES)/race.csv --keep-going)
	@$(call EXAMPLE_RUN,use_after_free)
	@$(call EXAMPLE_RUN,selective_wait,--engine reach)
	@$(call EXAMPLE_RUN,property,--engine context --property 'audit:property.c:31 && from + to != 100')
	@$(TOOL) model --html $(PAGES)/model_deadlock.html $(PAGES)/forks.efsm | head -1
	@$(TOOL) cc --symbolic -g -o $(EXAMPLES)/inputs examples/symbolic/parser.c -pthread
	@$(call EXAMPLE_RUN,inputs)

pictures: examples
	@python3 scripts/picture.py $(PAGES)/three_locks.html docs/report.png
	@echo docs/report.png

.PHONY: examples pictures
