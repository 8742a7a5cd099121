/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen.c - reads the profile of the hypervisor. If Xen has bareprof, Xen returns the profile in windows. If Xen has its
 * own coverage, Xen returns the whole profile in one call. This file also explains the error codes of both kinds of
 * call.
 */
#include "xen.h"
#include "../ports/linux/debugfs_names.h"
#include "mip_raw.h"
#include "raw_open.h"
#include "raw_profile.h"
#include "raw_release.h"
#include "running_raw.h"
#include "xen_samples.h"
#include "xen_sysctl.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define IMAGE   "xen"
#define SAMPLES "samples"

/* bareprof in Xen returns at most this many bytes in one call. */
#define WINDOW (1u << 16)

/*
 * Xen's own coverage returns all bytes in one call. More bytes than this are an error, because no hypervisor has such a
 * large profile.
 */
#define WHOLE_MAX (1u << 30)

static char *path(const char *location, const char *name, enum image_item what)
{
	(void)name;
	(void)what;
	return format("%s", location);
}

static bool is_samples(const char *name)
{
	return !strcmp(name, SAMPLES);
}

static enum status explain_errno(int code, enum retry_reason *retry, struct error *error)
{
	switch (code) {
	case EAGAIN:
		*retry = RETRY_CHANGED;
		return error_set(error, STATUS_INVALID_INPUT, "Xen's counters were reset while they were read");
	case EOPNOTSUPP:
	case ENOSYS:
		return error_set(error, STATUS_SYSTEM,
			"Xen has no counters: it was built without coverage, as in distributions; build it with "
			"CONFIG_COVERAGE, as ports/xen describes");
	case ENODATA:
		return error_set(error, STATUS_INVALID_INPUT,
			"Xen has no profile: none of its objects is instrumented, or the linker discarded the "
			"records or names");
	case EBADMSG:
		return error_set(error, STATUS_INVALID_INPUT,
			"Xen cannot read its own records; its boot log tells why (run xl dmesg)");
	case ENOBUFS:
		return error_set(error, STATUS_SYSTEM,
			"Xen has blocks of more than %u bytes, which this bareprof cannot read; use the bareprof that "
			"was installed into Xen",
			WINDOW);
	case EFAULT:
		return error_set(
			error, STATUS_SYSTEM, "Xen could not write to the memory of bareprof: %s", strerror(code));
	case EPERM:
		return error_set(
			error, STATUS_SYSTEM, "Xen does not allow this: run bareprof in the control domain (dom0)");
	default:
		return error_set(error, STATUS_SYSTEM, "Xen refused the call: %s", strerror(code));
	}
}

static enum status list(const char *location, struct image_names *names, struct error *error)
{
	struct xen_coverage_op op = {.cmd = XEN_GET_SIZE};
	enum retry_reason retry;
	enum status status;
	struct xen xen;
	int code;

	status = xen_open(&xen, location, error);
	if (status != STATUS_OK)
		return status;
	code = xen_call(&xen, &op);
	if (!code)
		image_names_add(names, IMAGE);
	if (xen_has_samples(&xen)) {
		image_names_add(names, SAMPLES);
		code = 0;
	}
	xen_close(&xen);
	return code ? explain_errno(code, &retry, error) : STATUS_OK;
}

/* The state while one item is read. */
struct xen_read {
	struct xen xen;
	void *buffer; /* has WINDOW bytes */
	enum xen_form form;
	uint64_t offset; /* offset of the next window, in bytes, or in blocks for a capture */
	uint64_t total;
	uint64_t serial;
	data_sink *sink;
	void *context;
};

/*
 * Reads the next window of a raw profile, or the next block of a capture. Both have at most @size_max bytes. Returns no
 * bytes at the end, or if Xen refused the call. *@code is set to the errno of a refused call, otherwise to 0.
 */
static struct bytes read_window(struct xen_read *job, uint32_t size_max, int *code)
{
	struct xen_coverage_op op = {
		.cmd = XEN_READ_AT,
		.size = size_max,
		.buffer = (uintptr_t)job->buffer,
		.form = job->form,
		.offset = job->offset,
		.serial = job->serial,
	};

