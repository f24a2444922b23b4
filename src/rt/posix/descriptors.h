/* Descriptors that threads of the program can talk to each other through. */
#ifndef RT_DESCRIPTORS_H
#define RT_DESCRIPTORS_H

#include "rt/core/rt.h"

#define DESCRIPTOR_MAX_OBJECTS 256u

enum descriptor_type {
    FD_OTHER, /* files, terminals, the outside: calls pass through */
    FD_PIPE,
    FD_SOCKET,
    FD_EVENT,
    FD_TIMER,
    FD_SIGNAL,
    FD_EPOLL,
    FD_RANDOM, /* /dev/urandom, seeded */
};

#define DESCRIPTOR_OPAQUE 2
struct descriptor {
    uint8_t type;
    bool nonblocking;
    bool periodic; /* a timer that fires again */
    uint8_t not_yet; /* so often it was found not to have fired since it was set … */
    uint64_t fires;  /* … which it has when a thread's time is this; 0: it has, if it is set */
    uint8_t receives, sends; /* in which direction of its object; DESCRIPTOR_OPAQUE: only the kernel knows */
    uint16_t opener; /* the thread that opened it … */
    uint32_t opened; /* … at this moment of its clock */
    uint64_t limits[2];   /* how long it waits to receive, to send (SO_RCVTIMEO, SO_SNDTIMEO); 0: for ever */
    uint32_t description; /* duplicates share it, and whether it is blocking */
    uint64_t signals; /* FD_SIGNAL: that it is read for */
    uint64_t object; /* FD_OTHER: what it was before it was closed, 0 = nothing of ours */
};

#define DESCRIPTORS 1024
struct descriptor *descriptor_of(int fd); /* NULL: calls pass through */
/* The same for an operation on it. That it is closed already is a step, too: another thread may have
 * done it. */
struct descriptor *descriptor_for(int fd, enum event_kind kind, uint64_t pc);
/* Makes fd one of ours: not blocking in the kernel, whatever the program asked for. */
void descriptor_adopt(int fd, enum descriptor_type type, uint64_t object, bool nonblocking);
/* A new one of that type, for which the kernel has one as fd (or -1); fd. */
int descriptor_made(int fd, enum descriptor_type type, bool nonblocking, uint64_t pc);
uint64_t descriptor_new_object(void);
uint64_t descriptor_network(void); /* the one object of all sockets that have a name */
void descriptor_opaque(struct descriptor *d); /* what was received is still there, or the like */
bool descriptor_ready(int fd, int events); /* asks the kernel */
/* Waits until the descriptor is ready for `events` (POLLIN, POLLOUT) and announces the operation;
 * 0, or the error number to fail with. */
int descriptor_wait(int fd, struct descriptor *d, enum event_kind kind, int events, uint64_t pc);
void descriptor_done(struct descriptor *d, long result); /* performed; logs it */
/* Announces a change of the descriptor itself (what it waits for, when it fires); then descriptor_done. */
void descriptor_change(const struct descriptor *d, uint64_t pc);
int descriptor_copied(int from, int to, uint64_t pc); /* a duplicate was made, or not (-1); to */
/* A timer that is set may not have fired by then. */
bool descriptor_not_yet(struct descriptor *d, uint64_t until);

/* io.c: waits until something can be received (sent), then does it by `call`; flags: MSG_…. */
long io_receive(int fd, struct descriptor *d, long (*call)(int, void *), void *args, int flags, uint64_t pc);
long io_send(int fd, struct descriptor *d, long (*call)(int, void *), void *args, int flags, uint64_t pc);

void descriptors_reset(void);

#endif
