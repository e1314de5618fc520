/* Matrix products one after the other by oneDNN, for gradients.py. Each argument: "NT m n k times", the letters saying
   whether each operand is transposed. Prints the least time of ten rounds, in microseconds, as JSON. */
#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct product {
  char a, b;
  long m, n, k, times;
  float *left, *right, *result;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static float *matrix(long rows, long columns) {
  float *elements = aligned_alloc(64, (rows * columns * sizeof(float) + 63) / 64 * 64);
  for (long i = 0; elements && i < rows * columns; ++i)
    elements[i] = (float)rand() / RAND_MAX - 0.5f;
  return elements;
}

int main(int argc, char **argv) {
  struct product *products = calloc(argc, sizeof *products);
  for (int i = 1; i < argc; ++i) {
    struct product *p = &products[i];
    if (sscanf(argv[i], "%c%c %ld %ld %ld %ld", &p->a, &p->b, &p->m, &p->n, &p->k, &p->times) != 6)
      return fprintf(stderr, "not a product: %s\n", argv[i]), 2;
    p->left = matrix(p->m, p->k);
    p->right = matrix(p->k, p->n);
    p->result = matrix(p->m, p->n);
    if (!p->left || !p->right || !p->result)
      return fprintf(stderr, "no memory\n"), 2;
  }
  double least = 1e30;
  for (int round = 0; round < 10; ++round) {
    const double start = now();
    for (int i = 1; i < argc; ++i) {
      const struct product *p = &products[i];
      for (long j = 0; j < p->times; ++j)
        dnnl_sgemm(p->a, p->b, p->m, p->n, p->k, 1, p->left, p->a == 'T' ? p->m : p->k, p->right,
                   p->b == 'T' ? p->k : p->n, 0, p->result, p->n);
    }
    const double taken = now() - start;
    if (taken < least)
      least = taken;
  }
  printf("{\"min_us\": %.1f}\n", least);
  return 0;
}
