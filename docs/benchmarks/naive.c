/* The yardstick: Brainfuck as everybody's first interpreter in C runs it.

   One `switch` on the source, a table of matching brackets, a count of steps, nothing else: no
   limits, no bounds, no inspection.  A comment costs nothing, as comments are removed first.

       naive PROGRAM [STEPS] < input > output

   The last line on standard error is "steps seconds", the CPU time of the loop alone.  With STEPS it
   stops there, at the price of one compare a step; the compare is also there without. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAPE = 1 << 24 };

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: naive PROGRAM [STEPS]\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file), length = 0, depth = 0;
    rewind(file);
    char *code = malloc(size + 1);
    size_t *match = calloc(size + 1, sizeof *match), *open = malloc((size + 1) * sizeof *open);
    for (int c; (c = getc(file)) != EOF;) {
        if (!c || !strchr("><+-.,[]", c)) continue;
        if (c == '[') open[depth++] = length;
        if (c == ']') {
            if (!depth) return 1;
            match[length] = open[--depth];
            match[match[length]] = length;
        }
        code[length++] = (char)c;
    }
    if (depth) return 1;
    code[length] = 0;
    uint64_t steps = 0, limit = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX;
    unsigned char *tape = calloc(TAPE, 1), *cell = tape;
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (const char *at = code; *at && steps < limit; at++, steps++) {
        switch (*at) {
            case '>': cell++; break;
            case '<': cell--; break;
            case '+': ++*cell; break;
            case '-': --*cell; break;
            case '.': putchar(*cell); break;
            case ',': { int c = getchar(); *cell = c == EOF ? 0 : (unsigned char)c; break; }
            case '[': if (!*cell) at = code + match[at - code]; break;
            case ']': if (*cell) at = code + match[at - code] - 1; break;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    fflush(stdout);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    fprintf(stderr, "%llu %.6f\n", (unsigned long long)steps, seconds);
    return 0;
}
