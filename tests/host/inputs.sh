#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# inputs.sh: tests files that people pass by mistake in place of a profile or log. Each command must say what kind of
# file it got. Text in UTF-16 and lines that a terminal cut must be read.
. "$(dirname "$0")/../lib.sh"
emit=build/tests/bin/emit
llvm=22
$emit text -1 1 "$WORK/expected" >"$WORK/text"
awk 'NR == 5 { print "[    1.5] a line of the kernel" } { print }' "$WORK/text" >"$WORK/log"
clang-$llvm --target=aarch64-none-elf -c -o "$WORK/object" -x c - <<-END
	int f(int x) { return x + 1; }
END

# by_all WHAT PATTERN FILE [COMMAND...]: the COMMANDs must refuse FILE with a message that matches PATTERN. Without
# COMMAND, all commands that read profiles are tested.
by_all() {
	file_is=$1
	expected=$2
	file=$3
	shift 3
	for command in ${*:-show merge convert pull report}; do
		rm -f "$WORK"/made*
		case $command in
		show) set -- show "$file" ;;
		merge) set -- merge -o "$WORK/made" "$file" ;;
		convert) set -- convert --to text -o "$WORK/made" "$file" ;;
		pull) set -- pull -o "$WORK/made" "$file" ;;
		report) set -- report "$WORK/object" "$file" --html "$WORK/made" ;;
		esac
		refuses "$file_is: $command" "$expected" "$BAREPROF" "$@"
		"$BAREPROF" "$@" >/dev/null 2>&1
		check "$file_is: $command: status 1, no output" test $? -eq 1 -a ! -e "$WORK/made"
	done
}
# pulls FILE [ARGUMENT...]: pull must make the expected profile from FILE.
pulls() {
	rm -f "$WORK/made"
	"$BAREPROF" pull "$@" -o "$WORK/made" && cmp "$WORK/made" "$WORK/expected"
}

# Tests a text file without a profile. All commands must print the sentence that pull prints for a log without a dump.
none="contains no dump: it has no lines with '@bp:', no frames between zero bytes and no magic number of a capture file\$"
printf '\n \n\n' >"$WORK/blank"
printf '# a comment\n# another\n' >"$WORK/comments"
printf '#!/bin/sh\necho "$@"\nexit 0\n' >"$WORK/script"
printf '#!/bin/sh\n# nothing to do\n' >"$WORK/script2"
printf '[    0.0] Booting\n[    0.1] memory: 64 MB\nlogin: \n' >"$WORK/console"
printf '\033[2J\033[HLoading kernel\n1 of 3 done\n' >"$WORK/colours"
for text in blank comments script script2 console colours; do
	by_all "$text" "$none" "$WORK/$text"
done
printf 'one line' >"$WORK/one"
by_all "one line" "$none" "$WORK/one"
# A text profile that is damaged in its first function must still be recognised as a profile.
printf ':ir\n' >"$WORK/header"
printf 'f\nhash\n1\n5\n' >"$WORK/hash"
printf 'f\n10\none\n5\n' >"$WORK/number"
check "a header alone is a profile" "$BAREPROF" show "$WORK/header"
by_all "damaged hash" "malformed in line 2: 'hash' is not the hash" "$WORK/hash" show merge convert
by_all "damaged number" "malformed in line 3: 'one' is not a number" "$WORK/number" show merge convert

# Tests text in UTF-16, which PowerShell's > and some terminal programs write.
for order in LE BE; do
	{
		[ $order = LE ] && printf '\377\376' || printf '\376\377'
		printf 'gr\303\274n \360\237\230\200\n' | cat - "$WORK/log" | sed 's/$/\r/' | iconv -f UTF-8 -t UTF-16$order
	} >"$WORK/utf16$order"
	check "UTF-16$order: pull" pulls "$WORK/utf16$order" --log "$WORK/utf8"
	check "UTF-16$order: --log is UTF-8" grep -q "^$(printf 'gr\303\274n \360\237\230\200')" "$WORK/utf8"
	check "UTF-16$order: show" sh -c "'$BAREPROF' show '$WORK/utf16$order' >'$WORK/a' && '$BAREPROF' show '$WORK/log' >'$WORK/b' && cmp '$WORK/a' '$WORK/b'"
	check "UTF-16$order: merge" sh -c "'$BAREPROF' merge -o '$WORK/a' '$WORK/utf16$order' && '$BAREPROF' merge -o '$WORK/b' '$WORK/log' && cmp '$WORK/a' '$WORK/b'"
done
for order in LE BE; do
	iconv -f UTF-8 -t UTF-16$order "$WORK/log" >"$WORK/unmarked"
	by_all "UTF-16$order without a mark" \
		"unmarked: is text in UTF-16 without a byte order mark: convert it with 'iconv -f UTF-16$order -t UTF-8 FILE >NEW'" "$WORK/unmarked"
done
printf '\377\376h\0e\0l\0l\0o\0\n\0' >"$WORK/utf16"
by_all "UTF-16 without a dump" "is text in UTF-16 and contains no dump: if it is a text profile, convert it with 'iconv -f UTF-16 -t UTF-8 FILE >NEW'" "$WORK/utf16"
{
	printf '\377\376\001\377\376\0'
	$emit frames -1 1
} >"$WORK/noise"
check "frames after noise that looks like a byte order mark" pulls "$WORK/noise"

