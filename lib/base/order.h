/* Sorting what is too long to compare at once: items as sequences of 64-bit words, read as deep as they
 * are equal. It must not know what the words mean. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Sorts items, which are numbers of something in context, by their words. word() gives word number depth
 * of an item; its bit 0 is set if more words follow. The order is that of the words as numbers, so that an
 * end comes before its continuations; equal items stay together in any order. */
void order_by_words(uint32_t *items, size_t count,
    uint64_t (*word)(const void *context, uint32_t item, uint32_t depth), const void *context);

#endif
