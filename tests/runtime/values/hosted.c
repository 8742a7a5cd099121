/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - runs subject() in a program with compiler-rt, which writes the profile when the program ends. */
int subject(int n);

int main(void)
{
	subject(1000);
	return 0;
}
