/* tests/cases/match-states/dining: N philosophers who never stop eating; the last one takes the other fork first. */
#ifndef N
#define N 10
#endif
bit fork_[N];

proctype philosopher(byte one, other)
{
    do
    :: atomic { fork_[one] == 0 -> fork_[one] = 1 };
       atomic { fork_[other] == 0 -> fork_[other] = 1 };
       fork_[other] = 0;
       fork_[one] = 0
    od
}

init {
    byte i = 0;
    atomic {
        do
        :: i < N - 1 -> run philosopher(i, i + 1); i++
        :: else -> break
        od;
        run philosopher(0, N - 1)
    }
}
