/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - runs subject() in a program with compiler-rt, which writes the profile at the program's end. */
int subject(int n);

int main(void)
{
	subject(1000);
	return 0;
}
