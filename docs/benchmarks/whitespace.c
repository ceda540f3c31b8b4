/* The yardstick: Whitespace as everybody's first interpreter in C runs it.

   Instructions decoded to numbers, labels looked up before the run, one `switch`, numbers of 64
   bits that wrap, a heap of fixed size, a count of steps; no limits, no checks, no inspection.

       naive PROGRAM < input > output

   The last line on standard error is "steps seconds", the CPU time of the loop alone. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAP = 1 << 24, STACK = 1 << 22 };

static const char *const spellings[] = {
    "SS", "SLS", "STS", "SLT", "SLL", "STL", "TSSS", "TSST", "TSSL", "TSTS", "TSTT", "TTS", "TTT",
    "LSS", "LST", "LSL", "LTS", "LTT", "LTL", "LLL", "TLSS", "TLST", "TLTS", "TLTT"};
enum { PUSH, DUP, COPY, SWAP, DISCARD, SLIDE, ADD, SUB, MUL, DIV, MOD, STORE, RETRIEVE, LABEL, CALL,
       JUMP, JZ, JN, RETURN, END, PRINTC, PRINTN, READC, READN };

static int64_t floored(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: naive PROGRAM\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file), length = 0, count = 0;
    rewind(file);
    char *text = malloc(size + 1);
    for (int c; (c = getc(file)) != EOF;)
        if (c == ' ' || c == '\t' || c == '\n') text[length++] = c == ' ' ? 'S' : c == '\t' ? 'T' : 'L';
    text[length] = 0;
    int *ops = malloc((length + 1) * sizeof *ops);
    int64_t *args = malloc((length + 1) * sizeof *args);
    char **names = malloc((length + 1) * sizeof *names);
    for (char *at = text; *at; count++) {
        int op = 0;
        while (op < 24 && strncmp(at, spellings[op], strlen(spellings[op]))) op++;
        if (op == 24) return 1;
        at += strlen(spellings[op]);
        ops[count] = op;
        names[count] = at;
        if (op == PUSH || op == COPY || op == SLIDE) {
            int64_t value = 0, sign = *at == 'T' ? -1 : 1;
            for (at += *at != 'L'; *at != 'L'; at++) value = 2 * value + (*at == 'T');
            args[count] = sign * value;
            at++;
        } else if (op >= LABEL && op <= JN) {
            while (*at != 'L') at++;
            *at++ = 0;
        }
    }
    ops[count] = END;
    for (size_t i = 0; i < count; i++)
        if (ops[i] >= CALL && ops[i] <= JN)
            for (size_t j = 0; j < count; j++)
                if (ops[j] == LABEL && !strcmp(names[i], names[j])) args[i] = (int64_t)j;
    int64_t *heap = calloc(HEAP, sizeof *heap), *stack = calloc(STACK, sizeof *stack), *top = stack, a;
    int64_t *calls = calloc(STACK, sizeof *calls), *call = calls;
    uint64_t steps = 0;
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (size_t ip = 0; ip < count; steps++) {
        size_t here = ip++;
        switch (ops[here]) {
            case PUSH: *++top = args[here]; break;
            case DUP: top++; *top = top[-1]; break;
            case COPY: a = top[-args[here]]; *++top = a; break;
            case SWAP: a = *top; *top = top[-1]; top[-1] = a; break;
            case DISCARD: top--; break;
            case SLIDE: a = *top; top -= args[here]; *top = a; break;
            case ADD: top--; *top += top[1]; break;
            case SUB: top--; *top -= top[1]; break;
            case MUL: top--; *top *= top[1]; break;
            case DIV: top--; *top = floored(*top, top[1]); break;
            case MOD: top--; *top -= floored(*top, top[1]) * top[1]; break;
            case STORE: top -= 2; heap[top[1]] = top[2]; break;
            case RETRIEVE: *top = heap[*top]; break;
            case LABEL: break;
            case CALL: *call++ = (int64_t)ip; ip = (size_t)args[here]; break;
            case JUMP: ip = (size_t)args[here]; break;
            case JZ: if (!*top--) ip = (size_t)args[here]; break;
            case JN: if (*top-- < 0) ip = (size_t)args[here]; break;
            case RETURN: ip = (size_t)*--call; break;
            case END: ip = count; break;
            case PRINTC: putchar((int)*top--); break;
            case PRINTN: printf("%lld", (long long)*top--); break;
            case READC: heap[*top--] = getchar(); break;
            case READN: { long long n = 0; if (scanf("%lld", &n) != 1) n = -1; heap[*top--] = n; break; }
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    fflush(stdout);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    fprintf(stderr, "%llu %.6f\n", (unsigned long long)steps, seconds);
    return 0;
}
