#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# order.sh: tests in which order merged profiles contain names and hash buckets. The order must be the same as in the
# output of llvm-profdata, so that both outputs have the same bytes. This must also be true if functions occur twice.
# Optimizations of bareprof must not change the order.
. "$(dirname "$0")/../lib.sh"
llvm=$(ls /usr/bin | sed -n 's/^llvm-profdata-\([0-9]*\)$/\1/p' | sort -n | tail -1)

# same WHAT FILE...: bareprof and llvm-profdata must merge the files into the same bytes.
same() {
	what=$1
	shift
	"llvm-profdata-$llvm" merge -o "$WORK/theirs" "$@" 2>"$WORK/their.err"
	"$BAREPROF" merge --for-llvm "$llvm" -o "$WORK/ours" "$@" 2>"$WORK/our.err"
	check "$what" cmp "$WORK/ours" "$WORK/theirs"
}

# Makes four kinds of names: names with a common prefix, names that begin with another name, names that differ in one
# bit, and long names.
python3 - "$WORK" <<'PY'
import random, sys

random.seed(7)
for count in 1, 2, 3, 40, 47, 48, 49, 95, 96, 97, 3000, 20000:
    names = set()
    while len(names) < count:
        kind = random.randrange(5)
        if kind == 0:
            name = "".join(random.choice("ab") for _ in range(random.randrange(1, 25)))
        elif kind == 1:
            name = "p" * random.randrange(1, 300)
        elif kind == 2:
            name = "common_prefix_of_all_of_them_%d" % random.randrange(10**6)
        elif kind == 3:
            name = "q" * 8 * random.randrange(1, 9) + random.choice(["", "a", "\x7f", "\u00e4"])
        else:
            name = "".join(chr(random.randrange(65, 123)) for _ in range(random.randrange(1, 100)))
        names.add(name)
    names = list(names)
    random.shuffle(names)
    with open("%s/%d.proftext" % (sys.argv[1], count), "w", encoding="utf-8") as out:
        for i, name in enumerate(names):
            out.write("%s\n%d\n1\n%d\n\n" % (name, i % 3, i))
PY
for count in 1 2 3 40 47 48 49 95 96 97 3000 20000; do
	same "$count names in order" "$WORK/$count.proftext"
done
# If functions have the same name and different hashes, their order in a .profdata comes from a hash table in LLVM.
# Therefore text profiles, which are sorted, are compared here.
awk 'BEGIN { for (i = 199; i >= 0; i--) printf "name%d\n%d\n1\n%d\n\n", i / 2, 900 - i, i }' >"$WORK/two.proftext"
"llvm-profdata-$llvm" merge --text -o "$WORK/theirs" "$WORK/two.proftext"
"$BAREPROF" merge --text -o "$WORK/ours" "$WORK/two.proftext"
check "two functions with one name" cmp "$WORK/ours" "$WORK/theirs"
python3 tests/host/lib/raw_functions.py "$WORK/once.profraw" 500 1 250
python3 tests/host/lib/raw_functions.py "$WORK/twice.profraw" 500 2 0
same "names in another order than their records" "$WORK/once.profraw"
same "functions with two records each" "$WORK/twice.profraw"
same "functions with two records each, and an input with some of them" "$WORK/twice.profraw" "$WORK/once.profraw"
same "the same two inputs in the other order" "$WORK/once.profraw" "$WORK/twice.profraw"
