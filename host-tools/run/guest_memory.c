/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_memory.c - finds the program in the memory of a guest through QEMU's monitor. */
#include "guest_memory.h"
#include "memories.h"
#include "outside_capture.h"
#include "place_find.h"

#include <stdlib.h>

static enum status read_program(struct guest_memory *guest, struct memory *memory, struct program *program)
{
	const struct place_hints none = {0};
	struct outside_dump dump = {0};
	struct placed placed;
	enum status status = memory_stop(memory, &guest->error);

	if (status == STATUS_OK)
		status = place_find(&placed, memory, program, &none, &guest->error);
	if (status == STATUS_OK)
		status = outside_counters(&dump, &placed, &guest->error);
	if (status == STATUS_OK && !dump.count)
		status = outside_machine(&dump, &placed, &guest->error);
	if (status == STATUS_OK) {
		outside_write(&guest->capture, &dump);
		guest->unproven = !placed.proven;
		if (!dump.count)
			error_set(&guest->error, STATUS_INVALID_INPUT, "the program has no counters");
	}
	outside_free(&dump);
	return status;
}

void guest_memory_read(struct guest_memory *memory, struct guest *guest, const struct programs *programs)
{
	struct memory opened;
	struct error unused;
	char *name;

	if (!qemu_is_there(guest) || !programs->given)
		return;
	/* QEMU serves one connection at a time. */
	qemu_monitor_leave(&guest->monitor);
	name = format("qmp:%s", guest->monitor.path);
	memory->tried = true;
	if (memory_open(&opened, name, &memory->error) == STATUS_OK)
		read_program(memory, &opened, programs->list[0]);
	/* QEMU ends next, so nobody needs the guest to run on. */
	opened.leave = LEAVE_STOPPED;
	memory_close(&opened, &unused);
	free(name);
}

void guest_memory_use(const struct guest_memory *memory, struct dump_receiver *dump)
{
	struct completion_options completion = dump->completion;

	dump_receiver_free(dump);
	dump_receiver_start(dump, NULL, NULL);
	dump->keep_raw_capture = true;
	dump->completion = completion;
	scan_bytes(&dump->scan, (struct bytes){memory->capture.data, memory->capture.size});
}

void guest_memory_describe(const struct guest_memory *memory, struct buffer *text)
{
	if (memory->capture.size)
		buffer_printf(text, "; its profile was read from its memory%s",
			memory->unproven ? ", which has no build id that shows that this program was running" : "");
	else if (memory->tried)
		buffer_printf(text, "; its memory could not be read either: %.1000s", memory->error.text);
}

void guest_memory_free(struct guest_memory *memory)
{
	buffer_free(&memory->capture);
	*memory = (struct guest_memory){0};
}
