#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_diff.sh: tests `bareprof report --diff`, which reports the coverage of the lines that changed since a git
# revision. For each line, the test knows whether the line changed and whether it ran.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp" "$WORK/home"
TMPDIR=$WORK/tmp
HOME=$WORK/home
GIT_CEILING_DIRECTORIES=$WORK:$(dirname "$WORK")
export TMPDIR HOME GIT_CEILING_DIRECTORIES
# The user's settings of git must not change the result.
cat >"$HOME/.gitconfig" <<'INI'
[user]
	name = A Tester
	email = tester@example.org
[diff]
	noprefix = false
	mnemonicPrefix = true
	context = 5
	interHunkContext = 9
	external = false
	relative = true
	submodule = log
[color]
	ui = always
	diff = always
[core]
	pager = false
INI
tree=$WORK/tree
odd=$(printf 'o "d\\d"\tt\303\244st.c')
mkdir -p "$tree/src dir" "$tree/sub"
cat >"$tree/src dir/main.c" <<'C'
int half(int a);
int odd(int a);

int never(int a)
{
	return a;
}

int main(void)
{
	return half(4) + odd(2) == 3 ? 0 : 1;
}
C
cat >"$tree/sub/half.c" <<'C'
int half(int a);
int half(int a)
{
	if (a < 0)
		return 0;
	return a / 2;
}
C
cat >"$tree/$odd" <<'C'
int odd(int a);
int odd(int a)
{
	return a % 2;
}
C
echo 'int gone;' >"$tree/gone.c"
echo 'int other;' >"$tree/other.c"
git -C "$tree" init -q
git -C "$tree" add .
git -C "$tree" commit -qm base
git -C "$tree" tag base

# main.c and the file with the odd name are changed, fresh.c is new, half.c is renamed, and gone.c is deleted.
cat >"$tree/src dir/main.c" <<'C'
int half(int a);
int odd(int a);
int fresh(int a); /*
++ sub/half.c */
int never(int a)
{
	if (a)
		a++;

	return a;
}

int main(void)
{
	return half(4) + odd(2) + fresh(1) == 4 ? 0 : 1;
}
C
cat >"$tree/$odd" <<'C'
int odd(int a);
int odd(int a)
{
	if (a == 77)
		return 1;
	return a % 2 + 1;
}
C
printf 'int fresh(int a);\nint fresh(int a)\n{\n\treturn a > 5 ? 0 :\n\t\ta - 1 +\n\t\t1;\n}' >"$tree/sub/fresh.c"
echo 'int another;' >"$tree/other.c"
git -C "$tree" mv sub/half.c sub/third.c
git -C "$tree" rm -q gone.c
git -C "$tree" add -A
git -C "$tree" commit -qm "what changed"
echo 'int untracked;' >"$tree/untracked.c"

newest=
for major in 13 14 15 16 17 18 19 20 21 22 23; do
	command -v "clang-$major" >/dev/null || continue
	newest=$major
	"clang-$major" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/program-$major" \
		"$tree/src dir/main.c" "$tree/sub/third.c" "$tree/sub/fresh.c" "$tree/$odd"
	LLVM_PROFILE_FILE=$WORK/program-$major.profraw "$WORK/program-$major"
done
[ -n "$newest" ] || { skip "report diff: no clang-N installed" && exit 0; }
elf=$WORK/program-$newest
raw=$elf.profraw
lcov=$WORK/lcov

# expected: prints the number of changed lines that are executable, and how many of them ran. It computes both from
# the output of plain diff and from LCOV.
expected() {
	for file in "src dir/main.c" sub/fresh.c "$odd"; do
		git -C "$tree" show "base:$file" >"$WORK/old" 2>/dev/null || : >"$WORK/old"
		diff --unchanged-line-format= --old-line-format= --new-line-format='%dn
' "$WORK/old" "$tree/$file" >"$WORK/changed"
		NAME=$tree/$file awk 'FILENAME == ARGV[1] { changed[$1]; next }
			/^SF:/ { mine = substr($0, 4) == ENVIRON["NAME"] }
			mine && /^DA:/ { split(substr($0, 4), da, ","); if (da[1] in changed) { n++; h += da[2] > 0 } }
			END { print n + 0, h + 0 }' "$WORK/changed" "$lcov"
	done | awk '{ n += $1; h += $2 } END { print n, h }'
}
diffed() {
	"$BAREPROF" report "$elf" "$raw" --diff "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	sed -n '/^Lines changed since/,$p' "$WORK/out" >"$WORK/table"
}
row() { sed -n "s/^$1 *\([0-9]*\) *\([0-9]*\) *[0-9.]*%$/\1 \2/p" "$WORK/table"; }
missed() { sed -n '/^Not covered:/,$p' "$WORK/table" | sed 1d; }

for major in 13 16 19 "$newest"; do
	[ -e "$WORK/program-$major" ] || continue
	elf=$WORK/program-$major
	raw=$elf.profraw
	"$BAREPROF" report "$elf" "$raw" --lcov "$lcov" >/dev/null 2>&1
	diffed base
	check "clang-$major: succeeds" test $status -eq 0
	total=$(expected)
	check "clang-$major: total" test "$(row TOTAL)" = "$total"
