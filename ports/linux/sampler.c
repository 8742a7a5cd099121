// SPDX-License-Identifier: BSD-2-Clause
/*
 * sampler.c - the timers, perf events and rings of the sampler: see sampler.h.
 *
 * Samples are on as long as there is a state of CPU hotplug. The kernel then calls start_cpu() and stop_cpu() for each
 * CPU that is online or that comes and goes.
 */
#define pr_fmt(fmt) "bareprof: " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include <asm/irq_regs.h>
#include <asm/ptrace.h>

#include "instances.h"
#include "sampler.h"

#define SLOTS ((size_t)1 << CONFIG_BAREPROF_SAMPLE_SHIFT)

struct cpu_sampler {
	struct bareprof_ring ring;
	u32 *slots; /* NULL: this CPU was never sampled, and has no ring. */
	struct hrtimer timer;
	struct rnd_state random; /* for the distances between two expiries of the timer */
	struct perf_event *event;
	unsigned long interrupts; /* only interrupts of this CPU write it */
};

static DEFINE_PER_CPU(struct cpu_sampler, cpu_samplers);

/* Protects the state, and is taken before the locks of CPU hotplug. */
static DEFINE_MUTEX(state_lock);
static struct sampler_state state = {.rate = 997};
static int hotplug; /* the state of CPU hotplug */
static int start_error; /* the first error of start_cpu() */

/*
 * Protects the sampler with its list of rings. Only one task may collect at a time. start_cpu() takes it inside the
 * locks of CPU hotplug, so those locks are not taken inside.
 */
static DEFINE_MUTEX(rings_lock);
static struct bareprof_sampler sampler = {.words = 1};
static unsigned int rings;
static size_t generation;

static void take(struct cpu_sampler *cpu_sampler, struct pt_regs *regs)
{
	WRITE_ONCE(cpu_sampler->interrupts, cpu_sampler->interrupts + 1);
	bareprof_sample(&cpu_sampler->ring, regs ? instruction_pointer(regs) : 0);
}

/*
 * Returns the time in ns until the next sample. The times are random, between half of the period and one and a half, so
 * that samples do not keep step with the tick or with timers of other programs.
 */
static ktime_t distance(struct cpu_sampler *cpu_sampler)
{
	u32 period = NSEC_PER_SEC / state.rate;

	return ns_to_ktime(period / 2 + ((u64)prandom_u32_state(&cpu_sampler->random) * period >> 32));
}

static enum hrtimer_restart timer_expired(struct hrtimer *timer)
{
	struct cpu_sampler *cpu_sampler = container_of(timer, struct cpu_sampler, timer);

	take(cpu_sampler, get_irq_regs());
	hrtimer_forward_now(timer, distance(cpu_sampler));
	return HRTIMER_RESTART;
}

#ifdef CONFIG_PERF_EVENTS

static void counter_overflowed(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	take(this_cpu_ptr(&cpu_samplers), regs);
}

static struct perf_event *make_event(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.freq = 1,
		.sample_freq = state.rate,
		.pinned = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, counter_overflowed, NULL);
}

static void free_event(struct perf_event *event)
{
	perf_event_release_kernel(event);
}

#else

static struct perf_event *make_event(unsigned int cpu)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static void free_event(struct perf_event *event)
{
}

#endif

static int make_ring(struct cpu_sampler *cpu_sampler, unsigned int cpu)
{
	u32 *slots;

	if (cpu_sampler->slots)
		return 0;
	slots = kvmalloc_node(SLOTS * sizeof(*slots), GFP_KERNEL, cpu_to_node(cpu));
	if (!slots)
		return -ENOMEM;
	mutex_lock(&rings_lock);
	bareprof_ring_init(&cpu_sampler->ring, &sampler, slots, SLOTS);
	rings++;
	mutex_unlock(&rings_lock);
	cpu_sampler->slots = slots;
	return 0;
}

