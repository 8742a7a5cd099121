/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_monitor.h - a monitor of QEMU for bareprof alone. Because of it, the memory of a guest can be read at the end:
 * a guest that switches itself off or resets itself only pauses, and the monitor tells so.
 */
#ifndef BAREPROF_HOST_QEMU_MONITOR_H
#define BAREPROF_HOST_QEMU_MONITOR_H

#include "error.h"
#include "source.h"

/* Starts as all zeros. End with qemu_monitor_remove(). */
struct qemu_monitor {
	char *path; /* path of the socket; NULL: there is no monitor */
	char *folder; /* a temporary folder for the socket alone; NULL: not needed */
	struct source source; /* our connection, if @connected is true */
	bool connected;
	struct buffer line; /* the start of a line whose end has not arrived */
	bool off; /* the guest has switched itself off or was reset, and is paused */
};

/*
 * qemu_monitor_add - appends the options for a monitor to *@words, a command of QEMU that ends with NULL. The socket is
 * in @folder, a private temporary folder, or if the path would be too long for a socket, in a folder of its own.
 * Errors: SYSTEM.
 */
enum status qemu_monitor_add(struct qemu_monitor *monitor, const char *folder, char ***words, struct error *error);

/*
 * qemu_monitor_poll - connects to the monitor if necessary, and reads what it says. Call it at least every 20 ms while
 * QEMU runs, and when qemu_monitor_fd() has bytes to read. Sets monitor->off.
 * qemu_monitor_fd - returns the file descriptor on which the monitor tells something; -1: there is none.
 */
void qemu_monitor_poll(struct qemu_monitor *monitor);
int qemu_monitor_fd(const struct qemu_monitor *monitor);

/* qemu_monitor_leave - ends our connection, so that memory_open() can connect: QEMU serves one connection at a time. */
void qemu_monitor_leave(struct qemu_monitor *monitor);

/* qemu_monitor_remove - ends the connection, and removes the socket. */
void qemu_monitor_remove(struct qemu_monitor *monitor);

#endif
