/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.h - samples of the program counter (PC): where a running system spends its time. The sampled code need not be
 * instrumented.
 *
 * A timer interrupt, the interrupt of a performance counter, or an NMI calls the hook with the PC of the interrupted
 * code. The hook stores the sample in the ring of the CPU. From time to time the integrator collects the samples of all
 * rings and sends them as a capture. The host program assigns them to functions, lines and blocks.
 *
 *	static uint32_t slots[CPUS][4096];
 *	static struct bareprof_ring rings[CPUS];
 *	static uint32_t memory[BAREPROF_SAMPLES_SIZE(CPUS * 4096, 1) / 4];
 *	static struct bareprof_sampler sampler;
 *	static struct bareprof_image samples;
 *
 *	sampler.base = (uintptr_t)text_start;                             once, at the start
 *	sampler.range = text_end - text_start;
 *	sampler.build_id = image.section[BAREPROF_BUILD_ID];
 *	sampler.words = 1;
 *	sampler.rate = 997;
 *	error = bareprof_ring_init(&rings[cpu], &sampler, slots[cpu], 4096);   for each CPU
 *
 *	bareprof_sample(&rings[cpu], frame->pc);                          in each interrupt
 *
 *	error = bareprof_samples_collect(&samples, &sampler, memory, sizeof(memory));
 *	error = bareprof_capture_samples(&capture, &samples, nonce, block, sizeof(block));
 *	error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, sink, 0);
 *
 * Small devices use a histogram in place of rings: counters that each count the samples of a few bytes of code.
 *
 * The counts are exact: if no hook is running, the samples that were collected, the samples that are still in the rings,
 * the dropped samples and the samples outside of the code add up to the number of calls of the hooks. "Dropped" samples
 * were overwritten before they were read. "Outside" are samples whose PC is not in the sampled code, for example in user
 * code or in another module.
 *
 * Choose a rate that is a prime number, such as 997, and if possible a timer of its own, or vary the distance between
 * two interrupts. Otherwise work that runs at each tick of a clock may always or never be interrupted.
 *
 * The runtime must be compiled with -DBAREPROF_SAMPLES, or with the option of Kconfig that has this name.
 */
#ifndef BAREPROF_SAMPLE_H
#define BAREPROF_SAMPLE_H

#include <bareprof/capture.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(CONFIG_BAREPROF_SAMPLES) || defined(BAREPROF_SAMPLES)
#define BAREPROF_SERVES_SAMPLES 1
#else
#define BAREPROF_SERVES_SAMPLES 0
#endif

/* A runtime without this option has only samples of one word, and is smaller. */
#if defined(CONFIG_BAREPROF_SAMPLE_STACKS) || defined(BAREPROF_SAMPLE_STACKS)
#define BAREPROF_SERVES_STACKS 1
#else
#define BAREPROF_SERVES_STACKS 0
#endif
#define BAREPROF_WORDS_OF(sampler) (BAREPROF_SERVES_STACKS ? (sampler)->words : 1u)

/* A sample has at most this many words, and the sampled code at most this many bytes. */
#define BAREPROF_SAMPLE_WORDS_MAX 64u
#define BAREPROF_SAMPLE_RANGE_MAX 0xfffffff0u

struct bareprof_ring;

/*
 * The code that is sampled. The caller owns this struct, and sets all fields before the first ring or the histogram is
 * initialized. From then on, all fields except rate and rings stay as they are.
 */
struct bareprof_sampler {
	uintptr_t base; /* run-time address of the first byte of the code */
	size_t range; /* bytes of code, at most BAREPROF_SAMPLE_RANGE_MAX */
	struct bareprof_slice build_id; /* the bytes of the build id in memory; size 0: the image has none */
	/*
	 * Samples in a second of one CPU; 0: not known. Only the host uses this number. It can be changed between two
	 * calls of bareprof_samples_collect(). A dump has only one rate, so collect or reset the samples before.
	 */
	uint32_t rate;
	/*
	 * 32-bit words of a sample, at most BAREPROF_SAMPLE_WORDS_MAX. 1: only the PC. N: also N - 1 return addresses. If
	 * the runtime is compiled without return addresses, all samples have 1 word. A histogram does not use this field.
	 */
	unsigned int words;
	struct bareprof_ring *rings; /* a list of all rings; set it to NULL */
};

