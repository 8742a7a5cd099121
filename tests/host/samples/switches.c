/* SPDX-License-Identifier: BSD-2-Clause */
/* switches.c - switches of many shapes, for tests/host/jumps.sh. Each case writes something else, so it stays a jump. */

int calls(int number);

#define CASE(n)                                                                                                        \
	case n:                                                                                                        \
		p[(n) % 32 * 3] += (n)*7 + 1;                                                                          \
		p[(n) % 23] ^= p[(n) % 31 + 5] * ((n) + 3);                                                            \
		break;
#define CASES_5(n)   CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4)
#define CASES_20(n)  CASES_5(n) CASES_5(n + 5) CASES_5(n + 10) CASES_5(n + 15)
#define CASES_100(n) CASES_20(n) CASES_20(n + 20) CASES_20(n + 40) CASES_20(n + 60) CASES_20(n + 80)

int five(unsigned int x, volatile int *p)
{
	switch (x) {
		CASES_5(3)
	default:
		return p[1];
	}
	return p[2] + 7;
}

/* Some cases are missing, so entries of the table lead to the default. */
int holes(int x, volatile int *p)
{
	switch (x) {
		CASES_5(-3) CASES_5(4) CASE(12) CASES_5(15) default : p[1] = 2;
	}
	return p[2] + 7;
}

int large(unsigned long x, volatile int *p)
{
	switch (x) {
		CASES_100(0) CASES_100(100) CASES_100(200) default : return p[1];
	}
	return p[2] + 7;
}

/* Control falls from one case into the next. */
int falls(unsigned int x, volatile int *p)
{
	switch (x) {
	case 9:
		p[9] = 1;
	case 8:
		p[8] = 2;
	case 7:
		p[7] = 4;
	case 6:
		p[6] = 8;
	case 5:
		p[5] = 16;
	case 4:
		p[4] = 32;
	default:
		p[0] = 64;
	}
	return p[2];
}

/* The loop keeps the address of the table in a register, and the index needs no comparison. */
int loop(const unsigned char *s, volatile int *p)
{
	for (;;)
		switch (*s++ & 7) {
			CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) case 6 : p[6] = 3;
			continue;
		default:
			return p[3];
		}
}

/* The number was compared with others before. */
int compared(const unsigned char *s, volatile int *p)
{
	for (; *s; s++) {
		unsigned int x = *s;

		if (x <= 47) {
			p[1] += 3;
			if (x == 37)
				continue;
		}
		switch (x) {
			CASES_20(30)
		default:
			return p[9];
		}
	}
	return p[8];
}

int bytes(unsigned char x, volatile int *p)
{
	switch (x) {
		CASES_20(40)
	default:
		return p[1];
	}
	return p[2] + 7;
}

/* One switch in a case of the other, and calls between the instructions of both. */
int nested(unsigned int x, unsigned int y, volatile int *p)
{
	y += (unsigned int)calls(1);
	switch (x) {
		CASES_5(0)
	case 5:
		calls(2);
		switch (y) {
			CASES_20(10)
		default:
			return calls(3);
		}
		p[4] = 5;
		break;
		CASES_5(6)
	default:
		calls(4);
	}
	return calls(p[2] + 7);
}

/*
 * The next two functions compare nothing, so only the bits of the index limit the tables. The table of the second
 * function has fewer entries than these bits have values.
 */
int open_index(unsigned int x, volatile int *p)
{
	switch (x) {
		CASES_20(0)
	default:
		__builtin_unreachable();
	}
	return p[2] + 7;
}

int open_bits(unsigned int x, volatile int *p)
{
	switch (x & 31) {
		CASES_20(0)
	default:
		__builtin_unreachable();
	}
	return p[2] + 7;
}

int calls(int number)
{
	volatile int *p = (volatile int *)(unsigned long)0x1000;

	switch (number * 3 - 10) {
		CASES_5(1) CASES_5(6) default : return p[1];
	}
	return p[2];
}
