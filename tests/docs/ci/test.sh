#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ci: tests the recipes in docs/ci. They must have the format that the services expect, and their steps must work. The
# test checks out a project with the demo kernel and runs the steps there. PATH has only the commands of the packages
# that the recipe installs.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh

# One repository with the current tree serves two purposes: it is bareprof's repository, and the repository of the
# project that uses bareprof.
tree=$WORK/tree
mkdir "$tree"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tree"
cat >"$tree/GNUmakefile" <<'EOF'
include Makefile
kernel.elf: image
	cp $(OUT)/$@ $@
EOF
examples docs/CI.md "$WORK/page"
save_examples
check "docs/CI.md shows the demo's tests as they are" sh -c "grep -v '^#' qemu/demo.each | diff - '$WORK/page/tests.each'"
cp "$WORK/page/tests.each" "$tree"
in_tree() { git -C "$tree" -c user.name=test -c user.email=test@localhost "$@"; }
{
	in_tree init -q -b main
	# In the first commit, some lines differ from the current tree. So --diff finds changed lines that run.
	sed 's/^\treturn/\treturn  /' qemu/demo/ring.c >"$tree/qemu/demo/ring.c"
	in_tree add -A
	in_tree commit -q -m "Before"
	cp qemu/demo/ring.c "$tree/qemu/demo"
	in_tree checkout -q -b change
	in_tree commit -q -a -m "Everything"
} >"$WORK/git.log" 2>&1
check "a repository of this tree" in_tree rev-parse HEAD

# recipe NAME: runs the steps of docs/ci/NAME.yml.
recipe() {
	name=$1
	steps=$WORK/$name.steps
	project=$WORK/$name
	check "$name: keys and values are known" python3 tests/docs/ci/steps.py "docs/ci/$name.yml" "$steps"
	check "$name: check the project out" git clone -q "file://$tree" "$project"
	echo "export BAREPROF_GIT='file://$tree'" >>"$steps/environment"
	: >"$steps/path"
	# Each recipe builds bareprof from the sources of this tree. So gcc uses the compiler cache of the tests.
	if [ -n "${COMPILER_CACHE-}" ]; then
		rm "$steps/bin/gcc"
		printf '#!/bin/sh\nexport CCACHE_DIR=%s CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale\nexec %s /usr/bin/gcc "$@"\n' \
			"'$CCACHE_DIR'" "$COMPILER_CACHE" >"$steps/bin/gcc"
		chmod 755 "$steps/bin/gcc"
	fi
	for step in "$steps"/??.sh; do
		{
			cat "$steps/environment"
			echo "cd '$project'"
			# If a step writes folders to GITHUB_PATH, they come first in PATH for the next steps.
			sed 's/.*/PATH="&:$PATH"/' "$steps/path"
			cat "$step"
		} >"$steps/run"
		check "$name: $(sed -n '/^[^#]/{s/ *\\.*//;p;q;}' "$step")" env -i PATH="$steps/bin" HOME="$WORK" CI=true \
			GITHUB_PATH="$steps/path" GITHUB_STEP_SUMMARY="$steps/summary" GITHUB_BASE_REF=main \
			sh -c "sh -e '$steps/run' >'$step.out' 2>&1 || { cat '$step.out'; exit 1; }"
	done
	while read -r artifact; do
		check "$name: the artifact $artifact" test -s "$project/$artifact"
	done <"$steps/artifacts"
}

recipe github
check "github: the summary has the totals" grep -q '^| Lines | [0-9]* of [0-9]* | ' "$steps/summary"
check "github: the page has the kernel's files" grep -q 'qemu/demo' "$project/coverage/index.html"
check "github: the changed lines are listed" grep -q '^qemu/demo/ring\.c  *[1-9]' "$steps/05.sh.out"
recipe gitlab
check "gitlab: a profile for each test" test -s "$project/profiles/strings.profraw" -a -s "$project/profiles/ring.profraw"
cat >"$WORK/reports.py" <<'EOF'
import re
import sys
from xml.etree import ElementTree

steps, project = sys.argv[1:]
report = dict(line.split(" ", 1) for line in open(f"{steps}/reports").read().splitlines())
found = [m for line in open(f"{steps}/00.sh.out") for m in re.findall(report["coverage"], line)]
lcov = open(f"{project}/coverage.info").read()
total = {key: sum(map(int, re.findall(f"^{key}:(.*)$", lcov, re.M))) for key in ("LF", "LH")}
assert len(found) == 1, found
assert abs(float(found[0]) - 100 * total["LH"] / total["LF"]) < 0.006, (found, total)

# GitLab also reads the JUnit report and the Cobertura report, so both are checked here.
cases = [case.get("name") for case in ElementTree.parse(f"{project}/{report['junit']}").iter("testcase")]
assert sorted(cases) == ["alloc", "format", "ring", "strings", "task", "timer"], cases
coverage = ElementTree.parse(f"{project}/{report['cobertura']}").getroot()
counts = re.findall("^DA:[0-9]+,([0-9]+)", lcov, re.M)
wanted = {"lines-valid": len(counts), "lines-covered": len(counts) - counts.count("0")}
assert {key: int(coverage.get(key)) for key in wanted} == wanted, (wanted, coverage.attrib)
EOF
check "gitlab: its coverage pattern finds the lines' percentage, JUnit and Cobertura agree" python3 "$WORK/reports.py" "$steps" "$project"

examples docs/CI.md "$WORK/page"
cp "$project/kernel.elf" "$WORK/page"
try_examples
