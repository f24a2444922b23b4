/* With -DVISIBLE a program is as its Java original: a lock is reached through a reference, and every
 * access to what is shared is a step. */
#ifdef VISIBLE
#define SHARED _Atomic
#define REFERENCES(name, object, n)                                                                \
    pthread_mutex_t *_Atomic name[n];                                                              \
    static void refer_##name(void)                                                                 \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            name[i] = &object[i];                                                                  \
    }
#define LOCK_OF(name, object, i) name[i]
#else
#define SHARED
#define REFERENCES(name, object, n)                                                                \
    static void refer_##name(void)                                                                 \
    {                                                                                              \
    }
#define LOCK_OF(name, object, i) &object[i]
#endif
