//===- PrintDigits.h - How exactly tensors are printed ----------*- C++ -*-===//
#ifndef TSC_TENSOR_PRINTDIGITS_H
#define TSC_TENSOR_PRINTDIGITS_H

namespace tsc {

/// The digits behind the point in Python's form of a tensor, as PyTorch prints it by default.
inline constexpr unsigned defaultPrintDigits = 4;
/// The most digits that setPrintDigits() takes: with so many, no two doubles are printed alike.
inline constexpr unsigned maxPrintDigits = 17;

/// Sets the digits behind the point that toPythonString() gives floating-point numbers, at most maxPrintDigits, as
/// torch.set_printoptions(precision=digits) does. It holds for all threads of the process, from the next tensor on.
void setPrintDigits(unsigned digits);

} // namespace tsc

#endif
