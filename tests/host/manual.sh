#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# manual.sh: tests that the manual page is well-formed. The page must list the options, exit codes and environment
# variables of the program, and the keys of board.conf. The script also tests that an installation is complete.
. "$(dirname "$0")/../lib.sh"

page=build/bareprof.1
nothing() {
	"$@" >"$WORK/said" 2>&1
	status=$?
	cat "$WORK/said"
	[ $status -eq 0 ] && [ ! -s "$WORK/said" ]
}
same() { diff "$1" "$2"; }

check "mandoc has no warnings" nothing mandoc -Tlint -Wwarning $page
check "man renders it" sh -c "MANWIDTH=80 man -E UTF-8 -l $page >'$WORK/page' 2>'$WORK/man.err' && [ ! -s '$WORK/man.err' ]"
check "the page has all sections" sh -c "for s in NAME SYNOPSIS DESCRIPTION COMMANDS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES; do
	grep -qx \"\$s\" '$WORK/page' || { echo \"\$s\"; exit 1; }; done"
check "no section is empty" sh -c "! awk '/^\.Sh/ && last ~ /^\.Sh/ { print last } { last = \$0 }' $page | grep ."

# The manual page and --help must list the same options for each command.
"$BAREPROF" help | sed -n 's/^  \([a-z][a-z ]*[a-z]\)   *[a-z].*/\1/p' >"$WORK/commands"
check "bareprof help lists the commands" test "$(wc -l <"$WORK/commands")" -ge 5
mandoc -Tascii -Owidth=250 $page | sed 's/.\x08//g' >"$WORK/plain"
while read -r command; do
	# shellcheck disable=SC2086 # a command such as "mip show" has two words
	"$BAREPROF" $command --help | sed -n 's/^  .\{4\}\(--[a-z0-9-]*\).*/\1/p' | sort >"$WORK/$command.help"
	sed -n "/^\.Ss bareprof $command\$/,/^\.Pp/s/^\.It.* Fl //p" $page | sed 's/\\-/-/g; s/ .*//; s/^/-/' | sort \
		>"$WORK/$command.page"
	check "$command: $(wc -l <"$WORK/$command.help") options, the same in --help and the page" sh -c \
		"[ -s '$WORK/$command.help' ] || [ '$command' = stamp ] && diff '$WORK/$command.help' '$WORK/$command.page'"
	# shellcheck disable=SC2086
	check "$command: its usage is in the synopsis" grep -qF "$("$BAREPROF" help $command | sed -n 's/^usage: //p')" \
		"$WORK/plain"
done <"$WORK/commands"

# Documents that are written by hand must name only options that exist.
{
	cat "$WORK"/*.help
	# All others than --help and --version belong to linkers, objcopy and llvm-profgen.
	printf '%s\n' --help --version --build-id --symbol-ordering-file --dump-section \
		--binary --unsymbolized-profile --use-offset
} | sort -u >"$WORK/options"
named() { grep -oE -- '(^|[^-[:alnum:]])--[a-z][a-z-]*' "$1" | sed 's/^[^-]//' | sort -u; }
for document in "$WORK/plain" README.md docs/CI.md; do
	named "$document" >"$WORK/named"
	check "$(basename "$document"): each --option that it names exists" sh -c \
		"[ -s '$WORK/named' ] && ! comm -23 '$WORK/named' '$WORK/options' | grep ."
done

"$BAREPROF" help | sed -n 's/^  \([0-9]\)  \(.*\)/\1 \2/p' >"$WORK/codes"
sed -n '/^EXIT STATUS/,/^EXAMPLES/p' "$WORK/plain" | awk '/^     [0-9] / { if (n++) printf "\n" } /^     +run/ { exit }
	/^      *[^ ]/ { $1 = $1; printf "%s%s", /^[0-9] / ? "" : " ", $0 } END { print "" }' >"$WORK/codes.page"
check "the page has the exit codes of bareprof help" same "$WORK/codes" "$WORK/codes.page"

mkdir -p "$WORK/boards/wrong"
echo 'wrong = key' >"$WORK/boards/wrong/board.conf"
BAREPROF_BOARDS=$WORK/boards "$BAREPROF" run -b wrong "$BAREPROF" 2>&1 |
	sed -n 's/.*keys are //p' | sed 's/,//g; s/ and / /' | tr ' ' '\n' | sort >"$WORK/keys"
sed -n 's/^\.It Ic //p' $page | sort >"$WORK/keys.page"
check "the page has the keys of board.conf that run accepts" sh -c "[ -s '$WORK/keys' ] && diff '$WORK/keys' '$WORK/keys.page'"
grep -oh 'getenv("[A-Z_]*")' host-tools/*/*.c host-tools/lib/*/*.c | sed 's/.*"\(.*\)".*/\1/' | sort -u >"$WORK/environment"
sed -n 's/^\.It Ev //p' $page | sort -u >"$WORK/environment.page"
check "the page has the environment variables that the program reads" same "$WORK/environment" "$WORK/environment.page"

# Installs everything, and moves the installation to another folder. bareprof must work there.
check "make install" make -s install DESTDIR="$WORK/root" PREFIX=/opt/x
mv "$WORK/root/opt/x" "$WORK/moved"
(cd "$WORK/moved" && find . -type f | sort) >"$WORK/installed"
{
	for conf in qemu/*/board.conf; do echo "./share/bareprof/boards/${conf#qemu/}"; done
	printf './%s\n' bin/bareprof share/man/man1/bareprof.1
	printf './%s\n' include/bareprof/profile.h lib/libbareprof.a lib/pkgconfig/bareprof.pc
	printf './share/bareprof/drop-in/bareprof%s\n' -lean.ld -none.ld -rom-lean.ld -rom-values.ld -rom.ld .c .h .ld .lds.h .mk _hostile_guest.c _hostile_guest.h
	printf './share/bareprof/drop-in/mip%s\n' -beside.ld -rom-beside.ld -rom.ld .ld .lds.h
} | sort >"$WORK/wanted"
check "make install installs the program, its page, the library, the boards and the drop-in, nothing else" same "$WORK/wanted" "$WORK/installed"
check "the installed drop-in builds an image" make -s image BOARD=x86_64 \
	DROPIN="$WORK/moved/share/bareprof/drop-in" OUT="$WORK/image"
check "the installed program finds its boards" "$WORK/moved/bin/bareprof" run "$WORK/image/kernel.elf" \
	--send 'cov dump\nexit\n' -o "$WORK/kernel.profraw"
check "man finds the installed page" sh -c "man -M '$WORK/moved/share/man' -w bareprof | grep -q moved"
