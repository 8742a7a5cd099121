/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.c ELF CAPTURE PROFRAW CAPTURE PROFRAW - damages captures of counters as a bad serial line does. The captures
 * have the forms file, text and frames. The arguments are two dumps of one image, each with the profile that it must
 * give.
 *
 * The program cuts the captures at every byte and flips every third bit, or every bit with BAREPROF_WIDE=1. It also
 * applies each kind of fault, and mixtures of faults, in cases with fixed seeds. The result must be the same profile, or
 * an error that names what is missing. With --partial, the result may also be a partial profile. Then the counts of its
 * functions must be right, and a message must name all other functions. Any other outcome is a failure. The program
 * prints how often each outcome occurred for each form and fault.
 *
 * If damage changes many bits, the CRC-32C misses it in 1 of 2^32 cases. This test has about 10^6 cases, so the CRC-32C
 * should find the damage in all of them. The seeds are fixed, so a case that passes once always passes.
 */
#include "make.h"
#include "wires.h"

#include <bareprof/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MAX 16

static const char *const form_name[FORMS] = {"file", "text", "frames"};

static const struct {
	const char *name;
	unsigned int faults;
} kinds[] = {
	{"bits turned", FLIP},
	{"blocks dropped", DROP},
	{"blocks doubled", TWICE},
	{"blocks reordered", ORDER},
	{"pieces cut out", CUT},
	{"log lines cut in", NOISE},
	{"two dumps mixed", MIX | DROP},
	{"any of these together", ALL},
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct tally {
	unsigned long cases;
	unsigned long strict[VERDICTS];
	unsigned long partial[VERDICTS];
	unsigned long seed; /* the seed of the first wrong case */
	const char *why; /* a description of the mistake in that case */
};

static struct programs programs;
static struct sent sent[2];
static int failures;

static void judge_wire(struct wire *wire, struct tally *tally, unsigned long seed)
{
	bool arrived[2 * SENT_BLOCKS_MAX] = {false};
	bool all_known = true;
	/* The copy has the exact size, so that the sanitizer notices a read beyond its end. */
	uint8_t *copy = malloc(wire->carrier.size ? wire->carrier.size : 1);
	struct judged judged;
	size_t i;

	for (i = 0; i < wire->count; i++) {
		const struct unit *unit = &wire->unit[i];

		/* If the magic number at the start of a capture file is damaged, no block is found. */
		if (unit->index == SENT_BLOCKS_MAX)
			all_known = !unit->hurt;
		else if (!unit->hurt)
			arrived[unit->dump * SENT_BLOCKS_MAX + unit->index] = true;
	}
	if (wire->carrier.size)
		memcpy(copy, wire->carrier.data, wire->carrier.size);
	judged = judge(&programs, sent, 2, (struct bytes){copy, wire->carrier.size}, all_known ? arrived : NULL);
	free(copy);
	tally->cases++;
	tally->strict[judged.strict]++;
	tally->partial[judged.partial]++;
	if ((judged.strict == WRONG || judged.partial == WRONG) && !tally->why) {
		tally->why = judged.why;
		tally->seed = seed;
	}
}

/* Prints the outcomes of one kind of fault. If @harmless is true, all cases must give the complete profile. */
static void tell(const char *form, const char *what, const struct tally *tally, bool harmless)
{
	const unsigned long *s = tally->strict;
	const unsigned long *p = tally->partial;
	bool good = tally->cases && !s[WRONG] && !p[WRONG] && !s[PART] && s[WHOLE] + s[REFUSED] == tally->cases &&
	            (harmless ? s[WHOLE] == tally->cases : s[REFUSED] > 0 && p[PART] > 0);

	printf("%s - %-6s %-21s %7lu cases: %7lu whole, %7lu refused; --partial: %7lu whole, %7lu parts, %7lu refused; "
	       "%lu wrong\n",
		good ? "ok" : "not ok", form, what, tally->cases, s[WHOLE], s[REFUSED], p[WHOLE], p[PART], p[REFUSED],
		s[WRONG] > p[WRONG] ? s[WRONG] : p[WRONG]);
	if (tally->why)
		printf("    case %lu: %s\n", tally->seed, tally->why);
	failures += !good;
}

static void every_cut(struct wire *wire)
{
	struct tally tally = {0};
	size_t size;
	size_t whole;

	wire_queue(wire, false);
	whole = wire->carrier.size;
	for (size = 0; size < whole; size++) {
		wire_queue(wire, false);
		wire_change(wire, size, whole - size, (struct bytes){NULL, 0});
		judge_wire(wire, &tally, size);
	}
	tell(form_name[wire->form], "cut at every byte", &tally, false);
}

/* Turns every bit if @step is 1, every second bit if it is 2, and so on. */
static void turned_bits(struct wire *wire, size_t step)
{
	struct tally tally = {0};
	size_t bits;
	size_t bit;

	wire_queue(wire, false);
	bits = wire->carrier.size * 8;
	for (bit = 0; bit < bits; bit += step) {
		uint8_t byte = wire->carrier.data[bit / 8] ^ (uint8_t)(1u << bit % 8);
		size_t i;

		wire_change(wire, bit / 8, 1, (struct bytes){&byte, 1});
		judge_wire(wire, &tally, bit);
		byte ^= (uint8_t)(1u << bit % 8);
		wire_change(wire, bit / 8, 1, (struct bytes){&byte, 1});
		for (i = 0; i < wire->count; i++)
			wire->unit[i].hurt = false;
	}
	tell(form_name[wire->form], step == 1 ? "every bit turned" : "every third bit turned", &tally, false);
}

/* Runs the cases with the numbers @first, @first + @step, and so on. */
static void seeded(
	struct wire *wire, unsigned long cases, unsigned long first, unsigned long step, struct tally (*tally)[KINDS])
{
	unsigned long n;

	for (n = first; n < cases; n += step) {
		size_t kind = n % KINDS;

		wire->form = (enum file_format)(n / KINDS % FORMS);
		wire_send(wire, kinds[kind].faults, n);
		judge_wire(wire, &tally[wire->form][kind], n);
	}
}

static void add_up(struct tally *sum, const struct tally *tally)
{
	size_t v;

	sum->cases += tally->cases;
	for (v = 0; v < VERDICTS; v++) {
		sum->strict[v] += tally->strict[v];
		sum->partial[v] += tally->partial[v];
	}
	if (tally->why && !sum->why) {
		sum->why = tally->why;
		sum->seed = tally->seed;
	}
}

/* Runs all seeded cases, divided among one process for each processor. */
static void all_seeded(struct wire *wire, unsigned long cases)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t workers = processors < 1 ? 1 : processors > WORKERS_MAX ? WORKERS_MAX : (size_t)processors;
	struct tally(*shared)[FORMS][KINDS] =
		mmap(NULL, WORKERS_MAX * sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t w;
	size_t form;
	size_t kind;

	fflush(stdout);
	for (w = 0; w < workers; w++) {
		if (fork() == 0) {
			seeded(wire, cases, w, workers, shared[w]);
			_exit(0);
		}
	}
	for (w = 0; w < workers; w++) {
		int status;

		if (wait(&status) < 0 || status) {
			printf("not ok - seeded cases ended in a crash\n");
			failures++;
		}
	}
	for (form = 0; form < FORMS; form++) {
		for (kind = 0; kind < KINDS; kind++) {
			struct tally sum = {0};

			for (w = 0; w < workers; w++)
				add_up(&sum, &shared[w][form][kind]);
			tell(form_name[form], kinds[kind].name, &sum, !(kinds[kind].faults & (ALL - TWICE - ORDER)));
		}
	}
	munmap(shared, WORKERS_MAX * sizeof(*shared));
}

/*
 * Changes the content of blocks and gives the blocks right checksums, as a target with a bug could. The reader must
 * not crash. If it refuses the blocks, it must give a reason.
 */
static void lies(unsigned long rounds)
{
	uint64_t random = 9;
	unsigned long silent = 0;
	unsigned long refused = 0;
	unsigned long round;

	for (round = 0; round < rounds; round++) {
		struct completion_options completion = {.programs = &programs, .partial = round & 1};
		struct buffer carrier = {0};
		struct buffer payload = {0};
		struct error error = {""};
		/* any block except END, because END is empty */
		size_t victim = make_random(&random) % (sent[0].count - 1);
		struct dump_receiver dump;
		size_t i;

		buffer_add(&carrier, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
		for (i = 0; i < sent[0].count; i++) {
			struct block block = sent[0].block[i];

			if (i == victim) {
				buffer_add(&payload, block.payload.data, block.payload.size);
				payload.data[make_random(&random) % payload.size] = (uint8_t)make_random(&random);
				block.payload = (struct bytes){payload.data, payload.size};
			}
			block_write(&carrier, &block);
		}
		dump_receiver_start(&dump, NULL, NULL);
		dump.completion = completion;
		scan_bytes(&dump.scan, (struct bytes){carrier.data, carrier.size});
		if (dump_receiver_finish(&dump, NULL, &error) != STATUS_OK) {
			refused++;
			silent += !error.text[0];
		}
		dump_receiver_free(&dump);
		buffer_free(&carrier);
		buffer_free(&payload);
	}
	printf("%s - %lu lies with checksums that hold: %lu refused, %lu without a reason\n",
		silent || !refused ? "not ok" : "ok", rounds, refused, silent);
	failures += silent || !refused;
}

int main(int argc, char **argv)
{
	static struct wire wire;
	bool wide = getenv("BAREPROF_WIDE");
	struct error error;

	programs_start(&programs);
	if (argc != 6 || programs_elf(&programs, argv[1], &error) != STATUS_OK ||
		!sent_read(&sent[0], argv[2], argv[3]) || !sent_read(&sent[1], argv[4], argv[5]) ||
		sent[0].tag == sent[1].tag) {
		printf("not ok - what is needed cannot be read\n");
		return 1;
	}
	wire_start(&wire, sent);
	for (wire.form = 0; wire.form < FORMS; wire.form++) {
		struct tally tally = {0};

		wire_queue(&wire, true);
		judge_wire(&wire, &tally, 0);
		tell(form_name[wire.form], "undamaged", &tally, true);
		every_cut(&wire);
		turned_bits(&wire, wide ? 1 : 3);
	}
	all_seeded(&wire, wide ? 1000000 : 6000);
	lies(wide ? 100000 : 5000);
	wire_free(&wire);
	sent_free(&sent[0]);
	sent_free(&sent[1]);
	programs_free(&programs);
	return failures != 0;
}
