#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""json_schema.py COMMAND [--without PART] JSON... - checks output of `bareprof COMMAND --json` against docs/COMMAND.schema.json, and
compares the properties of the schema with those in docs/JSON.md. This script also makes copies of the output with
errors. The schema must reject these copies. Each property of the schema must be in some output, except those of
PART."""
import copy
import json
import re
import sys

try:
    import jsonschema
except ImportError:
    print("not ok - schema: python3 has no jsonschema; the package is python3-jsonschema")
    sys.exit()


def properties(schema):
    """Returns the names of all properties that the schema describes, at any depth."""
    found = set(schema.get("properties", {}))
    for part in list(schema.get("properties", {}).values()) + list(schema.get("$defs", {}).values()):
        if isinstance(part, dict):
            found |= properties(part)
    return found | (properties(schema["items"]) if isinstance(schema.get("items"), dict) else set())


def say(good, what):
    print("%s - schema: %s" % ("ok" if good else "not ok", what))


command, *files = sys.argv[1:]
without = None
if files[0] == "--without":
    without, files = files[1], files[2:]
with open("docs/%s.schema.json" % command, encoding="utf-8") as file:
    schema = json.load(file)
with open("docs/JSON.md", encoding="utf-8") as file:
    document = file.read()
if command == "show":
    document = document.partition("## `bareprof compare`")[0]
elif command in ("sample", "compare", "watch", "doctor"):
    section = {"sample": "sample show", "watch": "pull --watch"}.get(command, command)
    document = document.partition("## `bareprof %s`" % section)[2]
    document = document.partition("\n## ")[0]
elif command == "mip":
    document = document.partition("## `bareprof mip show`")[2].partition("## `bareprof mip graph`")[0]
else:
    document = document.partition("## `bareprof %s`" % command)[2].partition("### All findings")[0]
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

words = set(re.findall("`([a-z_]+)`", document))
listed = set(re.findall("`([a-z_]+)`", " ".join(re.findall(r"^\|(.*?)\|", document, re.M))))
missing = properties(schema) - words
say(not missing, "docs/JSON.md describes each property%s" % "".join(" " + name for name in sorted(missing)))
unknown = listed - properties(schema)
say(not unknown, "it describes no other%s" % "".join(" " + name for name in sorted(unknown)))

CHANGES = {
    "show": (lambda s: s.update(more=1), lambda s: s.pop("kind"), lambda s: s.update(format="other"),
             lambda s: s.get("totals", s).update(functions="1"), lambda s: s.get("totals", s).update(extra=1)),
    "check": (lambda s: s.update(more=1), lambda s: s.pop("kind"), lambda s: s.update(errors=-1),
              lambda s: s["section_bytes"].update(more=1), lambda s: s["findings"].append({"id": "other"})),
    "mip": (lambda s: s.update(more=1), lambda s: s.pop("kinds"), lambda s: s.update(version=10),
            lambda s: s["totals"].update(calls=-1), lambda s: s["functions"].append({"name": "other"})),
    "doctor": (lambda s: s.update(more=1), lambda s: s.pop("causes"), lambda s: s["files"].append({"kind": "elf"}),
               lambda s: s["said"].append(""), lambda s: s["causes"].append({"id": "other", "text": "x"})),
    "compare": (lambda s: s.update(more=1), lambda s: s.pop("a"), lambda s: s["b"].update(functions=-1),
                lambda s: s["fits_of_a"].update(new=1), lambda s: s["functions"].append({"name": "other"})),
    "watch": (lambda s: s.update(more=1), lambda s: s.pop("time"), lambda s: s.update(kind="other"),
              lambda s: s.get("lines", s).update(covered=-1), lambda s: s.get("functions", s).update(new={})),
    "sample": (lambda s: s.update(more=1), lambda s: s.pop("build_id"), lambda s: s.update(counter_bytes=0),
               lambda s: s["totals"].update(dropped=-1), lambda s: s["functions"].append({"name": "other"})),
}
seen = set()


def note(value):
    if isinstance(value, dict):
        seen.update(value)
        for part in value.values():
            note(part)
    elif isinstance(value, list):
        for part in value:
            note(part)


for path in files:
    with open(path, encoding="utf-8") as file:
        shown = json.load(file)
    error = jsonschema.exceptions.best_match(validator.iter_errors(shown))
    say(error is None, "%s%s" % (path.split("/")[-1], ": " + str(error)[:1000] if error else ""))
    note(shown)
    for change in CHANGES[command]:
        wrong = copy.deepcopy(shown)
        change(wrong)
        if validator.is_valid(wrong):
            say(False, "%s would be valid with something wrong in it" % path.split("/")[-1])
if without:
    del schema["properties"][without], schema["$defs"][without]
unseen = properties(schema) - seen
say(not unseen, "each property was seen%s" % "".join(" " + name for name in sorted(unseen)))
