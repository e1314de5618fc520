/* The peak of this processor's multiply-adds, and matrix products by the libraries that are installed, for
   product_peaks.py.

   product_peaks LEVEL TYPE OPENBLAS ONEDNN M N K ...

   LEVEL is v3 or v4, TYPE float or double; OPENBLAS and ONEDNN are the files of the libraries, or - for none. Prints a
   line of JSON for the peak, in operations a microsecond, and one for each product, with the least time of a call, in
   microseconds. */
#include <dlfcn.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *,
                   int);
typedef int dnnl_sgemm(char, char, long, long, long, float, const float *, long, const float *, long, float, float *,
                       long);
enum { row_major = 101, plain = 111, round_us = 200000, chains = 12 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

/* Numbers of floating-point operations a microsecond: chains of multiply-adds that wait for nothing. */
#define PEAK(NAME, TARGET, V, SET, FMA, LANES)                                                                         \
  __attribute__((target(TARGET), noinline)) static double NAME(void) {                                                 \
    V sums[chains], factor = SET(0.999f), term = SET(0.001f);                                                          \
    double best = 0;                                                                                                   \
    for (int i = 0; i < chains; ++i)                                                                                   \
      sums[i] = SET(i);                                                                                                \
    for (double begin = now(); now() < begin + round_us;) {                                                            \
      const double start = now();                                                                                      \
      for (int turn = 0; turn < 20000; ++turn)                                                                         \
        _Pragma("GCC unroll 12") for (int i = 0; i < chains; ++i) {                                                    \
          sums[i] = FMA(sums[i], factor, term);                                                                        \
          __asm__("" : "+v"(sums[i]));                                                                                 \
        }                                                                                                              \
      const double speed = 20000.0 * chains * LANES * 2 / (now() - start);                                             \
      best = speed > best ? speed : best;                                                                              \
    }                                                                                                                  \
    return best;                                                                                                       \
  }
PEAK(peak_v3_float, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps, 8)
PEAK(peak_v3_double, "avx2,fma", __m256d, _mm256_set1_pd, _mm256_fmadd_pd, 4)
PEAK(peak_v4_float, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps, 16)
PEAK(peak_v4_double, "avx512f", __m512d, _mm512_set1_pd, _mm512_fmadd_pd, 8)

static void *numbers(long count, int is_double) {
  void *data = aligned_alloc(64, (count * 8 + 63) / 64 * 64);
  for (long i = 0; data && i < count; ++i) {
    const double value = (double)rand() / RAND_MAX - 0.5;
    if (is_double)
      ((double *)data)[i] = value;
    else
      ((float *)data)[i] = (float)value;
  }
  return data;
}

static void *symbol(const char *file, const char *name) {
  void *library = strcmp(file, "-") ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (strcmp(file, "-") && !library)
    fprintf(stderr, "%s\n", dlerror());
  return library ? dlsym(library, name) : NULL;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return fprintf(stderr, "usage: product_peaks LEVEL TYPE OPENBLAS ONEDNN M N K ...\n"), 2;
  const int is_v4 = !strcmp(argv[1], "v4"), is_double = !strcmp(argv[2], "double");
  printf("{\"peak\": %.1f}\n",
         is_v4 ? (is_double ? peak_v4_double() : peak_v4_float()) : (is_double ? peak_v3_double() : peak_v3_float()));
  void *blas = symbol(argv[3], is_double ? "cblas_dgemm" : "cblas_sgemm");
  dnnl_sgemm *dnnl = is_double ? NULL : (dnnl_sgemm *)symbol(argv[4], "dnnl_sgemm");
  for (int i = 5; i + 2 < argc; i += 3) {
    const long m = atol(argv[i]), n = atol(argv[i + 1]), k = atol(argv[i + 2]);
    void *a = numbers(m * k, is_double), *b = numbers(k * n, is_double), *c = numbers(m * n, is_double);
    if (!a || !b || !c)
      return fprintf(stderr, "no memory\n"), 2;
    for (int which = 0; which < 2; ++which) {
      if (which == 0 ? !blas : !dnnl)
        continue;
      double best = 1e30;
      int calls = 1;
      for (double begin = now(); now() < begin + 2.0 * round_us;) {
        const double start = now();
        for (int call = 0; call < calls; ++call)
          if (which == 1)
            dnnl('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n);
          else if (is_double)
            ((dgemm *)blas)(row_major, plain, plain, m, n, k, 1, a, k, b, n, 0, c, n);
          else
            ((sgemm *)blas)(row_major, plain, plain, m, n, k, 1, a, k, b, n, 0, c, n);
        const double taken = (now() - start) / calls;
        best = taken < best ? taken : best;
        if (taken * calls < 100)
          calls *= 2;
      }
      printf("{\"size\": [%ld, %ld, %ld], \"by\": \"%s\", \"us\": %.3f}\n", m, n, k, which ? "oneDNN" : "OpenBLAS",
             best);
      fflush(stdout);
    }
    free(a), free(b), free(c);
  }
  return 0;
}
