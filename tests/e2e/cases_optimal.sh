#!/usr/bin/env bash
# What dfs finds in the programs in tests/cases, optimal finds too: same verdict, kind and place.
export RADDLE_CASE_ENGINE=optimal RADDLE_REPLAYS=${RADDLE_REPLAYS:-3}
exec python3 "$(dirname "$0")/../cases/run.py" "$@"
