/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_program.c - finds the build id, the code and the functions in the ELF file to which samples belong. */
#include "sample_program.h"
#include "elf_info.h"

#include <elf.h>
#include <stdlib.h>

static size_t leading(const char *name)
{
	return strspn(name, "_.$");
}

/*
 * Compares by address. At one address, the symbol with the best name comes first: a function before a label, a symbol
 * with a size before one without, a global name before a local one, and a name with fewer leading underscores.
 */
static int compare_symbols(const void *left, const void *right)
{
	const struct image_symbol *a = *(const struct image_symbol *const *)left;
	const struct image_symbol *b = *(const struct image_symbol *const *)right;

	if (a->value != b->value)
		return compare_uint(a->value, b->value);
	if (a->function != b->function)
		return a->function ? -1 : 1;
	if (a->size != b->size)
		return compare_uint(b->size, a->size);
	if (!*a->file != !*b->file)
		return !*a->file ? -1 : 1;
	if (leading(a->name) != leading(b->name))
		return compare_uint(leading(a->name), leading(b->name));
	return strcmp(a->name, b->name);
}

static int compare_code(const void *left, const void *right)
{
	return compare_uint(((const struct sample_code *)left)->address, ((const struct sample_code *)right)->address);
}

static void find_code(struct sample_program *program)
{
	const struct image *image = &program->image;
	size_t i;

	program->code = allocate(image->section_count, sizeof(*program->code));
	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		if (section->allocated && section->executable && section->size &&
			section->address + section->size > section->address)
			program->code[program->code_count++] =
				(struct sample_code){section->address, section->address + section->size};
	}
	qsort(program->code, program->code_count, sizeof(*program->code), compare_code);
}

static const struct sample_code *code_at(const struct sample_program *program, uint64_t address)
{
	size_t i = upper_bound(&address, program->code, program->code_count, sizeof(*program->code), compare_numbers);

	/* Sections of a damaged file may overlap, so that an earlier section contains the address. */
	while (i--)
		if (address < program->code[i].end)
			return &program->code[i];
	return NULL;
}

bool sample_program_is_code(const struct sample_program *program, uint64_t address)
{
	return code_at(program, address) != NULL;
}

static void find_symbols(struct sample_program *program)
{
	const struct image *image = &program->image;
	size_t i;

	program->symbols = allocate(image->symbol_count, sizeof(*program->symbols));
	for (i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];

		if (!symbol->object && symbol->section && !image_is_mapping(symbol->name) &&
			code_at(program, symbol->value))
			program->symbols[program->symbol_count++] = symbol;
	}
	/* The list must not be empty for qsort(). */
	if (program->symbol_count)
		qsort(program->symbols, program->symbol_count, sizeof(*program->symbols), compare_symbols);
}

/* Returns whether one of the functions found so far has a size and contains @address. */
static bool is_covered(const struct sample_program *program, uint64_t address)
{
	size_t i = program->function_count;

	while (i-- && program->reach[i] > address)
		if (program->functions[i].sized && program->functions[i].end > address)
			return true;
	return false;
}

/*
 * Adds the function at the address of @symbol. @end is its end if the symbol table does not have its size: the address
 * of the next symbol, or the end of the section.
 */
static void add_function(struct sample_program *program, size_t symbol, size_t aliases, uint64_t end)
{
	const struct image_symbol *best = program->symbols[symbol];
	bool sized = best->size && best->value + best->size > best->value;
	size_t count = program->function_count;

	/* A label in a function, such as the target of a jump, is not a function. */
	if (!sized && !best->function && is_covered(program, best->value))
		return;
	program->functions[count] = (struct sample_function){.address = best->value,
		.end = sized ? best->value + best->size : end,
		.name = best->name,
		.file = best->file,
		.alias = symbol,
		.aliases = aliases,
		.sized = sized};
	program->reach[count] = program->functions[count].end;
	if (count && program->reach[count - 1] > program->reach[count])
		program->reach[count] = program->reach[count - 1];
	program->function_count++;
}

static void find_functions(struct sample_program *program)
{
	size_t i;
	size_t n;

	program->functions = allocate(program->symbol_count, sizeof(*program->functions));
	program->reach = allocate(program->symbol_count, sizeof(*program->reach));
	for (i = 0; i < program->symbol_count; i += n) {
		uint64_t address = program->symbols[i]->value;
		uint64_t end = code_at(program, address)->end;

		for (n = 1; i + n < program->symbol_count && program->symbols[i + n]->value == address;)
			n++;
		if (i + n < program->symbol_count && program->symbols[i + n]->value < end)
			end = program->symbols[i + n]->value;
		add_function(program, i, n, end);
	}
}

const struct sample_function *sample_program_function(const struct sample_program *program, uint64_t address)
{
	size_t i;

	if (program->image.machine == EM_ARM)
		address &= ~(uint64_t)1;
	i = upper_bound(
		&address, program->functions, program->function_count, sizeof(*program->functions), compare_numbers);
	while (i-- && program->reach[i] > address)
		if (program->functions[i].end > address)
			return &program->functions[i];
	return NULL;
}

static bool touches_code(const struct sample_program *program, uint64_t address, unsigned int shift)
{
	uint64_t last = address + (((uint64_t)1 << shift) - 1);
	size_t i;

	if (!shift)
		return code_at(program, address);
	for (i = 0; i < program->code_count; i++)
		if (program->code[i].address <= last && program->code[i].end > address)
			return true;
	return false;
}

uint64_t sample_program_keep_code(const struct sample_program *program, struct samples *samples)
{
	uint64_t removed = 0;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < samples->count; i++)
		if (touches_code(program, samples->list[i].address, samples->shift))
			samples->list[kept++] = samples->list[i];
		else
			removed = add_saturating(removed, samples->list[i].count);
	samples->count = kept;
	samples->outside = add_saturating(samples->outside, removed);
	return removed;
}

enum status sample_program_fits(
	const struct sample_program *program, const struct samples *samples, struct error *error)
{
	struct bytes found = {samples->build_id.data, samples->build_id.size};
	struct bytes expected = {program->build_id.data, program->build_id.size};

	if (!found.size || !expected.size || bytes_equal(found, expected))
		return STATUS_OK;
	return samples_other_link(found, expected, error);
}

static enum status take_info(struct sample_program *program, struct error *error)
{
	struct elf_info info;
	bool unstamped;

	elf_examine(&info, program->image.elf);
	unstamped = info.unstamped;
	buffer_add(&program->build_id, info.build_id.data, info.build_id.size);
	program->build_id_address = info.build_id_address;
	program->build_id_loaded = info.build_id_loaded;
	program->clang = info.clang;
	elf_free(&info);
	if (unstamped)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a build id of zeros: run 'bareprof stamp' on the ELF file after each link");
	return STATUS_OK;
}

enum status sample_program_open(struct sample_program *program, const char *path, struct error *error)
{
	enum status status;

	*program = (struct sample_program){.path = path};
	status = image_open(&program->image, path, error);
	if (status == STATUS_OK && program->image.module)
		status = error_set(error, STATUS_INVALID_INPUT,
			"is not linked yet, or it is a module, whose code has no addresses in the file; "
			"give the linked image");
	if (status == STATUS_OK)
		status = take_info(program, error);
	if (status != STATUS_OK)
		return status;
	find_code(program);
	find_symbols(program);
	find_functions(program);
	return STATUS_OK;
}

void sample_program_close(struct sample_program *program)
{
	image_close(&program->image);
	buffer_free(&program->build_id);
	free(program->functions);
	free(program->reach);
	free(program->symbols);
	free(program->code);
}
