/* What a search has found, told as text or JSON. */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include "base/sbuf.h"
#include "model/search.h"

const char *model_report_reduce_name(enum reduce reduce);
/* Exit status: bug, incomplete or safe. */
int model_report_status(const struct search *se);
/* The finding to be told in full: the worst kind, the first of it. NULL: none. */
const struct finding *model_report_worst(const struct search *se);
void model_report_finding_line(const struct search *se, const struct finding *f, struct sbuf *b);
void model_report_text(struct search *se, int all, struct sbuf *b);
void model_report_json(struct search *se, struct sbuf *b);

#endif
