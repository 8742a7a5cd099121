/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - subject() with compiler-rt, which writes its profile when the program ends. */
int subject(int n);

int main(void)
{
	subject(1000);
	return 0;
}
