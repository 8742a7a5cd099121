#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting_hypervisor.sh: runs the commands of docs/PORTING-HYPERVISOR.md, as a stranger would. Then changes the files of
# the page in ways in which an integrator can make a mistake. The tests that the page describes must find each mistake.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

newcomer "$(newest_clang)" clang ld.lld

examples docs/PORTING-HYPERVISOR.md "$WORK/page"
try_examples
PORT=$WORK/page/hypervisor

lines=$(grep -l 'bareprof check' "$steps"/*.run | sed 's/run$/out/')
check "bareprof check finds nothing" sh -c "! grep -E '^(error|warning):' $lines"
# The snapshot is older than the first copy to the guest, so work() ran and copy_to_guest() did not.
check "the report has the hypervisor, with lines that ran and lines that did not" \
	grep -qE '^[^ ]*hyper\.c +[0-9]+ +[1-9][0-9]* ' "$steps"/*.out
held=$(grep -c '^ok - hostile guest' "$PORT/hostile.log")
check "the hostile guest tries $held cases, at least 85" test "$held" -ge 85

# The example in hypercall.h must have the same lines as the page.
sed -n '/^ \*	static char lock;/,/^ \*$/p; /^ \*	int coverage_start/,/^ \*	}/p; /^ \*	void coverage_call/,/^ \*	}/p' \
	include/bareprof/hypercall.h | sed 's/^ \*	//; /^ \*$/d' >"$WORK/header"
sed '/^#include/d; /^$/d' "$PORT/coverage.c" >"$WORK/coverage"
check "the example in hypercall.h is coverage.c" diff "$WORK/header" "$WORK/coverage"

# changed NAME FILE SED-COMMAND GUEST: changes FILE, builds the hypervisor and boots it with GUEST. The output of the
# guest goes to $WORK/NAME.log. Only objects of the hypervisor change, so the guests of the page can be used again.
cc="clang --target=aarch64-none-elf -mgeneral-regs-only -mstrict-align -mno-outline-atomics -O2 -ffreestanding -fno-pic
	-ffunction-sections -fno-asynchronous-unwind-tables"
changed() {
	name=$1
	out=$WORK/$name
	cp -r "$PORT" "$out"
	sed -i "$3" "$out/$2"
	! cmp -s "$out/$2" "$PORT/$2" || return
	# shellcheck disable=SC2086
	(cd "$out" && $cc -c coverage.c -o coverage.o &&
		$cc -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic -c hyper.c -o hyper.o &&
		ld.lld --gc-sections --build-id=sha1 -T bareprof.ld -T hyper.ld start.o hyper.o coverage.o bareprof.o -o hyper.elf) || return
	boot "$4"
}
boot() {
	timeout 30 qemu-system-aarch64 -machine virt,virtualization=on -cpu cortex-a57 -smp 2 -nodefaults -nographic \
		-serial stdio -monitor none -kernel "$out/hyper.elf" -device loader,file="$out/$1.elf" >"$WORK/$name.log" 2>&1 </dev/null
}
said() { grep -q -- "$1" "$WORK/$name.log"; }

# The page says that the dispatcher may be instrumented. The guest pulls the same snapshot many times while the
# dispatcher counts, and compares the bytes.
instrumented() {
	name=instrumented
	out=$WORK/$name
	cp -r "$PORT" "$out"
	# shellcheck disable=SC2086
	(cd "$out" && $cc -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic -c coverage.c -o coverage.o &&
		ld.lld --gc-sections --build-id=sha1 -T bareprof.ld -T hyper.ld start.o hyper.o coverage.o bareprof.o -o hyper.elf) || return
	boot guest
}
check "an instrumented dispatcher" instrumented
check "bareprof check finds nothing" sh -c "'$BAREPROF' check '$out/hyper.elf' >'$WORK/found' && ! grep -E '^(error|warning):' '$WORK/found'"
check "all pulls of a snapshot have the same bytes" test "$(grep -c '^CPU [01]: no error' "$WORK/$name.log")" -eq 2
check "the guest's dump is complete" "$BAREPROF" pull --elf "$out/hyper.elf" "$WORK/$name.log" -o "$WORK/$name.profraw"
for function in work:2000 coverage_call:[1-9][0-9]*; do
	check "the counts of ${function%:*}()" sh -c "'$BAREPROF' show '$WORK/$name.profraw' --elf '$out/hyper.elf' \
		--function '${function%:*}' | grep -q 'highest count ${function#*:},'"
done
check "a guest without --gc-sections lacks the bounds of counters" sh -c "cd '$PORT' && ! ld.lld -T guest.ld guest-start.o guest.o \
	pull.o bareprof.o -o none.elf 2>'$WORK/lacks' && grep -q 'undefined symbol: __start___llvm_prf_cnts' '$WORK/lacks'"

# Two CPUs use the page at the same moment only by chance. On a busy host this happens less often. So there are up to
# ten attempts. Usually the first attempt is enough.
check "without the lock" changed lock coverage.c '/spin_lock/d' guest
for _ in 1 2 3 4 5 6 7 8 9; do
	grep -q '^CPU [01]: [^n]' "$WORK/lock.log" || boot guest
done
check "the test with two CPUs fails" said '^CPU [01]: [^n]'

check "a copy that does not check the last bytes" changed range hyper.c 's/> GUEST_SIZE - n)/> GUEST_SIZE)/' hostile
check "the hostile guest finds it" said "^not ok - .*a window into the addresses after"
check "it also finds it with random calls" said "^not ok - .*random calls"
check "it says that the hypervisor is not safe" said '^the hypervisor is NOT safe'

check "guests without privilege" changed denied hyper.c 's/{{0, 1}, {1, 1}}/{{0, 0}, {1, 0}}/' guest
check "they are told so" said '^CPU 0: the hypervisor does not allow this guest to read its profile'
check "they get no block" sh -c "! grep '@bp:' '$WORK/denied.log'"
sed 's/bareprof_hostile_guest(&test)/(bareprof_hostile_denied(\&test), test.failed)/' "$PORT/hostile.c" >"$out/hostile.c"
# shellcheck disable=SC2086
check "a hostile guest for them" sh -c "cd '$out' && $(echo $cc) -c hostile.c -o hostile.o && ld.lld --gc-sections -T guest.ld \
	guest-start.o hostile.o bareprof_hostile_guest.o bareprof.o -o hostile.elf"
boot hostile
check "it finds that all calls are denied" said '^all cases passed'
out=$PORT
name=privileged
cp "$WORK/denied/hostile.elf" "$PORT/denied.elf"
boot denied
check "and fails where they are not" said '^not ok - .*all functions are denied'

check "no memory for a snapshot" changed memory hyper.c 's/if (n > GUEST_MEMORY - (uintptr_t)p)/if (n)/' guest
check "the guest is told so" said '^CPU 0: the hypervisor does not have this function, or no memory for a snapshot'
check "the rest works, so the guest's dump is complete" "$BAREPROF" pull --elf "$WORK/memory/hyper.elf" "$WORK/memory.log" -o "$WORK/memory.profraw"

check "an image that bareprof refuses" changed refused coverage.c 's/bareprof_image_self(&image)/BAREPROF_E_NO_COUNTERS/' guest
check "the hypervisor notices it, and still runs its guest" said '^!CPU 0: the hypervisor does not have this function'
check "both CPUs of the guest are told that there is no profile" said '^CPU 1: the hypervisor does not have this function'
