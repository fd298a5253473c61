/* A BLAS under its usual names in front of one that prefixes its own: each symbol is one jump, which leaves every
   argument where it is. forward.list is made by scripts/backends and holds FORWARD(dgemm_, prefix_dgemm_) lines. */
#if defined(__x86_64__)
#define FORWARD(name, target) .globl name; .type name, @function; name: jmp target@PLT; .size name, . - name
#elif defined(__aarch64__)
#define FORWARD(name, target) .globl name; .type name, %function; name: b target; .size name, . - name
#else
#error "no forwarding jump for this processor"
#endif
	.text
#include "forward.list"
	.section .note.GNU-stack, "", %progbits
