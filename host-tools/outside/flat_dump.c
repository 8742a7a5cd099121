/* SPDX-License-Identifier: BSD-2-Clause */
/* flat_dump.c - reads the list of pieces once, from the beginning to the end, and writes each piece to its place. */
#include "flat_dump.h"
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file begins with a header, which has the signature, the type and the version of the format. */
#define SIGNATURE   "makedumpfile"
#define HEADER_SIZE 4096
#define TYPE        1
#define VERSION     1

/* An offset and a size stand before each piece. Both are END after the last one. All numbers are big-endian. */
#define PIECE_HEADER_SIZE 16
#define END               (-1)

/* No dump is larger. A piece with a higher offset is damaged. */
#define DUMP_MAX ((int64_t)1 << 46)

/* The number of bytes to copy at once. */
#define WINDOW ((size_t)1 << 20)

struct flat_dump {
	int in;
	int out;
	int64_t at; /* bytes read from @in */
	int64_t end; /* size of the dump so far */
	uint8_t *window; /* WINDOW bytes */
};

static int64_t number_at(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return (int64_t)be64toh(value);
}

bool flat_dump_is(int fd)
{
	uint8_t head[sizeof(SIGNATURE)];

	return pread(fd, head, sizeof(head), 0) == sizeof(head) && !memcmp(head, SIGNATURE, sizeof(head));
}

/* Reads the next @size bytes into the window. */
static enum status take(struct flat_dump *dump, size_t size, struct error *error)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(dump->in, dump->window + done, size - done, (off_t)(dump->at + (int64_t)done));

		if (n < 0)
			return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
		if (!n)
			return error_set(error, STATUS_INVALID_INPUT,
				"is cut off: it ends at offset %" PRId64
				", before the end mark of a flattened dump" HINT_FETCH_AGAIN,
				dump->at + (int64_t)done);
		done += (size_t)n;
	}
	dump->at += (int64_t)size;
	return STATUS_OK;
}

static enum status cannot_write(struct error *error)
{
	const char *folder = getenv("TMPDIR");

	return error_set(error, STATUS_SYSTEM,
		"is a flattened dump, which needs a temporary file of about the same size, and that cannot be written "
		"in "
		"%s: %s; set TMPDIR to a folder with more room, or convert the dump with makedumpfile -R",
		folder && *folder ? folder : "/tmp", strerror(errno));
}

/* Writes the first @size bytes of the window to the place @offset. */
static enum status put(const struct flat_dump *dump, int64_t offset, size_t size, struct error *error)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pwrite(dump->out, dump->window + done, size - done, (off_t)(offset + (int64_t)done));

		if (n <= 0)
			return cannot_write(error);
		done += (size_t)n;
	}
	return STATUS_OK;
}

/* Returns how many of the @size bytes of @fd from @offset on are a hole. */
static int64_t hole_at(int fd, int64_t offset, int64_t size)
{
	off_t data = lseek(fd, offset, SEEK_DATA);

	/* ENXIO: no more content. Other errors: this kind of file has no holes. */
	if (data < 0)
		return errno == ENXIO ? size : 0;
	return data - offset < size ? data - offset : size;
}

/*
 * Returns how many of the @size bytes of a piece need no copy, because they are holes in both files. So a sparse file that
 * is large only on paper takes neither time nor room.
 */
static int64_t skip_hole(struct flat_dump *dump, int64_t offset, int64_t size)
{
	struct stat info;
	int64_t hole;

	if (size < (int64_t)WINDOW || fstat(dump->in, &info) || dump->at > info.st_size)
		return 0;
	hole = hole_at(dump->in, dump->at, size < info.st_size - dump->at ? size : info.st_size - dump->at);
	hole = hole ? hole_at(dump->out, offset, hole) : 0;
	dump->at += hole;
	return hole;
}

static enum status copy_piece(struct flat_dump *dump, int64_t offset, int64_t size, struct error *error)
{
	enum status status = STATUS_OK;

	if (offset < 0 || size <= 0 || offset > DUMP_MAX || size > DUMP_MAX - offset)
		return error_set(error, STATUS_INVALID_INPUT,
			"is a damaged flattened dump: the piece at offset %" PRId64 " claims %" PRId64
			" bytes at offset %" PRId64 " of the dump" HINT_FETCH_AGAIN,
			dump->at - PIECE_HEADER_SIZE, size, offset);
	dump->end = dump->end > offset + size ? dump->end : offset + size;
	while (size && status == STATUS_OK) {
		int64_t hole = skip_hole(dump, offset, size);
		size_t part = size - hole < (int64_t)WINDOW ? (size_t)(size - hole) : WINDOW;

		if (caught_signal())
			return error_set(error, STATUS_SYSTEM, "was interrupted");
		offset += hole;
		size -= hole;
		status = take(dump, part, error);
		if (status == STATUS_OK)
			status = put(dump, offset, part, error);
		offset += (int64_t)part;
		size -= (int64_t)part;
	}
	return status;
}

/* Each round reads at least the header of a piece, so the size of the file limits the time. */
static enum status copy_pieces(struct flat_dump *dump, struct error *error)
{
	enum status status = take(dump, HEADER_SIZE, error);
	int64_t offset = 0;
	int64_t size = 0;

	if (status == STATUS_OK && (number_at(dump->window + 16) != TYPE || number_at(dump->window + 24) != VERSION))
		return error_set(error, STATUS_INVALID_INPUT,
			"is a flattened dump of type %" PRId64 ", version %" PRId64
			", and bareprof knows only type 1, version 1: convert it with makedumpfile -R",
			number_at(dump->window + 16), number_at(dump->window + 24));
	while (status == STATUS_OK) {
		status = take(dump, PIECE_HEADER_SIZE, error);
		if (status != STATUS_OK)
			break;
		offset = number_at(dump->window);
		size = number_at(dump->window + 8);
		if (offset == END && size == END)
			break;
		status = copy_piece(dump, offset, size, error);
	}
	return status;
}

/* Creates a file without a name. Returns -1 if that is not possible. */
static int nameless_file(void)
{
	const char *base = getenv("TMPDIR");
	const char *folder = base && *base ? base : "/tmp";
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	/* Not every file system can create a file without a name. */
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	path = format("%s/bareprof.XXXXXX", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

enum status flat_dump_unite(int fd, int *united, struct error *error)
{
	struct flat_dump dump = {.in = fd, .out = nameless_file()};
	enum status status;

	*united = -1;
	if (dump.out < 0)
		return cannot_write(error);
	dump.window = allocate(WINDOW, 1);
	status = copy_pieces(&dump, error);
	/* The last bytes can be a hole. */
	if (status == STATUS_OK && ftruncate(dump.out, dump.end))
		status = cannot_write(error);
	free(dump.window);
	if (status == STATUS_OK)
		*united = dump.out;
	else
		close(dump.out);
	return status;
}
