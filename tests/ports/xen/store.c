/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.c - reads the domain's requests from one ring, and writes the answers to another.
 */
#include "store.h"

#include <string.h>

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Reads more of a request. Returns 1 if the request is complete, else 0. Only the head of the request is kept. */
static int request(struct store *store)
{
	struct xenstore_domain_interface *ring = store->ring;
	uint32_t end = __atomic_load_n(&ring->req_prod, __ATOMIC_ACQUIRE);
	uint32_t at = ring->req_cons;
	size_t left;

	for (; store->got < sizeof(store->request) && at != end; at++)
		((char *)&store->request)[store->got++] = ring->req[MASK_XENSTORE_IDX(at)];
	if (store->got >= sizeof(store->request)) {
		left = sizeof(store->request) + store->request.len - store->got;
		left = min(left, end - at);
		store->got += left;
		at += (uint32_t)left;
	}
	__atomic_store_n(&ring->req_cons, at, __ATOMIC_RELEASE);
	return store->got >= sizeof(store->request) && store->got == sizeof(store->request) + store->request.len;
}

static void put(struct store *store, const void *bytes, size_t size)
{
	struct xenstore_domain_interface *ring = store->ring;
	uint32_t at = ring->rsp_prod;
	size_t i;

	for (i = 0; i < size; i++)
		ring->rsp[MASK_XENSTORE_IDX(at++)] = ((const char *)bytes)[i];
	__atomic_store_n(&ring->rsp_prod, at, __ATOMIC_RELEASE);
}

static void answer(struct store *store)
{
	struct xsd_sockmsg head = store->request;
	const char *body = "OK";

	switch (head.type) {
	case XS_READ:
	case XS_DIRECTORY:
		head.type = XS_ERROR;
		body = "ENOENT";
		break;
	case XS_TRANSACTION_START:
		body = "1";
		break;
	default:
		break;
	}
	head.len = (uint32_t)strlen(body) + 1;
	put(store, &head, sizeof(head));
	put(store, body, head.len);
}

void store_serve(struct store *store)
{
	struct xenstore_domain_interface *ring = store->ring;
	uint32_t before = ring->req_cons;

	/* An answer has at most 23 bytes, so 32 free bytes are enough. */
	while (sizeof(ring->rsp) - (ring->rsp_prod - ring->rsp_cons) >= 32 && request(store)) {
		answer(store);
		store->got = 0;
	}
	if (ring->req_cons != before)
		xenevtchn_notify(store->channels, store->port);
}
