/* Shared by share.c, share_insert.c and share_write.c alone: what a frame is. */
#ifndef FARM_SHARE_IMPL_H
#define FARM_SHARE_IMPL_H

#include "farm/share.h"

typedef VEC(struct act) share_acts;

struct share_branch {
    struct act act;
    uint16_t pick, values; /* as in struct step */
    bool confirmed, leaf;
    enum { BRANCH_WAITING, BRANCH_OUT, BRANCH_DONE } state;
    int owner; /* OUT without a child: the worker that has it */
    struct share_frame *child;
};

struct share_frame {
    uint64_t id;
    struct share_frame *parent;
    uint32_t parent_branch;
    int64_t step;      /* -1: above the root */
    bool known;
    uint64_t finished; /* branches done before it was a frame */
    struct tset enabled;
    share_acts asleep, done;
    VEC(struct share_branch) branches;
    size_t open; /* branches not done */
};

/* A new last branch, a leaf that waits. */
struct share_branch *share_add_branch(struct share *s, struct share_frame *f, struct act act, uint16_t pick,
                                      uint16_t values);
/* The state below a branch of a wakeup tree. */
struct share_frame *share_inner_frame(struct share *s, struct share_frame *f, uint32_t branch);

/* share_insert.c: reads a SEQUENCE that was found below branch `own` of f and sees to it that it is
 * explored; -1: not well-formed. */
int share_insert(struct share *s, struct share_frame *f, uint32_t own, bool by_thread,
                 struct work *in);

/* share_write.c: into memory that grows. */
void share_put(struct work *w, uint64_t value);
void share_put_bytes(struct work *w, const unsigned char *bytes, uint64_t n);
void share_put_list(struct work *w, const struct share_frame *f, size_t from);
void share_put_item(struct share *s, struct work *w, const struct share_frame *f, uint32_t n);
void share_begin(struct work *w, enum work_kind kind);

#endif
