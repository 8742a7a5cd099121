/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h - a xenstore for one domain, in which there is nothing and nothing stays: Linux asks
 * it a few things before it believes that it runs.
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
	evtchn_port_t port; /* our end */
	struct xsd_sockmsg request; /* that is being read */
	size_t got; /* bytes of it, with what follows it */
};

/* Answer what it asks by now. */
void store_serve(struct store *store);

#endif