	*code = xen_call(&job->xen, &op);
	if (!*code && op.size > size_max)
		*code = EIO;
	if (*code)
		return (struct bytes){NULL, 0};
	job->total = op.total;
	job->serial = op.serial;
	job->offset += job->form == XEN_CAPTURE ? op.size > 0 : op.size;
	return (struct bytes){job->buffer, op.size};
}

static enum status read_windows(struct xen_read *job, int *code, struct error *error)
{
	enum status status = STATUS_OK;
	struct bytes bytes;

	do {
		bytes = read_window(job, WINDOW, code);
		if (bytes.size)
			status = job->sink(job->context, bytes, error);
	} while (bytes.size && status == STATUS_OK);
	/*
	 * The profile may lack its end although no call failed. A reset of the counters cannot be the reason, because
	 * the next call after a reset fails. So this is a separate error.
	 */
	if (!*code && status == STATUS_OK && job->offset != job->total)
		return error_set(error, STATUS_INVALID_INPUT,
			"Xen's profile ended after %" PRIu64 " of %" PRIu64 " %s; try again", job->offset, job->total,
			job->form == XEN_CAPTURE ? "blocks" : "bytes");
	return *code ? STATUS_SYSTEM : status;
}

/* Reads the whole profile from Xen's own coverage in one call. */
static enum status read_whole(struct xen_read *job, int *code, struct error *error)
{
	struct xen_coverage_op op = {.cmd = XEN_GET_SIZE};
	enum status status = STATUS_OK;
	uint32_t size;
	void *buffer;

	*code = xen_call(&job->xen, &op);
	if (*code)
		return STATUS_SYSTEM;
	size = op.size;
	if (!size || size > WHOLE_MAX)
		return error_set(error, STATUS_INVALID_INPUT,
			"Xen reports a profile of %" PRIu32 " bytes, which cannot be right", size);
	buffer = xen_buffer(size);
	if (!buffer)
		return error_set(error, STATUS_SYSTEM,
			"cannot lock %" PRIu32
			" bytes of memory, which the hypercall needs: %s; raise ulimit -l or free memory",
			size, strerror(errno));
	op = (struct xen_coverage_op){.cmd = XEN_READ, .size = size, .buffer = (uintptr_t)buffer};
	*code = xen_call(&job->xen, &op);
	if (!*code)
		status = job->sink(job->context, (struct bytes){buffer, size}, error);
	xen_buffer_free(buffer, size);
	return *code ? STATUS_SYSTEM : status;
}

static enum status read_profraw(struct xen_read *job, int *code, struct error *error)
{
	enum status status = read_windows(job, code, error);

	/*
	 * If Xen cannot return windows, the first call fails. So no bytes have been passed to the sink yet, and
	 * read_whole() can start again.
	 */
	return *code == EOPNOTSUPP ? read_whole(job, code, error) : status;
}

static enum status read_capture(struct xen_read *job, int *code, struct error *error)
{
	static const uint8_t magic[] = BAREPROF_FILE_MAGIC;
	struct bytes head = {magic, BAREPROF_FILE_MAGIC_SIZE};
	enum status status = job->sink(job->context, head, error);

	job->form = XEN_CAPTURE;
	if (status == STATUS_OK)
		status = read_windows(job, code, error);
	if (*code != EOPNOTSUPP)
		return status;
	*code = 0;
	return error_set(error, STATUS_SYSTEM,
		"Xen cannot make captures, because it was built with its own coverage and without ports/xen; use pull "
		"without --capture");
}

