/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_core.c - finds addresses in the segments of an ELF core, or in the range of a plain copy. The content is read
 * from the file only where it is needed, because a core can be larger than memory, and sparse.
 */
#include "memory_core.h"
#include "child.h"
#include "core_index.h"
#include "note.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* More segments than any tool writes. */
#define SEGMENTS_MAX (1u << 20)
/* More bytes of notes than any tool writes. */
#define NOTES_MAX (1u << 24)
/* The bytes that a search reads at once. */
#define WINDOW (1u << 20)

/* A range of memory that the file has. */
struct segment {
	uint64_t address[2]; /* of enum memory_space */
	uint64_t offset; /* in the file */
	uint64_t size; /* bytes in the file */
	uint64_t memory; /* bytes of the range; those after @size were not saved */
};

struct core {
	int fd;
	struct segment *segments;
	size_t count;
	bool space[2]; /* the segments have addresses of this space */
	struct core_index saved[2]; /* of enum memory_space: the memory that the file has */
	struct core_index shared[2]; /* memory that another segment has, too */
	struct core_index left_out[2]; /* segments with memory that was not saved */
	uint64_t file; /* size of the file; 0: not known */
	uint64_t content; /* the bytes of the file that are no holes */
	uint64_t notes; /* offset and size of the ELF notes */
	uint64_t notes_size;
	bool big;
};

static enum status cannot_open(struct error *error)
{
	return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
}

/* Checks the segment @header, and appends it. */
static enum status add_segment(struct core *core, const GElf_Phdr *header, struct error *error)
{
	struct segment *segment = &core->segments[core->count];
	uint64_t file = core->file;

	if (header->p_type == PT_NOTE && header->p_filesz <= NOTES_MAX && !core->notes_size &&
		(!file || (header->p_offset <= file && header->p_filesz <= file - header->p_offset))) {
		core->notes = header->p_offset;
		core->notes_size = header->p_filesz;
	}
	if (header->p_type != PT_LOAD || !header->p_memsz)
		return STATUS_OK;
	/* The size of /proc/kcore is not known, and a file that was cut has fewer bytes than its headers tell. */
	if (file && (header->p_offset > file || header->p_filesz > file - header->p_offset))
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut off: the memory at 0x%" PRIx64 " is at offset %" PRIu64 ", and the file has %" PRIu64
			" bytes; copy it again from the machine that made it",
			header->p_vaddr, header->p_offset, file);
	*segment = (struct segment){
		{header->p_vaddr, header->p_paddr}, header->p_offset, header->p_filesz, header->p_memsz};
	if (segment->size > segment->memory)
		segment->size = segment->memory;
	core->count++;
	return STATUS_OK;
}

/*
 * Decides which addresses the segments have. QEMU writes 0 for the virtual addresses of all segments if it was not asked
 * to walk the page tables, and gcore writes 0 for the physical addresses.
 */
static void find_spaces(struct core *core)
{
	size_t zeros[2] = {0, 0};
	size_t i;
	int space;

	for (space = 0; space < 2; space++) {
		for (i = 0; i < core->count; i++)
			zeros[space] += !core->segments[i].address[space];
		core->space[space] = zeros[space] <= 1 && zeros[space] < core->count;
	}
	if (core->count == 1)
		core->space[MEMORY_VIRTUAL] = core->space[MEMORY_PHYSICAL] = true;
}

/* Makes the indexes of all segments. */
static void make_index(struct core *core)
{
	size_t i;
	int space;

	for (space = 0; space < 2; space++) {
		for (i = 0; i < core->count && core->space[space]; i++) {
			const struct segment *segment = &core->segments[i];
			uint64_t address = segment->address[space];

			core_index_add(
				&core->saved[space], (struct core_part){address, segment->size, segment->offset});
			if (segment->size < segment->memory)
				core_index_add(&core->left_out[space], (struct core_part){address, segment->memory, 0});
		}
		core_index_sort(&core->saved[space], &core->shared[space]);
		core_index_sort(&core->shared[space], NULL);
		core_index_sort(&core->left_out[space], NULL);
	}
}

/* Returns an error about a file that is not in ELF. Kernel dumps begin with one of three words. */
static enum status not_elf(int fd, struct error *error)
{
	static const char *const dumps[] = {"KDUMP", "DISKDUMP", "makedumpfile"};
	char head[16] = "";
	size_t i;

	if (pread(fd, head, sizeof(head) - 1, 0) > 0)
		for (i = 0; i < sizeof(dumps) / sizeof(*dumps); i++)
			if (starts_with(head, dumps[i]))
				return error_set(error, STATUS_INVALID_INPUT,
					"is a kernel dump and no ELF core: use kdump:FILE");
	return error_set(
		error, STATUS_INVALID_INPUT, "is no ELF core; for a plain copy of memory use ram:FILE@ADDRESS");
}

