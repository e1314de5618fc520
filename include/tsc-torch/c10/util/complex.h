//===- complex.h - Complex numbers ------------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_COMPLEX_H
#define TSC_TORCH_C10_COMPLEX_H
#include <c10/macros/Macros.h>
#include <complex>

namespace c10 {
inline namespace tsc_torch {

/// A complex number; as std::complex, to and from which it converts.
template <typename T> struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  T real_ = T(0), imag_ = T(0);

  constexpr complex() = default;
  constexpr complex(const T &real, const T &imag = T()) : real_(real), imag_(imag) {}
  template <typename U> constexpr complex(const std::complex<U> &z) : real_(T(z.real())), imag_(T(z.imag())) {}
  template <typename U> constexpr complex(const complex<U> &z) : real_(T(z.real_)), imag_(T(z.imag_)) {}
  constexpr operator std::complex<T>() const { return std::complex<T>(real_, imag_); }
  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  void real(T value) { real_ = value; }
  void imag(T value) { imag_ = value; }
  std::complex<T> std() const { return *this; }

  complex &operator+=(const complex &b) { return *this = std() + b.std(); }
  complex &operator-=(const complex &b) { return *this = std() - b.std(); }
  complex &operator*=(const complex &b) { return *this = std() * b.std(); }
  complex &operator/=(const complex &b) { return *this = std() / b.std(); }
  friend complex operator+(const complex &a, const complex &b) { return a.std() + b.std(); }
  friend complex operator-(const complex &a, const complex &b) { return a.std() - b.std(); }
  friend complex operator*(const complex &a, const complex &b) { return a.std() * b.std(); }
  friend complex operator/(const complex &a, const complex &b) { return a.std() / b.std(); }
  friend complex operator-(const complex &a) { return complex(-a.real_, -a.imag_); }
  friend bool operator==(const complex &a, const complex &b) { return a.real_ == b.real_ && a.imag_ == b.imag_; }
  friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }
  friend std::ostream &operator<<(std::ostream &out, const complex &z) { return out << z.std(); }
};

} // namespace tsc_torch
} // namespace c10

namespace std {
template <typename T> constexpr T real(const c10::complex<T> &z) { return z.real(); }
template <typename T> constexpr T imag(const c10::complex<T> &z) { return z.imag(); }
template <typename T> T abs(const c10::complex<T> &z) { return std::abs(z.std()); }
template <typename T> T arg(const c10::complex<T> &z) { return std::arg(z.std()); }
template <typename T> T norm(const c10::complex<T> &z) { return std::norm(z.std()); }
} // namespace std

#endif
