/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_input.c - opens the inputs of the commands of samples. */
#include "sample_input.h"
#include "exit.h"
#include "input.h"
#include "samples_load.h"

enum status sample_open(struct sample_program *program, const char *path)
{
	struct error error;
	enum status status = sample_program_open(program, path, &error);

	if (status != STATUS_OK)
		error_print(path, &error);
	return status;
}

enum status sample_load_all(struct samples *samples, char *const *paths, const struct sample_program *program)
{
	enum status status = STATUS_OK;

	for (; *paths && status == STATUS_OK; paths++) {
		struct buffer note = {0};
		struct error error;

		status = samples_load(samples, *paths, program, &note, &error);
		if (status != STATUS_OK)
			error_print(input_name(*paths), &error);
		else if (note.size)
			complain(input_name(*paths), "note: %s", buffer_string(&note));
		buffer_free(&note);
	}
	return status;
}
