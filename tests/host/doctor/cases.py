# SPDX-License-Identifier: BSD-2-Clause
"""cases.py BAREPROF TABLE - walks a table of prepared cases. For each case it makes the files, lets the tool of
LLVM refuse them, and gives the files and the sentence of the tool to `bareprof doctor`. The first cause must be the one
in the table. If the table says so, the command that doctor prints must mend it: the tool then reads the new file."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import files

bareprof, table = sys.argv[1:]


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def tool_words(tool, paths):
    """Returns the command line of the tool for the files."""
    name, _, release = tool.rpartition("-")
    profiles = [path for path in paths if not is_elf(path)] or paths
    programs = [path for path in paths if is_elf(path)]
    if name == "merge":
        return [f"llvm-profdata-{release}", "merge", *profiles, "-o", "tool.out"]
    if name == "show":
        return [f"llvm-profdata-{release}", "show", profiles[0]]
    if name == "cov":
        return [f"llvm-cov-{release}", "report", (programs or profiles)[0], f"-instr-profile={profiles[0]}"]
    # The profile as clang uses it for PGO.
    return [f"clang-{release}", "-O1", "-Wprofile-instr-unprofiled", "-Wprofile-instr-out-of-date",
            f"-fprofile-instr-use={profiles[0]}", "-c", "program.c", "-o", "tool.out"]


def ask(paths, said):
    """Returns what doctor finds, as JSON."""
    with open("said.txt", "w") as file:
        file.write(said)
    more = ["said.txt"] if said and not said.startswith("said:") else []
    words = ["--said", said[5:]] if said.startswith("said:") else []
    result = subprocess.run([bareprof, "doctor", "--json", *paths, *more, *words], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        return None, f"exit code {result.returncode} {result.stderr}"
    os.makedirs("json", exist_ok=True)
    with open(f"json/{paths[0].replace('/', '-')}.json", "w") as file:
        file.write(result.stdout)
    return json.loads(result.stdout), result.stderr


def mends(command, tool, paths):
    """Runs the command that doctor printed. Returns why it mended nothing, or an empty text."""
    words = shlex.split(command)
    if words[0] == "bareprof":
        command = shlex.quote(bareprof) + command[len("bareprof"):]
    result = run(["sh", "-c", command])
    if result.returncode not in (0, 7):
        return f"'{command}' failed: {result.stdout}"
    made = re.search(r"(?:-o|--salvage|>) ?('[^']*'|\S+)", command)
    made = made.group(1).strip("'") if made else None
    if made and (not os.path.exists(made) or not os.path.getsize(made)):
        return f"'{command}' wrote nothing"
    programs = [path for path in paths if is_elf(path)]
    if made:
        again = json.loads(run([bareprof, "doctor", "--json", made, *programs]).stdout)
        # What --salvage left out is lacking, of course.
        left = [entry for entry in again["causes"] if entry["id"] != "functions-lacking" or "--salvage" not in command]
        if left:
            return f"doctor still finds causes in {made}: {left}"
    if made and tool.startswith(("merge-", "show-", "cov-", "use-")) and "unpacked" not in made:
        again = run(tool_words(tool, [made, *programs] if tool.startswith("cov-") else [made]))
        if again.returncode:
            return f"{tool} still refuses {made}: {again.stdout}"
    return ""


def prepare(name, recipes):
    """Makes the files of a case, and returns their paths."""
    paths = []
    for i, recipe in enumerate(recipes):
        base = os.path.basename(recipe.split("|")[0])
        # Steps are not part of a name; the ending stays, because users have it, too.
        path = base if "|" not in recipe else f"{name}.{i}.{base}"
        if "|" in recipe:
            files.make(recipe, path)
        paths.append(path)
    return paths


def judge(name, tool, recipes, cause, mend):
    """Returns why the case failed, or an empty text; None if a compiler is not installed."""
    needed = re.findall(r"(?:^| )[a-z]+(\d\d)\b", " ".join(recipes))
    if any(not shutil.which(f"clang-{release}") for release in needed):
        return None
    paths = prepare(name, recipes)
    said = tool
    if tool == "-":
        said = ""
    elif not tool.startswith("said:"):
        words = tool_words(tool, paths)
        if not shutil.which(words[0]):
            return None
        said = run(words).stdout
        if not said.strip():
            return f"{' '.join(words)} said nothing"
    found, error = ask(paths, said)
    if found is None:
        return f"doctor failed: {error}"
    causes = [entry["id"] for entry in found["causes"]]
    if cause == "sound":
        return "" if not causes else f"an alarm: {found['causes']}"
    if not causes or causes[0] != cause:
        return f"the first cause is not {cause}: {found['causes']}; LLVM said: {said}"
    command = found["causes"][0].get("command")
    if mend == "mends":
        return mends(command, tool, paths) if command else "there is no command"
    return f"there is a command: {command}" if command else ""


failed = 0
for row in open(table):
    if row.startswith("#") or not row.strip():
        continue
    name, tool, recipes, cause, mend = (word.strip() for word in row.split("\t") if word.strip())
    why = judge(name, tool, recipes.split(), cause, mend)
    if why is None:
        print(f"skip - {name}: a compiler or a tool is not installed")
    elif why:
        print(f"not ok - {name}: {why}")
        failed += 1
    else:
        print(f"ok - {name}: {cause}")
sys.exit(failed > 0)
