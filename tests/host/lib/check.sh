# SPDX-License-Identifier: BSD-2-Clause
# check.sh - a small kernel to test `bareprof check` with. A case is a folder with the files that its image is built
# from: sources, compiler and linker options, linker script. A test changes these files to add a fault. Then it
# makes the changes that `bareprof check` proposes, which must remove the fault.
# shellcheck shell=sh disable=SC2034,SC2086

# $version is the newest installed clang whose linker (lld) is installed as well.
version=
for version in 22 19 16 15 14 ""; do
	[ -z "$version" ] || command -v clang-$version ld.lld-$version llvm-objcopy-$version >/dev/null && break
done
clang=clang-$version
lld=ld.lld-$version
objcopy=llvm-objcopy-$version

# For this target, the compiler adds no constructors that register the profile, and the linker has no default
# locations for the sections of the profile. The options are one line, because compile_case reads them from one line.
options="--target=x86_64-linux-gnu -O1 -ffreestanding -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections \
	-fno-stack-protector -fno-asynchronous-unwind-tables -fno-pic"
coverage="-fprofile-instr-generate -fcoverage-mapping"

# sources FOLDER: writes sources with seven functions. One function is inline and in two objects; another is never
# called.
sources() {
	cat >"$1/a.c" <<'C'
int b(int);
int unused(int x);
int unused(int x) { return x ? 1 : 2; }
void entry(void);
void entry(void) { b(4); }
C
	cat >"$1/b.c" <<'C'
int x(int);
int y(int);
int b(int v);
__attribute__((noinline))
static int early(int v) { return v > 7 ? v * 3 : v; }
int b(int v) { return v ? x(early(v)) : y(v); }
C
	cat >"$1/inline.h" <<'C'
template<class T> __attribute__((noinline)) T clamp(T x) { return x > T(9) ? T(9) : x; }
C
	printf '#include "inline.h"\nextern "C" int x(int v) { return clamp(v) + 1; }\n' >"$1/x.cc"
	printf '#include "inline.h"\nextern "C" int y(int v) { return clamp(v) - 1; }\n' >"$1/y.cc"
}

# script [FRAGMENT]: prints a linker script. It contains the lines of build/linker/FRAGMENT.ld, which place the sections
# of the profile. The default is bareprof.ld. Each section has its own line.
script() {
	cat <<'LD'
ENTRY(entry)
SECTIONS
{
	. = 0x100000;
	.head.text : { *(.head.text) }
	.text : { *(.text .text.*) }
	.noinstr.text : { *(.noinstr.text) }
	.rodata : { *(.rodata*) }
	. = ALIGN(4096);
	.data : { *(.data*) }
LD
	sed -e '/^SECTIONS/d' -e '/INSERT/d' -e '/^[{}]$/d' -e 's/^ */	/' -e 's/} \([_.]\)/}\n	\1/g' \
		"$ROOT/build/linker/${1:-bareprof}.ld"
	printf '\t.bss : { *(.bss*) }\n}\n'
}

# new_case: makes the folder $case for a new case, a copy of $sound_case. The test then adds the faults of the case.
cases=0
sound_case=$WORK/sound_case
new_case() {
	cases=$((cases + 1))
	case=$WORK/case$cases
	cp -r "$sound_case" "$case"
}
mkdir "$sound_case"
sources "$sound_case"
script >"$sound_case/script.ld"
echo $clang >"$sound_case/cc"
echo $coverage >"$sound_case/cflags"
echo $lld >"$sound_case/ld"
echo --build-id=sha1 >"$sound_case/ldflags"

# compile_case: compiles the sources in the folder of the case. A file SOURCE.cc holds the compiler and options for
# SOURCE, if they differ from those of the other sources. If another case compiled the same source in the same way, this
# function copies that object instead. The folder of an object is named after the checksums of all files that the
# object is made from.
compile_case() {
	read -r usual_cc <cc
	read -r usual_cflags <cflags
	usual= header= after= own=
	cksum after_cc cc cflags inline.h *.c *.cc >sums 2>/dev/null
	while read -r sum size file; do
		case $file in
		cc | cflags) usual=$usual-$sum ;;
		inline.h) header=$sum ;;
		after_cc) after=$sum ;;
		*.cc.cc | *.c.cc) own="$own $file:$sum" ;;
		esac
	done <sums
	set --
	while read -r sum size source; do
		command="$usual_cc $options $usual_cflags"
		made=$usual
		case $source in
		a.c | b.c | x.cc | y.cc) ;;
		*) continue ;;
		esac
		case $own in
		*" $source.cc:"*)
			read -r command <$source.cc
			made=${own##* $source.cc:}
			made=${made%% *}
			;;
		esac
		made=$WORK/objects/$sum-$header-$after-$made/${source%.*}.o
		if [ ! -f "$made" ]; then
			mkdir -p "${made%/*}"
			$command -c $source -o "$made.new" || return
			[ ! -f after_cc ] || $(cat after_cc) "$made.new" || return
			mv "$made.new" "$made"
		fi
		set -- "$@" "$made"
	done <sums
	cp "$@" .
}

