/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_server.h - a process of its own that reads one kernel dump with libkdumpfile. Damaged dumps crash libkdumpfile
 * 0.5.1, or let it ask for memory without end. A crash of the server is only an answer that does not come.
 *
 * The server answers once after it opened the dump, and then once to each request.
 */
#ifndef BAREPROF_HOST_KDUMP_SERVER_H
#define BAREPROF_HOST_KDUMP_SERVER_H

#include "error.h"

#include <stdint.h>

/* The most bytes that one request may ask for. */
#define KDUMP_REQUEST_MAX (1u << 20)

struct kdump_request {
	uint64_t address;
	uint32_t space; /* enum memory_space */
	uint32_t size;
};

/* Before the bytes of memory, or before the text of an error without a zero byte at its end. */
struct kdump_answer {
	uint32_t status; /* enum status */
	uint32_t size; /* bytes that follow */
};

/*
 * kdump_serve - opens the dump @file, whose pages have @page bytes, serves requests that come through @socket until it is
 * closed, and ends the process.
 */
_Noreturn void kdump_serve(int file, uint64_t page, int socket);

#endif
