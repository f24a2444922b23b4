#include "cli/run_unfold.h"

#include "cli/formats.h"
#include "cli/outdir.h"
#include "explore/engine.h"
#include "host/state_graph.h"
#include "report/unfolding.h"

#include <stdio.h>
#include <string.h>

int run_unfold_check(const char *dot, const struct run_config *c, struct error *e)
{
    if (dot && strcmp(c->engine, "context") && strcmp(c->engine, "unfold"))
        return error_set(e, EXIT_USAGE, "--dot is for engines context and unfold, which build an unfolding");
    return formats_check_file(dot, e);
}

int run_states_check(const char *path, struct run_config *c, struct error *e)
{
    c->graph = path != NULL;
    const struct engine_class *engine = engine_find(c->engine);
    if (path && engine && !engine->every_access)
        return error_set(e, EXIT_USAGE,
                         "--states is for engines stateful and stateful-unfold, which compare states");
    return formats_check_file(path, e);
}

int run_states_write(const char *path, const struct region *worker, struct error *e)
{
    return path ? state_graph_write(worker, path, e) : 0;
}

int run_unfold_draw(const char *path, const struct report *r, struct error *e)
{
    struct sbuf text = {0};
    if (!path)
        return 0;
    unfolding_dot(r, &text);
    int failed = outdir_write(path, sbuf_str(&text), text.len, e);
    if (!failed && r->unfolding_events > UNFOLDING_MOST)
        fprintf(stderr, "raddle: the unfolding has %llu events: %s has the first %d, and where it goes on\n",
                (unsigned long long)r->unfolding_events, path, UNFOLDING_MOST);
    sbuf_free(&text);
    return failed;
}
