/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile.c [FILE...] - reads hostile inputs under the sanitizers: files that are cut at any byte, files in which any
 * one bit of the header is flipped, and captures with random damage. Readers may refuse these inputs with a reason, but
 * must not crash.
 */
#include "make.h"
#include "dump_receiver.h"
#include "input.h"
#include "names.h"
#include "raw_open.h"

#include <bareprof/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int accepted;
static unsigned int refused;
static unsigned int silent;

static void read_functions(const struct raw_profile *profile, const struct names *names)
{
	struct raw_function function;
	struct error error;
	volatile uint64_t sum = 0;
	uint64_t i;
	size_t c;

	for (i = 0; i < profile->records; i++) {
		if (raw_function(profile, i, &function, &error) != STATUS_OK)
			continue;
		for (c = 0; c < function.counter_count; c++)
			sum += raw_counter(profile, &function, c);
		for (c = 0; c < function.bitmap.size; c++)
			sum += function.bitmap.data[c];
		sum += names_find(names, function.name) != NULL;
	}
}

/*
 * Reads everything that 'bareprof show' reads. The copy has the exact size, so that the sanitizer notices a read
 * beyond its end.
 */
static void read_profile(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct error error = {""};
	enum status status = STATUS_OK;
	size_t offset = 0;

	if (size)
		memcpy(copy, data, size);
	do {
		struct raw_profile profile;
		struct names names = {0};

		status = raw_open(&profile, (struct bytes){copy, size}, offset, &error);
		if (status == STATUS_OK)
			status = names_read(&names, profile.section[BAREPROF_NAMES], &error);
		if (status == STATUS_OK)
			read_functions(&profile, &names);
		offset = profile.end;
		raw_close(&profile);
		names_free(&names);
	} while (status == STATUS_OK && offset < size);
	accepted += status == STATUS_OK;
	refused += status != STATUS_OK;
	silent += status != STATUS_OK && !error.text[0];
	free(copy);
}

static void damage_profile(struct bytes file)
{
	uint8_t *copy = malloc(file.size + 1);
	size_t header = file.size < 256 ? file.size : 256;
	uint64_t random = file.size;
	size_t i;

	if (file.size)
		memcpy(copy, file.data, file.size);
	for (i = 0; i < file.size; i++)
		read_profile(copy, i);
	for (i = 0; i < header * 8; i++) {
		copy[i / 8] ^= (uint8_t)(1u << i % 8);
		read_profile(copy, file.size);
		copy[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	for (i = 0; i < 500 && file.size; i++) {
		size_t at = make_random(&random) % file.size;
		uint8_t was = copy[at];

		copy[at] = (uint8_t)make_random(&random);
		read_profile(copy, file.size);
		copy[at] = was;
	}
	free(copy);
}

static void read_capture(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct error error = {""};
	struct dump_receiver dump;
	enum status status;

	if (size)
		memcpy(copy, data, size);
	dump_receiver_start(&dump, NULL, NULL);
	scan_bytes(&dump.scan, (struct bytes){copy, size});
	status = dump_receiver_finish(&dump, NULL, &error);
	accepted += status == STATUS_OK;
	refused += status != STATUS_OK;
	silent += status != STATUS_OK && !error.text[0];
	dump_receiver_free(&dump);
	free(copy);
}

static void damage_captures(unsigned int form)
{
	static struct made made;
	struct buffer profile = {0};
	struct buffer carrier = {0};
	uint64_t random = form;
	unsigned int i;

	make_profile(&profile, 12, 3);
	make_dump(&made, (struct bytes){profile.data, profile.size}, (struct make_options){.span = 128});
	if (form == 2)
		buffer_add_text(&carrier, BAREPROF_FILE_MAGIC);
	for (i = 0; i < made.count; i++) {
		if (form == 0)
			make_text(&carrier, &made.block[i], "", "\r\n");
		else if (form == 1)
			make_frame(&carrier, &made.block[i]);
		else
			buffer_add(&carrier, made.block[i].data, made.block[i].size);
	}
	for (i = 0; i < 3000; i++) {
		unsigned int hits = 1 + (unsigned int)(make_random(&random) % 8);
		struct buffer copy = {0};

		buffer_add(&copy, carrier.data, carrier.size);
		while (hits--)
			copy.data[make_random(&random) % copy.size] = (uint8_t)make_random(&random);
		read_capture(copy.data, copy.size - make_random(&random) % 64);
		buffer_free(&copy);
	}
	made_free(&made);
	buffer_free(&carrier);
	buffer_free(&profile);
}

/* Makes blocks with random content and right checksums. */
static void lie(void)
{
	uint64_t random = 11;
	unsigned int round;

	for (round = 0; round < 20000; round++) {
		struct buffer carrier = {0};
		unsigned int blocks = 1 + (unsigned int)(make_random(&random) % 6);
		uint32_t tag = (uint32_t)make_random(&random);

		buffer_add_text(&carrier, BAREPROF_FILE_MAGIC);
		while (blocks--) {
			uint8_t payload[48];
			size_t size = make_random(&random) % sizeof(payload);
			size_t i;

			for (i = 0; i < size; i++)
				payload[i] = (uint8_t)(make_random(&random) % 5 ? make_random(&random) % 12
										: make_random(&random));
			make_block(&carrier, (uint8_t)(make_random(&random) % 4), 0,
				make_random(&random) % 3 ? make_random(&random) % 5 : make_random(&random), tag,
				(struct bytes){payload, size});
		}
		read_capture(carrier.data, carrier.size);
		buffer_free(&carrier);
	}
}

int main(int argc, char **argv)
{
	struct buffer profile = {0};
	unsigned int form;
	int i;

	make_profile(&profile, 9, 2);
	damage_profile((struct bytes){profile.data, profile.size});
	for (i = 1; i < argc; i++) {
		struct input input;
		struct error error;

		if (input_read(&input, argv[i], &error) == STATUS_OK)
			damage_profile(input.bytes);
		input_free(&input);
	}
	printf("ok - %d profiles cut at every byte and damaged: %u refused, %u sound\n", argc, refused, accepted);
	accepted = refused = 0;
	for (form = 0; form < 3; form++)
		damage_captures(form);
	lie();
	printf("ok - captures damaged and made up: %u refused, %u sound\n", refused, accepted);
	printf("%s - every refusal has a reason\n", silent ? "not ok" : "ok");
	buffer_free(&profile);
	return silent != 0;
}
