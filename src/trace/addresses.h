/* The map of fixed addresses in a worker: what lies where, so that nothing overlaps and addresses are the
 * same in every execution. The ranges of *_OBJECTS hold no memory: they name things that have no address
 * in the program, eight bytes each. */
#ifndef TRACE_ADDRESSES_H
#define TRACE_ADDRESSES_H

#include <stdint.h>

#define ADDRESS_THREADS 256ull /* EVENT_MAX_THREADS */

#define HEAP_BASE 0x010000000000ull
#define HEAP_ARENA (2ull << 30)                       /* bytes per thread */
#define HEAP_SIZE (HEAP_ARENA * (ADDRESS_THREADS + 1)) /* the last: before main */
#define HEAP_SHADOW 0x02a000000000ull                 /* one byte for 8 */

#define FILE_OBJECTS 0x02b900000000ull       /* files, by path */
#define QUEUE_OBJECTS 0x02ba00000000ull      /* message queues, by name */
#define NUMBERS_OBJECT 0x02b9fffffff8ull     /* who has which descriptor */
#define SEM_NAMES_OBJECT 0x02bb00000000ull   /* the table of names of semaphores */
#define HANDLERS_OBJECT 0x02bb00000008ull    /* the list of exit handlers */
#define KEYS_OBJECT 0x02bb00000010ull        /* the table of keys */
#define ACTIONS_OBJECT 0x02bb00000018ull     /* what signals do */
#define PROCESS_OBJECTS 0x02bb00000020ull    /* what else the kernel keeps for the process */
#define THREAD_OBJECTS 0x02bc00000000ull     /* what a thread's end is an event on */
#define CANCEL_OBJECTS 0x02bd00000000ull     /* requests to cancel */
#define SIGNAL_OBJECT 0x02be00000000ull      /* what signals are sent through */
#define DESCRIPTOR_OBJECTS 0x02bf00000000ull /* everything behind descriptors: a poll reads the range */

#define STACKS_BASE 0x02c000000000ull
#define STACK_SIZE (8ull << 20)
#define LOCALS_BASE (STACKS_BASE + STACK_SIZE * ADDRESS_THREADS) /* thread-local variables, not of main */
#define LOCALS_SIZE ((32ull << 10) + 640) /* per thread; no multiple of 4096: lines of the cache */
#define SHARED_BASE 0x030000000000ull /* the memory shared with the host */
#define SHARED_SIZE (64ull << 30)
#define MAPS_BASE 0x048000000000ull
#define MAPS_SIZE (16ull << 30) /* per thread */
#define LARGE_STACKS_BASE 0x090000000000ull
#define LARGE_STACK (1ull << 30)

_Static_assert(HEAP_BASE + HEAP_SIZE <= HEAP_SHADOW, "the heap ends before its shadow");
_Static_assert(HEAP_SHADOW + HEAP_SIZE / 8 <= FILE_OBJECTS, "so does the shadow before the names");
_Static_assert(DESCRIPTOR_OBJECTS + (1ull << 32) <= STACKS_BASE, "names before stacks");
_Static_assert(LOCALS_BASE + LOCALS_SIZE * ADDRESS_THREADS <= SHARED_BASE, "stacks before sharing");
_Static_assert(SHARED_BASE + SHARED_SIZE <= MAPS_BASE, "sharing before mappings");
_Static_assert(MAPS_BASE + MAPS_SIZE * ADDRESS_THREADS <= LARGE_STACKS_BASE,
               "mappings before large stacks");

#endif
