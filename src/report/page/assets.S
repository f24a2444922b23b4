/* The style and the script of the HTML report, as they are in the files. */
        .section .rodata
        .global page_css, page_css_end, page_js, page_js_end
page_css:
        .incbin "src/report/page/page.css"
page_css_end:
        .byte 0
page_js:
        .incbin "src/report/page/page.js"
page_js_end:
        .byte 0
        .section .note.GNU-stack, "", @progbits
