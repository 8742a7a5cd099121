/* SPDX-License-Identifier: BSD-2-Clause */
/* causes.c - the words of the causes. */
#include "causes.h"

static const struct {
	const char *word;
	const char *meaning;
	unsigned int sentences;
} causes[CAUSES] = {
#define ROW(name, word, sentences, meaning) {word, meaning, sentences},
	DOCTOR_CAUSES(ROW)
#undef ROW
};

const char *cause_word(enum cause_id id)
{
	return causes[id].word;
}

const char *cause_meaning(enum cause_id id)
{
	return causes[id].meaning;
}

unsigned int cause_sentences(enum cause_id id)
{
	return causes[id].sentences;
}