static enum status read_headers(struct core *core, Elf *elf, struct error *error)
{
	enum status status = STATUS_OK;
	GElf_Ehdr header;
	GElf_Phdr segment;
	size_t count = 0;
	size_t i;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &count))
		return not_elf(core->fd, error);
	if (header.e_type != ET_CORE)
		return error_set(error, STATUS_INVALID_INPUT,
			"is an ELF file, but no core: give the program with --elf, and a core of it here");
	if (count > SEGMENTS_MAX)
		return error_set(error, STATUS_INVALID_INPUT, "claims %zu segments, which no core has", count);
	core->big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	core->segments = allocate(count + 1, sizeof(*core->segments));
	for (i = 0; i < count && status == STATUS_OK; i++)
		if (gelf_getphdr(elf, (int)i, &segment))
			status = add_segment(core, &segment, error);
	if (status == STATUS_OK && !core->count)
		status = error_set(error, STATUS_INVALID_INPUT, "has no memory: none of its segments is loaded");
	find_spaces(core);
	make_index(core);
	return status;
}

static enum status open_core(struct memory *memory, const char *where, struct error *error)
{
	struct core *core = allocate(1, sizeof(*core));
	struct stat info = {0};
	enum status status;
	Elf *elf;

	memory->state = core;
	/* A pipe is refused later, and must not block. */
	core->fd = open(where, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (core->fd < 0 || fstat(core->fd, &info))
		return cannot_open(error);
	elf_version(EV_CURRENT);
	elf = elf_begin(core->fd, ELF_C_READ, NULL);
	core->file = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
	status = read_headers(core, elf, error);
	elf_end(elf);
	return status;
}

/* /proc/kcore has the memory of the kernel that runs now. Its file size is no size of a file. */
static enum status open_proc(struct memory *memory, const char *where, struct error *error)
{
	enum status status = open_core(memory, *where ? where : "/proc/kcore", error);
	struct core *core = memory->state;

	/* Segments may have the same memory, which changes while it is read. */
	core->shared[MEMORY_VIRTUAL].count = core->shared[MEMORY_PHYSICAL].count = 0;
	return status;
}

/* Opens FILE@ADDRESS. */
static enum status open_ram(struct memory *memory, const char *where, struct error *error)
{
	struct core *core = allocate(1, sizeof(*core));
	const char *at = strrchr(where, '@');
	struct stat info;
	uint64_t address;
	char *path;

	core->fd = -1;
	memory->state = core;
	if (!at || at[1] == '-' || !parse_address(at + 1, &address))
		return error_set(error, STATUS_USAGE,
			"does not have the form ram:FILE@ADDRESS, where ADDRESS is a number such as 0x20000000");
	path = format("%.*s", (int)(at - where), where);
	core->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	free(path);
	if (core->fd < 0 || fstat(core->fd, &info))
		return cannot_open(error);
	core->segments = allocate(1, sizeof(*core->segments));
	core->segments[0] = (struct segment){{address, address}, 0, (uint64_t)info.st_size, (uint64_t)info.st_size};
	core->count = 1;
	core->file = (uint64_t)info.st_size;
	core->space[MEMORY_VIRTUAL] = core->space[MEMORY_PHYSICAL] = true;
	make_index(core);
	return STATUS_OK;
}

static enum status not_saved(const struct core *core, enum memory_space space, uint64_t address, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT, "does not have the memory at 0x%" PRIx64 "%s", address,
		core_index_find(&core->left_out[space], address) ? ": it was left out when the file was made" : "");
}

/* Compares @content with the @size bytes at @offset of the file. */
static bool is_at(const struct core *core, uint64_t offset, const uint8_t *content, uint64_t size)
{
	uint8_t block[4096];

	while (size) {
		size_t part = size < sizeof(block) ? (size_t)size : sizeof(block);

		if (pread(core->fd, block, part, (off_t)offset) != (ssize_t)part || memcmp(block, content, part))
			return false;
		offset += part;
		content += part;
		size -= part;
	}
	return true;
}

/*
 * Some cores have the same memory in two segments, such as the kernel of Linux in /proc/vmcore. If their content is not
 * the same, nothing tells which is right. Compares @content, which was read from one part of core->saved, with one more
 * segment, so that the time is bounded.
 */
static enum status compare_shared(
	const struct core *core, enum memory_space space, uint64_t address, struct bytes content, struct error *error)
{
	const struct core_index *shared = &core->shared[space];
	const struct core_part *saved = core_index_find(&core->saved[space], address);
	uint64_t offset = saved->offset + (address - saved->address);
	const struct core_part *part;
	uint64_t done = 0;

	while (done < content.size && (part = core_index_next(shared, address + done))) {
		uint64_t at = part->address > address + done ? part->address - address : done;
		uint64_t inside = address + at - part->address;
		uint64_t size = part->size - inside;

		if (at >= content.size)
			break;
		size = size < content.size - at ? size : content.size - at;
		if (part->offset + inside != offset + at &&
			!is_at(core, part->offset + inside, content.data + at, size))
			return error_set(error, STATUS_INVALID_INPUT,
				"has two contents of the memory at 0x%" PRIx64 ", at the offsets %" PRIu64
				" and %" PRIu64 " of the file: make the core again, while the target stands still",
				address + at, offset + at, part->offset + inside);
		done = at + size;
	}
	return STATUS_OK;
}

