/* Where a job is: redis[s]://[user[:password]@]host[:port]/job[?lease=SECONDS&memory=SIZE]. */
#ifndef FARM_URL_H
#define FARM_URL_H

#include "base/error.h"

#include <stdbool.h>

struct farm_url {
    bool tls;
    char user[64], password[256];
    char host[256], port[8];
    char job[64];   /* letters, digits, - _ . */
    double lease;   /* seconds until one that is not heard of counts as gone */
    double memory;  /* bytes that the job may take in Redis, … */
    bool memory_given; /* … which the address says: a job that is there gets as many, if it had less */
};

/* The password may come from REDISCLI_AUTH instead. */
int farm_url_parse(struct farm_url *u, const char *text, struct error *e);

#endif
