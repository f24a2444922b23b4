/* raddle run --farm: what all participants must have in common. */
#ifndef CLI_RUN_FARM_H
#define CLI_RUN_FARM_H

#include "farm/url.h"
#include "host/program.h"
#include "trace/shared.h"

/* Can the search be shared like this, and is there a Redis? Sets config->farm. */
int run_farm_check(const char *address, struct run_config *config, int coverage, struct farm_url *url,
                   struct error *e);
/* Lines "what: value" (allocated). */
char *run_farm_identity(const struct run_config *config, const struct program *program, char **command,
                        int input);

#endif
