/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow.c - finds the counts of blocks that conserve flow and explain the samples best.
 *
 * The samples of a block are a Poisson variable with the mean count * instructions. So samples / instructions estimates
 * the count, with the variance count / instructions. The program looks for the flow with the smallest sum of squared
 * deviations from these estimates, each divided by its variance. The variances depend on the counts, so it solves the
 * problem several times, each time with the variances of the counts that it found before.
 *
 * The problem is a network. Its nodes are the places where flow is conserved: before and after each block. Its arcs are
 * the blocks, whose flow was sampled, and the edges, whose flow was not. Where a block has only one successor, or a
 * block only one predecessor, the flow of the edge is that of the block, so both ends of the edge become one node. Each
 * node has a price. The optimal flow of an arc depends only on the difference between the prices of its two nodes. The
 * program changes all prices until as much flows into each node as out of it (Newton's method). Functions whose graph is
 * too dense for this get the prices of their nodes changed one after the other, which is less exact.
 */
#include "flow.h"
#include "bytes.h"
#include "sparse.h"

#include <stdlib.h>

/* The variances are computed ROUNDS times. Each time, the prices are changed at most SWEEPS or STEPS times. */
#define ROUNDS 6
#define SWEEPS 400
#define STEPS  100
/* A node is in balance if the difference between its inflow and its outflow is at most this part of the flow. */
#define BALANCE 1e-7
/* Variances of flows that were not sampled are this much larger than the variances of blocks with the same count. */
#define UNKNOWN 100.0

struct arc {
	size_t from; /* nodes */
	size_t to;
	size_t block; /* the arc of an edge: the blocks at its ends; otherwise both are the same block */
	size_t other;
	double seen; /* the estimate of the flow from samples */
	double variance;
	double flow;
};

/* The arcs of a node. */
struct node {
	size_t first; /* index in network.incident */
	size_t count;
	double price;
};

struct network {
	struct flow *flow;
	size_t *parent; /* of the nodes that became one: a node with the same content, or the node itself */
	struct arc *arcs; /* first the blocks, then the other arcs */
	size_t arc_count;
	size_t *edge_arcs; /* the arc that has the flow of each edge */
	struct node *nodes;
	size_t node_count;
	size_t *incident;
	struct sparse sparse;
	bool direct; /* sparse can be used */
};

static size_t before(size_t block)
{
	return 2 * block;
}

static size_t after(size_t block)
{
	return 2 * block + 1;
}

/* The node for everything outside of the function. Its flow need not be in balance. */
static size_t outside(const struct network *network)
{
	return 2 * network->flow->block_count;
}

static size_t root(struct network *network, size_t node)
{
	while (network->parent[node] != node) {
		network->parent[node] = network->parent[network->parent[node]];
		node = network->parent[node];
	}
	return node;
}

static void unite(struct network *network, size_t a, size_t b)
{
	a = root(network, a);
	b = root(network, b);
	/* The node outside has the highest number, and stays what it is. */
	network->parent[a < b ? a : b] = a < b ? b : a;
}

static void add_arc(struct network *network, size_t from, size_t to, size_t block, size_t other)
{
	network->arcs[network->arc_count++] = (struct arc){.from = from, .to = to, .block = block, .other = other};
}

/* Makes the arcs. Edges whose flow is that of a block become part of a node. */
static void make_arcs(struct network *network)
{
	const struct flow *flow = network->flow;
	size_t *out = allocate(flow->block_count + 1, sizeof(*out));
	size_t *in = allocate(flow->block_count + 1, sizeof(*in));
	size_t i;

	for (i = 0; i < flow->edge_count; i++) {
		out[flow->edges[i].from]++;
		in[flow->edges[i].to]++;
	}
	for (i = 0; i < flow->block_count; i++) {
		out[i] += flow->blocks[i].leaves;
		in[i] += flow->blocks[i].enters;
		add_arc(network, before(i), after(i), i, i);
	}
	for (i = 0; i < flow->edge_count; i++) {
		const struct flow_edge *edge = &flow->edges[i];

		network->edge_arcs[i] = out[edge->from] == 1 ? edge->from
		                        : in[edge->to] == 1  ? edge->to
		                                             : network->arc_count;
		if (network->edge_arcs[i] == network->arc_count)
			add_arc(network, after(edge->from), before(edge->to), edge->from, edge->to);
		else
			unite(network, after(edge->from), before(edge->to));
	}
	for (i = 0; i < flow->block_count; i++) {
		if (flow->blocks[i].enters && in[i] == 1)
			unite(network, outside(network), before(i));
		else if (flow->blocks[i].enters)
			add_arc(network, outside(network), before(i), i, i);
		if (flow->blocks[i].leaves && out[i] == 1)
			unite(network, after(i), outside(network));
		else if (flow->blocks[i].leaves)
			add_arc(network, after(i), outside(network), i, i);
	}
	free(out);
	free(in);
}

/* Lists the arcs of each node. An arc from a node to itself is in balance with any flow, so no node lists it. */
static void list_arcs(struct network *network)
{
	size_t at = 0;
	size_t i;

	for (i = 0; i < network->arc_count; i++) {
		struct arc *arc = &network->arcs[i];

		arc->from = root(network, arc->from);
		arc->to = root(network, arc->to);
		if (arc->from == arc->to)
			continue;
		network->nodes[arc->from].count++;
		network->nodes[arc->to].count++;
	}
	for (i = 0; i < network->node_count; i++) {
		network->nodes[i].first = at;
		at += network->nodes[i].count;
		network->nodes[i].count = 0;
	}
	network->incident = allocate(at + 1, sizeof(*network->incident));
	for (i = 0; i < network->arc_count; i++) {
		const struct arc *arc = &network->arcs[i];

		if (arc->from == arc->to)
			continue;
		network->incident[network->nodes[arc->from].first + network->nodes[arc->from].count++] = i;
		network->incident[network->nodes[arc->to].first + network->nodes[arc->to].count++] = i;
	}
}

static double flow_of(const struct network *network, const struct arc *arc)
{
	double flow = arc->seen + arc->variance * (network->nodes[arc->from].price - network->nodes[arc->to].price);

	return flow > 0 ? flow : 0;
}

/*
 * Changes the price of node @number until the node is in balance. A higher price makes less flow in and more flow out.
 * Flows that are 0 do not change, so a step can be too long or too short: the loop takes several. Returns the largest
 * imbalance that the node had.
 */
static double balance(struct network *network, size_t number)
{
	struct node *node = &network->nodes[number];
	double first = 0;
	unsigned int step;

	for (step = 0; step < 4; step++) {
		double surplus = 0;
		double slope = 0;
		size_t i;

		for (i = 0; i < node->count; i++) {
			const struct arc *arc = &network->arcs[network->incident[node->first + i]];
			double flow = flow_of(network, arc);

			surplus += arc->to == number ? flow : -flow;
			if (flow > 0)
				slope += arc->variance;
		}
		if (!step)
			first = surplus < 0 ? -surplus : surplus;
		if (!(slope > 0))
			break;
		node->price += surplus / slope;
	}
	return first;
}

/* Returns the count of @block. A count below one sample says little, because the next sample may double it. */
static double level(const struct network *network, size_t block)
{
	double least = 1 / network->flow->blocks[block].instructions;

	return network->arcs[block].flow > least ? network->arcs[block].flow : least;
}

static void set_variances(struct network *network)
{
	const struct flow *flow = network->flow;
	size_t i;

	for (i = 0; i < network->arc_count; i++) {
		struct arc *arc = &network->arcs[i];

		if (i < flow->block_count) {
			arc->seen = flow->blocks[i].samples / flow->blocks[i].instructions;
			arc->variance = level(network, i) / flow->blocks[i].instructions;
		} else {
			double a = level(network, arc->block);
			double b = level(network, arc->other);

			arc->seen = arc->flow;
			arc->variance = UNKNOWN * (a > b ? a : b);
		}
	}
}

/* Changes the price of one node after the other. */
static void sweep_nodes(struct network *network, double total)
{
	unsigned int sweep;
	size_t i;

	for (sweep = 0; sweep < SWEEPS; sweep++) {
		double worst = 0;

		/* Forwards and backwards in turn, so that a change travels through a chain of blocks in one sweep. */
		for (i = 0; i < network->node_count - 1; i++) {
			size_t number = sweep % 2 ? network->node_count - 2 - i : i;
			double surplus = network->nodes[number].count ? balance(network, number) : 0;

			if (surplus > worst)
				worst = surplus;
		}
		if (worst <= BALANCE * total)
			break;
	}
}

/* Returns the sum that the right prices make smallest. */
static double cost(const struct network *network)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < network->arc_count; i++) {
		double flow = flow_of(network, &network->arcs[i]);

		sum += flow * flow / (2 * network->arcs[i].variance);
	}
	return sum;
}