done
# In main.c, 3 lines changed, and 1 of them ran. In fresh.c, 5 lines changed, and all of them ran. In the file with the
# odd name, 3 lines changed, and 2 of them ran.
check "the total is what the test knows" test "$total" = "11 8"
check "a file with a blank in its name" test "$(row 'src dir.main.c')" = "3 1"
check "a new file" test "$(row 'sub.fresh.c')" = "5 5"
check "a file with an odd name" grep -q '^o "d.d"?t.*st.c  *3  *2 ' "$WORK/table"
check "the list of lines that did not run" test "$(missed)" = "$(printf '%s' "$odd" | tr '\t' '?'):5
src dir/main.c:7-8"
check "a warning about a file that is in no program" grep -q '^bareprof: other.c: changed, but is not in the coverage mapping' "$WORK/err"
cp "$WORK/table" "$WORK/expected"
GIT_DIFF_OPTS=-u3 diffed base
check "context lines in the diff, from GIT_DIFF_OPTS" cmp "$WORK/expected" "$WORK/table"
echo '*.c -diff' >"$tree/.gitattributes"
diffed base
check "sources that .gitattributes excludes from diffs" cmp "$WORK/expected" "$WORK/table"
rm "$tree/.gitattributes"
(cd "$tree/sub" && "$BAREPROF" report "$elf" "$raw" --diff base) 2>/dev/null | sed -n '/^Lines changed/,$p' >"$WORK/table"
check "run in a folder of the tree" cmp "$WORK/expected" "$WORK/table"
git -C "$tree" rm -q --cached other.c
echo >>"$tree/sub/third.c"
diffed base
check "changes that are not committed count, too" cmp "$WORK/expected" "$WORK/table"
git -C "$tree" reset -q --hard

diffed base --fail-under 72.7
check "--fail-under: passes" test $status -eq 0
diffed base --fail-under 72.8
check "--fail-under: fails with 6" test $status -eq 6
check "--fail-under: the message" grep -q '72.73 % of the changed lines are covered (8 of 11), below 72.8 %' "$WORK/err"
diffed HEAD --fail-under 100
check "nothing changed: passes" test $status -eq 0
check "nothing changed: the message" grep -q 'none of them is executable' "$WORK/table"
check "--json -: no table, but --fail-under applies" test "$("$BAREPROF" report "$elf" "$raw" --diff base --fail-under 99 --json - \
	2>"$WORK/err" | head -c 9)$(grep -c 'changed lines are covered' "$WORK/err")" = '{"data":[1'

# The sources are moved after they were compiled.
mv "$tree" "$WORK/elsewhere"
diffed base
check "missing sources: status" test $status -eq 1
check "missing sources: the message" grep -Eq "compiled from files that were not found, such as $tree/.*--path-map A=B" "$WORK/err"
diffed base --path-map "$tree=$WORK/elsewhere"
sed -i '1s/tree:/elsewhere:/' "$WORK/expected"
check "moved sources with --path-map" cmp "$WORK/expected" "$WORK/table"
mv "$WORK/elsewhere" "$tree"
mv "$tree/sub" "$tree/bus"
diffed base
check "a warning about some missing sources" grep -q "^bareprof: $tree/sub/fresh.c: does not exist, so --diff does not see changes in it and in other missing files" "$WORK/err"
mv "$tree/bus" "$tree/sub"
touch -d '+1 hour' "$tree/sub/fresh.c"
diffed base
check "a warning about a newer file" grep -q "^bareprof: $tree/sub/fresh.c: is newer than the program, so the lines may not be" "$WORK/err"
touch -d '-1 hour' "$tree/sub/fresh.c"

# The working tree is inside another repository.
(cd "$WORK" && git init -q . && "$BAREPROF" report "$elf" "$raw" --diff base 2>/dev/null) |
	sed -n '/^Lines changed/,$p' >"$WORK/table"
sed -i '1s/elsewhere:/tree:/' "$WORK/expected"
check "run in a repository around the tree" cmp "$WORK/expected" "$WORK/table"
rm -rf "$WORK/.git"

last() {
	tail -n 1 "$WORK/err" >"$WORK/last"
	check "$1: status $2" test "$status" -eq "$2"
	check "$1: the message" grep -Eq "$3" "$WORK/last"
	check "$1: no other message" test "$(grep -c . "$WORK/err")" -eq 1
}
diffed nothing
last "an unknown revision" 1 "^bareprof: nothing: is not a revision in the repository $tree; .*fetch --unshallow"
diffed --output=x
last "an option instead of a revision" 1 "^bareprof: --output=x: is not a revision"
PATH=$WORK/home "$BAREPROF" report "$elf" "$raw" --diff base >/dev/null 2>"$WORK/err"
status=$?
last "git is not installed" 3 'git is not installed, but --diff needs it: install the Debian package git'
mv "$tree/.git" "$WORK/kept"
cd "$WORK" && diffed base
last "sources in no repository" 3 'is not in a git work tree, so --diff cannot compare it: .*not a git repository'
cd "$ROOT" && mv "$WORK/kept" "$tree/.git"
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
