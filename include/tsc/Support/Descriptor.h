//===- Descriptor.h - A file descriptor with an owner -----------*- C++ -*-===//
#ifndef TSC_SUPPORT_DESCRIPTOR_H
#define TSC_SUPPORT_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace tsc {

/// Owns a file descriptor, and closes it when destroyed. The number is negative where there is none.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }

  int get() const { return number; }
  explicit operator bool() const { return number >= 0; }
  /// Returns the descriptor, which the caller has to close from now on.
  int release() { return std::exchange(number, -1); }

private:
  int number = -1;
};

} // namespace tsc

#endif