# stamp_room: makes the linker leave out the build id of the image, and adds space for a build id that `bareprof stamp`
# fills in.
stamp_room() {
	$clang $options -nostdinc -I"$ROOT/include" -c "$ROOT/runtime/stamp.c" -o "$case/stamp.o"
	echo "$(cat "$case/ldflags") --build-id=none stamp.o" >"$case/ldflags"
}

# link_case: links the objects in one step. If the file `partial` exists, it links in two steps, the first with `ld
# -r` and the options in `partial`.
link_case() {
	objects="a.o b.o x.o y.o"
	if [ -f partial ]; then
		$(cat partial_ld) -r $(cat partial) a.o x.o -o one.ro || return
		$(cat partial_ld) -r $(cat partial) b.o y.o -o two.ro || return
		objects="one.ro two.ro"
	fi
	$(cat ld) $(cat ldflags) -T script.ld $objects -o image || return
	[ ! -f linked ] || . ./linked
}

# build_case: makes $case/image. Error messages go to $case/log.
build_case() (
	cd "$case" || exit
	rm -f image
	compile_case && link_case
) >"$case/log" 2>&1

# place_line LINE: adds the LINE to the case's linker script after .data, and removes other lines about the same
# section.
place_line() {
	section=${1%% *}
	word=$(echo "$section" | sed 's/\./\\./g')
	sed -i -e "/^[[:space:]]*$word[ (]/d" \
		-e "s/KEEP(\*[^() ]*($word))//g" -e "s/\*[^() ]*($word)//g" \
		-e "s/__st[artop]*_$word = [^;]*;//g" "$case/script.ld"
	LINE="$1" awk '{ print } /^\t\.data / { print "\t" ENVIRON["LINE"] }' "$case/script.ld" >"$case/script.new"
	mv "$case/script.new" "$case/script.ld"
}

# without FILE WORDS: removes the WORDS from FILE.
without() {
	WORDS="$2" awk '{
		at = index($0, ENVIRON["WORDS"])
		print at ? substr($0, 1, at - 1) substr($0, at + length(ENVIRON["WORDS"])) : $0
	}' "$1" >"$1.new"
	mv "$1.new" "$1"
}

# apply LOCATION LINE FUNCTION: applies a fix that check proposes. It adds LINE to, or removes LINE from, the file of
# the case that LOCATION selects. FUNCTION is the function that the finding names.
apply() {
	case $1 in
	compile) sed -i "s|\$| $2|" "$case/cflags" ;;
	compile-without) without "$case/cflags" "$2" ;;
	compile-again)
		[ "$2" != everything ] || set -- "$1" "a.c b.c x.cc y.cc"
		for source in $2; do rm -f "$case/$source.cc" || return; done
		;;
	source) sed -i "/static .* ${3##*[:;]}(/s/^/$2 /" "$case/${3%%[:;]*}" ;;
	linked) echo "$2" | sed "s|^bareprof |\"$BAREPROF\" |" >"$case/linked" ;;
	link) sed -i "s|\$| $2|" "$case/ldflags" ;;
	script) place_line "$2" ;;
	fragment) sed -i '/^INSERT AFTER \.bss/d' "$case/fragment.ld" && echo "$2" >>"$case/fragment.ld" ;;
	partial-link) sed -i "s|\$| $2|" "$case/ldflags" ;; # only modules need it
	partial-link-without) without "$case/partial" "$2" ;;
	partial-script-without) sed -i "/$2/d" "$case/partial.ld" ;;
	*)
		echo "unknown location '$1'"
		return 1
		;;
	esac
}
