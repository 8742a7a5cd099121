/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse.c - eliminates one node after the other. If a node is eliminated, its neighbours become connected with each
 * other. The node with the fewest neighbours comes first. Control flow is mostly nested, so few new connections are
 * needed: the time is about linear in the number of blocks.
 */
#include "sparse.h"
#include "bytes.h"

#include <stdlib.h>

/* The most steps that one solution of the equations may take. */
#define STEPS_MAX 20000000u
#define NOWHERE   ((size_t)-1)

/* The neighbours of a node that are not eliminated yet. */
struct neighbours {
	size_t *list;
	size_t count;
	size_t room;
	size_t next; /* nodes with the same number of neighbours are in a list */
	size_t previous;
	bool gone;
};

struct elimination {
	struct sparse *sparse;
	struct neighbours *nodes;
	size_t *heads; /* for each number of neighbours: the first node of the list */
	size_t *marks;
	size_t mark;
	size_t room; /* of sparse->later */
	size_t steps;
};

static void enlist(struct elimination *elimination, size_t node)
{
	struct neighbours *own = &elimination->nodes[node];
	size_t *head = &elimination->heads[own->count];

	own->next = *head;
	own->previous = NOWHERE;
	if (*head != NOWHERE)
		elimination->nodes[*head].previous = node;
	*head = node;
}

static void delist(struct elimination *elimination, size_t node)
{
	const struct neighbours *own = &elimination->nodes[node];

	if (own->previous == NOWHERE)
		elimination->heads[own->count] = own->next;
	else
		elimination->nodes[own->previous].next = own->next;
	if (own->next != NOWHERE)
		elimination->nodes[own->next].previous = own->previous;
}

static void add_neighbour(struct elimination *elimination, size_t node, size_t other)
{
	struct neighbours *own = &elimination->nodes[node];

	own->list = array_grow(own->list, own->count, &own->room, sizeof(*own->list));
	own->list[own->count++] = other;
}

/* Connects the neighbours of a node with each other, and removes the node from their lists. */
static void connect(struct elimination *elimination, size_t node)
{
	const struct neighbours *own = &elimination->nodes[node];
	size_t i;
	size_t k;

	for (i = 0; i < own->count; i++) {
		size_t a = own->list[i];
		struct neighbours *at = &elimination->nodes[a];

		delist(elimination, a);
		elimination->mark++;
		elimination->marks[a] = elimination->mark;
		for (k = 0; k < at->count;) {
			if (at->list[k] == node) {
				at->list[k] = at->list[--at->count];
				continue;
			}
			elimination->marks[at->list[k++]] = elimination->mark;
		}
		for (k = 0; k < own->count; k++)
			if (elimination->marks[own->list[k]] != elimination->mark)
				add_neighbour(elimination, a, own->list[k]);
		enlist(elimination, a);
		elimination->steps += at->count + own->count;
	}
}

static void find_neighbours(struct elimination *elimination)
{
	const struct sparse *sparse = elimination->sparse;
	size_t i;

	for (i = 0; i < sparse->arc_count; i++) {
		const struct sparse_arc *arc = &sparse->arcs[i];
		const struct neighbours *own = &elimination->nodes[arc->a];
		size_t k = 0;

		if (arc->a == arc->b || arc->a == sparse->ground || arc->b == sparse->ground)
			continue;
		while (k < own->count && own->list[k] != arc->b)
			k++;
		if (k < own->count)
			continue;
		add_neighbour(elimination, arc->a, arc->b);
		add_neighbour(elimination, arc->b, arc->a);
	}
}

/* Puts the nodes in order. Returns false if this, or a solution, takes too many steps. */
static bool eliminate(struct elimination *elimination)
{
	struct sparse *sparse = elimination->sparse;
	size_t least = 0;
	size_t done = 0;
	size_t at = 0;
	size_t i;

	for (i = 0; i < sparse->count; i++)
		enlist(elimination, i);
	while (done < sparse->count && elimination->steps <= STEPS_MAX) {
		struct neighbours *own;
		size_t node;

		while (elimination->heads[least] == NOWHERE)
			least++;
		node = elimination->heads[least];
		own = &elimination->nodes[node];
		delist(elimination, node);
		connect(elimination, node);
		sparse->place[node] = done;
		sparse->node[done] = node;
		sparse->first[done++] = at;
		for (i = 0; i < own->count; i++) {
			sparse->later = array_grow(sparse->later, at, &elimination->room, sizeof(*sparse->later));
			sparse->later[at++] = own->list[i];
		}
		least = least ? least - 1 : 0;
	}
	sparse->first[done] = at;
	return done == sparse->count;
}

static int compare_places(const void *left, const void *right)
{
	return compare_uint(*(const size_t *)left, *(const size_t *)right);
}

/* Turns the nodes in the entries into places, and finds the entry of each arc. */
static void finish(struct sparse *sparse)
{
	size_t i;
	size_t k;

	for (i = 0; i < sparse->count; i++) {
		size_t count = sparse->first[i + 1] - sparse->first[i];

		for (k = sparse->first[i]; k < sparse->first[i + 1]; k++)
			sparse->later[k] = sparse->place[sparse->later[k]];
		if (count)
			qsort(sparse->later + sparse->first[i], count, sizeof(*sparse->later), compare_places);
	}
	for (i = 0; i < sparse->arc_count; i++) {
		const struct sparse_arc *arc = &sparse->arcs[i];
		size_t a = sparse->place[arc->a];
		size_t b = sparse->place[arc->b];
		size_t low = a < b ? a : b;
		size_t high = a < b ? b : a;

		sparse->entry[i] = NOWHERE;
		if (a != b && arc->a != sparse->ground && arc->b != sparse->ground)
			sparse->entry[i] = sparse->first[low] + lower_bound(&high, sparse->later + sparse->first[low],
									sparse->first[low + 1] - sparse->first[low],
									sizeof(high), compare_places);
	}
}

