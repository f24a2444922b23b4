/* tests/cases/match-states/buffer: a bounded buffer, three producers and three consumers that never end. Who waits on a
 * condition is a bit of a set; a signal wakes any of them. */
#define SIZE 2
#define THREADS 6

bit locked;
byte buffer[SIZE];
byte in, out, count;
byte waiting[2]; /* on filled, on emptied: sets of threads */

inline wait(which)
{
    atomic { waiting[which] = waiting[which] | (1 << me); locked = 0 };
    atomic { !(waiting[which] & (1 << me)) && !locked -> locked = 1 }
}

inline signal(which)
{
    atomic {
        if
        :: waiting[which] == 0
        :: waiting[which] & 1 -> waiting[which] = waiting[which] & ~1
        :: waiting[which] & 2 -> waiting[which] = waiting[which] & ~2
        :: waiting[which] & 4 -> waiting[which] = waiting[which] & ~4
        :: waiting[which] & 8 -> waiting[which] = waiting[which] & ~8
        :: waiting[which] & 16 -> waiting[which] = waiting[which] & ~16
        :: waiting[which] & 32 -> waiting[which] = waiting[which] & ~32
        fi
    }
}

proctype producer(byte me)
{
    do
    :: atomic { !locked -> locked = 1 };
       do
       :: count == SIZE -> wait(1)
       :: else -> break
       od;
       buffer[in] = 1 + me;
       in = (in + 1) % SIZE;
       count++;
       signal(0);
       locked = 0
    od
}

proctype consumer(byte me)
{
    do
    :: atomic { !locked -> locked = 1 };
       do
       :: count == 0 -> wait(0)
       :: else -> break
       od;
       assert(buffer[out]);
       buffer[out] = 0;
       out = (out + 1) % SIZE;
       count--;
       signal(1);
       locked = 0
    od
}

init {
    atomic {
        run producer(0); run consumer(1);
        run producer(2); run consumer(3);
        run producer(4); run consumer(5)
    }
}
