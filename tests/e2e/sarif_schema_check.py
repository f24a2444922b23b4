#!/usr/bin/python3
"""sarif_schema_check.py SCHEMA FILE…: are the files valid by the official schema of SARIF 2.1.0, formats of URIs included?
And does the schema refuse each of them when something in it is made wrong? (Run by Debian's own Python, for its
packages.)"""
import copy
import json
import sys

import jsonschema
import rfc3987  # noqa: F401 (without it jsonschema does not look at URIs)


def run(log):
    return log["runs"][0]


def result(log):
    return run(log)["results"][0]


def step(log):
    return result(log)["codeFlows"][0]["threadFlows"][0]["locations"][0]


def place(log):
    return result(log)["locations"][0]["physicalLocation"]


# What is made wrong. One that a file has no place for (no results, a finding without a place) is left out there.
WRONG = {
    "another version": lambda l: l.update(version="2.0.0"),
    "no runs": lambda l: l.pop("runs"),
    "an unknown property": lambda l: run(l).update(verdict="bug"),
    "a tool without a name": lambda l: run(l)["tool"]["driver"].pop("name"),
    "a rule without an id": lambda l: run(l)["tool"]["driver"]["rules"][0].pop("id"),
    "the same rule twice": lambda l: run(l)["tool"]["driver"]["rules"].append(run(l)["tool"]["driver"]["rules"][0]),
    "an invocation that does not say how it ended": lambda l: run(l)["invocations"][0].pop("executionSuccessful"),
    "a schema that is no URI": lambda l: l.update({"$schema": "not a URI"}),
    "a level that does not exist": lambda l: result(l).update(level="fatal"),
    "a result without a message": lambda l: result(l).pop("message"),
    "a message that is a number": lambda l: result(l)["message"].update(text=7),
    "a rule before the first": lambda l: result(l).update(ruleIndex=-2),
    "line 0": lambda l: place(l)["region"].update(startLine=0),
    "a path that is no URI": lambda l: place(l)["artifactLocation"].update(uri="a b<c>"),
    "a flow without threads": lambda l: result(l)["codeFlows"][0].update(threadFlows=[]),
    "a step before the first": lambda l: step(l).update(executionOrder=-2),
    "a step whose message is a list": lambda l: step(l)["location"].update(message=[]),
}
ALWAYS = list(WRONG)[:8]

with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
assert "SARIF) Version 2.1.0" in schema["title"], schema["title"]
validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
refused = set()
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as f:
        log = json.load(f)
    for error in validator.iter_errors(log):
        raise SystemExit(f"{name}: {list(error.absolute_path)}: {error.message[:300]}")
    for what, spoil in WRONG.items():
        wrong = copy.deepcopy(log)
        try:
            spoil(wrong)
        except (KeyError, IndexError):
            assert what not in ALWAYS, (name, what)
            continue
        assert not validator.is_valid(wrong), f"{name}: {what} is valid"
        refused.add(what)
# With findings at places and steps, all of it was tried.
if len(sys.argv) > 3:
    assert refused == set(WRONG), set(WRONG) - refused
