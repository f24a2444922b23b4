/* In code compiled by raddle cc this takes the place of libstdc++'s header of the same name, which it
 * includes: linking and unlinking the nodes of a std::list is in the library, where accesses are not seen.
 * Here it is compiled with the program. */
#pragma GCC system_header
#include_next <bits/stl_list.h>
#if !defined RADDLE_CXX_STL_LIST && __cplusplus >= 201103L && _GLIBCXX_RELEASE >= 7 && _GLIBCXX_RELEASE <= 14
#define RADDLE_CXX_STL_LIST
namespace std
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail
{
inline void _List_node_base::_M_hook(_List_node_base *const __next) noexcept
{
    _List_node_base *__before = __next->_M_prev;
    _M_next = __next;
    _M_prev = __before;
    __before->_M_next = this;
    __next->_M_prev = this;
}

inline void _List_node_base::_M_unhook() noexcept
{
    _List_node_base *__before = _M_prev, *__after = _M_next;
    __before->_M_next = __after;
    __after->_M_prev = __before;
}

/* The nodes from __first up to __last, which stays, come before this one. */
inline void _List_node_base::_M_transfer(_List_node_base *const __first,
                                         _List_node_base *const __last) noexcept
{
    if (this == __last)
        return;
    _List_node_base *__tail = __last->_M_prev, *__gap = __first->_M_prev, *__before = _M_prev;
    __gap->_M_next = __last;
    __last->_M_prev = __gap;
    __before->_M_next = __first;
    __first->_M_prev = __before;
    __tail->_M_next = this;
    _M_prev = __tail;
}

inline void _List_node_base::_M_reverse() noexcept
{
    _List_node_base *__node = this;
    do {
        _List_node_base *__after = __node->_M_next;
        __node->_M_next = __node->_M_prev;
        __node->_M_prev = __after;
        __node = __after;
    } while (__node != this);
}

/* The nodes of a list are given to another head. */
inline void __raddle_rehead(_List_node_base *__from, _List_node_base *__to, _List_node_base *__first,
                            _List_node_base *__last) noexcept
{
    if (__first == __from) {
        __to->_M_next = __to->_M_prev = __to;
        return;
    }
    __to->_M_next = __first;
    __to->_M_prev = __last;
    __first->_M_prev = __last->_M_next = __to;
}

inline void _List_node_base::swap(_List_node_base &__x, _List_node_base &__y) noexcept
{
    if (&__x == &__y)
        return;
    _List_node_base *__first = __x._M_next, *__last = __x._M_prev;
    __raddle_rehead(&__y, &__x, __y._M_next, __y._M_prev);
    __raddle_rehead(&__x, &__y, __first, __last);
}
}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
