/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * init.c - the first program of a guest without busybox. It mounts file systems, copies the files of a profile to a
 * tar archive on the disk, prints the status and restarts the guest. It uses nolibc from the source of Linux. lib.sh
 * describes the output that linux_boot() expects from a guest.
 */
static void say(const char *text)
{
	write(1, text, strlen(text));
}

static int fail(const char *text)
{
	say(text);
	say(": failed\nguest: status 1\n");
	reboot(LINUX_REBOOT_CMD_RESTART);
	return 1;
}

static char block[65536];

static void octal(char *to, int digits, unsigned long value)
{
	to[digits] = 0;
	while (digits-- > 0) {
		to[digits] = '0' + (value & 7);
		value >>= 3;
	}
}

/* Writes a ustar header for a file of @size bytes. */
static int header(int disk, const char *name, unsigned long size)
{
	unsigned long sum = 0, i;

	memset(block, 0, 512);
	memcpy(block, name, strlen(name));
	octal(block + 100, 7, 0644);
	octal(block + 108, 7, 0);
	octal(block + 116, 7, 0);
	octal(block + 124, 11, size);
	octal(block + 136, 11, 0);
	memset(block + 148, ' ', 8);
	block[156] = '0';
	memcpy(block + 257, "ustar\00000", 8);
	for (i = 0; i < 512; i++)
		sum += (unsigned char)block[i];
	octal(block + 148, 6, sum);
	return write(disk, block, 512) != 512;
}

/*
 * Copies a file to the archive. The size of the file is known only after the file was read, so the header is written
 * last.
 */
static int archive(int disk, const char *path, const char *name)
{
	off_t at = lseek(disk, 0, SEEK_CUR);
	unsigned long size = 0;
	int file = open(path, O_RDONLY, 0);
	ssize_t n = 0;

	if (file < 0 || at < 0 || lseek(disk, at + 512, SEEK_SET) < 0)
		return 1;
	while ((n = read(file, block, sizeof(block))) > 0) {
		if (write(disk, block, n) != n)
			return 1;
		size += n;
	}
	close(file);
	if (n < 0 || size == 0 || lseek(disk, at, SEEK_SET) < 0 || header(disk, name, size))
		return 1;
	return lseek(disk, at + 512 + ((size + 511) & ~511ul), SEEK_SET) < 0;
}

int main(void)
{
	static const char *const files[] = {"info", "profraw", "capture"};
	int disk = -1, i;
	char path[100];

	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	if (mount("sysfs", "/sys", "sysfs", 0, 0) || mount("debugfs", "/sys/kernel/debug", "debugfs", 0, 0))
		return fail("mount");
	mount("devtmpfs", "/dev", "devtmpfs", 0, 0);
	for (i = 0; i < 100 && disk < 0; i++) {
		disk = open("/dev/nvme0n1", O_RDWR, 0);
		msleep(100);
	}
	if (disk < 0)
		return fail("/dev/nvme0n1");
	for (i = 0; i < 3; i++) {
		memcpy(path, "/sys/kernel/debug/bareprof/vmlinux/", 36);
		memcpy(path + 35, files[i], strlen(files[i]) + 1);
		if (archive(disk, path, files[i]))
			return fail(path);
	}
	memset(block, 0, 1024);
	if (write(disk, block, 1024) != 1024)
		return fail("the end of the archive");
	close(disk);
	say("guest: status 0\n");
	reboot(LINUX_REBOOT_CMD_RESTART);
	return 0;
}
