/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * domu.c - boots an unprivileged domain; it runs in dom0. `domu KERNEL INITRAMFS` boots the domain (PV, one CPU),
 * copies the domain's console to standard output, and ends when the domain has switched itself off. It needs no
 * daemon, because it reads the console itself and provides an empty xenstore (store.c). KERNEL is an ELF file,
 * vmlinux.
 */
#include "store.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <xenctrl.h>
#include <xenguest.h>

#include <xen/io/console.h>

#define MEMORY  192 /* in MiB */
#define SECONDS 240
#define PAGE    4096

static xc_interface *xc;
static uint32_t domain;
static struct xencons_interface *console;
static struct store store;

static void create(void)
{
	struct xen_domctl_createdomain config = {
		.max_vcpus = 1,
		.max_evtchn_port = 1023,
		.max_grant_frames = -1,
		.max_maptrack_frames = -1,
		.grant_opts = XEN_DOMCTL_GRANT_version(1),
	};

	if (xc_domain_create(xc, &domain, &config))
		err(1, "cannot create a domain");
	if (xc_domain_max_vcpus(xc, domain, 1) || xc_domain_setmaxmem(xc, domain, (MEMORY + 1) * 1024))
		err(1, "cannot set the domain's CPUs and memory");
}

/* Makes an event channel between the domain and dom0. */
static evtchn_port_t channel(void)
{
	int port = xc_evtchn_alloc_unbound(xc, domain, 0);

	if (port < 0)
		err(1, "cannot make an event channel");
	return (evtchn_port_t)port;
}

/*
 * Builds the memory of the domain in the state before its first instruction. Also maps the domain's console and
 * store.
 */
static void build(const char *kernel, const char *initramfs)
{
	struct xc_dom_image *dom = xc_dom_allocate(xc, "console=hvc0 loglevel=1 panic=-1", NULL);
	int port;

	if (!dom)
		err(1, "not enough memory");
	dom->console_evtchn = channel();
	dom->xenstore_evtchn = channel();
	dom->container_type = XC_DOM_PV_CONTAINER;
	if (xc_dom_kernel_file(dom, kernel) || xc_dom_module_file(dom, initramfs, NULL) ||
		xc_dom_boot_xen_init(dom, xc, domain) || xc_dom_parse_image(dom) || xc_dom_mem_init(dom, MEMORY) ||
		xc_dom_boot_mem_init(dom) || xc_dom_build_image(dom) || xc_dom_boot_image(dom))
		errx(1, "cannot build the domain");
	console = xc_dom_boot_domU_map(dom, dom->console_pfn, 1);
	store.ring = xc_dom_boot_domU_map(dom, dom->xenstore_pfn, 1);
	if (!console || !store.ring)
		err(1, "cannot map the pages of the domain's console and store");
	store.channels = xenevtchn_open(NULL, 0);
	port = store.channels ? xenevtchn_bind_interdomain(store.channels, domain, dom->xenstore_evtchn) : -1;
	if (port < 0)
		err(1, "cannot bind the event channel of the domain's store: insmod xen-evtchn.ko");
	store.port = (evtchn_port_t)port;
	xc_dom_release(dom);
}

static void drain(void)
{
	uint32_t at = console->out_cons;
	uint32_t end = __atomic_load_n(&console->out_prod, __ATOMIC_ACQUIRE);

	while (at != end)
		putchar(console->out[MASK_XENCONS_IDX(at++, console->out)]);
	__atomic_store_n(&console->out_cons, end, __ATOMIC_RELEASE);
}

/* Runs the domain. Returns 1 if the domain switched itself off in time, else 0. */
static int run(void)
{
	time_t start = time(NULL);
	xc_dominfo_t info = {0};

	if (xc_domain_unpause(xc, domain))
		err(1, "cannot start the domain");
	while (!info.shutdown && time(NULL) - start < SECONDS) {
		usleep(5000);
		if (xc_domain_getinfo(xc, domain, 1, &info) != 1 || info.domid != domain)
			errx(1, "the domain is gone");
		drain();
		store_serve(&store);
	}
	if (!info.shutdown)
		printf("domu: the domain still runs after %d seconds\n", SECONDS);
	else if (info.shutdown_reason != SHUTDOWN_poweroff)
		printf("domu: the domain ended with reason %u\n", info.shutdown_reason);
	else
		return 1;
	return 0;
}

int main(int argc, char **argv)
{
	struct xentoollog_logger *logger = (void *)xtl_createlogger_stdiostream(stderr, XTL_ERROR, 0);
	int good;

	if (argc != 3)
		errx(1, "usage: domu KERNEL INITRAMFS");
	xc = xc_interface_open(logger, logger, 0);
	if (!xc)
		err(1, "cannot open privcmd");
	create();
	build(argv[1], argv[2]);
	good = run();
	munmap(console, PAGE);
	munmap(store.ring, PAGE);
	xenevtchn_close(store.channels);
	if (xc_domain_destroy(xc, domain))
		err(1, "cannot destroy the domain");
	return good ? 0 : 1;
}
