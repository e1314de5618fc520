//===- Accelerator.h - The devices that a program may use -------*- C++ -*-===//
//
//   setAccelerator(context, createCudaAccelerator(options)); // from FuserCUDA
//
// Runtime knows no driver. A host hands one in; tensors may be on its devices then,
// and operators on them run there where the fuser makes a kernel of one, and else on
// the processor, on copies.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_ACCELERATOR_H
#define TSC_RUNTIME_ACCELERATOR_H

#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Fuser.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>
#include <mutex>

namespace tsc {

class Context;
class TraceRecorder;

/// What is drawn for each element of a tensor.
struct RandomDraw {
  enum Kind : uint8_t {
    Uniform,   ///< From `a` to `b`.
    Normal,    ///< Of mean `a` and deviation `b`.
    Bernoulli, ///< 1 with probability `a`.
    Integers,  ///< `from` and, at most, `range - 1` more.
    Dropout,   ///< An element of the operand, divided by `a`, with probability `a`, else 0.
  };
  Kind kind;
  double a = 0, b = 1;
  int64_t from = 0;
  uint64_t range = 0;
};

/// What the generators of devices begin with.
struct DeviceSeed {
  uint64_t seed = Generator::defaultSeed;
  uint64_t number = 0; ///< How often it was set.
};

/// Threads:   everything may be called from many threads.
/// Ownership: outlives the tensors on its devices and the programs that use it.
class Accelerator {
public:
  virtual ~Accelerator();

  /// The memory of a device, `cuda` or `cuda:N`, which is opened when it is first asked for. PyTorch's errors where
  /// there is none.
  StatusOr<const DeviceMemory *> memory(Device device);
  /// Whether memory was ever asked for: no tensor is on a device before.
  bool isUsed() const { return used.load(std::memory_order_relaxed); }
  /// The group of one operator, by a text that tells it and its constants; `make` gives its graph the first time. Null:
  /// no kernel can be made of it.
  std::shared_ptr<FusedGroup> groupOf(Device device, llvm::StringRef key,
                                      llvm::function_ref<std::unique_ptr<Graph>()> make);
  /// Waits for what runs on a device. What went wrong there is said here, if not before.
  virtual Status synchronize(Device device);
  /// Runs an operator, such as a product of matrices, by a library of the device's. False: nothing was done.
  virtual StatusOr<bool> runLibrary(Device device, const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                                    llvm::MutableArrayRef<IValue> results);
  /// Fills a tensor with random numbers, by the device's own way of drawing: of PyTorch's numbers those of the device.
  /// Of Dropout, `self` is the operand, and `mask` says what stays. False: nothing was done.
  virtual StatusOr<bool> draw(Device device, const RandomDraw &what, const Tensor &result, const Tensor *self = nullptr,
                              const Tensor *mask = nullptr);
  /// A number for code that is to be called, which no other code has, or gets when that is gone.
  uint64_t numberOfCode() { return numCodes.fetch_add(1, std::memory_order_relaxed); }
  /// Between these a thread makes one call of a program: of the code with this number. What it launches may be held
  /// back until then, to be launched at once; what goes wrong there is said at the end, if not before.
  virtual void beginCall(uint64_t code, TraceRecorder *trace);
  virtual Status endCall();
  /// torch.manual_seed, for all devices: what each draws begins anew.
  void seed(uint64_t seed);
  /// Hears once of each operator that runs on the processor, on copies of its tensors.
  std::function<void(llvm::StringRef name)> copied;
  void noteCopied(llvm::StringRef name);

protected:
  DeviceSeed seeded();
  virtual StatusOr<const DeviceMemory *> open(Device device) = 0;
  virtual Fuser *fuserOf(Device device) = 0;
  /// Before what the groups use goes.
  void forgetGroups() { groups.clear(); }

private:
  std::atomic<bool> used{false};
  std::atomic<uint64_t> numCodes{0};
  std::mutex lock; ///< Of what follows.
  DeviceSeed currentSeed;
  llvm::StringSet<> toldCopied;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

/// Whose devices the tensors of a context's programs may be on; null: there are none. Set before code is compiled.
void setAccelerator(Context &context, std::shared_ptr<Accelerator> accelerator);
Accelerator *acceleratorOf(Context &context);

/// Puts every tensor that the value holds on the device of `memory`, in place: who shares it finds it there. Sparse,
/// nested and quantized ones stay.
Status placeTensors(const IValue &value, const DeviceMemory &memory);

} // namespace tsc

#endif
