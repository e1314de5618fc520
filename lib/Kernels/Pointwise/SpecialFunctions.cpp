//===- SpecialFunctions.cpp - Functions that <cmath> lacks ----------------===//
//
// Their definitions are public text: fusers for devices make programs of them.
//
//===----------------------------------------------------------------------===//
#include "SpecialFunctions.h"
#include "tsc/Support/WorkMeter.h"
#include <iterator>
#include <numbers>

#include "tsc/Kernels/Special/Bessel.inc"
#include "tsc/Kernels/Special/ErrorFunctions.inc"
#include "tsc/Kernels/Special/GammaFunctions.inc"
#include "tsc/Kernels/Special/OrthogonalPolynomials.inc"
