/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_smp.c - tests that all CPUs run, and count. Each job has a function of its own, whose
 * counters no other CPU writes. Besides, all jobs call one common function.
 *
 * The jobs hold the lock when they call the common function, so its counters are exact, even plain
 * counters, which are read, increased and written back. A lock inside the common function would not
 * be enough: the counter of its entry would be increased before the function has the lock, and
 * within a function a compiler may move an increment. For the same reason the common function must
 * not be inlined, because it would then be a part of its caller.
 */
#include "board.h"
#include "race.h"
#include "selftest.h"
#include "share.h"

#define JOBS     8u
#define TURNS(n) (100u * ((n) + 1)) /* number of times that job n calls turn_of(), different for each job */

static uint32_t turns[JOBS];
static volatile uint32_t owner;
static uint32_t undisturbed;

static __attribute__((noinline)) void turn_of(uint32_t n)
{
	turns[n]++;
	owner = n;
	share_linger();
	if (owner == n)
		undisturbed++;
}

#define JOB(n)                                                                                                         \
	static void job##n(void)                                                                                       \
	{                                                                                                              \
		uint32_t i;                                                                                            \
                                                                                                                       \
		for (i = 0; i < TURNS(n); i++) {                                                                       \
			board_lock();                                                                                  \
			turn_of(n);                                                                                    \
			board_unlock();                                                                                \
		}                                                                                                      \
	}
JOB(0)
JOB(1)
JOB(2)
JOB(3)
JOB(4)
JOB(5)
JOB(6)
JOB(7)

void test_smp(void)
{
	static const share_job job[JOBS] = {job0, job1, job2, job3, job4, job5, job6, job7};
	uint32_t all = 0;
	uint32_t n;

	/* The other CPUs may still be busy after race_start(). */
	race_stop();
	undisturbed = 0;
	for (n = 0; n < JOBS; n++)
		turns[n] = 0;
	EXPECT(share(job, JOBS) == JOBS);
	for (n = 0; n < JOBS; n++) {
		EXPECT(turns[n] == TURNS(n));
		all += turns[n];
	}
	EXPECT(undisturbed == all);
}
