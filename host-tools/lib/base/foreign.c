/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.c - recognises compressed files, programs, firmware, sample profiles and text in UTF-16 by
 * their first bytes.
 */
#include "foreign.h"
#include "utf16.h"

#include <ctype.h>
#include <string.h>

#define MAGIC(text)                                                                                                    \
	{                                                                                                              \
		text, sizeof(text) - 1                                                                                 \
	}
/*
 * A sample profile starts with a number in LEB128. The upper seven bytes of the number are always the same. The lowest
 * byte is the kind of the sample profile. In this constant, the lowest byte is 0.
 */
#define SAMPLE_MAGIC 0x5350524f46343200u
#define NOT_A_LOG    ", neither a profile nor a log: give a profile or a log instead"

static const struct {
	struct {
		const char *bytes;
		size_t size;
	} magic;
	const char *text;
} formats[] = {
	{MAGIC("\x1f\x8b"), "is compressed with gzip: decompress it with 'gzip -dc FILE >NEW' and give NEW instead"},
	{MAGIC("\x28\xb5\x2f\xfd"),
		"is compressed with zstd: decompress it with 'zstd -dc FILE >NEW' and give NEW instead"},
	{MAGIC("\xfd"
	       "7zXZ\0"),
		"is compressed with xz: decompress it with 'xz -dc FILE >NEW' and give NEW instead"},
	{MAGIC("BZh"), "is compressed with bzip2: decompress it with 'bzip2 -dc FILE >NEW' and give NEW instead"},
	{MAGIC("\x04\x22\x4d\x18"),
		"is compressed with lz4: decompress it with 'lz4 -dc FILE >NEW' and give NEW instead"},
	{MAGIC("PK\x03\x04"), "is a zip archive: unpack it with 'unzip FILE' and give the unpacked file instead"},
	{MAGIC("\x7f"
	       "ELF"),
		"is an ELF file, neither a profile nor a log: give a profile or a log here, and the program with --elf "
		"ELF; 'bareprof check ELF' examines a program"},
	{MAGIC("\xfb\x4d\x49\x50"),
		"is a file of a machine profile (.mipraw, .mipmap or .mip): use the commands of 'bareprof mip'"},
	{MAGIC("bareprof samples "), "is a file of samples (.samples): use the commands of 'bareprof sample'"},
	{MAGIC("!<arch>\n"), "is an archive of objects (.a)" NOT_A_LOG},
};

static uint32_t word_at(struct bytes bytes, size_t offset, unsigned int width)
{
	return offset + width <= bytes.size ? (uint32_t)load_uint(bytes.data + offset, width, false) : 0;
}

static bool is_mach_o(struct bytes bytes)
{
	uint32_t magic = word_at(bytes, 0, 4);

	/*
	 * The first four numbers are the magic numbers of Mach-O files of 32 and 64 bits in both byte orders. The last
	 * number is the magic number of Mach-O files for several CPUs.
	 */
	return magic == 0xfeedface || magic == 0xfeedfacf || magic == 0xcefaedfe || magic == 0xcffaedfe ||
	       magic == 0xbebafeca;
}

static bool is_pe(struct bytes bytes)
{
	return word_at(bytes, 0, 2) == 0x5a4d && word_at(bytes, word_at(bytes, 0x3c, 4), 4) == 0x4550;
}

/*
 * Returns whether @bytes look like a COFF object. A COFF object has no magic number, so this
 * function checks that its machine is known and that the numbers in its header are plausible.
 */
static bool is_coff(struct bytes bytes)
{
	uint32_t machine = word_at(bytes, 0, 2);
	uint32_t sections = word_at(bytes, 2, 2);

	return (machine == 0x8664 || machine == 0x14c || machine == 0x1c4 || machine == 0xaa64) && sections &&
	       word_at(bytes, 16, 2) == 0 && 20 + 40 * (uint64_t)sections <= bytes.size &&
	       word_at(bytes, 8, 4) < bytes.size;
}

static bool is_binary_sample(struct bytes bytes)
{
	struct cursor cursor = cursor_of(bytes);
	uint64_t magic = take_uleb(&cursor);

	return !cursor.failed && (magic & ~(uint64_t)0xff) == SAMPLE_MAGIC;
}

