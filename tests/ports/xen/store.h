/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h - a xenstore for one domain. It is empty and stores nothing. Linux sends a few requests to it during the
 * boot, and waits for the answers.
 */
#ifndef TESTS_XEN_STORE_H
#define TESTS_XEN_STORE_H

#include <stddef.h>
#include <stdint.h>

#include <xenctrl.h>
#include <xenevtchn.h>

#include <xen/io/xs_wire.h>

struct store {
	struct xenstore_domain_interface *ring;
	xenevtchn_handle *channels;
	evtchn_port_t port; /* dom0's end of the channel */
	struct xsd_sockmsg request; /* the request that is being read */
	size_t got; /* number of bytes read so far, of the request's head and of its contents */
};

/* Answers all requests that have arrived completely. */
void store_serve(struct store *store);

#endif
