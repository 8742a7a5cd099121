/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov_none.c - replaces cov.c in kernels that have a machine profile and no counters (KIND=none). After a crash, such a
 * kernel sends its machine profile.
 */
#include "cov.h"
#include "mip.h"
#include "send.h"

void cov_init(void)
{
}

void cov_info(void)
{
	send_words("this kernel has no counters\n");
}

void cov_reset(void)
{
	cov_info();
}

void cov_dump(void)
{
	mip_dump();
}

void cov_save(void)
{
	mip_save();
}

void cov_counters(void)
{
	cov_info();
}

void cov_both(void)
{
	cov_info();
}

void cov_save_counters(void)
{
	cov_info();
}

void cov_serve(void)
{
	cov_info();
}

void cov_repeat(void)
{
	cov_info();
}
