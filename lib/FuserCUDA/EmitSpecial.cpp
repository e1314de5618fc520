//===- EmitSpecial.cpp - Special functions as device code -----------------===//
//
// The functions of SpecialFunctions.def have one definition, in tsc/Kernels/Special. Its
// files are texts of this library (CMakeLists.txt); a program that calls one of their
// functions gets the file, behind what they take from the standard library and from
// lib/Kernels/Pointwise/SpecialFunctions.h.
//
//===----------------------------------------------------------------------===//
#include "SourceBuilder.h"
#include <cassert>

using namespace tsc;
using namespace tsc::fuser;

static constexpr llvm::StringLiteral files[] = {
#include "SpecialSource.inc"
};

static constexpr char standardLibrary[] = R"(
#ifndef TSC_SHIM
typedef long long int64_t;
namespace std {
using ::acos; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp; using ::fabs;
using ::floor; using ::fma; using ::fmod; using ::lgamma; using ::log; using ::log1p; using ::pow; using ::round;
using ::expm1; using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::trunc;
__device__ inline bool isnan(double x) { return x != x; }
__device__ inline bool isinf(double x) { return ::fabs(x) == __longlong_as_double(0x7ff0000000000000LL); }
template <class T> __device__ T min(T a, T b) { return b < a ? b : a; }
template <class T> __device__ T max(T a, T b) { return a < b ? b : a; }
template <class T, decltype(sizeof(0)) n> constexpr decltype(sizeof(0)) size(const T (&)[n]) { return n; }
template <class T> struct numeric_limits {
  static constexpr T quiet_NaN() { return __builtin_bit_cast(T, 0x7ff8000000000000LL); }
  static constexpr T infinity() { return __builtin_bit_cast(T, 0x7ff0000000000000LL); }
};
namespace numbers {
constexpr double pi = 3.14159265358979323846, egamma = 0.57721566490153286061, sqrt2 = 1.41421356237309504880;
}
} // namespace std
#endif
// A device knows no limits of calls. A loop ends after 2^24 turns all the same, and its function gives NaN.
namespace tsc {
namespace work {
struct LongLoop {
  __device__ explicit LongLoop(int = 1) : left(1 << 24) {}
  __device__ bool goOn() { return left-- > 0; }
  int left;
};
} // namespace work
} // namespace tsc
namespace tsc::pw {
inline constexpr double quietNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
)"
#define SPECIAL1(NAME) "double " #NAME "(double x);\n"
#define SPECIAL2(NAME) "double " #NAME "(double x, double y);\n"
#include "tsc/Kernels/SpecialFunctions.def"
                                          "}\n";

void fuser::addSpecialFunction(SourceFunctions &functions, llvm::StringRef name) {
  const std::string definition = ("double pw::" + name + "(").str();
  for (llvm::StringRef file : files) {
    if (!file.contains(definition))
      continue;
    if (functions.isNew("tsc::pw"))
      functions.add(standardLibrary);
    if (functions.isNew(file))
      functions.add(file.str());
    return;
  }
  assert(false && "a special function that is in none of the files");
}
