#include "../dp-monitor-su/prog.c"
