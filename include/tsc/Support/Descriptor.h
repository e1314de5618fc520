//===- Descriptor.h - A file descriptor with an owner -----------*- C++ -*-===//
#ifndef TSC_SUPPORT_DESCRIPTOR_H
#define TSC_SUPPORT_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace tsc {

/// A file descriptor that is closed with its owner; negative where there is none.
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
  /// Leaves closing it to the caller.
  int release() { return std::exchange(number, -1); }

private:
  int number = -1;
};

} // namespace tsc

#endif
