#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# build.sh z|n|s|g TARGET COMPILER DIR [FLAG...]: builds body Z, N, S or G as DIR/body. TARGET is x86_64, aarch64, arm
# or thumb. COMPILER is gcc, or clang-N of a release N of clang. The FLAGs apply to the foreign code only, not to the
# harness.
#
# BODY_SOURCES  folder in which sources.sh unpacks the sources
# BODY_WRAP     command in front of the compiler of the foreign code, for example "bareprof mip cc"
# BODY_LINK     options of the link, for example further objects and linker scripts
# BODY_EXTRA    C files that are compiled and linked without FLAGs and BODY_WRAP
# BODY_CFLAGS   options for the compilation of BODY_EXTRA
# BODY_OPT      optimization, in place of -O2 (Z, S, G) and -Os (N)
body=$1
target=$2
compiler=$3
dir=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
sources=$(mkdir -p "${BODY_SOURCES:-build/sources}" && cd "${BODY_SOURCES:-build/sources}" && pwd)/body-$body

fail() {
	echo "build.sh: $*" >&2
	exit 1
}

case $target in
x86_64) gcc=gcc triple=x86_64-linux-gnu cpu= ;;
aarch64) gcc=aarch64-linux-gnu-gcc triple=aarch64-linux-gnu cpu= ;;
arm) gcc=arm-none-eabi-gcc triple=armv7a-none-eabi cpu="-D_LDBL_EQ_DBL -march=armv7-a -marm -mfloat-abi=soft" ;;
thumb) gcc=arm-none-eabi-gcc triple=armv7a-none-eabi cpu="-D_LDBL_EQ_DBL -march=armv7-a -mthumb -mfloat-abi=soft" ;;
*) fail "the target $target is unknown" ;;
esac
case $compiler in
gcc) cc="$gcc $cpu" link="$gcc -no-pie" ;;
clang-*)
	cc="$compiler --target=$triple $cpu"
	link="$compiler --target=$triple -fuse-ld=lld"
	;;
*) fail "the compiler $compiler is unknown" ;;
esac
libgcc=$($gcc $cpu -print-libgcc-file-name) || exit
sh "$here/sources.sh" "$body" "$sources" || exit
opt=-O2
[ "$body" != n ] || opt=-Os
opt=${BODY_OPT:-$opt}
common="-std=gnu11 -w -ffreestanding -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -ffunction-sections"
rm -rf "$dir"
mkdir -p "$dir/own" || exit

# Files of the same name are in several folders, so the name of an object contains the folder.
compile_foreign() {
	# shellcheck disable=SC2016
	(cd "$sources" && xargs -n 1 -P "$(nproc)" sh -c \
		"exec $BODY_WRAP $cc $common $opt $(cat "$sources/flags") $*"' -c "$1" -o "$0/$(echo "$1" | tr / -).o"' "$out") <"$sources/files"
}

out=$(cd "$dir" && pwd)
compile_foreign "$@" >"$dir/log" 2>&1 || fail "body $body does not compile; see $dir/log"
own="$here/start.c $here/$body.c"
[ "$body" != z ] || own="$own $here/input.S"
for file in $own $BODY_EXTRA; do
	# shellcheck disable=SC2086
	$cc $common -O2 -fno-builtin $(echo "-D__KERNEL__ $(cat "$sources/flags")") -Wa,-I"$sources" $BODY_CFLAGS -c "$file" \
		-o "$dir/own/$(basename "$file").o" >>"$dir/log" 2>&1 || fail "$file does not compile; see $dir/log"
done
# N calls functions of newlib that are not part of the body. The harness never reaches them, so they may stay undefined.
# Where newlib and start.c define the same function, the one of newlib is linked, because it comes first.
case $body in n) loose="-Wl,--unresolved-symbols=ignore-all -Wl,--allow-multiple-definition" ;; esac
# shellcheck disable=SC2086
$link $cpu -static -nostdlib -Wl,--build-id=sha1 -Wl,-z,noexecstack $loose -o "$dir/body" "$dir"/*.o "$dir"/own/*.o \
	$BODY_LINK "$libgcc" >>"$dir/log" 2>&1 || fail "body $body does not link; see $dir/log"
