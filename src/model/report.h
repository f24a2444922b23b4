/* What a search has found, told as text or JSON. */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include "base/sbuf.h"
#include "model/search.h"

const char *model_report_reduce_name(enum reduce reduce);
/* Exit status: bug, incomplete or safe. */
int model_report_status(const struct model_search *se);
/* The finding to be told in full: the worst kind, the first of it. NULL: none. */
const struct model_finding *model_report_worst(const struct model_search *se);
void model_report_finding_line(const struct model_search *se, const struct model_finding *f, struct sbuf *b);
void model_report_text(struct model_search *se, int all, int width, struct sbuf *b);
void model_report_json(struct model_search *se, struct sbuf *b);

#endif
