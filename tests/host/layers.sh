#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# layers.sh: tests the table in host-tools/host.mk, which lists the headers that each folder of host-tools may include.
# The compiler enforces this table: with the flags of a folder, the compiler must find only headers that the table
# allows. There must be no circular includes between folders or between files.
. "$(dirname "$0")/../lib.sh"

make -s --no-print-directory print-layers >"$WORK/layers" || exit 1
check "the table has every folder" sh -c "cut -d' ' -f1 '$WORK/layers' | sort >'$WORK/listed' &&
	git ls-files 'host-tools/*.c' | sed 's,/[^/]*$,,' | sort -u | diff '$WORK/listed' -"

# compiles FOLDER FILE: FILE compiles with the flags of FOLDER. FILE is outside of the tree, so that the test does not
# change the tree.
compiles() {
	sed -n "s,^$1 ,,p" "$WORK/layers" | xargs sh -c "\"\$@\" -fsyntax-only '$2'" sh "${CC:-cc}"
}

# cannot_include FOLDER HEADER: a file that includes HEADER does not compile with the flags of FOLDER, and the include
# causes the error.
cannot_include() {
	echo "#include \"$2\"" >"$WORK/wrong.c"
	! compiles "$1" "$WORK/wrong.c" 2>"$WORK/said" && grep "$2: No such file" "$WORK/said"
}

# Only one header of each folder is tested, because the compiler searches folders: it finds either every header of a
# folder or none.
git ls-files 'host-tools/*.h' >"$WORK/headers"
sed 's,/\([^/]*\)$, \1,' "$WORK/headers" | sort -u -k1,1 >"$WORK/first"
while read -r folder flags; do
	forbidden=
	while read -r other header; do
		case "$flags " in
		*"-iquote $other "*) printf '#if !__has_include("%s")\n#error %s is not found\n#endif\n' "$header" "$other" ;;
		*)
			printf '#if __has_include("%s")\n#error %s is found\n#endif\n' "$header" "$other"
			forbidden=$header
			;;
		esac
	done <"$WORK/first" >"$WORK/uses.c"
	echo 'typedef int not_empty;' >>"$WORK/uses.c"
	check "$folder finds the folders that it may use, no other" compiles "$folder" "$WORK/uses.c"
	[ -z "$forbidden" ] || check "$folder does not compile with $forbidden" cannot_include "$folder" "$forbidden"
done <"$WORK/layers"
check "host-tools/lib/base does not compile with model.h" cannot_include host-tools/lib/base model.h

# An include could bypass the table in two ways: with a path in its name, or with the name of a header that two
# folders have.
check "no include names a folder of host-tools" sh -c \
	"! git grep -nE '^ *# *include \"[^\"]*/' -- 'host-tools/*.[ch]' | grep -vE '\"\.\./(linker|ports)/'"
check "no two headers have one name" sh -c \
	"test -z \"\$(git ls-files 'host-tools/*.h' | sed 's,.*/,,' | sort | uniq -d)\""

# Finds circular includes between folders and between files. x.c and x.h count as one file.
git grep -E '^#include "' -- 'host-tools/*.[ch]' | sed -E 's,:#include ", ,; s,"$,,' >"$WORK/includes"
# shellcheck disable=SC2016 # the $ are for awk, not for the shell
edges='function node(file) { sub(of_folders ? "/[^/]*$" : "\\.[ch]$", "", file); return file }
	NR == FNR { name = $1; sub(".*/", "", name); path[name] = $1; next }
	$2 in path && node($1) != node(path[$2]) { print node($1), node(path[$2]) }'
for what in folders files; do
	awk -v of_folders="$([ $what = folders ] && echo 1)" "$edges" "$WORK/headers" "$WORK/includes" | sort -u >"$WORK/$what"
	check "no circle of $what" sh -c "[ -s '$WORK/$what' ] && tsort '$WORK/$what' >'$WORK/sorted'"
done
