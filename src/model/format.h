/* The standard format of a model: 4 spaces per level, one statement per line, comments and single
 * empty lines kept. */
#ifndef MODEL_FORMAT_H
#define MODEL_FORMAT_H

#include "base/sbuf.h"
#include "model/lex.h"

void format_source(const struct model_source *src, struct sbuf *b);

#endif
