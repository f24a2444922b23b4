/* __sigsetjmp(env, save): notes the mask of signals that is the program's (jump.c), and goes on in the
 * C library's, which returns to the caller as often as it likes. */
        .text
        .globl  __sigsetjmp
        .type   __sigsetjmp, @function
__sigsetjmp:
        .cfi_startproc
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        call    jump_note
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmp     *%rax
        .cfi_endproc
        .size   __sigsetjmp, . - __sigsetjmp
        .section .note.GNU-stack, "", @progbits
