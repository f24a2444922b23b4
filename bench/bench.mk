# make bench: the table of speeds. BENCH="fib lockinc" selects programs, ENGINES="dfs optimal" engines.
bench: setup
	@$(MAKE) --no-print-directory -s all
	@python3 bench/bench.py $(if $(ENGINES),--engines "$(ENGINES)") $(BENCH)
