#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# style.sh: checks rules that every file of the tree follows.
. "$(dirname "$0")/lib.sh"

none() {
	what=$1
	shift
	"$@" >"$WORK/found" 2>&1
	if [ -s "$WORK/found" ]; then
		not_ok "$what"
		sed 's/^/    /' "$WORK/found" | head -n 20
	else
		ok "$what"
	fi
}
if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	skip "style: not a git checkout"
	exit 0
fi

# Recorded profiles cannot contain a licence line. The README.md in their folder names the licence of the folder.
none "every file names its licence" sh -c \
	"git ls-files . ':!tests/vectors' tests/vectors/README.md tests/vectors/src | xargs grep -L SPDX-License-Identifier"
check "recorded profiles are unchanged" sh -c \
	"cd tests/vectors && sha256sum --check --quiet SHA256SUMS && git ls-files . ':!README.md' ':!SHA256SUMS' | sort >'$WORK/there' &&
	sed 's,.*  \./,,' SHA256SUMS | sort | diff - '$WORK/there'"
none "C code is formatted by .clang-format: run make format" sh -c \
	"git ls-files '*.c' '*.h' ':!tests/vectors' | xargs clang-format-14 --dry-run -Werror 2>&1 | grep error:"
none "no file is longer than 500 lines" sh -c \
	"git ls-files | grep -v '\.md$' | xargs wc -l | awk '\$2 != \"total\" && \$1 > 500 { print \$2, \$1 }'"
none "the target side includes system headers only through types.h (profile.h is for the host)" sh -c \
	"grep -nE '#[[:space:]]*include[[:space:]]*[<\"](std|string|errno|limits|assert|sys/)' -r include runtime arch |
	grep -vE '^include/bareprof/(types|profile).h:'"
# idioms.py has the list of the phrases, with a better wording for each. `python3 tests/idioms.py --list` shows where
# they occur.
check "$(python3 tests/idioms.py | tail -n 1), which is fewer than 1" python3 tests/idioms.py --list
cat >"$WORK/idiom.c" <<'END'
/* Of the records those that are of no use are said to be so many that nobody knows what of them is to be had. */
END
check "idioms.py finds them" sh -c "! python3 tests/idioms.py '$WORK/idiom.c' >'$WORK/idiom' && grep -q '^[4-9] in ' '$WORK/idiom'"
