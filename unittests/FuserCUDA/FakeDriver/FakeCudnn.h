//===- FakeCudnn.h - What the parts of the fake cuDNN share -----*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_FAKECUDNN_H
#define TSC_UNITTESTS_FUSERCUDA_FAKECUDNN_H

#include "FakeNumbers.h"
#include "FakeState.h"
#include <vector>

namespace fake {

constexpr int badParameter = 2000, executionFailed = 5000;
struct Handle {
  void *stream = nullptr;
};
struct Descriptor { ///< Of a tensor or of a filter.
  int type = 0;
  std::vector<int> sizes, strides;
  int64_t count() const {
    int64_t product = 1;
    for (int size : sizes)
      product *= size;
    return product;
  }
};

/// Of cudnnDataType_t.
inline Number numberOf(int type) {
  return type == 1 ? Number::Double : type == 0 ? Number::Float : type == 2 ? Number::Half : Number::BFloat16;
}
inline void checkMemory(const void *data, const Descriptor &descriptor, const char *what) {
  if (!isAllocated(reinterpret_cast<uint64_t>(data),
                   static_cast<size_t>(descriptor.count()) * itemBytes(numberOf(descriptor.type))))
    complain(std::string(what) + " outside of what is allocated");
}

template <typename T> int make(T **made) {
  *made = new T;
  keep(*made);
  return 0;
}
template <typename T> int destroy(T *made) {
  giveBack(made);
  delete made;
  return 0;
}

} // namespace fake

#define BEGIN                                                                                                          \
  std::lock_guard<std::recursive_mutex> guard(fake::lock());                                                           \
  if (!begin(__func__, true))                                                                                          \
    return executionFailed;
#define OBJECT(CREATE, DESTROY, TYPE)                                                                                  \
  EXPORT int CREATE(TYPE **made) {                                                                                     \
    BEGIN                                                                                                              \
    return make(made);                                                                                                 \
  }                                                                                                                    \
  EXPORT int DESTROY(TYPE *made) {                                                                                     \
    BEGIN                                                                                                              \
    return destroy(made);                                                                                              \
  }

#endif
