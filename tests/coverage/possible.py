# SPDX-License-Identifier: BSD-2-Clause
"""possible.py RELEASE DIR: leaves the functions out of the profile DIR/profdata that have impossible counts in the export
DIR/theirs.json of llvm-cov RELEASE, and prints their number. llvm-cov shows a difference below 0 as a large count, and
bareprof shows 0, so these functions cannot be compared."""
import json
import subprocess
import sys

# llvm-cov limits the counts in JSON to this number.
IMPOSSIBLE = (1 << 63) - 1


def impossible(export):
    """Returns the names of the functions that have impossible counts."""
    for function in export["data"][0]["functions"]:
        counts = [region[4] for region in function["regions"]]
        counts += [count for branch in function.get("branches", []) for count in branch[4:6]]
        if IMPOSSIBLE in counts:
            yield function["name"]


def without(text, names):
    """Returns a profile as text without the functions of these names. An empty line ends each function."""
    kept = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        start = next((i for i, line in enumerate(lines) if line and line[0] not in "#:"), len(lines))
        # LLVM 19 and later separate the file and the name of a static function by a semicolon.
        if start == len(lines) or lines[start].replace(";", ":") not in names:
            kept.append(part)
        else:
            kept.append("\n".join(line for line in lines[:start] if line.startswith(":")))
    return "\n\n".join(part for part in kept if part)


def main():
    release, folder = sys.argv[1:3]
    with open(f"{folder}/theirs.json", encoding="utf-8", errors="surrogateescape") as file:
        names = {name.replace(";", ":") for name in impossible(json.load(file))}
    print(len(names))
    if not names:
        return
    tool = f"llvm-profdata-{release}"
    text = subprocess.run([tool, "merge", "-text", f"{folder}/profdata", "-o", "-"], stdout=subprocess.PIPE, check=True)
    text = without(text.stdout.decode("utf-8", "surrogateescape"), names)
    with open(f"{folder}/text", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    subprocess.run([tool, "merge", f"{folder}/text", "-o", f"{folder}/profdata"], check=True)


main()
