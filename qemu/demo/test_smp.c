/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_smp.c - tests that all CPUs run, and that their code counts. Each job has a function of its
 * own, whose counters no other CPU writes. All jobs also call one common function.
 *
 * The jobs hold the lock while they call the common function. So its counters are exact even if counters are not
 * increased atomically. It would not be enough to take the lock inside the common function. Then the counter of the
 * function's entry would be increased before the function has the lock. Also, a compiler may move an increment to
 * another place in the same function. For the same reason the common function must not be inlined. Otherwise the
 * compiler could move an increment to a place in the caller at which the lock is not held.
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

	/* If race_start() was called before, the other CPUs still call turn(), and could not run jobs. */
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