/* The ring of one CPU. The caller owns this struct. Only bareprof uses the fields. */
struct bareprof_ring {
	const struct bareprof_sampler *sampler;
	struct bareprof_ring *next;
	uint32_t *slots;
	size_t mask; /* the number of slots is a power of two; this is the number minus 1 */
	size_t taken; /* number of samples that got a slot */
	size_t outside;
	size_t dropped;
};

/*
 * bareprof_ring_init - makes @ring an empty ring with @count slots, which is a power of two, and adds it to the rings of
 * @sampler. The caller owns the memory @slots, which has sampler->words words for each slot. *@ring, *@sampler and @slots
 * must stay in place until the last call of a hook has returned and samples are no longer collected.
 *
 * The memory can also be allocated later than the sampler, for example when a CPU is started. Only one CPU at a time may
 * call this function for rings of one sampler, and not while samples are collected or reset. Hooks may use other rings of
 * the sampler at the same time. Time is linear in @count. Errors: ARGUMENT if @count is not a power of two, or if a field
 * of *@sampler is out of range.
 */
BAREPROF_API int bareprof_ring_init(
	struct bareprof_ring *ring, struct bareprof_sampler *sampler, uint32_t *slots, size_t count);

/*
 * bareprof_sample - the hook: takes a sample with the PC @pc. For rings with samples of one word.
 *
 * May be called in any context, also in an NMI that interrupts this function, while the samples are collected. It takes
 * no lock and never waits. It uses at most 40 instructions. On Arm, it needs some more if another CPU or an interrupt
 * changes the ring at the same moment, because it then repeats an atomic access. If all slots are used, the new sample
 * replaces the oldest one. If several CPUs share a ring, the result is the same, but they are slower.
 *
 * Armv6-M has no atomic instructions, so there the hook masks interrupts for a few instructions. A sample that an NMI
 * takes in these instructions may be lost, or counted twice. So on Armv6-M do not call the hooks in an NMI, and do not
 * share a ring between CPUs.
 */
BAREPROF_API void bareprof_sample(struct bareprof_ring *ring, uintptr_t pc);

/* What was interrupted, for a sample with return addresses. */
struct bareprof_interrupted {
	uintptr_t pc;
	/*
	 * A return address that is not in a frame record: the link register of a CPU that has one. 0: there is none. The
	 * register has the return address of the interrupted function only until that function calls another one. So
	 * set it only if the code has no frame records, and expect some callers that are the function itself.
	 */
	uintptr_t link;
	/*
	 * The frame pointer, and the bounds of the stack: the address of its lowest byte that may be read, and the address
	 * after its last byte. The low bound should be the stack pointer. Set all three to 0 if there are no frame records.
	 */
	uintptr_t frame;
	uintptr_t low;
	uintptr_t high;
};

/*
 * bareprof_sample_stack - the hook for samples of several words. Stores the PC, then @at->link if it is not 0, and then
 * the return addresses of the frame records, the innermost first. If a sample has fewer words, the outermost addresses
 * are missing.
 *
 * A frame record has two words: the address of the next frame record, and a return address. The frame pointer points to
 * the first record: rbp on x86_64, x29 on AArch64, r11 or (Thumb) r7 on Arm, if the code was compiled with
 * -fno-omit-frame-pointer. (On Arm, gcc makes other records.) The function reads a record only if it is aligned to a word,
 * completely within the bounds, and above the record before. It stops at the first record that is not, and at the
 * first return address that is 0 or not in the sampled code. All further words of the sample are 0. So if the memory
 * within the bounds can be read, any value of the frame pointer is safe.
 *
 * Contexts are those of bareprof_sample(). All samples of a ring must be taken by the same function. While a sample is
 * stored, its slot is empty. Two samples are mixed only if the whole ring is filled during one call of this function, by
 * CPUs that share the ring, or by NMIs. So do not share rings, and use at least 16 slots.
 */
BAREPROF_API void bareprof_sample_stack(struct bareprof_ring *ring, const struct bareprof_interrupted *at);

/*
 * bareprof_ring_drain - moves the samples of @ring to @to, the oldest first, until all slots were read or the next sample
 * does not fit before @end. Returns the end of the samples. Does not change ring->dropped and ring->outside.
 *
 * Hooks may take samples at the same time, on any CPU. Only one CPU and context at a time may drain a ring. Time is
 * linear in the number of slots. A sample that is stored during the call is moved by this call or stays in the ring.
 */
BAREPROF_API uint32_t *bareprof_ring_drain(struct bareprof_ring *ring, uint32_t *to, const uint32_t *end);

