#!/usr/bin/python3
"""sarif_om_check.py FILE…: does the official schema of SARIF 2.1.0 know every property at its place, and is every required
one there? Asked are the classes of sarif_om (Debian: python3-sarif-python-om), which were generated from that schema.
(Run by Debian's own Python, for its packages.)"""
import json
import sys

import attr
import sarif_om

# Which class a property holds; of those that hold plain values nothing is said.
HOLDS = {"runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor",
         "shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
         "help": "MultiformatMessageString", "invocations": "Invocation",
         "toolExecutionNotifications": "Notification", "results": "Result", "message": "Message",
         "locations": "Location", "relatedLocations": "Location", "location": "Location",
         "physicalLocation": "PhysicalLocation", "artifactLocation": "ArtifactLocation", "region": "Region",
         "codeFlows": "CodeFlow", "threadFlows": "ThreadFlow", "stacks": "Stack", "frames": "StackFrame",
         "logicalLocations": "LogicalLocation", "suppressions": "Suppression", "properties": "PropertyBag",
         "defaultConfiguration": "ReportingConfiguration"}
INSTEAD = {("ThreadFlow", "locations"): "ThreadFlowLocation"}
MAPS = ("partialFingerprints", "fingerprints", "originalUriBaseIds")


def check(value, kind, path):
    if kind == "PropertyBag":
        return
    known = {a.metadata.get("schema_property_name", a.name): a for a in getattr(sarif_om, kind).__attrs_attrs__}
    for name in value:
        assert name in known, f"{path}: a {kind} has no {name}"
    for name, a in known.items():
        assert name in value or a.default is not attr.NOTHING, f"{path}: {kind} lacks {name}"
    for name, part in value.items():
        parts = part if isinstance(part, list) else [part]
        inner = INSTEAD.get((kind, name), HOLDS.get(name))
        for i, p in enumerate(parts):
            if isinstance(p, dict) and name not in MAPS:
                assert inner, f"{path}.{name}: what is in it is not known to this test"
                check(p, inner, f"{path}.{name}[{i}]")


for file in sys.argv[1:]:
    log = json.load(open(file, encoding="utf-8"))
    check(log, "SarifLog", "log")
