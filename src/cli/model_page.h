/* The result of raddle model as one HTML page: verdict, the worst finding as a message sequence
 * chart, what it is in words, and the reachability graph if it is small. */
#ifndef CLI_MODEL_PAGE_H
#define CLI_MODEL_PAGE_H

#include "base/sbuf.h"
#include "model/search.h"

/* `text` is what the command says. */
void model_page(struct model_search *se, const struct sbuf *text, struct sbuf *out);

#endif
