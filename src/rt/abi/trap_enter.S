/* trap_enter: where a system call that the filter caught goes on (trap.c). The stack holds the address
 * behind the system call, 128 bytes below where it was; the registers are those of the system call. It
 * preserves everything but rax, rcx and r11, as the kernel does. */
        .text
        .globl  trap_enter
        .hidden trap_enter
        .type   trap_enter, @function
trap_enter:
        pushfq
        pushq   %rbp
        movq    %rsp, %rbp
        pushq   %r9                     /* the arguments, as an array */
        pushq   %r8
        pushq   %r10
        pushq   %rdx
        pushq   %rsi
        pushq   %rdi
        movq    %rsp, %rsi
        subq    $528, %rsp
        andq    $-16, %rsp
        fxsave  (%rsp)
        cld
        movq    %rax, %rdi
        call    trap_call
        fxrstor (%rsp)
        leaq    -48(%rbp), %rsp
        popq    %rdi
        popq    %rsi
        popq    %rdx
        popq    %r10
        popq    %r8
        popq    %r9
        popq    %rbp
        popfq
        ret     $120
        .size   trap_enter, .-trap_enter
        .section .note.GNU-stack,"",@progbits