static int start(struct cpu_sampler *cpu_sampler, unsigned int cpu)
{
	struct perf_event *event;
	int error = make_ring(cpu_sampler, cpu);

	if (error)
		return error;
	if (state.running == SAMPLE_CYCLES) {
		event = make_event(cpu);
		if (IS_ERR(event))
			return PTR_ERR(event);
		cpu_sampler->event = event;
		return 0;
	}
	prandom_seed_state(&cpu_sampler->random, get_random_u64());
	hrtimer_init(&cpu_sampler->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cpu_sampler->timer.function = timer_expired;
	hrtimer_start(&cpu_sampler->timer, distance(cpu_sampler), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

/*
 * Runs on @cpu. If the CPU cannot be sampled, it comes online nevertheless, because samples must not keep a system from
 * working.
 */
static int start_cpu(unsigned int cpu)
{
	int error = start(per_cpu_ptr(&cpu_samplers, cpu), cpu);

	if (error) {
		pr_warn("CPU %u is not sampled (error %d): switch samples off, and on again\n", cpu, error);
		start_error = start_error ?: error;
	}
	return 0;
}

/* Also called for a CPU for which start_cpu() failed. */
static int stop_cpu(unsigned int cpu)
{
	struct cpu_sampler *cpu_sampler = per_cpu_ptr(&cpu_samplers, cpu);

	if (cpu_sampler->event)
		free_event(cpu_sampler->event);
	else if (cpu_sampler->timer.function)
		hrtimer_cancel(&cpu_sampler->timer);
	cpu_sampler->event = NULL;
	return 0;
}

/* Returns true if cycles can be counted. All CPUs are expected to be the same in this. */
static bool cycles_work(void)
{
	struct perf_event *event = make_event(cpumask_first(cpu_online_mask));

	if (IS_ERR(event))
		return false;
	free_event(event);
	return true;
}

static void switch_off(void)
{
	cpuhp_remove_state(hotplug);
	state.on = false;
}

static int switch_on(void)
{
	int error;

	state.running = state.source;
	if (state.running == SAMPLE_AUTO)
		state.running = cycles_work() ? SAMPLE_CYCLES : SAMPLE_TIMER;
	mutex_lock(&rings_lock);
	sampler.rate = state.rate;
	mutex_unlock(&rings_lock);
	start_error = 0;
	error = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "bareprof/sample:online", start_cpu, stop_cpu);
	if (error < 0)
		return error;
	hotplug = error;
	state.on = true;
	if (start_error)
		switch_off();
	return start_error;
}

int bareprof_sampler_switch(bool on)
{
	int error = 0;

	mutex_lock(&state_lock);
	if (on && !state.on)
		error = switch_on();
	else if (!on && state.on)
		switch_off();
	mutex_unlock(&state_lock);
	return error;
}

int bareprof_sampler_set_rate(u64 rate)
{
	int error = -EBUSY;

	if (!rate || rate > BAREPROF_SAMPLE_RATE_MAX)
		return -EINVAL;
	mutex_lock(&state_lock);
	if (!state.on) {
		state.rate = rate;
		error = 0;
	}
	mutex_unlock(&state_lock);
	return error;
}

int bareprof_sampler_set_source(enum sample_source source)
{
	int error = -EBUSY;

	mutex_lock(&state_lock);
	if (!state.on) {
		state.source = source;
		error = 0;
	}
	mutex_unlock(&state_lock);
	return error;
}

void bareprof_sampler_get(struct sampler_state *copy)
{
	unsigned int cpu;

	mutex_lock(&state_lock);
	*copy = state;
	mutex_unlock(&state_lock);
	copy->cpus = READ_ONCE(rings);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			copy->interrupts += READ_ONCE(per_cpu(cpu_samplers, cpu).interrupts);
}

size_t bareprof_sampler_size(void)
{
	/* kvmalloc() refuses more. Samples that do not fit come with the next capture. */
	return min_t(size_t, BAREPROF_SAMPLES_SIZE(READ_ONCE(rings) * SLOTS, 1), INT_MAX);
}

int bareprof_sampler_collect(struct bareprof_image *image, void *memory, size_t size)
{
	int error;

	mutex_lock(&rings_lock);
	image->generation = generation;
	error = bareprof_samples_collect(image, &sampler, memory, size);
	generation = image->generation;
	mutex_unlock(&rings_lock);
	return error;
}

void bareprof_sampler_reset(void)
{
	mutex_lock(&rings_lock);
	bareprof_samples_reset(&sampler);
	mutex_unlock(&rings_lock);
}

/* Returns true if the kernel can read the ELF notes that @bounds describes. */
static bool has_notes(const struct kernel_bounds *bounds)
{
	size_t size = bounds->__stop_notes - bounds->__start_notes;
	void *copy;
	bool can;

	if (!size || size > PAGE_SIZE)
		return false;
	copy = kmalloc(size, GFP_KERNEL);
	can = copy && !copy_from_kernel_nofault(copy, (const void *)bounds->__start_notes, size);
	kfree(copy);
	return can;
}

int bareprof_sampler_init(const struct kernel_bounds *bounds)
{
	unsigned long function = (unsigned long)schedule;
	struct bareprof_image image = {};

	if (function < bounds->_stext || function >= bounds->_etext ||
		bounds->_etext - bounds->_stext > BAREPROF_SAMPLE_RANGE_MAX || !has_notes(bounds))
		return -EINVAL;
	bareprof_find_build_id(
		&image, (const void *)bounds->__start_notes, bounds->__stop_notes - bounds->__start_notes);
	sampler.base = bounds->_stext;
	sampler.range = bounds->_etext - bounds->_stext;
	sampler.build_id = image.section[BAREPROF_BUILD_ID];
	return 0;
}

void bareprof_sampler_stop(void)
{
	unsigned int cpu;

	bareprof_sampler_switch(false);
	sampler.rings = NULL;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			kvfree(per_cpu(cpu_samplers, cpu).slots);
}
