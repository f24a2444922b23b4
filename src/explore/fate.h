/* The point of no return: from which step of a failing schedule on does every continuation fail? */
#ifndef EXPLORE_FATE_H
#define EXPLORE_FATE_H

#include <stdint.h>

/* What the engine `fate` found out, at the start of its state. */
struct fate_found {
    int64_t avoidable; /* after so many steps of the schedule it could still be avoided; -1: none known */
    int64_t doomed;    /* after so many steps it could not; at most the length of the schedule */
};

#endif
