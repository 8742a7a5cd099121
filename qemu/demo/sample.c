/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - takes samples of this kernel, and sends them. This file is not instrumented, for the reason that send.c
 * gives. Only a start of samples calls instrumented code. DEMO_SAMPLES is the number of words of a sample, or 0 for a
 * histogram.
 */
#include "profile.h"

#include "board.h"
#include "sample.h"
#include "send.h"
#include "strings.h"

#ifndef SAMPLE_CPUS
#define SAMPLE_CPUS BOARD_CPUS_MAX
#endif
#ifndef HISTOGRAM_RANGE
#define HISTOGRAM_RANGE 0x40000u
#endif
#define HISTOGRAM_SHIFT 6u

/* The linker scripts define the bounds of the code and of the build id. */
extern const uint8_t text_start[], text_end[];
extern const uint8_t __start_bareprof_build_id[], __stop_bareprof_build_id[];

static struct bareprof_image image;
static struct bareprof_capture capture;
static bool on;
static bool varies; /* the distances between interrupts vary */
static bool prepared;
/* How often each CPU was interrupted. Each number has one writer. */
static volatile uint32_t interrupts[SAMPLE_CPUS];

static void describe(struct bareprof_sampler *sampler)
{
	sampler->base = (uintptr_t)text_start;
	sampler->range = (size_t)(text_end - text_start);
	sampler->build_id.start = __start_bareprof_build_id;
	sampler->build_id.size = (size_t)(__stop_bareprof_build_id - __start_bareprof_build_id);
	sampler->words = DEMO_SAMPLES;
}

#if DEMO_SAMPLES

static struct bareprof_sampler sampler;
static struct bareprof_ring rings[SAMPLE_CPUS];
static uint32_t slots[SAMPLE_CPUS][SAMPLE_SLOTS * DEMO_SAMPLES];
static uint32_t memory[BAREPROF_SAMPLES_SIZE(SAMPLE_CPUS * SAMPLE_SLOTS, DEMO_SAMPLES) / 4];

static int prepare(void)
{
	unsigned int cpu;
	int error = 0;

	describe(&sampler);
	for (cpu = 0; cpu < board_cpus() && !error; cpu++)
		error = bareprof_ring_init(&rings[cpu], &sampler, slots[cpu], SAMPLE_SLOTS);
	return error;
}

void kernel_sample(const struct bareprof_interrupted *at)
{
	unsigned int cpu = board_cpu();

	interrupts[cpu]++;
#if DEMO_SAMPLES > 1
	bareprof_sample_stack(&rings[cpu], at);
#else
	bareprof_sample(&rings[cpu], at->pc);
#endif
}

static int collect(void)
{
	return bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
}

static void reset(void)
{
	bareprof_samples_reset(&sampler);
}

#else

static struct bareprof_histogram histogram;
#define sampler histogram.sampler
static uint32_t memory[(BAREPROF_HISTOGRAM_SIZE(HISTOGRAM_RANGE, HISTOGRAM_SHIFT) + 3) / 4];

static int prepare(void)
{
	describe(&sampler);
	histogram.shift = HISTOGRAM_SHIFT;
	return bareprof_histogram_init(&histogram, memory, sizeof(memory));
}

void kernel_sample(const struct bareprof_interrupted *at)
{
	interrupts[board_cpu()]++;
	bareprof_histogram_sample(&histogram, at->pc);
}

static int collect(void)
{
	bareprof_histogram_image(&image, &histogram);
	return 0;
}

static void reset(void)
{
	image.generation++;
	prepare();
}

#endif

uint32_t kernel_sample_distance(uint32_t period, bool jitter)
{
	/* Only interrupts call this function. If two CPUs change the state at the same moment, it is still random. */
	static uint32_t state = 1;

	if (!jitter)
		return period;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	/* From half of the period to one and a half, without a product of more than 32 bits. */
	return period - (period >> 1) + (state & 0xff) * (period >> 8) + (state >> 8 & 0xff) * (period & 0xff) / 256;
}

static void start(uint32_t hz, bool jitter)
{
	if (on)
		board_sample_stop();
	if (!prepared && send_failed("cov sample", prepare()))
		return;
	prepared = true;
	sampler.rate = hz;
	varies = jitter;
	on = true;
	board_sample_start(hz, jitter);
}

static void stop(void)
{
	if (on)
		board_sample_stop();
	on = false;
}

static void dump(bareprof_encoder form, bareprof_sink sink)
{
	if (!prepared) {
		send_words("cov sample: no samples were taken; begin with cov sample on 997\n");
		return;
	}
#if !DEMO_SAMPLES
	/* A histogram is sent while it counts, so no sample may come in between. */
	if (on)
		board_sample_stop();
#endif
	if (!send_failed("cov sample", collect()) &&
		!send_failed("cov sample",
			bareprof_capture_samples(&capture, &image, send_nonce(), send_block, sizeof(send_block))))
		send_failed("cov sample", bareprof_send(&capture, send_block, sizeof(send_block), form, sink, NULL));
#if !DEMO_SAMPLES
	if (on)
		board_sample_start(sampler.rate, varies);
#endif
}

static void info(void)
{
	uint32_t sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < board_cpus(); cpu++) {
		send_number(cpu ? " " : "interrupts ", interrupts[cpu]);
		sum += interrupts[cpu];
	}
	send_number(", sum ", sum);
	send_words("\n");
}

/* If @words begin with @word, returns what follows the word and a blank. Otherwise returns NULL. */
static const char *after(const char *words, const char *word)
{
	while (*word != '\0' && *words == *word) {
		words++;
		word++;
	}
	if (*word != '\0' || (*words != '\0' && *words != ' '))
		return NULL;
	while (*words == ' ')
		words++;
	return words;
}

void sample_command(const char *words)
{
	const char *rate = after(words, "on");
	bool jitter = rate == NULL;
	uint32_t hz;

	if (jitter)
		rate = after(words, "jitter");
	if (rate != NULL && str_number(rate, &hz) && hz >= 20 && hz <= 20000)
		start(hz, jitter);
	else if (after(words, "off"))
		stop();
	else if (after(words, "dump"))
		dump(bareprof_encode_text, send_to_console);
	else if (after(words, "save"))
		dump(bareprof_encode_frame, send_to_channel);
	else if (after(words, "info"))
		info();
	else if (!after(words, "reset"))
		send_words("usage: cov sample on|jitter HZ|off|dump|save|info|reset\n");
	else if (prepared)
		reset();
}