/* Appends the build id and the sizes of the sections. The build id is read from @behind, the bytes after the header. */
static void describe_sections(const struct raw_profile *profile, struct bytes behind, struct buffer *text)
{
	struct raw_section part[RAW_SECTIONS];
	struct bytes id = {NULL, 0};
	size_t i;

	raw_section_list(profile, part);
	for (i = 0; i < RAW_SECTIONS; i++)
		switch (part[i].section) {
		case BAREPROF_BUILD_ID:
			behind.size = part[i].count < behind.size ? (size_t)part[i].count : behind.size;
			if (!raw_next_build_id(profile, &behind, &id) || !id.size)
				break;
			buffer_add_text(text, BAREPROF_INFO_BUILD_ID ": ");
			buffer_add_hex(text, id);
			buffer_add_text(text, "\n");
			break;
		case BAREPROF_DATA:
			buffer_printf(text, BAREPROF_INFO_FUNCTIONS ": %" PRIu64 "\n", part[i].count);
			break;
		case BAREPROF_CNTS:
			buffer_printf(text, BAREPROF_INFO_COUNTERS ": %" PRIu64 "\n", part[i].count);
			buffer_printf(
				text, BAREPROF_INFO_COUNTER_BYTES ": %" PRIu64 "\n", part[i].count * part[i].size);
			break;
		case BAREPROF_BITS:
			buffer_printf(text, BAREPROF_INFO_BITMAP_BYTES ": %" PRIu64 "\n", part[i].count);
			break;
		}
}

static void describe_profraw(struct bytes start, struct buffer *text)
{
	struct raw_profile profile = {0};
	struct error error;
	size_t size;

	if (raw_header(&profile, start, &size, &error) != STATUS_OK)
		return;
	buffer_add_text(text, BAREPROF_INFO_KIND ": ");
	raw_kind_text(profile.version_word, text);
	if (profile.header[BAREPROF_HEADER_NUM_BITMAP_BYTES])
		buffer_add_text(text, ", MC/DC");
	buffer_printf(text, "\n" BAREPROF_INFO_RAW_VERSION ": %u\n", profile.version);
	describe_sections(&profile, (struct bytes){start.data + size, start.size - size}, text);
}

/* Reads the rest of a machine profile that begins with @start, and appends its properties. */
static void describe_machine(struct xen_read *job, struct bytes start, struct buffer *text)
{
	struct buffer all = {0};
	struct mip_raw raw;
	struct error error;
	int code;

	buffer_add(&all, start.data, start.size);
	job->sink = sink_append;
	job->context = &all;
	if (read_windows(job, &code, &error) == STATUS_OK &&
		mip_raw_read(&raw, (struct bytes){all.data, all.size}, &error) == STATUS_OK) {
		uint64_t coverage = raw.section[MIP_COVERAGE].size;
		uint64_t calls = raw.section[MIP_CALLS].size;

		buffer_add_text(text, BAREPROF_INFO_KIND ": machine profile\n");
		buffer_printf(text, BAREPROF_INFO_MACHINE ": %s%s%s\n", coverage ? "coverage" : "",
			coverage && calls ? ", " : "", calls ? "calls" : "");
		if (raw.id.size) {
			buffer_add_text(text, BAREPROF_INFO_BUILD_ID ": ");
			buffer_add_hex(text, raw.id);
			buffer_add_text(text, "\n");
		}
		buffer_printf(
			text, BAREPROF_INFO_RECORDING ": %" PRIu64 "\n", coverage + calls / BAREPROF_MIP_CALLS_SIZE);
		buffer_printf(text, BAREPROF_INFO_MIPRAW_BYTES ": %zu\n", all.size);
	}
	buffer_free(&all);
}

/*
 * Appends properties from the header of the profile, if Xen can be read in windows. Returns whether it is a machine
 * profile.
 */
static bool describe_header(struct xen_read *job, struct buffer *text)
{
	struct xen_read reader = *job;
	int code;
	struct bytes start = read_window(&reader, WINDOW, &code);
	bool machine = !code && running_raw_is_machine(start);

	job->serial = reader.serial;
	if (code)
		return false;
	if (machine)
		describe_machine(&reader, start, text);
	else
		describe_profraw(start, text);
	/* The serial starts at 1 and increases with each reset. */
	buffer_printf(text, BAREPROF_INFO_RESETS ": %" PRIu64 "\n", job->serial - 1);
	return machine;
}