/* Moves all prices by @share of @change. */
static void move(struct network *network, const double *change, double share)
{
	size_t i;

	for (i = 0; i < network->node_count; i++)
		network->nodes[i].price += share * change[i];
}

/* Sets the imbalance of each node and the weight of each arc. Returns the largest imbalance. */
static double measure(const struct network *network, double *surplus, double *weights)
{
	double worst = 0;
	size_t i;

	memset(surplus, 0, network->node_count * sizeof(*surplus));
	for (i = 0; i < network->arc_count; i++) {
		const struct arc *arc = &network->arcs[i];
		double flow = flow_of(network, arc);

		surplus[arc->to] += flow;
		surplus[arc->from] -= flow;
		/* Prices do not change a flow that is 0. But all weights must be above 0. */
		weights[i] = flow > 0 ? arc->variance : arc->variance * 1e-6;
	}
	for (i = 0; i + 1 < network->node_count; i++) {
		double size = surplus[i] < 0 ? -surplus[i] : surplus[i];

		worst = size > worst ? size : worst;
	}
	return worst;
}

/*
 * Changes all prices by a multiple of @change, which promises to lower the cost by about @gain. If flows become 0 on the
 * way, the change may be too long or too short. So a half of it is tried, or the double.
 */
static void move_well(struct network *network, const double *change, double gain)
{
	double start = cost(network);
	double share = 1;
	double now;
	double next;

	move(network, change, 1);
	now = cost(network);
	while (share > 1e-9 && now > start - 1e-4 * share * gain) {
		share /= 2;
		move(network, change, -share);
		now = cost(network);
	}
	while (share >= 1 && share < 1e9) {
		move(network, change, share);
		next = cost(network);
		if (!(next < now)) {
			move(network, change, -share);
			break;
		}
		share *= 2;
		now = next;
	}
}

