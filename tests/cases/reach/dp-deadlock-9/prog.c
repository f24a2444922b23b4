#include "../dp-deadlock/prog.c"
