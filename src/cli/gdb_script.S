/* What gdb is told, as it is in the file. */
        .section .rodata
        .global gdb_script, gdb_script_end
gdb_script:
        .incbin "src/cli/gdb.py"
gdb_script_end:
        .byte 0
        .section .note.GNU-stack, "", @progbits
