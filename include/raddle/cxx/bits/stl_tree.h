/* In code compiled by raddle cc this takes the place of libstdc++'s header of the same name, which it
 * includes: going from node to node in the trees of std::map and std::set, and balancing them, is in the
 * library, where accesses are not seen. Here it is compiled with the program.
 *
 * The header of a tree is a red node: its parent is the root, left and right are the first and the last
 * node; the root's parent is the header. */
#pragma GCC system_header
#include_next <bits/stl_tree.h>
#if !defined RADDLE_CXX_STL_TREE && __cplusplus >= 201103L && _GLIBCXX_RELEASE >= 7 && _GLIBCXX_RELEASE <= 15
#define RADDLE_CXX_STL_TREE
namespace std
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
inline _Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *__x) throw()
{
    if (__x->_M_right) {
        for (__x = __x->_M_right; __x->_M_left;)
            __x = __x->_M_left;
        return __x;
    }
    _Rb_tree_node_base *__above = __x->_M_parent;
    while (__x == __above->_M_right) {
        __x = __above;
        __above = __x->_M_parent;
    }
    return __x->_M_right == __above ? __x : __above; /* the root was the last one: its header */
}

inline const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *__x) throw()
{
    return _Rb_tree_increment(const_cast<_Rb_tree_node_base *>(__x));
}

inline _Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *__x) throw()
{
    if (__x->_M_color == _S_red && __x->_M_parent->_M_parent == __x)
        return __x->_M_right; /* from the header to the last one */
    if (__x->_M_left) {
        for (__x = __x->_M_left; __x->_M_right;)
            __x = __x->_M_right;
        return __x;
    }
    _Rb_tree_node_base *__above = __x->_M_parent;
    while (__x == __above->_M_left) {
        __x = __above;
        __above = __x->_M_parent;
    }
    return __above;
}

inline const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *__x) throw()
{
    return _Rb_tree_decrement(const_cast<_Rb_tree_node_base *>(__x));
}

/* __new (or nothing) comes where __old hangs. */
inline void __raddle_replace(_Rb_tree_node_base *__old, _Rb_tree_node_base *__new,
                             _Rb_tree_node_base &__header) throw()
{
    _Rb_tree_node_base *__above = __old->_M_parent;
    if (__header._M_parent == __old)
        __header._M_parent = __new;
    else if (__above->_M_left == __old)
        __above->_M_left = __new;
    else
        __above->_M_right = __new;
    if (__new)
        __new->_M_parent = __above;
}

/* __x goes down, to the left or right; its child on the other side comes up. */
inline void __raddle_rotate(_Rb_tree_node_base *__x, bool __left, _Rb_tree_node_base &__header) throw()
{
    _Rb_tree_node_base *__up = __left ? __x->_M_right : __x->_M_left;
    _Rb_tree_node_base *__inner = __left ? __up->_M_left : __up->_M_right;
    (__left ? __x->_M_right : __x->_M_left) = __inner;
    if (__inner)
        __inner->_M_parent = __x;
    __raddle_replace(__x, __up, __header);
    (__left ? __up->_M_left : __up->_M_right) = __x;
    __x->_M_parent = __up;
}

inline void _Rb_tree_insert_and_rebalance(const bool __insert_left, _Rb_tree_node_base *__x,
                                          _Rb_tree_node_base *__p, _Rb_tree_node_base &__header) throw()
{
    __x->_M_parent = __p;
    __x->_M_left = __x->_M_right = nullptr;
    __x->_M_color = _S_red;
    if (__p == &__header) {
        __header._M_parent = __header._M_left = __header._M_right = __x;
    } else if (__insert_left) {
        __p->_M_left = __x;
        if (__header._M_left == __p)
            __header._M_left = __x;
    } else {
        __p->_M_right = __x;
        if (__header._M_right == __p)
            __header._M_right = __x;
    }
    while (__x != __header._M_parent && __x->_M_parent->_M_color == _S_red) {
        _Rb_tree_node_base *__above = __x->_M_parent, *__top = __above->_M_parent;
        const bool __is_left = __above == __top->_M_left;
        _Rb_tree_node_base *__uncle = __is_left ? __top->_M_right : __top->_M_left;
        if (__uncle && __uncle->_M_color == _S_red) {
            __above->_M_color = __uncle->_M_color = _S_black;
            __top->_M_color = _S_red;
            __x = __top;
            continue;
        }
        if (__x == (__is_left ? __above->_M_right : __above->_M_left)) {
            __raddle_rotate(__above, __is_left, __header);
            __above = __x;
        }
        __above->_M_color = _S_black;
        __top->_M_color = _S_red;
        __raddle_rotate(__top, !__is_left, __header);
        break;
    }
    __header._M_parent->_M_color = _S_black;
}

