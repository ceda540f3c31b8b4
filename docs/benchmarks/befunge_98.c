/* The yardstick: Befunge as everybody's first interpreter in C runs it.

   One IP on a flat grid of fixed size that it never leaves, one `switch` over the characters,
   cells of 64 bits that wrap, a count of steps; no limits, no checks, no inspection.

       naive PROGRAM > output

   The last line on standard error is "steps seconds", the CPU time of the loop alone. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 1 << 17, HEIGHT = 32, STACK = 1 << 20 };

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: naive PROGRAM\n");
        return 2;
    }
    int64_t *grid = malloc(sizeof *grid * WIDTH * HEIGHT), *cell = grid;
    int64_t *top = calloc(STACK, sizeof *top), a;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) grid[i] = ' ';
    for (int c, row = 0; (c = getc(file)) != EOF && row < HEIGHT;)
        if (c == '\n') cell = grid + (size_t)++row * WIDTH;
        else *cell++ = c;
    fclose(file);
    uint64_t steps = 0;
    int64_t delta = 1;
    int running = 1;
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (cell = grid; running; cell += delta) {
        int64_t op = *cell;
        steps += op != ' ';
        switch (op) {
            case ' ': break;
            case '0': case '1': case '2': case '3': case '4':
            case '5': case '6': case '7': case '8': case '9': *++top = op - '0'; break;
            case 'a': case 'b': case 'c': case 'd': case 'e': case 'f': *++top = op - 'a' + 10; break;
            case '>': delta = 1; break;
            case '<': delta = -1; break;
            case '^': delta = -WIDTH; break;
            case 'v': delta = WIDTH; break;
            case '_': delta = *top-- ? -1 : 1; break;
            case '|': delta = *top-- ? -WIDTH : WIDTH; break;
            case ':': top++; *top = top[-1]; break;
            case '\\': a = *top; *top = top[-1]; top[-1] = a; break;
            case '$': top--; break;
            case '+': top--; *top = (int64_t)((uint64_t)*top + (uint64_t)top[1]); break;
            case '-': top--; *top = (int64_t)((uint64_t)*top - (uint64_t)top[1]); break;
            case '*': top--; *top = (int64_t)((uint64_t)*top * (uint64_t)top[1]); break;
            case '/': top--; *top = top[1] ? *top / top[1] : 0; break;
            case '%': top--; *top = top[1] ? *top % top[1] : 0; break;
            case '!': *top = !*top; break;
            case '`': top--; *top = *top > top[1]; break;
            case '#': cell += delta; break;
            case 'g': top--; *top = grid[top[1] * WIDTH + *top]; break;
            case 'p': top -= 3; grid[top[3] * WIDTH + top[2]] = top[1]; break;
            case '"':
                for (cell += delta; *cell != '"'; cell += delta, steps++) *++top = *cell;
                steps++;
                break;
            case '.': printf("%lld ", (long long)*top--); break;
            case ',': putchar((int)*top--); break;
            case '@': running = 0; break;
            default: delta = -delta;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    fflush(stdout);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    fprintf(stderr, "%llu %.6f\n", (unsigned long long)steps, seconds);
    return 0;
}
