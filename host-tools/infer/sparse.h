/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse.h - solves linear equations for the nodes of a network: each arc with a weight pulls the values of its two
 * nodes together (a Laplace matrix). One node, the ground, has the value 0.
 */
#ifndef BAREPROF_HOST_SPARSE_H
#define BAREPROF_HOST_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

/* The two nodes of an arc. Arcs from a node to itself have no effect. */
struct sparse_arc {
	size_t a;
	size_t b;
};

/* The equations, whose unknowns are sorted in the order in which they are eliminated. All fields are private. */
struct sparse {
	size_t count;
	size_t ground;
	size_t *node; /* the node of each place in the order */
	size_t *place; /* the place of each node */
	size_t *first; /* of each place: its first entry; an entry stands for a later place with which it is connected */
	size_t *later; /* of each entry */
	double *value; /* of each entry */
	double *diagonal; /* of each place */
	const struct sparse_arc *arcs;
	size_t arc_count;
	size_t *entry; /* of each arc */
	size_t *scratch;
	double *sums;
};

/*
 * sparse_open - prepares the equations for @count nodes and the @arcs, which must stay in place. Returns false if they
 * need more time than the functions of a program are worth, because very many arcs cross; then there is nothing to free.
 */
bool sparse_open(struct sparse *sparse, size_t count, size_t ground, const struct sparse_arc *arcs, size_t arc_count);
void sparse_close(struct sparse *sparse);

/*
 * sparse_solve - finds the values at which, for each node, the sum over its arcs of weight * (its value - the value of
 * the other node) is pull[node]. @weights has a number above 0 for each arc. Parts of the network that are not
 * connected to the ground need pulls whose sum is 0. Stores the values in @values, which has an element for each node.
 */
void sparse_solve(struct sparse *sparse, const double *weights, const double *pull, double *values);

#endif
