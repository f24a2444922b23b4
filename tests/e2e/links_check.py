#!/usr/bin/env python3
"""links_check.py FOLDER: links of the documents below FOLDER that lead nowhere, one per line."""
import os
import re
import sys


def anchors(path):
    text = re.sub(r"```.*?```", "", open(path, encoding="utf-8").read(), flags=re.S)
    heads = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.replace("`", "")).strip().lower().replace(" ", "-") for h in heads}


def check(path):
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        to = os.path.join(os.path.dirname(path), file) if file else path
        if not os.path.exists(to):
            yield f"{path}: {target}"
        elif anchor and to.endswith(".md") and anchor not in anchors(to):
            yield f"{path}: no heading {target}"


found, count = [], 0
for folder, below, files in os.walk(sys.argv[1]):
    below[:] = [b for b in below if not b.startswith(".") and b not in ("build", "raddle-out")]
    for f in files:
        if f.endswith(".md"):
            count += 1
            found += check(os.path.join(folder, f))
print("\n".join(found))
sys.exit(bool(found) or not count)
