# SPDX-License-Identifier: BSD-2-Clause
"""steps.py RECIPE FOLDER: converts RECIPE into files with which a test can do what a CI service would do.

steps.py fails if the recipe has a key that the service does not know. Otherwise it writes these files to FOLDER:
- NN.sh: the steps in order, each for `sh -e`.
- environment: variables for a shell to read.
- packages, artifacts and reports: lists with one entry in each line.
- bin/: a folder for PATH. It has only the commands of three groups of packages: the packages in the recipe, their
  dependencies, and the packages that every Debian system has. So a step fails if the recipe forgets a package.
"""
import os
import re
import shlex
import sys

import yaml

DPKG = "/var/lib/dpkg"

GITHUB = {
    "top": {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"},
    "job": {"name", "runs-on", "container", "env", "if", "needs", "permissions", "steps", "strategy", "timeout-minutes"},
    "step": {"name", "id", "if", "uses", "with", "run", "env", "shell", "working-directory"},
    "actions/checkout": {"fetch-depth", "path", "ref", "repository", "submodules"},
    "actions/upload-artifact": {"name", "path", "if-no-files-found", "retention-days"},
}
GITLAB = {
    "job": {"image", "timeout", "variables", "before_script", "script", "after_script", "coverage", "artifacts",
            "rules", "needs", "stage", "tags"},
    "artifacts": {"name", "when", "expire_in", "expose_as", "paths", "reports"},
    "reports": {"junit", "coverage_report"},
    "coverage_report": {"coverage_format", "path"},
}


def need(good, what):
    if not good:
        sys.exit(f"{sys.argv[1]}: {what}")


def known(mapping, keys, where):
    need(isinstance(mapping, dict), f"{where} is not a mapping")
    strange = set(mapping) - keys
    need(not strange, f"{where} has no key {strange}")


class Recipe:
    def __init__(self):
        self.environment = {}
        self.steps = []
        self.packages = []
        self.artifacts = []
        self.reports = []

    def add_step(self, text):
        """Adds the packages of apt-get lines to self.packages. The other lines become a step."""
        rest = []
        for line in text.replace("\\\n", "").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["apt-get"]:
                rest.append(line)
            elif "install" in words:
                for word in words[words.index("install") + 1:]:
                    for name, value in self.environment.items():
                        word = word.replace("$" + name, value)
                    if not word.startswith("-"):
                        self.packages.append(word)
        if any(line.strip() for line in rest):
            self.steps.append("\n".join(rest) + "\n")

    def github(self, top):
        top["on"] = top.pop(True, None) or top.get("on")  # YAML 1.1 reads the key "on" as true
        known(top, GITHUB["top"], "the workflow")
        need(top["on"], "nothing starts it")
        need(len(top["jobs"]) == 1, "more than one job")
        self.environment = {name: str(value) for name, value in top.get("env", {}).items()}
        for name, job in top["jobs"].items():
            known(job, GITHUB["job"], name)
            need("runs-on" in job, f"{name} runs nowhere")
            for step in job["steps"]:
                known(step, GITHUB["step"], f"a step of {name}")
                need(("run" in step) != ("uses" in step), f"a step of {name} needs either run or uses")
                if "run" in step:
                    self.add_step(step["run"])
                    continue
                action, _, version = step["uses"].partition("@")
                need(action in GITHUB, f"{action} is not known")
                need(re.fullmatch(r"v\d+", version), f"{action} has no version")
                known(step.get("with", {}), GITHUB[action], action)
                if action == "actions/upload-artifact":
                    self.artifacts += step["with"]["path"].split()

    def gitlab(self, top):
        need(len(top) == 1, "more than one job")
        for name, job in top.items():
            known(job, GITLAB["job"], name)
            self.environment = {key: str(value) for key, value in job.get("variables", {}).items()}
            lines = job.get("before_script", []) + job["script"]
            need(all(isinstance(line, str) for line in lines), "a line of a script is read as a mapping: quote it")
            # All lines become one step, because GitLab runs them in one shell.
            self.add_step("\n".join(lines))
            artifacts = job["artifacts"]
            known(artifacts, GITLAB["artifacts"], "artifacts")
            self.artifacts += artifacts["paths"]
            reports = artifacts.get("reports", {})
            known(reports, GITLAB["reports"], "reports")
            if "junit" in reports:
                self.reports.append("junit " + reports["junit"])
            if "coverage_report" in reports:
                known(reports["coverage_report"], GITLAB["coverage_report"], "coverage_report")
                need(reports["coverage_report"]["coverage_format"] in ("cobertura", "jacoco"), "no coverage_format")
                self.reports.append("cobertura " + reports["coverage_report"]["path"])
            pattern = job["coverage"]
            need(re.fullmatch(r"/.*/", pattern), "coverage is not between slashes")
            need(not re.search(r"\(\?[^:]|\\[1-9]", pattern), "coverage uses something that RE2 does not support")
            self.reports.append("coverage " + pattern[1:-1])


def installed():
    """Reads the packages that dpkg has installed. Returns two dicts. The first maps each package to a pair: its
    dependencies, and True if every Debian system has the package. The second maps each virtual package to the packages
    that provide it."""
    packages = {}
    provides = {}
    with open(f"{DPKG}/status", encoding="utf-8") as status:
        for paragraph in status.read().split("\n\n"):
            field = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.M))
            if not field.get("Status", "").endswith(" installed"):
                continue
            name = field["Package"]
            wanted = re.split(r"[,|]", field.get("Depends", "") + "," + field.get("Pre-Depends", ""))
            wanted = [re.sub(r"[ (:].*", "", word.strip()) for word in wanted if word.strip()]
            always = field.get("Essential") == "yes" or field.get("Priority") == "required"
            packages[name] = (wanted, always)
            for word in field.get("Provides", "").split(","):
                provides.setdefault(re.sub(r"[ (:].*", "", word.strip()), []).append(name)
    return packages, provides


