//===- Rows.cpp - Loops over contiguous rows ------------------------------===//
//
// Plain loops that the compiler vectorizes, cloned for x86-64-v3 and v4 and chosen
// when the program starts. Sums keep 16 partial sums, so every clone adds in the
// same order.
//
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include <bit>
#include "tsc/Support/FunctionClones.h"
#include <cmath>
#include <limits>

using namespace tsc::cpu;

#define TSC_INLINE inline __attribute__((always_inline))

/// e^x to about 1 ULP; 0 below the smallest normal number.
static TSC_INLINE float expFloat(float x) {
  constexpr float log2e = 1.44269504088896341f, ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
  float clamped = x < -87.3f ? -87.3f : x > 88.72f ? 88.72f : x;
  constexpr float magic = 12582912.0f; // adding it rounds to an integer
  float shifted = clamped * log2e + magic, n = shifted - magic;
  float r = (clamped - n * ln2High) - n * ln2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  // 2^n in two steps: n may be 128.
  int32_t e = static_cast<int32_t>(n), half = e >> 1;
  float y = p * std::bit_cast<float>((half + 127) << 23) * std::bit_cast<float>((e - half + 127) << 23);
  y = x < -87.3f ? 0.0f : y;
  y = x > 88.72f ? std::numeric_limits<float>::infinity() : y;
  return x != x ? x : y;
}

constexpr int Lanes = 16;

TSC_CLONES static float maximumFloat(const float *x, int64_t n) {
  float best[Lanes];
  for (float &b : best)
    b = -std::numeric_limits<float>::infinity();
  int64_t i = 0;
  bool nan = false;
  for (; i + Lanes <= n; i += Lanes)
    for (int l = 0; l < Lanes; ++l) {
      best[l] = x[i + l] > best[l] ? x[i + l] : best[l];
      nan |= x[i + l] != x[i + l];
    }
  float result = -std::numeric_limits<float>::infinity();
  for (; i < n; ++i) {
    result = x[i] > result ? x[i] : result;
    nan |= x[i] != x[i];
  }
  for (float b : best)
    result = b > result ? b : result;
  return nan ? std::numeric_limits<float>::quiet_NaN() : result;
}

TSC_CLONES static double expShiftedFloat(float *out, const float *x, float shift, int64_t n) {
  float sums[Lanes] = {};
  int64_t i = 0;
  for (; i + Lanes <= n; i += Lanes)
    for (int l = 0; l < Lanes; ++l) {
      float e = expFloat(x[i + l] - shift);
      out[i + l] = e;
      sums[l] += e;
    }
  double total = 0;
  for (; i < n; ++i)
    total += out[i] = expFloat(x[i] - shift);
  for (float s : sums)
    total += s;
  return total;
}

TSC_CLONES static double sumExpShiftedFloat(const float *x, float shift, int64_t n) {
  float sums[Lanes] = {};
  int64_t i = 0;
  for (; i + Lanes <= n; i += Lanes)
    for (int l = 0; l < Lanes; ++l)
      sums[l] += expFloat(x[i + l] - shift);
  double total = 0;
  for (; i < n; ++i)
    total += expFloat(x[i] - shift);
  for (float s : sums)
    total += s;
  return total;
}

TSC_CLONES static void affineFloat(float *out, const float *x, float scale, float shift, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] * scale + shift;
}

TSC_CLONES static void normalizeFloat(float *out, const float *x, float scale, float shift, const float *weight, const float *bias,
                                      int64_t n) {
  if (weight && bias)
    for (int64_t i = 0; i < n; ++i)
      out[i] = (x[i] * scale + shift) * weight[i] + bias[i];
  else if (weight)
    for (int64_t i = 0; i < n; ++i)
      out[i] = (x[i] * scale + shift) * weight[i];
  else
    for (int64_t i = 0; i < n; ++i)
      out[i] = (x[i] * scale + shift) + (bias ? bias[i] : 0.0f);
}

TSC_CLONES static double sumFloat(const float *x, int64_t n) {
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += 4096) { // short float sums, added in double
    int64_t end = begin + 4096 < n ? begin + 4096 : n, i = begin;
    float sums[Lanes] = {};
    for (; i + Lanes <= end; i += Lanes)
      for (int l = 0; l < Lanes; ++l)
        sums[l] += x[i + l];
    for (; i < end; ++i)
      total += x[i];
    for (float s : sums)
      total += s;
  }
  return total;
}

TSC_CLONES static double squaredDeviations(const float *x, float mean, int64_t n) {
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += 4096) {
    int64_t end = begin + 4096 < n ? begin + 4096 : n, i = begin;
    float sums[Lanes] = {};
    for (; i + Lanes <= end; i += Lanes)
      for (int l = 0; l < Lanes; ++l)
        sums[l] += (x[i + l] - mean) * (x[i + l] - mean);
    for (; i < end; ++i)
      total += double(x[i] - mean) * (x[i] - mean);
    for (float s : sums)
      total += s;
  }
  return total;
}

float rows::maximum(const float *x, int64_t n) { return maximumFloat(x, n); }
double rows::expShifted(float *out, const float *x, float shift, int64_t n) { return expShiftedFloat(out, x, shift, n); }
double rows::sumExpShifted(const float *x, float shift, int64_t n) { return sumExpShiftedFloat(x, shift, n); }
void rows::affine(float *out, const float *x, float scale, float shift, int64_t n) { affineFloat(out, x, scale, shift, n); }
void rows::normalize(float *out, const float *x, float scale, float shift, const float *weight, const float *bias, int64_t n) {
  normalizeFloat(out, x, scale, shift, weight, bias, n);
}
rows::Moments rows::moments(const float *x, int64_t n) {
  double mean = sumFloat(x, n) / n;
  // Deviations from the rounded mean; the rounding error's square is taken off again.
  float rounded = static_cast<float>(mean);
  double error = mean - rounded, variance = squaredDeviations(x, rounded, n) / n - error * error;
  return {mean, variance < 0 ? 0 : variance};
}

double rows::maximum(const double *x, int64_t n) {
  double best = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] != x[i])
      return x[i];
    best = x[i] > best ? x[i] : best;
  }
  return best;
}
double rows::expShifted(double *out, const double *x, double shift, int64_t n) {
  double total = 0;
  for (int64_t i = 0; i < n; ++i)
    total += out[i] = std::exp(x[i] - shift);
  return total;
}
double rows::sumExpShifted(const double *x, double shift, int64_t n) {
  double total = 0;
  for (int64_t i = 0; i < n; ++i)
    total += std::exp(x[i] - shift);
  return total;
}
void rows::affine(double *out, const double *x, double scale, double shift, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] * scale + shift;
}
void rows::normalize(double *out, const double *x, double scale, double shift, const double *weight, const double *bias, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = (x[i] * scale + shift) * (weight ? weight[i] : 1.0) + (bias ? bias[i] : 0.0);
}
rows::Moments rows::moments(const double *x, int64_t n) {
  double mean = 0, variance = 0;
  for (int64_t i = 0; i < n; ++i)
    mean += x[i];
  mean /= n;
  for (int64_t i = 0; i < n; ++i)
    variance += (x[i] - mean) * (x[i] - mean);
  return {mean, variance / n};
}
