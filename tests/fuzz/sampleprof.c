/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof.c - fuzzes the text of sample profiles. A text that the reader accepts must not change when it is written
 * and read again. All file formats can hold it, unless a name does not fit into text.
 */
#include "fuzz.h"
#include "sampleprof_file.h"

static const char *const refusals[] = {"has no functions", "cannot hold the function"};

/* Writes the profile in @bytes as text to @out. Returns false if the reader or the writer refuses it. */
static bool rewrite_text(struct bytes bytes, unsigned int llvm, struct buffer *out)
{
	const struct sampleprof_options options = {.llvm = llvm};
	struct sampleprof profile = {0};
	struct error error = {""};
	enum status status = sampleprof_read_text(&profile, bytes, &error);
	bool read = status == STATUS_OK;

	if (read)
		status = sampleprof_write_text(&profile, &options, out, &error);
	must(status == STATUS_OK || (error.text[0] && !strchr(error.text, '\n')), "an error is not one line");
	if (read && status != STATUS_OK) {
		must(strstr(error.text, refusals[0]) || strstr(error.text, refusals[1]), "a profile is refused");
		must(!out->size, "a part of a text is left");
	}
	sampleprof_free(&profile);
	return status == STATUS_OK;
}

static void write_binaries(struct bytes bytes)
{
	struct sampleprof_options options = {.llvm = 13};
	struct sampleprof profile = {0};
	struct buffer out = {0};
	struct error error;
	size_t size;

	if (sampleprof_read_text(&profile, bytes, &error) == STATUS_OK && profile.function_count)
		for (; options.llvm <= 22; options.llvm += 9) {
			size = out.size;
			options.guids = !options.guids;
			must(!sampleprof_write_binary(&profile, &options, &out, &error),
				"no ext-binary file can be made");
			must(out.size > size + 100, "an ext-binary file is empty");
		}
	sampleprof_free(&profile);
	buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = {data, size};
	struct buffer first = {0};
	struct buffer second = {0};
	struct buffer old = {0};

	if (rewrite_text(bytes, 22, &first)) {
		struct bytes text = {first.data, first.size};

		must(rewrite_text(text, 22, &second) && same(&first, &second), "the text changed");
		must(rewrite_text(text, 13, &old), "LLVM 13 cannot have the text");
	}
	write_binaries(bytes);
	buffer_free(&first);
	buffer_free(&second);
	buffer_free(&old);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	return change_lines(data, size, most, seed);
}
