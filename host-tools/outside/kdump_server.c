/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_server.c - translates requests into calls of libkdumpfile. makedumpfile can leave pages out. It leaves a hint
 * where a page was zero, and libkdumpfile then reads zeros. Pages without this hint are an error, because they had other
 * content.
 */
#include "kdump_server.h"
#include "kdump_library.h"
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The most memory for libkdumpfile. A bitmap of the pages of 16 TiB has 512 MiB. */
#define MEMORY_MAX ((rlim_t)4 << 30)

struct kdump {
	struct kdump_library library;
	void *dump; /* of the library */
	int socket;
};

/* Returns the last message of the library, without the words that every message about opening a file begins with. */
static const char *said(const struct kdump *kdump)
{
	static const char prefix[] = "Cannot set file.set.0.fd: ";
	const char *text = kdump->library.get_err(kdump->dump);

	if (!text)
		return "no reason given";
	return starts_with(text, prefix) ? text + sizeof(prefix) - 1 : text;
}

/*
 * The note of a Linux kernel tells its size of a page, which the dump need not have: QEMU writes pages of 64 KiB for all
 * kernels of arm64. libkdumpfile uses the size in the note, so it would look for other pages.
 */
static enum status open_dump(struct kdump *kdump, int file, uint64_t page, struct error *error)
{
	const struct kdump_library_attribute size = {KDUMP_LIBRARY_NUMBER, {.number = page}};
	/* If the file is mapped and then is cut off, a read ends the process, in place of an error. */
	const struct kdump_library_attribute never = {KDUMP_LIBRARY_NUMBER, {.number = KDUMP_LIBRARY_MAP_NEVER}};
	enum status status = kdump_library_load(&kdump->library, error);

	if (status != STATUS_OK)
		return status;
	kdump->dump = kdump->library.new();
	if (!kdump->dump)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(ENOMEM));
	if (kdump->library.set_attr(kdump->dump, "file.mmap_policy", &never) == KDUMP_LIBRARY_OK &&
		kdump->library.open_fdset(kdump->dump, 1, &file) == KDUMP_LIBRARY_OK &&
		kdump->library.set_attr(kdump->dump, "arch.page_size", &size) == KDUMP_LIBRARY_OK)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"is a kernel dump that libkdumpfile cannot read (%s)" HINT_FETCH_AGAIN, said(kdump));
}

/* Returns whether the machine had memory at the physical address @address, as far as the dump tells. */
static bool was_memory(const struct kdump *kdump, uint64_t address)
{
	struct kdump_library_attribute shift = {.type = KDUMP_LIBRARY_NUMBER};
	struct kdump_library_attribute map = {.type = KDUMP_LIBRARY_BITMAP};
	unsigned char bit = 0;
	uint64_t page;

	if (kdump->library.get_typed_attr(kdump->dump, "arch.page_shift", &shift) != KDUMP_LIBRARY_OK ||
		kdump->library.get_typed_attr(kdump->dump, "memory.pagemap", &map) != KDUMP_LIBRARY_OK ||
		shift.value.number >= 64)
		return false;
	page = address >> shift.value.number;
	return kdump->library.bmp_get_bits(map.value.bitmap, page, page, &bit) == KDUMP_LIBRARY_OK && bit & 1;
}

static enum status read_dump(
	const struct kdump *kdump, const struct kdump_request *request, void *to, struct error *error)
{
	bool virtual = request->space == MEMORY_VIRTUAL;
	size_t done = request->size;
	unsigned int result = kdump->library.read(
		kdump->dump, virtual ? KDUMP_LIBRARY_VIRTUAL : KDUMP_LIBRARY_MACHINE, request->address, to, &done);
	uint64_t address = request->address + done;

	if (result == KDUMP_LIBRARY_OK)
		return STATUS_OK;
	if (result == KDUMP_LIBRARY_SYSTEM)
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", said(kdump));
	if (result == KDUMP_LIBRARY_NO_DATA && !virtual && was_memory(kdump, address))
		return error_set(error, STATUS_INVALID_INPUT,
			"does not have the memory at the physical address 0x%" PRIx64
			": it was left out when the dump was made; make a dump with all pages that are not zero, with "
			"makedumpfile -d 1",
			address);
	return error_set(error, STATUS_INVALID_INPUT, "does not have the memory at the %s address 0x%" PRIx64 " (%s)",
		virtual ? "virtual" : "physical", address, said(kdump));
}

/* Writes all bytes. If the other side is gone, ends the process, because nobody needs it any more. */
static void send_bytes(int socket, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		ssize_t n = write(socket, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(0);
		at += n;
		size -= (size_t)n;
	}
}

static void receive_bytes(int socket, void *bytes, size_t size)
{
	uint8_t *at = bytes;

	while (size) {
		ssize_t n = read(socket, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(0);
		at += n;
		size -= (size_t)n;
	}
}

static void answer(int socket, enum status status, const void *bytes, size_t size, const struct error *error)
{
	struct kdump_answer answer = {(uint32_t)status, (uint32_t)(status == STATUS_OK ? size : strlen(error->text))};

	send_bytes(socket, &answer, sizeof(answer));
	send_bytes(socket, status == STATUS_OK ? bytes : error->text, answer.size);
}

/* Limits what a damaged dump can do. */
static void limit(void)
{
	const struct rlimit memory = {MEMORY_MAX, MEMORY_MAX};
	const struct rlimit none = {0, 0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_DATA, &memory);
	setrlimit(RLIMIT_CORE, &none);
}

_Noreturn void kdump_serve(int file, uint64_t page, int socket)
{
	struct kdump kdump = {.socket = socket};
	uint8_t *bytes = allocate(KDUMP_REQUEST_MAX, 1);
	struct kdump_request request;
	struct error error;
	enum status status;

	limit();
	status = open_dump(&kdump, file, page, &error);
	answer(socket, status, NULL, 0, &error);
	while (status == STATUS_OK) {
		receive_bytes(socket, &request, sizeof(request));
		answer(socket, read_dump(&kdump, &request, bytes, &error), bytes, request.size, &error);
	}
	_exit(0);
}