/* Bytes of memory for @samples samples of @words words each, with the header. */
#define BAREPROF_SAMPLES_SIZE(samples, words) (4u * (BAREPROF_SAMPLES_HEADER + (size_t)(samples) * (words)))

/*
 * bareprof_samples_collect - drains all rings of @sampler into @memory, which has @size bytes and is aligned to 4 bytes,
 * and sorts the samples. Also takes the numbers of dropped samples and of samples outside, and sets them to 0. Samples
 * that do not fit stay in the rings until the next call, or until new samples replace them. Describes the memory as
 * *@image, for bareprof_capture_samples().
 *
 * The caller owns *@image, and sets it to zeros before the first call, and image->number, if the number is not 0. Each
 * call adds 1 to image->generation. So captures of two calls add up, and a capture that is open when this function is
 * called becomes stale. *@image and @memory must stay in place while captures are open.
 *
 * Hooks may take samples at the same time, on any CPU. Only one CPU and context at a time may collect. Let N be the
 * number of samples. Time is in the order of N log N, for sorting, and the number of slots. BAREPROF_YIELD() is called
 * while the samples are sorted, three times for every two samples. Errors: NO_SPACE if @size is less than the size of
 * the header.
 */
BAREPROF_API int bareprof_samples_collect(
	struct bareprof_image *image, struct bareprof_sampler *sampler, void *memory, size_t size);

/*
 * bareprof_samples_reset - discards the samples in all rings of @sampler, and sets the numbers of dropped samples and of
 * samples outside to 0. Contexts are those of bareprof_samples_collect(). A sample that is taken during the call is
 * discarded or kept.
 */
BAREPROF_API void bareprof_samples_reset(struct bareprof_sampler *sampler);

/*
 * bareprof_capture_samples - opens a capture of samples that bareprof_samples_collect() or bareprof_histogram_image() has
 * described. Parameters, errors and contexts are those of bareprof_capture_open(), in whose place it can also be used in
 * struct bareprof_hypercalls. Pass the same @nonce for all captures of a boot. All functions that need an open capture
 * work with it.
 */
BAREPROF_API int bareprof_capture_samples(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * A histogram, the form of samples for devices with little memory: a counter of 16 bits for every 2^shift bytes of code.
 * A counter that reaches 65535 stays there. A capture also has the number of all samples, modulo 2^32, which is 49 days
 * at 1 kHz. The caller owns this struct. It sets sampler and shift before the call of bareprof_histogram_init(), which
 * does not check them. Only bareprof uses the other fields.
 */
struct bareprof_histogram {
	struct bareprof_sampler sampler;
	unsigned int shift; /* 0 to 31 */
	uint32_t *memory; /* the header, then the counters */
	size_t counted; /* number of calls of the hook with a PC in the code */
	size_t outside;
};

/* Bytes of memory for a histogram of @range bytes of code. */
#define BAREPROF_HISTOGRAM_SIZE(range, shift)                                                                          \
	(4u * BAREPROF_SAMPLES_HEADER + 2u * (((size_t)(range) + ((size_t)1 << (shift)) - 1) >> (shift)))

/*
 * bareprof_histogram_init - sets all counters of @histogram to 0. They are in @memory, which has @size bytes and is
 * aligned to 4 bytes. *@histogram and @memory must stay in place until the last call of the hook has returned. To discard
 * all counts later, call the function again, and add 1 to image->generation for an image that describes the histogram.
 * No hook may use the histogram during the call. Errors: NO_SPACE if @size is less than BAREPROF_HISTOGRAM_SIZE().
 */
BAREPROF_API int bareprof_histogram_init(struct bareprof_histogram *histogram, void *memory, size_t size);

/* bareprof_histogram_sample - the hook of a histogram. The contexts and the limits of Armv6-M are those of bareprof_sample(). */
BAREPROF_API void bareprof_histogram_sample(struct bareprof_histogram *histogram, uintptr_t pc);

/*
 * bareprof_histogram_image - describes the counters of @histogram as *@image, for bareprof_capture_samples(). The caller
 * owns *@image, and sets it to zeros before the first call. A capture has the counters of the moment in which a block is
 * made. If interrupts of samples are enabled, the counters may be a few samples ahead of the number of samples that this
 * call has stored. Any context, but only one CPU at a time.
 */
BAREPROF_API void bareprof_histogram_image(struct bareprof_image *image, struct bareprof_histogram *histogram);

#ifdef __cplusplus
}
#endif

#endif