static enum status read_info(struct xen_read *job, int *code, struct error *error)
{
	struct xen_coverage_op op = {.cmd = XEN_GET_SIZE};
	struct buffer text = {0};
	enum status status;

	*code = xen_call(&job->xen, &op);
	if (*code)
		return STATUS_SYSTEM;
	buffer_add_text(&text, BAREPROF_INFO_STATE ": " BAREPROF_STATE_LIVE "\n");
	if (!describe_header(job, &text))
		buffer_printf(&text, BAREPROF_INFO_PROFRAW_BYTES ": %" PRIu32 "\n", op.size);
	buffer_printf(&text, "interface version: 0x%x\n", job->xen.version);
	buffer_printf(&text, "windows: %s\n", job->serial ? "yes" : "no");
	status = job->sink(job->context, (struct bytes){text.data, text.size}, error);
	buffer_free(&text);
	return status;
}

static enum status read_samples(struct xen_read *job, enum image_item what, int *code, struct error *error)
{
	enum status status;

	if (what == ITEM_INFO)
		return xen_samples_info(&job->xen, job->sink, job->context, code, error);
	status = xen_samples_read(&job->xen, job->buffer, WINDOW, job->sink, job->context, code, error);
	if (*code != ENODATA)
		return status;
	*code = 0;
	return error_set(
		error, STATUS_INVALID_INPUT, "Xen has taken no samples yet: run bareprof sample start --from xen");
}

static enum status read_image(const char *location, const char *name, enum image_item what, data_sink *sink,
	void *context, enum retry_reason *retry, struct error *error)
{
	struct xen_read job = {.sink = sink, .context = context};
	enum status status = xen_open(&job.xen, location, error);
	int code = 0;

	*retry = RETRY_NEVER;
	if (status != STATUS_OK)
		return status;
	job.buffer = xen_buffer(WINDOW);
	if (!job.buffer)
		status = error_set(error, STATUS_SYSTEM,
			"cannot lock %u bytes of memory, which the hypercall needs: %s; raise ulimit -l or free memory",
			WINDOW, strerror(errno));
	else if (is_samples(name))
		status = read_samples(&job, what, &code, error);
	else if (what == ITEM_PROFRAW || what == ITEM_MIPRAW)
		status = read_profraw(&job, &code, error);
	else if (what == ITEM_CAPTURE)
		status = read_capture(&job, &code, error);
	else
		status = read_info(&job, &code, error);
	xen_buffer_free(job.buffer, WINDOW);
	xen_close(&job.xen);
	return code ? explain_errno(code, retry, error) : status;
}

static enum status reset(const char *location, const char *name, enum retry_reason *retry, struct error *error)
{
	struct xen_coverage_op op = {.cmd = is_samples(name) ? XEN_SAMPLES_RESET : XEN_RESET};
	struct xen xen;
	enum status status = xen_open(&xen, location, error);
	int code;

	*retry = RETRY_NEVER;
	if (status != STATUS_OK)
		return status;
	code = xen_call(&xen, &op);
	xen_close(&xen);
	return code ? explain_errno(code, retry, error) : STATUS_OK;
}

static enum status sample_rate(const char *location, uint32_t rate, struct error *error)
{
	struct xen_coverage_op op = {.cmd = XEN_SAMPLES_RATE, .size = rate};
	enum retry_reason retry;
	struct xen xen;
	enum status status = xen_open(&xen, location, error);
	int code;

	if (status != STATUS_OK)
		return status;
	code = xen_call(&xen, &op);
	xen_close(&xen);
	if (code == EOPNOTSUPP)
		return error_set(error, STATUS_SYSTEM,
			"Xen cannot take samples: build it with CONFIG_BAREPROF_SAMPLES, as ports/xen describes");
	return code ? explain_errno(code, &retry, error) : STATUS_OK;
}

const struct backend backend_xen = {
	.name = "xen",
	.location = XEN_DEVICE,
	.one_profile = true,
	.list = list,
	.path = path,
	.read = read_image,
	.reset = reset,
	.sample_rate = sample_rate,
};
