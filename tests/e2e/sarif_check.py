#!/usr/bin/env python3
"""Is the file SARIF 2.1.0, as far as raddle uses it? After the OASIS standard: required properties, types,
nothing that the standard does not have at that place."""
import json
import sys

TEXT = {"text": str}
PHYSICAL = {"artifactLocation": {"uri": str}, "region": {"startLine": int}}
LOCATION = {"physicalLocation?": PHYSICAL, "message?": TEXT}
FLOW = {"id?": str, "locations": [{"location": LOCATION, "executionOrder?": int}]}
RESULT = {"ruleId": str, "ruleIndex": int, "level": {"none", "note", "warning", "error"}, "message": TEXT,
          "locations": [LOCATION], "partialFingerprints?": {"raddle/v1": str}, "codeFlows?": [{"threadFlows": [FLOW]}],
          "properties?": dict}
RUN = {"tool": {"driver": {"name": str, "version": str, "rules": [{"id": str, "shortDescription": TEXT}]}},
       "invocations": [{"executionSuccessful": bool, "commandLine?": str,
                        "toolExecutionNotifications?": [{"level": str, "message": TEXT}]}],
       "results": [RESULT], "properties?": dict}
LOG = {"$schema": str, "version": {"2.1.0"}, "runs": [RUN]}


def check(value, shape, path):
    if isinstance(shape, type):
        assert isinstance(value, shape), f"{path} is not {shape.__name__}"
    elif isinstance(shape, set):
        assert value in shape, f"{path} is {value!r}"
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{path} is not an array"
        for i, item in enumerate(value):
            check(item, shape[0], f"{path}[{i}]")
    else:
        assert isinstance(value, dict), f"{path} is not an object"
        known = {key.rstrip("?") for key in shape}
        assert set(value) <= known, f"{path} has {set(value) - known}"
        for key, part in shape.items():
            name = key.rstrip("?")
            assert name in value or key.endswith("?"), f"{path} lacks {name}"
            if name in value:
                check(value[name], part, f"{path}.{name}")


log = json.load(open(sys.argv[1]))
check(log, LOG, "log")
for run in log["runs"]:
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for flow in result.get("codeFlows", []):
            orders = [s["executionOrder"] for t in flow["threadFlows"] for s in t["locations"]]
            assert len(set(orders)) == len(orders), "two steps at one moment"
            assert all(t["locations"] for t in flow["threadFlows"])