def commands(names, folder):
    packages, provides = installed()
    todo = list(names) + [name for name, (_, always) in packages.items() if always]
    seen = set()
    for name in names:
        need(name in packages, f"the package {name} is not installed here, so that the recipe cannot be tried")
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        todo += packages[name][0] if name in packages else provides.get(name, [])
    files = set()
    for entry in os.listdir(f"{DPKG}/info"):
        name = re.sub(r"(:.*)?\.list$", "", entry)
        if entry.endswith(".list") and name in seen:
            with open(f"{DPKG}/info/{entry}", encoding="utf-8") as lines:
                files.update(os.path.realpath(line) for line in lines.read().splitlines())
    os.mkdir(folder)
    for place in ("/usr/bin", "/usr/sbin"):
        for name in os.listdir(place):
            # Some commands are links through /etc/alternatives to a file of a package. bin/ gets links for these
            # commands, too.
            if os.path.realpath(f"{place}/{name}") in files and not os.path.lexists(f"{folder}/{name}"):
                os.symlink(f"{place}/{name}", f"{folder}/{name}")


def main():
    path, folder = sys.argv[1:]
    recipe = Recipe()
    with open(path, encoding="utf-8") as file:
        getattr(recipe, os.path.basename(path).split(".")[0])(yaml.safe_load(file))
    os.makedirs(folder)
    for number, step in enumerate(recipe.steps):
        with open(f"{folder}/{number:02}.sh", "w", encoding="utf-8") as file:
            file.write(step)
    with open(f"{folder}/environment", "w", encoding="utf-8") as file:
        file.writelines(f"export {name}={shlex.quote(value)}\n" for name, value in recipe.environment.items())
    for name in ("packages", "artifacts", "reports"):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in getattr(recipe, name))
    need(recipe.packages and recipe.steps and recipe.artifacts, "has no packages, steps or artifacts")
    commands(recipe.packages, f"{folder}/bin")


main()