/*
 * Moves *@at past a decimal number and the character @end after that number. Returns false if the
 * number or @end is missing.
 */
static bool pass_number(const uint8_t **at, const uint8_t *stop, uint8_t end)
{
	const uint8_t *start = *at;

	while (*at < stop && isdigit(**at))
		++*at;
	return *at > start && *at < stop && *(*at)++ == end;
}

/*
 * Returns whether @bytes look like a sample profile in text form. This form has a line NAME:TOTAL:HEAD for each
 * function. Indented lines "LINE: COUNT" follow that line.
 */
static bool is_text_sample(struct bytes bytes)
{
	const uint8_t *stop = bytes.data + bytes.size;
	const uint8_t *line = bytes.data;
	const uint8_t *end = bytes.size ? memchr(line, '\n', bytes.size) : NULL;
	const uint8_t *at;

	if (!end || end == line || isspace(*line))
		return false;
	/* The line is read from its end, because a name may contain colons. */
	at = end;
	while (at > line && isdigit(at[-1]))
		at--;
	if (at == end || at == line || *--at != ':')
		return false;
	while (at > line && isdigit(at[-1]))
		at--;
	if (at <= line + 1 || *at == ':' || at[-1] != ':')
		return false;
	at = ++end;
	while (end < stop && *end == ' ')
		end++;
	if (end == at)
		return false;
	return pass_number(&end, stop, ':') || (end < stop && end[-1] == '.' && pass_number(&end, stop, ':'));
}

/*
 * Tests the first 10 characters, which every record has: a colon and hexadecimal digits, or an S, a type and hexadecimal
 * digits.
 */
const char *foreign_firmware(struct bytes bytes)
{
	size_t i;

	for (i = 2; i < 10 && i < bytes.size; i++)
		if (!isxdigit(bytes.data[i]))
			return NULL;
	if (i < 10)
		return NULL;
	if (bytes.data[0] == ':' && isxdigit(bytes.data[1]))
		return "an Intel HEX file";
	return bytes.data[0] == 'S' && isdigit(bytes.data[1]) ? "an S-record file" : NULL;
}

enum status foreign_refuse(struct bytes bytes, struct error *error)
{
	const char *firmware = foreign_firmware(bytes);
	const char *text = NULL;
	bool big;
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats) && !text; i++)
		if (bytes.size >= formats[i].magic.size &&
			!memcmp(bytes.data, formats[i].magic.bytes, formats[i].magic.size))
			text = formats[i].text;
	if (!text && is_mach_o(bytes))
		text = "is a Mach-O file (macOS)" NOT_A_LOG "; the program must be an ELF file, as 'ld.lld' links it";
	else if (!text && is_pe(bytes))
		text = "is a PE file (Windows, UEFI)" NOT_A_LOG
		       "; the program must be the ELF file from which objcopy made this file";
	else if (!text && is_coff(bytes))
		text = "is a COFF object (Windows, UEFI)" NOT_A_LOG
		       "; the program must be an ELF file, as 'ld.lld' links it";
	else if (!text && firmware)
		return error_set(error, STATUS_INVALID_INPUT,
			"is %s" NOT_A_LOG "; the program must be the ELF file from which objcopy made this file",
			firmware);
	else if (!text && (is_binary_sample(bytes) || is_text_sample(bytes)))
		text = "is a sample profile, which has no counters: use 'llvm-profdata show --sample FILE', or give an "
		       "instrumentation profile instead";
	else if (!text && utf16_is_text(bytes))
		text = "is text in UTF-16 and contains no dump: if it is a text profile, convert it with 'iconv -f "
		       "UTF-16 -t UTF-8 FILE >NEW' and give NEW instead";
	else if (!text && utf16_is_unmarked(bytes, &big))
		text = big ? "is text in UTF-16 without a byte order mark: convert it with 'iconv -f UTF-16BE -t UTF-8 "
		             "FILE >NEW' and give NEW instead"
		           : "is text in UTF-16 without a byte order mark: convert it with 'iconv -f UTF-16LE -t UTF-8 "
		             "FILE >NEW' and give NEW instead";
	return text ? error_set(error, STATUS_INVALID_INPUT, "%s", text) : STATUS_OK;
}
