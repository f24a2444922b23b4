/* getcontext, makecontext, setcontext, swapcontext: tell the runtime (contexts.c) and go on in the C
 * library's, which return to the caller as often as they like. All arguments are kept: makecontext has
 * any number of them. */
        .macro ENTER name
        .text
        .globl  \name
        .type   \name, @function
\name:
        .cfi_startproc
        .irp register, rdi, rsi, rdx, rcx, r8, r9, rax
        pushq   %\register
        .cfi_adjust_cfa_offset 8
        .endr
        movq    56(%rsp), %rdx
        call    contexts_\name
        movq    %rax, %r11
        .irp register, rax, r9, r8, rcx, rdx, rsi, rdi
        popq    %\register
        .cfi_adjust_cfa_offset -8
        .endr
        jmp     *%r11
        .cfi_endproc
        .size   \name, . - \name
        .endm

        ENTER    getcontext
        ENTER    makecontext
        ENTER    setcontext
        ENTER    swapcontext

/* Coroutines return to this, with rbx where makecontext has put uc_link. */
        .globl  contexts_ended
        .hidden contexts_ended
        .type   contexts_ended, @function
contexts_ended:
        .cfi_startproc
        .cfi_undefined rip
        movq    (%rbx), %rdi
        movq    %rbx, %rsp
        andq    $-16, %rsp
        call    contexts_link
        hlt
        .cfi_endproc
        .size   contexts_ended, . - contexts_ended
        .section .note.GNU-stack, "", @progbits
