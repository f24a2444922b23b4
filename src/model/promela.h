/* The same system as a Promela model, so that SPIN can be asked the same question. */
#ifndef MODEL_PROMELA_H
#define MODEL_PROMELA_H

#include "model/sys.h"

/* The text (owned by the caller), or NULL with e when the scheme cannot be expressed. */
char *promela_text(const struct sys *s, struct error *e);

#endif
