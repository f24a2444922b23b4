# make bench: the table of speeds. `make bench JOBS=1`: only what two workers cost more than one.
# BENCH="fib lockinc" selects programs, ENGINES="dfs optimal" engines.
.PHONY: bench-symbolic
bench-symbolic:
	@$(MAKE) --no-print-directory $(PARALLEL) -s all
	@python3 bench/symbolic.py
bench: setup
	@$(MAKE) --no-print-directory $(PARALLEL) -s all
	@python3 bench/bench.py $(if $(JOBS),--jobs) $(if $(ENGINES),--engines "$(ENGINES)") $(BENCH)
