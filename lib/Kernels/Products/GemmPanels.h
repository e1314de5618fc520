//===- GemmPanels.h - Memory of kernels of products -------------*- C++ -*-===//
//
// Memory for packed panels. It throws when memory runs out, and files that are compiled
// without exceptions include GemmVectors.h: hence a header of its own. Included once for
// each instruction set, behind <memory> and tsc/Support/ThreadExit.h.
//
//===----------------------------------------------------------------------===//

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {

/// A thread's memory for panelMemory, which grows and is freed with the thread.
struct PanelMemory {
  std::unique_ptr<char[]> memory;
  size_t size = 0;
};
/// Memory for packed panels or partial sums that lives as long as the thread: no allocation in a warm call.
template <typename T> T *panelMemory(size_t count) {
  auto &[memory, size] = threadObject<PanelMemory>();
  size_t bytes = count * sizeof(T) + 64;
  if (size < bytes) {
    memory.reset(new char[bytes]);
    size = bytes;
  }
  return reinterpret_cast<T *>((reinterpret_cast<uintptr_t>(memory.get()) + 63) & ~uintptr_t(63));
}

} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();
