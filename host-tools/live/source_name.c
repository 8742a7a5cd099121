/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_name.c - recognises the names of live sources. A name is treated as a live source only if it cannot be the
 * name of a saved log. A name with a prefix such as tty:, or the path of a device or socket, cannot be the name of a
 * saved log.
 */
#include "source_name.h"
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the path in "PATH@BAUD". The caller frees the path. */
static char *without_baud(const char *name)
{
	const char *at = strrchr(name, '@');

	return format("%.*s", (int)(at ? at - name : (ptrdiff_t)strlen(name)), name);
}

/*
 * Returns whether @path is a serial line. Returns false for standard input, even if it is a terminal, because the user
 * may paste a log into the terminal.
 */
static bool is_serial_line(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat file;
	bool is_line = real && !stat(real, &file) && S_ISCHR(file.st_mode) && strcmp(real, "/dev/tty") != 0 &&
	               (starts_with(real, "/dev/tty") || starts_with(real, "/dev/pts/")) &&
	               !starts_with(path, "/dev/std") && !starts_with(path, "/dev/fd/") && !starts_with(path, "/proc/");

	free(real);
	return is_line;
}

/*
 * Returns @name with the full path of its device. For example, "tty:ttyUSB0" means tty:/dev/ttyUSB0, unless the current
 * folder has a file ttyUSB0.
 */
static char *find_device(const char *name)
{
	const char *given = name + strlen("tty:");
	char *path = without_baud(given);
	char *device = format("/dev/%s", path);
	bool in_dev = *path && *path != '/' && access(path, F_OK) != 0 && access(device, F_OK) == 0;

	free(path);
	free(device);
	return format("tty:%s%s", in_dev ? "/dev/" : "", given);
}

static char *named_by_path(const char *given)
{
	char *path = without_baud(given);
	struct stat file;
	bool exists = stat(given, &file) == 0;
	bool is_line = is_serial_line(given) || (!exists && is_serial_line(path));
	/*
	 * A path that begins with /dev/tty may name a serial line whose device is not plugged in. If this path is
	 * treated as a serial line, source_open() reports that the device does not exist.
	 */
	bool is_missing = !exists && starts_with(given, "/dev/tty") && access(path, F_OK) != 0;

	free(path);
	if (is_line || is_missing)
		return format("tty:%s", given);
	return exists && S_ISSOCK(file.st_mode) ? format("unix:%s", given) : NULL;
}

char *source_name(const char *given)
{
	size_t n;

	if (starts_with(given, "tcp://")) {
		n = strcspn(given + strlen("tcp://"), "/");
		return format("tcp:%.*s", (int)n, given + strlen("tcp://"));
	}
	if (starts_with(given, "unix://"))
		return format("unix:%s", given + strlen("unix://"));
	if (starts_with(given, "tty:"))
		return find_device(given);
	return source_is_live(given) ? format("%s", given) : named_by_path(given);
}

static bool is_number(const char *text)
{
	return *text && strlen(text) <= 5 && !text[strspn(text, "0123456789")];
}

/* Proposes a device for the name of a serial line in Windows: COM3, COM3:115200 or \\.\COM3. */
static bool hint_windows(const char *given, struct buffer *text)
{
	const char *name = starts_with(given, "\\\\.\\") ? given + strlen("\\\\.\\") : given;
	size_t digits = strncasecmp(name, "COM", 3) ? 0 : strspn(name + 3, "0123456789");
	const char *rest = name + 3 + digits;
	char *baud;

	if (!digits || digits > 3 || !atoi(name + 3) || (*rest && !strchr(":@,", *rest)))
		return false;
	baud = format("%s%.*s", isdigit((unsigned char)rest[*rest != 0]) ? "@" : "",
		*rest ? (int)strspn(rest + 1, "0123456789") : 0, rest + (*rest != 0));
	buffer_printf(
		text, "use tty:/dev/ttyS%d%s, or tty:/dev/ttyUSB0%s for an adapter", atoi(name + 3) - 1, baud, baud);
	free(baud);
	return true;
}

void source_hint(const char *given, struct buffer *text)
{
	const char *colon = strrchr(given, ':');
	char *device = without_baud(given);

	if (access(given, F_OK) == 0 || strchr(given, '/') || hint_windows(given, text))
		;
	else if (starts_with(device, "tty") && isupper((unsigned char)device[3]))
		buffer_printf(text, "use tty:/dev/%s", given);
	else if (colon && colon > given && is_number(colon + 1))
		buffer_printf(text, "use tcp:%s", starts_with(given, "telnet:") ? given + strlen("telnet:") : given);
	free(device);
}