bool sparse_open(struct sparse *sparse, size_t count, size_t ground, const struct sparse_arc *arcs, size_t arc_count)
{
	struct elimination elimination = {.sparse = sparse};
	bool done;
	size_t i;

	*sparse = (struct sparse){.count = count, .ground = ground, .arcs = arcs, .arc_count = arc_count};
	sparse->node = allocate(count + 1, sizeof(*sparse->node));
	sparse->place = allocate(count + 1, sizeof(*sparse->place));
	sparse->first = allocate(count + 1, sizeof(*sparse->first));
	sparse->diagonal = allocate(count + 1, sizeof(*sparse->diagonal));
	sparse->entry = allocate(arc_count + 1, sizeof(*sparse->entry));
	sparse->scratch = allocate(count + 1, sizeof(*sparse->scratch));
	sparse->sums = allocate(count + 1, sizeof(*sparse->sums));
	elimination.nodes = allocate(count + 1, sizeof(*elimination.nodes));
	elimination.heads = allocate(count + 1, sizeof(*elimination.heads));
	elimination.marks = allocate(count + 1, sizeof(*elimination.marks));
	for (i = 0; i <= count; i++)
		elimination.heads[i] = NOWHERE;
	find_neighbours(&elimination);
	done = eliminate(&elimination);
	for (i = 0; i < count; i++)
		free(elimination.nodes[i].list);
	free(elimination.nodes);
	free(elimination.heads);
	free(elimination.marks);
	sparse->value = allocate(elimination.room + 1, sizeof(*sparse->value));
	if (done)
		finish(sparse);
	else
		sparse_close(sparse);
	return done;
}

void sparse_close(struct sparse *sparse)
{
	free(sparse->node);
	free(sparse->place);
	free(sparse->first);
	free(sparse->later);
	free(sparse->value);
	free(sparse->diagonal);
	free(sparse->entry);
	free(sparse->scratch);
	free(sparse->sums);
}

static void set_values(struct sparse *sparse, const double *weights)
{
	size_t i;

	memset(sparse->diagonal, 0, sparse->count * sizeof(*sparse->diagonal));
	memset(sparse->value, 0, sparse->first[sparse->count] * sizeof(*sparse->value));
	for (i = 0; i < sparse->arc_count; i++) {
		const struct sparse_arc *arc = &sparse->arcs[i];

		if (arc->a == arc->b)
			continue;
		sparse->diagonal[sparse->place[arc->a]] += weights[i];
		sparse->diagonal[sparse->place[arc->b]] += weights[i];
		if (sparse->entry[i] != NOWHERE)
			sparse->value[sparse->entry[i]] -= weights[i];
	}
	/* A part without ground would have no solution, or many. */
	for (i = 0; i < sparse->count; i++)
		sparse->diagonal[i] = sparse->diagonal[i] * (1 + 1e-12) + 1e-300;
}

static void factor(struct sparse *sparse)
{
	size_t place;
	size_t i;
	size_t k;

	for (place = 0; place < sparse->count; place++) {
		size_t end = sparse->first[place + 1];

		for (i = sparse->first[place]; i < end; i++) {
			double part = sparse->value[i] / sparse->diagonal[place];
			size_t other = sparse->later[i];

			for (k = sparse->first[other]; k < sparse->first[other + 1]; k++)
				sparse->scratch[sparse->later[k]] = k;
			sparse->diagonal[other] -= part * sparse->value[i];
			for (k = i + 1; k < end; k++)
				sparse->value[sparse->scratch[sparse->later[k]]] -= part * sparse->value[k];
			/* Rounding must not make it 0. */
			if (!(sparse->diagonal[other] > 1e-300))
				sparse->diagonal[other] = 1e-300;
		}
	}
}

void sparse_solve(struct sparse *sparse, const double *weights, const double *pull, double *values)
{
	double *sums = sparse->sums;
	size_t i;
	size_t k;

	set_values(sparse, weights);
	factor(sparse);
	for (i = 0; i < sparse->count; i++)
		sums[i] = sparse->node[i] == sparse->ground ? 0 : pull[sparse->node[i]];
	for (i = 0; i < sparse->count; i++)
		for (k = sparse->first[i]; k < sparse->first[i + 1]; k++)
			sums[sparse->later[k]] -= sparse->value[k] / sparse->diagonal[i] * sums[i];
	for (i = sparse->count; i-- > 0;) {
		double sum = sums[i];

		for (k = sparse->first[i]; k < sparse->first[i + 1]; k++)
			sum -= sparse->value[k] * sums[sparse->later[k]];
		sums[i] = sum / sparse->diagonal[i];
	}
	for (i = 0; i < sparse->count; i++)
		values[sparse->node[i]] = sparse->node[i] == sparse->ground ? 0 : sums[i];
}
