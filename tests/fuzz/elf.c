/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.c - fuzzes ELF files. An input consists of the size of a raw profile in 4 bytes, the profile, and the ELF file.
 * The fuzz target checks the ELF file as `bareprof check` does, relocates its debug information, and completes the
 * profile with the ELF file. The mutator knows where section headers and sections are.
 */
#include "check.h"
#include "fuzz.h"

#include <elf.h>

static void judge(const char *path)
{
	static const char *const forbidden[] = {".text", NULL};
	struct check check = {.path = path, .forbidden = forbidden};
	struct error error = {""};

	if (check_image(&check, &error) == STATUS_OK)
		check_estimate(&check);
	else
		must(error.text[0], "a refusal has a reason");
	check_free(&check);
}

static void complete(const char *path, struct bytes raw)
{
	struct programs programs;
	struct read_options options = {.add = {.weight = 1}, .completion = {.programs = &programs}};
	struct error error = {""};
	struct model model;

	model_start(&model);
	programs_start(&programs);
	if (programs_elf(&programs, path, &error) != STATUS_OK || raw_read(&model, raw, &options, &error) != STATUS_OK)
		must(error.text[0], "a refusal has a reason");
	programs_free(&programs);
	model_free(&model);
}

static void relocate(const char *path)
{
	struct image image;
	struct error error = {""};

	if (image_open(&image, path, &error) == STATUS_OK)
		image_relocate_debug(&image);
	else
		must(error.text[0], "a refusal has a reason");
	image_close(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes raw;
	struct bytes elf;
	const char *path;

	if (!take_two((struct bytes){data, size}, &raw, &elf) || !elf.size)
		return 0;
	path = in_memory(elf);
	judge(path);
	relocate(path);
	complete(path, raw);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes raw;
	struct bytes elf;
	uint8_t *file;

	if (!take_two((struct bytes){data, size}, &raw, &elf) || elf.size < sizeof(Elf64_Ehdr))
		return LLVMFuzzerMutate(data, size, most);
	file = data + (elf.data - data);
	if (!dice_throw(&dice, 8))
		return change_two(data, size, most, &dice);
	change_elf(file, elf.size, &dice);
	return size;
}
