//===- SecularEquation.h - Eigenvalues after a correction -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_SECULAREQUATION_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_SECULAREQUATION_H

#include "Elements.h"
#include <cstdint>

namespace tsc::cpu::linalg {

/// The eigenvalues of diag(d) + rho z z^T for rising d, rho > 0 and no z that is 0: the roots of
/// 1 / rho + sum of z_i^2 / (d_i - x). Root j lies between pole j and the next.
class SecularEquation {
public:
  SecularEquation(size_t count, double rho, double epsilon)
      : d(count, 0), z(count, 0), squares(count, 0), offsets(count, 0), inverseRho(1 / rho), epsilon(epsilon) {}
  /// Sets pole i of `count`, before a root is asked for.
  void setPole(int64_t i, double pole, double weight) {
    assert(i >= 0 && i < static_cast<int64_t>(d.size()) && "one of the poles");
    d[i] = pole;
    z[i] = weight;
    squares[i] = weight * weight;
  }
  const double *poles() const { return d.data(); }
  double weight(int64_t i) const { return z[i]; }

  /// Root j. `deltas` becomes the poles less the root, each accurate relative to itself.
  double solve(int64_t j, double *deltas);

private:
  /// The parts of the function that rise to the right and to the left of the root, and their derivatives.
  struct Value {
    double left = 0, leftSlope = 0, right = 0, rightSlope = 0;
  };
  Value evaluate(int64_t split, double x) const;
  struct Start {
    int64_t origin; ///< The pole from which the root is measured.
    double x, low, high;
  };
  Start startBetween(int64_t j);
  Start startLast();
  void moveOrigin(int64_t origin);

  Elements<double> d, z, squares;
  Elements<double> offsets; ///< Poles, seen from the origin.
  const double inverseRho, epsilon;
};

} // namespace tsc::cpu::linalg

#endif
