/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_buffers.c - finds memory that is too small for a copy of the counters. A program gives this memory to the
 * runtime in two ways. It passes the memory to bareprof_snapshot(), bareprof_snapshot_masked() or bareprof_drain(). Or
 * it initializes a struct bareprof_hypercalls with the address and the size of the memory. If the size in a call is not
 * a constant, the size of the variable that contains the memory is used instead. Sizes and addresses that the program
 * computes when it runs are not checked.
 */
#include "check.h"
#include "code.h"
#include "registers.h"

#include <bareprof/capture.h>
#include <inttypes.h>
#include <stdlib.h>

/*
 * The functions to which the program gives memory. The first three functions have the arguments "to", "from", "buffer"
 * and "size". The first argument of the other functions points to a struct bareprof_hypercalls.
 */
static const char *const receivers[] = {"bareprof_snapshot", "bareprof_snapshot_masked", "bareprof_drain",
	"bareprof_hypercalls_start", "bareprof_hypercall"};
#define RECEIVERS    (sizeof(receivers) / sizeof(*receivers))
#define FIRST_SERVER 3u

/* Indices of members of struct bareprof_hypercalls (hypercall.h). Each member is as large as a pointer. */
enum member {
	MEMBER_WINDOW = 3,
	MEMBER_OPEN = 4,
	MEMBER_MEMORY = 6,
	MEMBER_MEMORY_SIZE = 7,
	MEMBERS = 8,
};

/*
 * bareprof_capture_open() refuses a block buffer with fewer bytes, plus the bytes of the build id. BAREPROF_BLOCK_MIN
 * has room for a build id of 32 bytes.
 */
#define BLOCK_MIN (BAREPROF_BLOCK_MIN - 32u)

struct buffers {
	struct check *check;
	struct code code;
	uint64_t needed; /* bytes of a copy of the counters and bitmaps */
	const struct image_symbol *receiver[RECEIVERS]; /* NULL: the image does not have this function */
	uint64_t served[4]; /* addresses of each struct bareprof_hypercalls that was already checked */
	size_t served_count;
};

/* Returns the largest variable that contains @address, or NULL if there is none. */
static const struct image_symbol *variable_at(const struct image *image, uint64_t address)
{
	const struct image_symbol *found = NULL;
	size_t i;

	for (i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];

		if (symbol->object && address >= symbol->value && address - symbol->value < symbol->size &&
			(!found || symbol->size > found->size))
			found = symbol;
	}
	return found;
}

/* Memory that the program gives to the runtime. */
struct memory {
	const char *receiver; /* the function or the member of a struct to which the program gives the memory */
	const char *giver; /* the function that calls @receiver; NULL: @receiver is a member */
	const char *effect; /* what happens if the size of the memory is too small */
	bool address_known;
	bool size_known;
	uint64_t address;
	uint64_t size;
};

static void check_memory(struct buffers *buffers, const struct memory *memory)
{
	const struct image_symbol *variable =
		memory->address_known ? variable_at(&buffers->check->image, memory->address) : NULL;
	uint64_t room = variable ? variable->value + variable->size - memory->address : UINT64_MAX;
	char *name = variable ? format(" (%s)", variable->name) : format("%s", "");
	char *where = memory->giver ? format(" in %s()", memory->giver) : format("%s", "");

	if (memory->size_known && memory->size < buffers->needed)
		check_add(buffers->check, FINDING_BUFFER_TOO_SMALL,
			"%s%s gets %" PRIu64 " bytes of memory%s, but a copy of the counters takes %" PRIu64 ": %s",
			memory->receiver, where, memory->size, name, buffers->needed, memory->effect);
	else if (room < buffers->needed)
		check_add(buffers->check, FINDING_BUFFER_TOO_SMALL,
			"%s%s gets memory%s that ends after %" PRIu64
			" bytes, but a copy of the counters takes %" PRIu64
			": the copy fails, or writes over what comes after the memory",
			memory->receiver, where, name, room, buffers->needed);
	free(name);
	free(where);
}

static uint64_t member(const struct buffer *content, const struct image *image, enum member index)
{
	return load_uint(content->data + (size_t)index * image->width, image->width, image->big);
}

