#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# torn.sh: tests that torn counts are found where no difference of counters is below 0: in `switch`. Profiles are torn by
# raising one counter. A profile that is not torn must have no warning. `pull` and `merge` warn, and `report` fails.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1

# g() has two switches: one without default, and one in which a case continues in the next one. h() has what looks like a
# switch: conditions in a loop, a constant condition, goto, and a switch in a loop in a case.
cat >program.c <<'C'
int g(int n)
{
	int s = 0;
	switch (n) {
	case 1:
	case 2: s++;
	case 3: s += 2; break;
	case 4: return 7;
	}
	s += 3;
	switch (s) {
	default: s--; break;
	case 9: s = 3;
	}
	return s;
}
int h(int n)
{
	int s = 0;
	switch (n) {
	case 1:
		for (;1;) {
			switch (s++) {
			case 5: goto out;
			case 7 ... 9: s++; continue;
			default: if (s > 3 || n == 2) s++;
			}
			if (s > 20)
				break;
		}
	out:
		s++;
		if (s < 9)
			goto out;
		break;
	case 2:
		while (1)
			switch (s++) { case 3: return 1; case 2: case 1: continue; default: s += s > 4 ? -5 : 1; }
	}
	return s;
}
int main(void)
{
	int i, t = 0;
	for (i = 0; i < 10; i++)
		t += g(i) + h(i);
	return t == 0;
}
C

# torn COUNTER NUMBER: makes torn.proftext, in which this counter of g() has this number.
torn() {
	awk -v counter="$1" -v number="$2" '/^g$/ { at = NR } at && NR == at + 6 + counter { print number; next } { print }' \
		sound.proftext >torn.proftext
	! cmp -s sound.proftext torn.proftext
}
# finds COUNTER NUMBER: report finds that g() is torn, shows its counts as they are, and exits with 7.
finds() {
	torn "$@" || return
	"$BAREPROF" report program torn.proftext >table 2>said
	[ $? -eq 7 ] && grep -q 'has impossible counts in 1 function: g; the counts are torn: .* so some code after a switch or in its cases ran more often than the switch; dump' said &&
		"$BAREPROF" report program torn.proftext --allow-torn >table.allowed 2>said && cmp table table.allowed || { cat said; return 1; }
}
# In f(), the mapping counts from a switch that never runs. The counts are right, but differences are below 0.
cat >dead.c <<'C'
static int v = 3;
#define READ(x) ({ int r; switch (sizeof(x)) { case 1: r = 1; break; case 4: r = x; break; default: r = 0; } r; })
int f(int n)
{
	if (n > 7)
		return 3;
	(void)sizeof(READ(v) != n);
	if (READ(v) == n)
		return 1;
	switch (n) {
	case 5: return 2;
	case 6: n++;
	}
	return n;
}
int main(void)
{
	int i, t = 0;
	for (i = 0; i < 50; i++)
		t += f(i % 10);
	return t == 0;
}
C
for llvm in $(some_clang_releases); do
	"clang-$llvm" -O1 -fprofile-instr-generate -fcoverage-mapping -no-pie -Wl,--build-id=sha1 -fuse-ld=lld -w -o program program.c &&
		LLVM_PROFILE_FILE=sound.profraw ./program
	"llvm-profdata-$llvm" merge -text sound.profraw -o sound.proftext || { not_ok "clang-$llvm: the program runs"; continue; }
	check "clang-$llvm: a sound profile has no warning" sh -c "'$BAREPROF' report program sound.profraw >table 2>said && ! grep impossible said"
	# Counters 1 and 6 count the code after the switches, and 7 and 8 the cases of the second one. For the cases of the first
	# one, which has no default, the mapping has a difference of counters.
	check "clang-$llvm: all cases together" finds 8 4
	check "clang-$llvm: the code after a switch" finds 6 12
	check "clang-$llvm: the code after a switch without default" finds 1 14
	# The program's counters in memory are 1, 2, 3 and so on, so they are not possible.
	rm -f out.profraw
	check "clang-$llvm: pull warns" sh -c "first=\$(python3 '$ROOT/tests/outside/memory.py' program copy) &&
		'$BAREPROF' pull --from ram:copy@\$first --elf program -o out.profraw 2>said; cat said;
		grep -q 'out.profraw.*has impossible counts in [12] functions*: ' said"
	check "clang-$llvm: merge warns" sh -c "'$BAREPROF' merge --elf program out.profraw -o out.profdata 2>said; cat said;
		grep -q 'out.profdata: warning: has impossible counts in [12] functions*: ' said"
	"clang-$llvm" -O1 -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 -fuse-ld=lld -w -o dead dead.c &&
		LLVM_PROFILE_FILE=dead.profraw ./dead
	check "clang-$llvm: a switch inside of sizeof() is no fault of the counters" sh -c "'$BAREPROF' report dead dead.profraw >table 2>said"
	check "clang-$llvm: report names its function" grep -q 'dead.profraw: has wrong counts in 1 function: f; clang counts there from a switch that can never run' said
	check "clang-$llvm: merge does not warn of it" sh -c "'$BAREPROF' merge --elf dead dead.profraw -o dead.profdata 2>said && [ ! -s said ]"
	check "clang-$llvm: doctor finds nothing" sh -c "'$BAREPROF' doctor dead dead.profraw | grep -q 'Nothing is wrong'"
	# If the number of calls is torn, report still finds it.
	"$BAREPROF" merge --text dead.profraw -o sound.proftext
	awk '/^f$/ { at = NR } at && NR == at + 6 { print 3; next } { print }' sound.proftext >torn.proftext
	check "clang-$llvm: torn counts in it are found" sh -c "'$BAREPROF' report dead torn.proftext >table 2>said; [ \$? -eq 7 ] && grep -q 'has impossible counts in 1 function: f' said"
done
