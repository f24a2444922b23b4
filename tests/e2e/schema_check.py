#!/usr/bin/env python3
"""schema_check.py SCHEMA FILE…: do the files satisfy the schema? Knows the part of JSON Schema that
docs/report.schema.json uses. Beyond it, every key of a file must be described there."""
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
         "number": (int, float)}
KNOWN = {"$schema", "title", "description", "type", "enum", "const", "minimum", "items", "properties", "required",
         "additionalProperties"}


def has_type(value, name):
    return isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ("integer", "number"))


def check(value, schema, path):
    assert set(schema) <= KNOWN, f"{path}: the schema has {set(schema) - KNOWN}"
    if "const" in schema:
        assert value == schema["const"], f"{path} is {value!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{path} is {value!r}"
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(has_type(value, t) for t in types), f"{path} is {value!r}, not {types}"
    if "minimum" in schema and isinstance(value, (int, float)):
        assert value >= schema["minimum"], f"{path} is {value}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            check(item, schema["items"], f"{path}[{i}]")
    if isinstance(value, dict) and "properties" in schema:
        missing = set(schema.get("required", [])) - set(value)
        assert not missing, f"{path} lacks {missing}"
        for key, part in value.items():
            assert key in schema["properties"], f"{path}.{key} is not described"
            check(part, schema["properties"][key], f"{path}.{key}")
    elif isinstance(value, dict) and "additionalProperties" in schema:
        for key, part in value.items():
            check(part, schema["additionalProperties"], f"{path}.{key}")


with open(sys.argv[1], encoding="utf-8") as f:
    SCHEMA = json.load(f)
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as f:
        check(json.load(f), SCHEMA, name)
