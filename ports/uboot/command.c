/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.c - U-Boot's command bareprof, which sends, writes or resets the profile.
 */
#include <common.h>
#include <command.h>
#include <dm.h>
#include <env.h>
#include <malloc.h>
#include <mapmem.h>
#include <serial.h>
#include <asm/global_data.h>

#include "bareprof.h"

DECLARE_GLOBAL_DATA_PTR;

static struct bareprof_image image;
static struct bareprof_capture capture;
static struct bareprof_dump dump;
static unsigned char block[1024];

static int put(void *device, const void *data, bareprof_size_t n)
{
	const char *text = data;

	while (n)
		if (serial_get_ops((struct udevice *)device)->putc(device, *text) != -EAGAIN) {
			text++;
			n--;
		}
	return 0;
}

static int find_image(void)
{
	int error = bareprof_image_self(&image);

	if (error == BAREPROF_E_OVERLAP && bareprof_fix_weak_duplicates(&image) > 0)
		error = bareprof_image_self(&image);
	return error;
}

/* Sends a copy of the counters, because the driver of the console counts. */
static int send(void)
{
	struct bareprof_image then;
	size_t size = BAREPROF_SNAPSHOT_SIZE(&image);
	void *copy = malloc(size);
	int error = copy ? bareprof_snapshot(&then, &image, copy, size) : BAREPROF_E_NO_SPACE;

	if (!error)
		error = bareprof_capture_open(&capture, &then, get_ticks(), block, sizeof(block));
	if (!error)
		error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, gd->cur_serial_dev);
	free(copy);
	return error;
}

static int write(ulong address)
{
	bareprof_intptr_t n = bareprof_write(&dump, &image, map_sysmem(address, 0), gd->start_addr_sp - address);

	if (n < 0)
		return n;
	printf("%ld bytes at 0x%lx\n", (long)n, address);
	env_set_hex("filesize", n);
	return 0;
}

static int do_bareprof(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[])
{
	int error = find_image();

	if (!error && argc == 2 && !strcmp(argv[1], "send"))
		error = send();
	else if (!error && argc == 2 && !strcmp(argv[1], "reset"))
		bareprof_reset(&image);
	else if (!error && argc == 3 && !strcmp(argv[1], "write"))
		error = write(hextoul(argv[2], NULL));
	else if (!error)
		return CMD_RET_USAGE;
	if (error)
		printf("bareprof: %s\n", bareprof_strerror(error));
	return error ? CMD_RET_FAILURE : CMD_RET_SUCCESS;
}

U_BOOT_CMD(bareprof, 3, 0, do_bareprof, "profile of U-Boot",
	"send - send the counters over the console\n"
	"bareprof write ADDRESS - write the whole profile into memory\n"
	"bareprof reset - set all counters to 0");
