/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - subject() under compiler-rt, which writes what it saw when this ends. */
int subject(int n);

int main(void)
{
	subject(1000);
	return 0;
}
