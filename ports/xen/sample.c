/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - takes samples of the program counter on each CPU.
 *
 * Xen runs its timers in a softirq, when the interrupted code is no longer known. So the interrupt of the local APIC's
 * timer takes the sample, and a timer of Xen only makes sure that this interrupt comes. The interrupt is programmed for
 * the next sample at once, because a long hypercall runs no softirqs.
 */
#include <xen/compile.h>
#include <xen/cpu.h>
#include <xen/errno.h>
#include <xen/init.h>
#include <xen/irq.h>
#include <xen/kernel.h>
#include <xen/lib.h>
#include <xen/mm.h>
#include <xen/param.h>
#include <xen/random.h>
#include <xen/smp.h>
#include <xen/spinlock.h>
#include <xen/time.h>
#include <xen/timer.h>
#include <xen/xmalloc.h>
#include <asm/regs.h>

#include "sample.h"

#define RATE_MIN 20u
#define RATE_MAX 20000u

/* Samples of one CPU: the last 16 seconds at 997 Hz. */
#define SLOTS 16384u
/* One call sorts at most this many samples, because a CPU does nothing else during this time. */
#define COLLECTED_MAX 131072u

/* An interrupt that comes this much too early is in time. The counter of the local APIC rounds its time down. */
#define EARLY MICROSECS(10)
/* The timer waits at least this long for an interrupt that is late. Otherwise Xen would run the timer in a loop. */
#define LATE MICROSECS(50)

struct cpu_sampling {
	struct bareprof_ring ring;
	struct timer timer;
	unsigned int cpu;
	uint32_t random;
	s_time_t due; /* the time of the next sample */
	unsigned long interrupts;
};

extern const char __start_bareprof_build_id[], __stop_bareprof_build_id[];
/*
 * On AMD processors, an interrupt that ends a guest's time comes at this instruction of Xen. Later trees have other
 * conditions for this label, or none.
 */
#if defined(CONFIG_HVM) && XEN_VERSION == 4 && XEN_SUBVERSION < 18
extern const char svm_stgi_label[];
#define AFTER_GUEST(pc) ((pc) == (unsigned long)svm_stgi_label)
#else
#define AFTER_GUEST(pc) 0
#endif

/* From Xen's command line: the rate of samples from the boot on. */
static unsigned int __initdata boot_rate;
integer_param("bareprof-samples", boot_rate);

static struct bareprof_sampler sampler; /* its rate is that of the samples in the rings, also if samples have stopped */
static struct cpu_sampling *sampling[NR_CPUS];
static s_time_t period; /* 0: no samples are taken */
static void *collected;
static size_t collected_size;
static uint64_t interrupts_before; /* the number of interrupts at the last reset */
static DEFINE_SPINLOCK(lock); /* protects everything above against CPUs that come online */

/* Returns the distance to the next sample: from half of the period to one and a half. */
static s_time_t next_distance(struct cpu_sampling *s, s_time_t all)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return (all >> 1) + ((all * (s->random & 0xffff)) >> 16);
}

/* Returns the program counter that was interrupted. For a guest, returns an address outside of Xen's code. */
static uintptr_t interrupted_pc(void)
{
	const struct cpu_user_regs *regs = get_irq_regs();

	/* A guest can have any address, also those of Xen's code. */
	if (guest_mode(regs) || AFTER_GUEST(regs->rip))
		return sampler.base - 1;
	return regs->rip;
}

/* The interrupt handler of the local APIC's timer calls this function, with interrupts disabled. */
void bareprof_timer_interrupt(void);
void bareprof_timer_interrupt(void)
{
	struct cpu_sampling *s = ACCESS_ONCE(sampling[smp_processor_id()]);
	s_time_t all = ACCESS_ONCE(period);
	s_time_t now;

	if (!s || !all)
		return;
	now = NOW();
	if (now + EARLY >= s->due) {
		bareprof_sample(&s->ring, interrupted_pc());
		s->interrupts++;
		s->due += next_distance(s, all);
		if (s->due < now + LATE)
			s->due = now + next_distance(s, all);
	}
	/* If the time has just passed, the softirq of timers, which follows each interrupt, programs the interrupt again. */
	reprogram_timer(s->due);
}

static void cf_check wait_for_interrupt(void *data)
{
	struct cpu_sampling *s = data;

	/* The timers of a CPU that goes offline move to another CPU. */
	if (ACCESS_ONCE(period) && s->cpu == smp_processor_id())
		set_timer(&s->timer, max(s->due, NOW() + LATE));
}

