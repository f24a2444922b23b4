/* In code compiled by raddle cc this takes the place of libstdc++'s header of the same name, which it
 * includes: std::string is then compiled with the program instead of being taken from the library, so
 * that its accesses are seen. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
