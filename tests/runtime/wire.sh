#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wire.sh - a decoder in another language, written from docs/SPEC.md alone, must decode what the target sends. The
# result must be the .profraw that the target has.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

mkdir -p "$WORK/out"
for f in image_walk image reset profraw read profraw_write capture_blocks capture capture_profraw capture_send capture_uniform capture_answer capture_file counter_codec capture_counters crc32c encode_text encode_frame encode_file copy; do
	# shellcheck disable=SC2086
	"clang-$LLVM" $CFLAGS -O2 -fsanitize=undefined -fsanitize-trap=undefined -fno-sanitize=alignment,pointer-overflow \
		-c "runtime/$f.c" -o "$WORK/$f.o" || not_ok "$f.c does not compile"
done
if ! "clang-$LLVM" -c tests/runtime/unit/images.S -o "$WORK/images.o" ||
	! gcc -std=gnu99 -Wall -Wextra -Werror -Iinclude -O2 -no-pie tests/runtime/unit/wire.c "$WORK"/*.o -o "$WORK/wire"; then
	not_ok "wire.c does not build"
	exit
fi
# Each failure is printed. Hundreds of cases pass, so only their number is printed for each kind of case.
"$WORK/wire" "$WORK/out" >"$WORK/said"
[ $? -le 1 ] || not_ok "wire ended in a crash"
grep '^not ok' "$WORK/said"
sed -n 's/^ok - \([^:]*\):.*/\1/p' "$WORK/said" | sort | uniq -c | while read -r n what; do ok "$what ($n times)"; done

# The program that passes requests to bareprof_answer().
if gcc -std=gnu99 -Wall -Wextra -Werror -Iinclude -O2 -no-pie tests/runtime/unit/answer.c "$WORK"/*.o -o "$WORK/answer"; then
	"$WORK/answer" || [ $? -eq 1 ] || not_ok "answer ended in a crash"
else
	not_ok "answer.c does not build"
fi

python3 tests/capture/wire.py "$WORK/out" || not_ok "wire.py ended with an error"
