#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# modules/test.sh - reads the counters of a module of Linux from outside. The kernel is a small program with the same
# structs, whose list of modules has all kinds of faults. tests/ports/linux/outside.sh does the same with Linux.
. "$(dirname "$0")/../../lib.sh"
cd "$WORK" || exit 1

llvm=$(newest_clang)
here=$ROOT/tests/outside/modules
"clang-$llvm" -O1 -g -fprofile-instr-generate -fcoverage-mapping -mcmodel=kernel -c -o module.o "$here/module.c" &&
	"ld.lld-$llvm" -r --build-id=sha1 -T "$ROOT/ports/linux/module.lds" -o shapes.ko module.o &&
	"llvm-objcopy-$llvm" --dump-section .note.gnu.build-id=note shapes.ko ||
	{ not_ok "the module is compiled"; exit 0; }
# The counters are 1, 2, 3 and so on.
python3 -c 'import struct; open("counters", "wb").write(struct.pack("<4Q", 1, 2, 3, 4))'

# kernel NAME [OPTION...]: compiles a kernel, and copies the memory that it would have.
kernel() {
	out=$1
	shift
	"clang-$llvm" -O0 -g -no-pie -Wl,--build-id=sha1 -fuse-ld=lld "$@" -o "$out" "$here/kernel.c" &&
		python3 "$ROOT/tests/outside/memory.py" --core "$out" "$out.core"
}
pull() { rm -f out/* && timeout 20 "$BAREPROF" pull --from "core:$1.core" --elf "$1" --elf "${2:-shapes.ko}" --all out; }
# wrong WHAT NUMBER PATTERN: the kernel with this fault gets one sentence, and no file is written.
wrong() {
	kernel "wrong.$2" "-DWRONG=$2" || not_ok "$1: does not compile"
	refuses "$1" "$3" pull "wrong.$2"
	check "$1: no file is written" test -z "$(ls -A out)"
}

check "a kernel is compiled" kernel vmlinux
check "a module is found and read" pull vmlinux
check "only the module has a profile" test "$(ls out)" = shapes.profraw
check "the counts are those in memory" sh -c "llvm-profdata-$llvm show --all-functions --counts out/shapes.profraw | tr -d '\n' |
	grep -q 'Function count: 1 *Block counts: .2. .*Function count: 3 *Block counts: .4.'"
wrong "a list that does not end" 1 'vmlinux|has a list of more than 10000 modules, or one that never ends'
wrong "a module that is not loaded" 2 'has not loaded the module shapes: give only modules that are loaded'
wrong "a billion sections" 3 'claims 1073741824 sections for the module shapes.ko'
wrong "no sections" 4 'does not know the sections of the module shapes: build the kernel with CONFIG_KALLSYMS=y'
wrong "a name without an end" 5 'has a name without an end at 0x[0-9a-f]+ in its list of modules'
wrong "a pointer to nowhere" 6 'does not have the memory at 0x123456'
wrong "counters that are not in memory" 7 'does not list the section __llvm_prf_cnts of the module'
"clang-$llvm" -O2 -fprofile-instr-generate -mcmodel=kernel -c -o other.o "$here/module.c"
"ld.lld-$llvm" -r --build-id=sha1 -T "$ROOT/ports/linux/module.lds" -o other.ko other.o
refuses "another build" 'has loaded another build of the module other.ko' pull vmlinux other.ko
refuses "an object that is no module" 'main.o: it is an object file, and no module of Linux|cannot have the program main.o' \
	sh -c "clang-$llvm -c -o main.o '$here/kernel.c' && exec '$BAREPROF' pull --from core:vmlinux.core --elf vmlinux --elf main.o --all out"
refuses "a module without its kernel" 'is a module, and only its kernel says where it is: give also the file vmlinux' \
	"$BAREPROF" pull --from core:vmlinux.core --elf shapes.ko -o out/x
"llvm-strip-$llvm" --strip-debug -o stripped vmlinux
refuses "a kernel without debug information" 'stripped: has no debug information' \
	"$BAREPROF" pull --from core:vmlinux.core --elf stripped --elf shapes.ko --all out
"clang-$llvm" -g -no-pie -fuse-ld=lld -o program -x c - <<'END'
int modules;
int main(void) { return modules; }
END
refuses "a program with such a variable" 'program: has no debug information about the member next of struct list_head' \
	"$BAREPROF" pull --from core:vmlinux.core --elf program --elf shapes.ko --all out