/* Below __above, where __x (or nothing) hangs, a black node is missing. */
inline void __raddle_blacken(_Rb_tree_node_base *__x, _Rb_tree_node_base *__above,
                             _Rb_tree_node_base &__header) throw()
{
    while (__x != __header._M_parent && (!__x || __x->_M_color == _S_black)) {
        const bool __is_left = __x == __above->_M_left;
        _Rb_tree_node_base *__w = __is_left ? __above->_M_right : __above->_M_left;
        if (__w->_M_color == _S_red) {
            __w->_M_color = _S_black;
            __above->_M_color = _S_red;
            __raddle_rotate(__above, __is_left, __header);
            __w = __is_left ? __above->_M_right : __above->_M_left;
        }
        _Rb_tree_node_base *__near = __is_left ? __w->_M_left : __w->_M_right;
        _Rb_tree_node_base *__far = __is_left ? __w->_M_right : __w->_M_left;
        const bool __far_red = __far && __far->_M_color == _S_red;
        if (!__far_red && !(__near && __near->_M_color == _S_red)) {
            __w->_M_color = _S_red;
            __x = __above;
            __above = __x->_M_parent;
            continue;
        }
        if (!__far_red) {
            __near->_M_color = _S_black;
            __w->_M_color = _S_red;
            __raddle_rotate(__w, !__is_left, __header);
            __far = __w;
            __w = __near;
        }
        __w->_M_color = __above->_M_color;
        __above->_M_color = _S_black;
        __far->_M_color = _S_black;
        __raddle_rotate(__above, __is_left, __header);
        break;
    }
    if (__x)
        __x->_M_color = _S_black;
}

inline _Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const __z,
                                                        _Rb_tree_node_base &__header) throw()
{
    _Rb_tree_node_base *__x, *__above;
    _Rb_tree_color __gone = __z->_M_color;
    if (__z->_M_left && __z->_M_right) { /* the next one takes its place */
        _Rb_tree_node_base *__next = _Rb_tree_increment(__z);
        __x = __next->_M_right;
        __above = __next->_M_parent == __z ? __next : __next->_M_parent;
        __gone = __next->_M_color;
        if (__above != __next) {
            __raddle_replace(__next, __x, __header);
            __next->_M_right = __z->_M_right;
            __next->_M_right->_M_parent = __next;
        }
        __raddle_replace(__z, __next, __header);
        __next->_M_left = __z->_M_left;
        __next->_M_left->_M_parent = __next;
        __next->_M_color = __z->_M_color;
    } else {
        __x = __z->_M_left ? __z->_M_left : __z->_M_right;
        __above = __z->_M_parent;
        _Rb_tree_node_base *__leaf = __x;
        if (__header._M_left == __z) {
            while (__leaf && __leaf->_M_left)
                __leaf = __leaf->_M_left;
            __header._M_left = __leaf ? __leaf : __above;
        }
        __leaf = __x;
        if (__header._M_right == __z) {
            while (__leaf && __leaf->_M_right)
                __leaf = __leaf->_M_right;
            __header._M_right = __leaf ? __leaf : __above;
        }
        __raddle_replace(__z, __x, __header);
    }
    if (__gone == _S_black)
        __raddle_blacken(__x, __above, __header);
    return __z;
}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
