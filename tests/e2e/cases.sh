#!/usr/bin/env bash
# The programs in tests/cases: right verdict, kind, location and counts; every bug replayed.
exec python3 "$(dirname "$0")/../cases/run.py" "$@"
