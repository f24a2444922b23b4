/* The compiler's hooks for atomics that look at memory: each notes the registers that the program's frame
 * keeps its variables in, where it stands (struct frame in rt.h, the first thing in struct thread), and
 * goes on in atomic.c. A thread that waits in a loop is recognised by them without unwinding; see
 * spin.c. */
        .text

        .macro  NOTE
        movq    8+rt(%rip), %rax        /* rt.self */
        movq    (%rsp), %r11
        movq    %rbx, (%rax)
        movq    %rbp, 8(%rax)
        movq    %r12, 16(%rax)
        movq    %r13, 24(%rax)
        movq    %r14, 32(%rax)
        movq    %r15, 40(%rax)
        movq    %rsp, 48(%rax)
        movq    %r11, 56(%rax)
        .endm

        .macro  HOOK name
        .globl  __tsan_\name
        .type   __tsan_\name, @function
        .hidden hook_\name
__tsan_\name:
        .cfi_startproc
        NOTE
        jmp     hook_\name
        .cfi_endproc
        .size   __tsan_\name, .-__tsan_\name
        .endm

        .hidden rt
/* A store only looks where its loop may put something back (rt.undoes; await_undo.c). */
        .macro  STORE_HOOK name
        .globl  __tsan_\name
        .type   __tsan_\name, @function
        .hidden hook_\name
__tsan_\name:
        .cfi_startproc
        cmpb    $0, 1+rt(%rip)          /* rt.undoes */
        je      hook_\name
        NOTE
        jmp     hook_\name
        .cfi_endproc
        .size   __tsan_\name, .-__tsan_\name
        .endm

        .irp    bits, 8, 16, 32, 64, 128
        STORE_HOOK atomic\bits\()_store
        HOOK    atomic\bits\()_load
        HOOK    atomic\bits\()_compare_exchange_val
        HOOK    atomic\bits\()_compare_exchange_strong
        HOOK    atomic\bits\()_compare_exchange_weak
        HOOK    atomic\bits\()_exchange
        HOOK    atomic\bits\()_fetch_add
        HOOK    atomic\bits\()_fetch_sub
        HOOK    atomic\bits\()_fetch_and
        HOOK    atomic\bits\()_fetch_or
        HOOK    atomic\bits\()_fetch_xor
        HOOK    atomic\bits\()_fetch_nand
        .endr

/* What lies below the program's frame becomes zero; see spin.h. */
#define WIPED 2048
        .macro  WIPE bits
        .globl  spin_wiped_\bits
        .hidden spin_wiped_\bits
        .type   spin_wiped_\bits, @function
spin_wiped_\bits:
        .cfi_startproc
        movq    %rdi, %rdx
        leaq    -WIPED(%rsp), %rdi
        movl    $WIPED/8, %ecx
        xorl    %eax, %eax
        rep stosq
        movq    %rdx, %rax
        ret
        .cfi_endproc
        .size   spin_wiped_\bits, .-spin_wiped_\bits
        .endm

        .irp    bits, 8, 16, 32, 64
        WIPE    \bits
        .endr

/* A failed assertion: what is in all registers, in the order of DWARF's numbers, for whoever tells the
 * values of variables that are nowhere else. */
        .macro  KEEP from, number
        movq    %\from, 8*\number+assert_registers(%rip)
        .endm

        .macro  ASSERTION name
        .globl  \name
        .type   \name, @function
        .hidden hook_\name
\name:
        .cfi_startproc
        KEEP    rax, 0
        KEEP    rdx, 1
        KEEP    rcx, 2
        KEEP    rbx, 3
        KEEP    rsi, 4
        KEEP    rdi, 5
        KEEP    rbp, 6
        leaq    8(%rsp), %rax
        KEEP    rax, 7
        KEEP    r8, 8
        KEEP    r9, 9
        KEEP    r10, 10
        KEEP    r11, 11
        KEEP    r12, 12
        KEEP    r13, 13
        KEEP    r14, 14
        KEEP    r15, 15
        jmp     hook_\name
        .cfi_endproc
        .size   \name, .-\name
        .endm

        .hidden assert_registers
        ASSERTION __assert_fail
        ASSERTION raddle_rt_assert_fail

        .section .note.GNU-stack,"",@progbits