/* Checks the struct bareprof_hypercalls at @address, if it is initialized in the file. */
static void check_server(struct buffers *buffers, uint64_t address)
{
	const struct image *image = &buffers->check->image;
	uint64_t size = (uint64_t)MEMBERS * image->width;
	const struct image_section *section = image_where(image, address, size);
	struct memory memory = {.receiver = "the SNAPSHOT of hypercalls",
		.effect = "SNAPSHOT returns NOT_SUPPORTED, and guests are told \"the hypervisor does not have this "
			  "function, or no memory for a snapshot\"",
		.address_known = true,
		.size_known = true};
	uint64_t smallest = BLOCK_MIN + buffers->check->build_id;
	struct buffer content = {0};
	struct bytes bytes;
	size_t i;

	for (i = 0; i < buffers->served_count; i++)
		if (buffers->served[i] == address)
			return;
	if (buffers->served_count == sizeof(buffers->served) / sizeof(*buffers->served) || !section ||
		!section->filled ||
		!bytes_slice(image_content(image, section), address - section->address, size, &bytes))
		return;
	buffers->served[buffers->served_count++] = address;
	image_relocate(image, address, bytes, &content);
	memory.address = member(&content, image, MEMBER_MEMORY);
	memory.size = member(&content, image, MEMBER_MEMORY_SIZE);
	if (memory.address)
		check_memory(buffers, &memory);
	if (member(&content, image, MEMBER_OPEN) && member(&content, image, MEMBER_WINDOW) &&
		member(&content, image, MEMBER_WINDOW) < smallest)
		check_add(buffers->check, FINDING_BUFFER_TOO_SMALL,
			"the window of hypercalls has %" PRIu64
			" bytes, but a block of a capture of this image takes at least %" PRIu64
			": guests cannot read captures; %u bytes (BAREPROF_BLOCK_MIN) are enough if there are no "
			"values",
			member(&content, image, MEMBER_WINDOW), smallest, BAREPROF_BLOCK_MIN);
	buffer_free(&content);
}

static void check_call(struct buffers *buffers, const char *giver, uint64_t target, const struct registers *registers)
{
	struct memory memory = {
		.giver = giver, .effect = "the call fails with BAREPROF_E_NO_SPACE, and nothing is copied"};
	uint64_t address;
	char *name;
	size_t i;

	for (i = 0; i < RECEIVERS; i++)
		if (buffers->receiver[i] && buffers->receiver[i]->value == target)
			break;
	if (i >= FIRST_SERVER) {
		if (i < RECEIVERS && registers_argument(registers, 0, &address))
			check_server(buffers, address);
		return;
	}
	memory.receiver = name = format("%s()", receivers[i]);
	memory.address_known = registers_argument(registers, 2, &memory.address);
	memory.size_known = registers_argument(registers, 3, &memory.size);
	check_memory(buffers, &memory);
	free(name);
}

static void check_function(struct buffers *buffers, const struct code_function *function)
{
	struct registers registers = {.image = &buffers->check->image};
	struct instruction_stream stream = {.image = &buffers->check->image,
		.decoder = buffers->code.decoder,
		.start = function->symbol->value,
		.thumb = function->symbol->thumb};
	struct instruction instruction = {0};
	size_t at;

	if (!code_bytes(&buffers->code, function, &stream.bytes))
		return;
	for (at = 0; at < stream.bytes.size; at += instruction.size) {
		instruction = instruction_decode(&stream, at);
		if (!instruction.size)
			return;
		if (instruction.kind == INSTRUCTION_CALL || instruction.kind == INSTRUCTION_JUMP)
			check_call(buffers, function->symbol->name, instruction.value, &registers);
		registers_step(&registers, &instruction);
	}
}

void check_buffers(struct check *check)
{
	struct buffers buffers = {.check = check};
	bool any = false;
	size_t i;

	buffers.needed = check->extent[SECTION_COUNTERS].size + check->extent[SECTION_BITMAPS].size;
	for (i = 0; i < RECEIVERS; i++)
		any |= (buffers.receiver[i] = image_function(&check->image, receivers[i], "")) != NULL;
	/*
	 * The check is not made if the image has neither bareprof_image_self() nor bareprof_start(), because the
	 * program may then copy the counters of another image.
	 */
	if (!any || !instruction_known(&check->image) ||
		(!image_symbol(&check->image, "bareprof_image_self") && !image_symbol(&check->image, "bareprof_start")))
		return;
	code_open(&buffers.code, &check->image);
	for (i = 0; i < buffers.code.count; i++) {
		const struct code_function *function = &buffers.code.functions[i];

		if ((!i || function[-1].symbol->value != function->symbol->value) &&
			!starts_with(function->symbol->name, "bareprof_"))
			check_function(&buffers, function);
	}
	code_close(&buffers.code);
}