# Tests logs in which a terminal cut the lines of a capture into several lines.
for columns in 80 132 50; do
	fold -b -w $columns "$WORK/log" >"$WORK/cut"
	check "lines cut at $columns columns" pulls "$WORK/cut" --log "$WORK/rest"
	check "... the rest is the console's text" sh -c "echo '[    1.5] a line of the kernel' | cmp - '$WORK/rest'"
	fold -b -w $columns "$WORK/log" | sed 's/$/ \r/' >"$WORK/cut"
	check "lines cut at $columns columns, with CR and spaces" pulls "$WORK/cut"
done
sed 's/^@bp/[    2.123456] console: @bp/' "$WORK/text" | fold -b -w 80 >"$WORK/cut"
check "lines cut at 80 columns, with time stamps" pulls "$WORK/cut"
# The log has two copies of a dump. In the first copy, one line is damaged and a word follows it. Only the lines of the
# second copy were cut.
{
	sed '7s/[A-Za-z0-9+/]\r*$//' "$WORK/text" | sed '7a\
done'
	fold -b -w 80 "$WORK/text"
} >"$WORK/cut"
check "a damaged line, a word, and a copy that was cut" pulls "$WORK/cut"
sed '7s/[A-Za-z0-9+/]\r*$//' "$WORK/text" | fold -b -w 80 >"$WORK/cut"
refuses "a damaged line that was cut" 'block 6 of [0-9]+ is missing.*1 damaged line was dropped' \
	"$BAREPROF" pull "$WORK/cut" -o "$WORK/made"

# Tests compressed files.
gzip -c "$WORK/log" >"$WORK/gz"
by_all "gzip" "is compressed with gzip: .*'gzip -dc FILE >NEW'" "$WORK/gz"
check "gzip: the advice works" sh -c "gzip -dc '$WORK/gz' >'$WORK/new' && cmp '$WORK/new' '$WORK/log'"
for tool in zstd xz bzip2; do
	if command -v $tool >/dev/null; then
		$tool -c "$WORK/log" >"$WORK/packed"
		by_all $tool "is compressed with $tool: .*'$tool -dc FILE >NEW'" "$WORK/packed" pull show
		check "$tool: the advice works" sh -c "$tool -dc '$WORK/packed' >'$WORK/new' && cmp '$WORK/new' '$WORK/log'"
	else
		skip "$tool: not installed"
	fi
done
# These are the bytes that zstd writes for an empty file.
printf '(\265/\375\044\0\001\0\0\231\351\330Q' >"$WORK/zst"
by_all "zstd, the smallest" "is compressed with zstd: .*'zstd -dc FILE >NEW'" "$WORK/zst"

# Tests ELF files. `report` is not tested here, because it accepts a second ELF file as one more program.
by_all "ELF file" "is an ELF file, neither a profile nor a log: give a profile or a log here, and the program with --elf ELF; 'bareprof check ELF'" \
	"$WORK/object" show merge convert pull
refuses "ELF file: report" 'object: has no profile after it; usage: bareprof report' \
	"$BAREPROF" report "$WORK/object" "$WORK/object"
echo 'int main(void) { return 0; }' | clang-$llvm -fprofile-instr-generate -o "$WORK/image" -x c -
for format in "ihex Intel HEX" "srec S-record"; do
	objcopy -O ${format%% *} "$WORK/object" "$WORK/hex"
	by_all "${format#* }" "is an ${format#* } file, neither a profile nor a log: .*the ELF file from which objcopy made this file" \
		"$WORK/hex" show merge convert pull
	refuses "${format#* }: check" "is an ${format#* } file: --bin takes a plain copy of memory" \
		"$BAREPROF" check --bin "$WORK/hex" "$WORK/image"
done
{ head -c 100 /dev/zero && printf "\\211bpc\\r\\n\\032\\n" && head -c 100 /dev/zero; } >"$WORK/bin"
by_all "magic number in firmware" "has the magic number of a capture file at offset 100, but no sound block" "$WORK/bin" \
	show merge convert pull
echo 'int f(void) { return 1; }' >"$WORK/f.c"
clang-$llvm --target=arm64-apple-macos -c "$WORK/f.c" -o "$WORK/macho"
by_all "Mach-O" "is a Mach-O file \(macOS\), neither a profile nor a log" "$WORK/macho"
for target in x86_64 aarch64 i686 thumbv7; do
	clang-$llvm --target=$target-pc-windows-msvc -c "$WORK/f.c" -o "$WORK/coff"
	by_all "COFF, $target" "is a COFF object .*, neither a profile nor a log" "$WORK/coff" pull show
done
if clang-$llvm --target=x86_64-unknown-windows -nostdlib -fuse-ld=lld -Wl,-entry:f -Wl,-subsystem:efi_application \
	"$WORK/f.c" -o "$WORK/pe" 2>"$WORK/pe.err"; then
	by_all "PE" "is a PE file .*the program must be the ELF file from which objcopy made this file" "$WORK/pe"
else
	skip "PE: no lld for clang $llvm"
fi

# Tests sample profiles.
printf 'main:1840:3\n 4: 534\n 4.2: 534\n 5: 1075 helper:471\nhelper:20:0\n 1: 1\n' >"$WORK/samples"
by_all "sample profile, text" "is a sample profile, which has no counters: use 'llvm-profdata show --sample FILE'" \
	"$WORK/samples"
for form in extbinary binary; do
	llvm-profdata-$llvm merge --sample --$form "$WORK/samples" -o "$WORK/sample"
	by_all "sample profile, $form" "is a sample profile" "$WORK/sample"
	check "... the advice works" llvm-profdata-$llvm show --sample "$WORK/sample"
done
