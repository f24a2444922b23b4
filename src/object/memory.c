/* Memory: `contents` is the value. Accesses overlap or not (object/dependence.h); an access of
 * several bytes is one on each of them. A compare-exchange that fails only reads. AWAIT is not on
 * one object: a thread that goes round in a loop and changes nothing waits for a change of
 * anything it reads there. */
#include "object/object.h"

static void load(struct object_state *s, struct event *op)
{
    op->value = s->contents;
}

static void store(struct object_state *s, struct event *op)
{
    op->other = s->contents;
    s->contents = op->value;
}

static void exchange(struct object_state *s, struct event *op)
{
    if (s->contents == op->other) {
        s->contents = op->value;
        return;
    }
    op->value = s->contents;
    op->flags |= EVENT_FAILED;
}

static void release(struct object_state *s, struct event *op)
{
    s->destroyed = true;
}

const struct operation op_LOAD = {
    .object = OBJECT_MEMORY, .role = {ROLE_READ, ROLE_READ}, .traits = OP_CERTAIN, .perform = load,
    .done = "reads {o}: {v}"};
const struct operation op_STORE = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_WRITE}, .traits = OP_CERTAIN, .perform = store,
    .done = "writes {o} = {v}"};
const struct operation op_RMW = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_WRITE}, .traits = OP_CERTAIN_DONE,
    .perform = store, .done = "updates {o}: {w} → {v}"};
const struct operation op_CAS = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_READ}, .perform = exchange,
    .done = "compares and exchanges {o}"};
const struct operation op_CAS_FAIL = {
    .object = OBJECT_MEMORY, .role = {ROLE_READ, ROLE_READ}, .traits = OP_CERTAIN_DONE,
    .perform = load, .done = "compare-exchange fails, {o}: {v}"};
const struct operation op_READ = {
    .object = OBJECT_MEMORY, .role = {ROLE_READ, ROLE_READ},
    .traits = OP_CERTAIN | OP_PLAIN, .perform = load,
    .done = "reads {o}: {v}"};
const struct operation op_WRITE = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_WRITE},
    .traits = OP_CERTAIN | OP_PLAIN, .perform = store,
    .done = "writes {o} = {v}"};
const struct operation op_FREE = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_WRITE}, .traits = OP_EVERYWHERE | OP_PLAIN,
    .perform = release, .done = "frees {b}"};
const struct operation op_FENCE = {
    .role = {ROLE_NONE, ROLE_NONE}, .traits = OP_SILENT, .done = "fence"};
const struct operation op_ALLOC = {.role = {ROLE_NONE, ROLE_NONE}, .done = "allocates {b}, {s} bytes"};

/* The object is one for all: no two sections can be exchanged. */
const struct operation op_SECTION = {
    .object = OBJECT_MEMORY, .role = {ROLE_WRITE, ROLE_WRITE}, .traits = OP_CERTAIN, .perform = store,
    .done = "enters an atomic section"};

/* Failed: of EVENT_ALONE_OBJECT; nobody else could go on. */
const struct operation op_AWAIT = {
    .object = OBJECT_MEMORY, .role = {ROLE_AWAIT, ROLE_WRITE}, .touch = TOUCH_SET,
    .touch_role = ROLE_AWAIT,
    .done = "waits for a change and goes on", .failed = "goes on, as nobody else can"};