static int add_cpu(unsigned int cpu)
{
	struct cpu_sampling *s = sampling[cpu];
	uint32_t *slots;
	int error;

	if (s) {
		migrate_timer(&s->timer, cpu);
		return 0;
	}
	s = xzalloc(struct cpu_sampling);
	slots = xmalloc_array(uint32_t, SLOTS);
	error = s && slots ? bareprof_ring_init(&s->ring, &sampler, slots, SLOTS) : -ENOMEM;
	if (error) {
		xfree(s);
		xfree(slots);
		return error < 0 ? error : -ENOMEM;
	}
	s->cpu = cpu;
	s->random = get_random() | 1;
	init_timer(&s->timer, wait_for_interrupt, s, cpu);
	smp_wmb();
	sampling[cpu] = s;
	return 0;
}

static void start_cpu(struct cpu_sampling *s)
{
	s->due = NOW() + next_distance(s, period);
	set_timer(&s->timer, s->due);
}

/* Allocates the memory that all CPUs share. */
static int prepare(void)
{
	size_t samples = min_t(size_t, num_present_cpus() * SLOTS, COLLECTED_MAX);

	if (collected)
		return 0;
	sampler.base = (unsigned long)_stext;
	sampler.range = _etext - _stext;
	sampler.build_id.start = (const uint8_t *)__start_bareprof_build_id;
	sampler.build_id.size = __stop_bareprof_build_id - __start_bareprof_build_id;
	sampler.words = 1;
	collected_size = BAREPROF_SAMPLES_SIZE(samples, 1);
	collected = xmalloc_bytes(collected_size);
	return collected ? 0 : -ENOMEM;
}

static void cf_check nothing(void *unused)
{
}

static void stop(void)
{
	unsigned int cpu;

	period = 0;
	for_each_online_cpu(cpu) if (sampling[cpu]) stop_timer(&sampling[cpu]->timer);
	/* Interrupts are disabled while a sample is stored, so each CPU answers this call after its last sample. */
	smp_call_function(nothing, NULL, 1);
}

int bareprof_xen_sample_set_rate(uint32_t rate)
{
	unsigned int cpu;
	int error = 0;

	if (rate && (rate < RATE_MIN || rate > RATE_MAX))
		return -EINVAL;
	if (!get_cpu_maps())
		return -EBUSY;
	spin_lock(&lock);
	stop();
	if (rate)
		error = prepare();
	for_each_online_cpu(cpu) if (rate && !error) error = add_cpu(cpu);
	if (rate && !error) {
		sampler.rate = rate;
		period = SECONDS(1) / rate;
		for_each_online_cpu(cpu) start_cpu(sampling[cpu]);
	}
	spin_unlock(&lock);
	put_cpu_maps();
	return error;
}

uint32_t bareprof_xen_sample_rate(void)
{
	return period ? sampler.rate : 0;
}

int bareprof_xen_sample_collect(struct bareprof_image *image)
{
	int error = BAREPROF_E_NO_SPACE;

	spin_lock(&lock);
	if (collected)
		error = bareprof_samples_collect(image, &sampler, collected, collected_size);
	spin_unlock(&lock);
	return error ? -ENODATA : 0;
}

static uint64_t interrupts_since_boot(void)
{
	uint64_t sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		if (sampling[cpu])
			sum += ACCESS_ONCE(sampling[cpu]->interrupts);
	return sum;
}

void bareprof_xen_sample_reset(void)
{
	spin_lock(&lock);
	bareprof_samples_reset(&sampler);
	/* The numbers of the CPUs stay: an interrupt that is adding 1 would undo a store of 0. */
	interrupts_before = interrupts_since_boot();
	spin_unlock(&lock);
}

uint64_t bareprof_xen_sample_interrupts(void)
{
	return interrupts_since_boot() - interrupts_before;
}

static int cf_check cpu_changed(struct notifier_block *block, unsigned long action, void *hcpu)
{
	unsigned int cpu = (unsigned long)hcpu;

	if (action != CPU_ONLINE)
		return NOTIFY_DONE;
	spin_lock(&lock);
	/* A CPU that has no memory for samples takes none. */
	if (period && !add_cpu(cpu))
		start_cpu(sampling[cpu]);
	spin_unlock(&lock);
	return NOTIFY_DONE;
}

static struct notifier_block cpu_notifier = {.notifier_call = cpu_changed};

static int __init start_at_boot(void)
{
	int error = 0;

	register_cpu_notifier(&cpu_notifier);
	if (boot_rate)
		error = bareprof_xen_sample_set_rate(boot_rate);
	if (error == -EINVAL)
		printk(XENLOG_ERR
			"bareprof: bareprof-samples=%u: the rate must be %u to %u Hz, so no samples are taken\n",
			boot_rate, RATE_MIN, RATE_MAX);
	else if (error)
		printk(XENLOG_ERR "bareprof: there is no memory for samples, so none are taken\n");
	return 0;
}
__initcall(start_at_boot);