static enum status read_core(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	struct core *core = memory->state;
	uint8_t *at = to;

	if (!core->space[space])
		return error_set(error, STATUS_INVALID_INPUT, "has no %s addresses",
			space == MEMORY_VIRTUAL ? "virtual" : "physical");
	/* A search reads all of a large file. */
	if (caught_signal())
		return error_set(error, STATUS_SYSTEM, "was interrupted");
	while (size) {
		const struct core_part *part = core_index_find(&core->saved[space], address);
		uint64_t inside = part ? address - part->address : 0;
		ssize_t n;

		if (!part)
			return not_saved(core, space, address, error);
		n = pread(core->fd, at, part->size - inside < size ? (size_t)(part->size - inside) : size,
			(off_t)(part->offset + inside));
		if (n <= 0)
			return error_set(error, STATUS_SYSTEM, "cannot be read at offset %" PRIu64 ": %s",
				part->offset + inside, n ? strerror(errno) : "the file ends there");
		if (compare_shared(core, space, address, (struct bytes){at, (size_t)n}, error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
		at += n;
		address += (uint64_t)n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

/*
 * Finds the next content of the file, from offset @from on, before offset @end. Returns its first offset and sets *@stop
 * to its end. Returns @end if there is none. A sparse file has holes, which are not worth reading.
 */
static uint64_t find_content(const struct core *core, uint64_t from, uint64_t end, uint64_t *stop)
{
	off_t data = lseek(core->fd, (off_t)from, SEEK_DATA);
	off_t hole = data < 0 ? data : lseek(core->fd, data, SEEK_HOLE);

	*stop = end;
	/* ENXIO: no more content. Other errors: this kind of file has no holes. */
	if (data < 0)
		return errno == ENXIO ? end : from;
	if (hole > data && (uint64_t)hole < end)
		*stop = (uint64_t)hole;
	return (uint64_t)data < end ? (uint64_t)data : end;
}

/* Returns the number of bytes that are no holes. */
static uint64_t count_content(const struct core *core)
{
	uint64_t total = 0;
	uint64_t stop = 0;
	uint64_t at;

	while (stop < core->file && (at = find_content(core, stop, core->file, &stop)) < core->file)
		total += stop - at;
	return total;
}

static bool next_in_core(struct memory *memory, enum memory_space space, struct memory_part *part)
{
	struct core *core = memory->state;
	const struct core_index *index = &core->saved[space];

	if (!core->content)
		core->content = count_content(core);
	/* Segments may have the same bytes of the file, but a walk gives no more bytes than the file has. */
	for (; part->index < index->count && part->total < core->content; part->index++) {
		const struct core_part *saved = &index->parts[part->index];
		uint64_t end = saved->offset + saved->size;
		uint64_t stop;
		uint64_t at = find_content(core, saved->offset + part->done, end, &stop);

		if (part->done < saved->size && at < end) {
			part->address = saved->address + (at - saved->offset);
			part->size = stop - at;
			part->done = stop - saved->offset;
			part->total += part->size;
			return true;
		}
		part->done = 0;
	}
	return false;
}

static void notes_of_core(struct memory *memory, const char *owner, struct buffer *out)
{
	const struct core *core = memory->state;
	struct buffer notes = {0};
	ssize_t n;

	buffer_exactly(&notes, core->notes_size);
	n = pread(core->fd, notes.data, core->notes_size, (off_t)core->notes);
	if (n > 0)
		note_contents((struct bytes){notes.data, (size_t)n}, core->big, owner, out);
	buffer_free(&notes);
}

static enum status close_core(struct memory *memory, struct error *error)
{
	struct core *core = memory->state;
	int space;

	(void)error;
	if (!core)
		return STATUS_OK;
	if (core->fd >= 0)
		close(core->fd);
	for (space = 0; space < 2; space++) {
		free(core->saved[space].parts);
		free(core->shared[space].parts);
		free(core->left_out[space].parts);
	}
	free(core->segments);
	free(core);
	memory->state = NULL;
	return STATUS_OK;
}

const struct memory_source memory_core = {
	.name = "core",
	.form = "core:FILE",
	.open = open_core,
	.read = read_core,
	.next = next_in_core,
	.window = WINDOW,
	.notes = notes_of_core,
	.close = close_core,
};

const struct memory_source memory_proc = {
	.name = "proc",
	.form = "proc:",
	.open = open_proc,
	.read = read_core,
	.notes = notes_of_core,
	.close = close_core,
};

const struct memory_source memory_ram = {
	.name = "ram",
	.form = "ram:FILE@ADDRESS",
	.open = open_ram,
	.read = read_core,
	.next = next_in_core,
	.window = WINDOW,
	.close = close_core,
};
