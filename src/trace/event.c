#include "trace/event.h"

#include "base/ensure.h"

static const char *const names[] = {
#define EVENT(kind, name, class) name,
#include "trace/event.def"
#undef EVENT
};

const unsigned char event_classes[] = {
#define EVENT(kind, name, class) CLASS_##class,
#include "trace/event.def"
#undef EVENT
};

const char *event_name(enum event_kind k)
{
    ensure(k < EVENT_KINDS);
    return names[k];
}
