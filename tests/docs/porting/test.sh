#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting: runs the commands of docs/PORTING.md and of the pages that continue it, one by one, as a stranger would.
# These commands add the drop-in files to a small kernel and boot it. At the end, `bareprof report` must show the
# coverage of the kernel. porting_newlib.sh tests the page about newlib.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh

PAGES="docs/PORTING.md docs/PORTING-LINKING.md docs/PORTING-DUMPS.md docs/PORTING-FILES.md"
PAGES="$PAGES docs/PORTING-KINDS.md docs/PORTING-PROBLEMS.md docs/PORTING-MIP.md docs/PORTING-SAMPLES.md"

newcomer "$(newest_clang)" clang ld.lld

EXAMPLE_TIME=300
for page in $PAGES; do
	examples "$page" "$WORK/page"
	try_examples
done

# The small kernel that the pages describe is linked in six ways. Each report must show that one return of sign() did
# not run.
check "the small kernel was linked and reported in six ways" test \
	"$(grep -lE '^[^ ]*kernel\.c .* 2 +0 +100\.00% +8 +1 ' "$WORK"/page.*/*.out | wc -l)" -eq 6
for lines in $(grep -l 'bareprof check' "$WORK"/page.*/*.run | sed 's/run$/out/'); do
	check "bareprof check finds nothing: $(basename "$lines" .out)" sh -c "! grep -E '^(error|warning):' '$lines'"
done

# The kernel that answers requests must give the same profile over a bad line, on which it loses one line in four.
kernel=$WORK/page/kernel
for seed in 1 2 3; do
	rm -f "$WORK/guest" "$WORK/bad.profraw"
	qemu-system-arm -machine virt -cpu cortex-a15 -nodefaults -display none -monitor none \
		-serial "unix:$WORK/guest,server=on,wait=on" -kernel "$kernel/serve.elf" >/dev/null 2>&1 &
	qemu=$!
	for _ in $(seq 100); do [ -S "$WORK/guest" ] || sleep 0.05; done
	python3 tests/host/lib/noisy.py "$WORK/guest" "$WORK/noisy" $seed 250 >"$WORK/noise" &
	noise=$!
	for _ in $(seq 100); do [ -S "$WORK/noisy" ] || sleep 0.05; done
	check "the kernel that answers, behind a bad line, seed $seed" "$BAREPROF" pull "unix:$WORK/noisy" --elf "$kernel/serve.elf" \
		--ask '?%s\n' --timeout 60 -o "$WORK/bad.profraw"
	kill $qemu $noise 2>/dev/null
	wait $qemu $noise 2>/dev/null
	rm -f "$WORK/noisy"
	check "the kernel that answers, behind a bad line, seed $seed: the profile" cmp "$kernel/serve.profraw" "$WORK/bad.profraw"
done

# The page describes three ways to leave out functions: a list of files and functions, an attribute, and the hidden
# option. All three must work with every clang that the page names.
mkdir -p "$WORK/list/early"
printf '%s\n' '!src:early/*' '!fun:uart_put' >"$WORK/list/list"
echo 'int early(void); int early(void) { return 1; }' >"$WORK/list/early/early.c"
cat >"$WORK/list/late.c" <<'END'
int uart_put(void);
int uart_put(void) { return 1; }
__attribute__((no_profile_instrument_function)) int marked(void);
int marked(void) { return 2; }
int counted(void);
int counted(void) { return 3; }
END
for n in 13 14 15 16 19 22; do
	for file in early/early late; do
		(cd "$WORK/list" && "clang-$n" --target=armv7a-none-eabi -fprofile-instr-generate -fcoverage-mapping \
			-fprofile-list=list -mllvm -limited-coverage-experimental=true -c $file.c -o $file.o)
	done
	check "clang-$n leaves out what is listed and marked" test \
		"$("llvm-nm-$n" "$WORK/list/early/early.o" "$WORK/list/late.o" | grep -o '__profc_.*' | sort -u)" = __profc_counted
done