/* Changes all prices together, until all nodes are in balance. */
static void newton(struct network *network, double total)
{
	double *surplus = allocate(network->node_count, sizeof(*surplus));
	double *change = allocate(network->node_count, sizeof(*change));
	double *weights = allocate(network->arc_count + 1, sizeof(*weights));
	unsigned int step;

	for (step = 0; step < STEPS && measure(network, surplus, weights) > BALANCE * total; step++) {
		double gain = 0;
		size_t i;

		sparse_solve(&network->sparse, weights, surplus, change);
		for (i = 0; i + 1 < network->node_count; i++)
			gain += surplus[i] * change[i];
		move_well(network, change, gain);
	}
	free(surplus);
	free(change);
	free(weights);
}

static void solve(struct network *network, double total)
{
	size_t i;

	for (i = 0; i < network->node_count; i++)
		network->nodes[i].price = 0;
	if (network->direct)
		newton(network, total);
	else
		sweep_nodes(network, total);
	for (i = 0; i < network->arc_count; i++)
		network->arcs[i].flow = flow_of(network, &network->arcs[i]);
}

void flow_infer(struct flow *flow)
{
	size_t node_count = 2 * flow->block_count + 1;
	size_t arc_limit = 3 * flow->block_count + flow->edge_count;
	struct network network = {
		.flow = flow,
		.parent = allocate(node_count, sizeof(*network.parent)),
		.arcs = allocate(arc_limit + 1, sizeof(*network.arcs)),
		.edge_arcs = allocate(flow->edge_count + 1, sizeof(*network.edge_arcs)),
		.nodes = allocate(node_count, sizeof(*network.nodes)),
		.node_count = node_count,
	};
	struct sparse_arc *ends;
	double total = 0;
	size_t i;

	for (i = 0; i < node_count; i++)
		network.parent[i] = i;
	for (i = 0; i < flow->block_count; i++)
		total += flow->blocks[i].samples / flow->blocks[i].instructions;
	make_arcs(&network);
	list_arcs(&network);
	ends = allocate(network.arc_count + 1, sizeof(*ends));
	for (i = 0; i < network.arc_count; i++)
		ends[i] = (struct sparse_arc){network.arcs[i].from, network.arcs[i].to};
	network.direct =
		sparse_open(&network.sparse, node_count, root(&network, outside(&network)), ends, network.arc_count);
	for (i = 0; i < flow->block_count; i++)
		network.arcs[i].flow = flow->blocks[i].samples / flow->blocks[i].instructions;
	for (i = 0; i < ROUNDS && total > 0; i++) {
		set_variances(&network);
		solve(&network, total);
	}
	for (i = 0; i < flow->block_count; i++)
		flow->blocks[i].count = network.arcs[i].flow;
	for (i = 0; i < flow->edge_count; i++)
		flow->edges[i].count = network.arcs[network.edge_arcs[i]].flow;
	if (network.direct)
		sparse_close(&network.sparse);
	free(ends);
	free(network.parent);
	free(network.arcs);
	free(network.edge_arcs);
	free(network.nodes);
	free(network.incident);
}
