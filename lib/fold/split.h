/* The text of a stack taken apart: frames become the numbers of their names, labels, process and leaf as
 * gp-folded(5) writes them. */
#ifndef FOLD_SPLIT_H
#define FOLD_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold/fold.h"

/* More than any stack and any line of tens of megabytes has; it bounds what a hostile line may cost. */
#define SPLIT_FRAMES_MAX ((size_t)16 << 20)

struct split {
	struct fold *fold;
	const struct header *header; /* the profile's own: says which leading frames are labels */
	const uint32_t *labels;	     /* names put before every stack, after its time */
	size_t label_count;
	uint64_t later_ns; /* the profile began so much after the sum: what to add to the labels time */
	bool leaf_as_frame; /* the leaf's own rules are left to the caller */
	uint32_t *row; /* what the last stack became */
	size_t count, room;
	size_t head; /* of it labels and process */
};

/* One more frame, by its text or by its number. */
void split_add(struct split *split, enum fold_position position, const char *text, size_t length);
void split_push(struct split *split, uint32_t name);

/* A label; time as so much later. */
void split_add_label(struct split *split, enum fold_position position, const char *text, size_t length);

/* Forgets the last stack, where another profile begins. */
void split_reset(struct split *split);

/* -1, silently: more than SPLIT_FRAMES_MAX frames. */
int split_stack(struct split *split, const char *text, size_t length);
void split_release(struct split *split);

#endif
