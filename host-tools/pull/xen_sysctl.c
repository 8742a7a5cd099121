/* SPDX-License-Identifier: BSD-2-Clause */
/* xen_sysctl.c - makes hypercalls with the ioctl of the privcmd device. */
#include "xen_sysctl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define OLD_DEVICE "/proc/xen/privcmd"

/* The argument of the ioctl. */
struct hypercall {
	uint64_t number;
	uint64_t argument[5];
};
#define HYPERCALL _IOC(_IOC_NONE, 'P', 0, sizeof(struct hypercall))

#define HYPERCALL_SYSCTL 35
#define SYSCTL_COVERAGE  20

/* The structure of a sysctl. Xen always copies the whole structure in and out. */
struct sysctl {
	uint32_t command;
	uint32_t version;
	union {
		struct xen_coverage_op coverage;
		uint8_t all[128];
	} u;
};
_Static_assert(sizeof(struct sysctl) == 136, "the size in Xen");

/*
 * xen_open() first tries VERSION_FIRST, the version of Xen 4.17, and then the other versions from VERSION_MIN to
 * VERSION_MIN + VERSIONS - 1. The newest Xen that we know has VERSION_FIRST + 1. The operation has the same format in
 * all versions. Xen refuses a wrong version before it does anything.
 */
#define VERSION_FIRST 0x15u
#define VERSION_MIN   0x10u
#define VERSIONS      16u

/*
 * The maximum number of tries if Xen returns EFAULT. Xen returns EFAULT if it cannot reach a page of the buffer, for
 * example because the kernel has moved the page. A write to the page maps it again, so that the next try can succeed.
 */
#define FAULTS_MAX 4

void *xen_buffer(size_t size)
{
	void *buffer = mmap(
		NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1, 0);

	return buffer == MAP_FAILED ? NULL : buffer;
}

void xen_buffer_free(void *buffer, size_t size)
{
	if (buffer)
		munmap(buffer, size);
}

/* Writes to each page of the buffer, so that all of them are mapped and writable. */
static void touch_pages(const struct xen_coverage_op *op)
{
	volatile char *buffer = (volatile char *)(uintptr_t)op->buffer;
	size_t at;

	for (at = 0; buffer && at < op->size; at += 4096)
		buffer[at] = 0;
}

static int do_sysctl(int fd, uint32_t version, struct xen_coverage_op *op)
{
	struct sysctl *sysctl = xen_buffer(sizeof(*sysctl));
	struct hypercall hypercall = {HYPERCALL_SYSCTL, {(uintptr_t)sysctl}};
	int code;

	if (!sysctl)
		return ENOMEM;
	sysctl->command = SYSCTL_COVERAGE;
	sysctl->version = version;
	sysctl->u.coverage = *op;
	code = ioctl(fd, HYPERCALL, &hypercall) < 0 ? errno : 0;
	*op = sysctl->u.coverage;
	xen_buffer_free(sysctl, sizeof(*sysctl));
	return code;
}

int xen_call(const struct xen *xen, struct xen_coverage_op *op)
{
	struct xen_coverage_op again = *op;
	unsigned int tries = 0;
	int code;

	do {
		*op = again;
		touch_pages(op);
		code = do_sysctl(xen->fd, xen->version, op);
	} while (code == EFAULT && ++tries < FAULTS_MAX);
	return code;
}

static bool on_xen(void)
{
	char type[4] = "";
	int fd = open("/sys/hypervisor/type", O_RDONLY | O_CLOEXEC);
	bool found = fd >= 0 && read(fd, type, 3) == 3 && !strcmp(type, "xen");

	if (fd >= 0)
		close(fd);
	return found;
}

static enum status cannot_open(int code, struct error *error)
{
	switch (code) {
	case EACCES:
	case EPERM:
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s; run bareprof as root", strerror(code));
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (on_xen())
			return error_set(error, STATUS_SYSTEM,
				"does not exist, although this machine runs on Xen: run modprobe xen-privcmd");
		return error_set(error, STATUS_SYSTEM,
			"does not exist: either this machine does not run on Xen, or /sys is not mounted; "
			"mount /sys, or boot Xen with this machine as its control domain (dom0)");
	default:
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(code));
	}
}

/*
 * Finds the first version that Xen accepts. The search starts at VERSION_FIRST, and continues at VERSION_MIN after the
 * last version.
 */
static enum status find_version(struct xen *xen, struct error *error)
{
	struct xen_coverage_op op;
	unsigned int i;
	int code = EACCES;

	for (i = 0; i < VERSIONS && code == EACCES; i++) {
		xen->version = VERSION_MIN + (VERSION_FIRST - VERSION_MIN + i) % VERSIONS;
		op = (struct xen_coverage_op){.cmd = XEN_GET_SIZE};
		code = do_sysctl(xen->fd, xen->version, &op);
	}
	switch (code) {
	case EACCES:
		return error_set(error, STATUS_SYSTEM,
			"Xen refuses to send coverage to this domain: either Xen has none of the interface versions "
			"0x%x to 0x%x, or its security policy forbids it",
			VERSION_MIN, VERSION_MIN + VERSIONS - 1);
	case EPERM:
		return error_set(error, STATUS_SYSTEM,
			"Xen does not allow this domain to read coverage: run bareprof in the control domain (dom0)");
	case ENOTTY:
		return error_set(error, STATUS_SYSTEM, "is not the privcmd device of a Linux kernel on Xen");
	default:
		return STATUS_OK;
	}
}

enum status xen_open(struct xen *xen, const char *device, struct error *error)
{
	enum status status;

	xen->fd = open(device, O_RDWR | O_CLOEXEC);
	if (xen->fd < 0 && errno == ENOENT && !strcmp(device, XEN_DEVICE))
		xen->fd = open(OLD_DEVICE, O_RDWR | O_CLOEXEC);
	if (xen->fd < 0)
		return cannot_open(errno, error);
	status = find_version(xen, error);
	if (status != STATUS_OK)
		xen_close(xen);
	return status;
}

void xen_close(struct xen *xen)
{
	close(xen->fd);
	xen->fd = -1;
}
