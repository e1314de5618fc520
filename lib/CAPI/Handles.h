//===- Handles.h - What the handles of the C interface are ------*- C++ -*-===//
//
// A handle is a pointer to one of these structures. Entries, contexts and values
// share the program that they need, so that a host may release handles in any
// order.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CAPI_HANDLES_H
#define TSC_LIB_CAPI_HANDLES_H

#include "Threads.h"
#include "tsc-c/tsc.h"
#include "tsc/Engine/Program.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Tensor/Allocator.h"
#include "llvm/Support/raw_ostream.h"
#include <new>
#include <optional>

/// Why something failed. The host owns it, and reads its texts through tsc.h.
struct tsc_error {
  tsc_code code;
  std::string message, summary, exception;
};

/// How a program is compiled and run, as tsc.h sets it.
struct tsc_options {
  unsigned optimization = 2;
  tsc::CompileMode mode = tsc::CompileMode::Background;
  unsigned threads = 1;
  tsc_parallel parallel = nullptr; ///< The host's way to run tasks, in place of threads; null: none.
  unsigned concurrency = 1;
  void *parallelUser = nullptr;
  bool cpuFuser = true;
  std::optional<std::string> cacheFolder;
  bool allowSetState = false;
  bool allowFiles = false;
  tsc::OperatorPolicy operators;
  tsc::Quotas loading;
  std::vector<tsc::HostOperator> hostOperators;
};

/// The operators that a library adds while it is loaded.
struct tsc_operators {
  std::vector<tsc::HostOperator> added;
};

/// A loaded program. Entries, contexts and values keep it alive.
struct tsc_program final : tsc::RefCounted {
  tsc_program(tsc::Program program, std::shared_ptr<tsc::capi::Threads> threads)
      : threads(std::move(threads)), program(std::move(program)) {}
  std::shared_ptr<tsc::capi::Threads> threads; ///< The threads that calls compute in; forks share them. Never null.
  tsc::Program program;
  /// Whether values of the one may hold types of the other: a program's and its forks' are the same.
  bool sharesTypesWith(const tsc_program &other) const { return &program.context() == &other.program.context(); }
};

/// A function or method of a program.
struct tsc_entry {
  tsc::Ref<tsc_program> program;
  tsc::Program::Entry entry;
  std::string name, schema;
  tsc::Ref<tsc::ObjectValue> target; ///< The object whose method it is, where that is not the program's module.
  /// The capi::gradientMarks() under which `holdsGradients` was found; 0: it was not.
  mutable std::atomic<uint64_t> marksWhenLooked{0};
  /// Whether a tensor that the module, or `target`, holds requires a gradient.
  mutable std::atomic<bool> holdsGradients{false};
};

/// A value of any TorchScript type, which the host frees.
struct tsc_value {
  tsc::IValue value;
  tsc::Ref<tsc_program> owner; ///< The program whose types the value may hold; null for a value that needs none.
  /// Whether it comes of a call that no tape of the host's has recorded: no gradient goes through its tensors.
  bool isUnrecorded = false;
  static void *operator new(size_t size) { return tsc::memory::allocateObject(size); }
  static void operator delete(void *p) { tsc::memory::deallocateObject(p, sizeof(tsc_value)); }
};

namespace tsc::capi {

/// What the host hears of the text that is written.
class HostStream final : public llvm::raw_ostream {
public:
  HostStream(tsc_write write, void *user) : write(write), user(user) {}
  ~HostStream() override { flush(); }

private:
  void write_impl(const char *text, size_t size) override {
    position += size;
    write(user, text, size);
  }
  uint64_t current_pos() const override { return position; }
  tsc_write write;
  void *user;
  uint64_t position = 0;
};

} // namespace tsc::capi

/// What the calls of one thread share: limits, cancelling, and where the program prints.
struct tsc_context {
  explicit tsc_context(tsc::Ref<tsc_program> of) : program(std::move(of)), call(program->program.context()) {}
  tsc::Ref<tsc_program> program;
  tsc::CallContext call;
  std::optional<tsc::capi::HostStream> out; ///< Where the program prints; none: nowhere.
  bool isRecording = false;                 ///< Whether calls are recorded for gradients, as the thread wants it.
};

/// Attributes of modules, as they were when they were listed.
struct tsc_attributes {
  /// One attribute, with its path from the module that was listed.
  struct Attribute {
    std::string path;
    tsc_attribute_kind kind;
    tsc::IValue value;
  };
  tsc::Ref<tsc_program> program;
  std::vector<Attribute> attributes;
};

namespace tsc::capi {

/// Returns an error for the host to free, or null for success.
tsc_error *errorOf(Status status);
/// Returns the error for when there is no memory for another one. It is static: tsc_error_free leaves it alone.
tsc_error *outOfMemory();
/// Returns an error TSC_INTERNAL for a mistake of the library's.
tsc_error *internalError(const char *what);

/// What a function of the interface does: `body` gives a Status. Nothing that C++ throws reaches the host. All
/// functions share the code of this one.
tsc_error *guarded(llvm::function_ref<Status()> body);

/// How many elements a list and how many bytes a string has at most, as in programs.
inline constexpr size_t maxLength = size_t{1} << 31;
/// Fails with InvalidArgument for more elements or bytes than that; `name` is the parameter that points at them.
Status checkLength(size_t length, const char *name);

/// A parameter that must not be null, with its name.
struct NotNull {
  const void *pointer;
  const char *name;
};
/// Returns InvalidArgument for a parameter that is NULL.
Status nullArgument(const char *name);
/// Fails with nullArgument() for the first of these that is null.
inline Status checkNotNull(std::initializer_list<NotNull> parameters) {
  for (const NotNull &parameter : parameters)
    if (!parameter.pointer) [[unlikely]]
      return nullArgument(parameter.name);
  return okStatus();
}

/// A handle for a value, which may hold types of `owner`.
tsc_value *newValue(IValue value, const Ref<tsc_program> &owner, bool isUnrecorded = false);
/// Another reference to a program that a host has.
Ref<tsc_program> share(const tsc_program *handle);
/// Loads a program with options, or with the defaults where `given` is null.
StatusOr<tsc_program *> loadWith(const tsc_options *given,
                                 llvm::function_ref<StatusOr<Program>(EngineOptions options)> load);
/// A handle for an entry of the program. `target` is the object whose method it is, if any.
tsc_entry *newEntry(const Ref<tsc_program> &program, Program::Entry entry, Ref<ObjectValue> target);
/// The strings of an array, none of them null.
StatusOr<std::vector<std::string>> namesOf(const char *const *names, size_t count, const char *parameter);
/// The arguments of a call of the program, or, where that is null, of an operator. Values of calls that were not
/// recorded become recordable() for an operator; `writes`: it may write to the first one.
StatusOr<std::vector<IValue>> argumentsOf(tsc_value *const *handles, size_t count, const tsc_program *program,
                                          bool writes = false);
/// The same of those that it is given by name.
StatusOr<KeywordArguments> keywordsOf(const char *const *names, tsc_value *const *values, size_t count,
                                      const tsc_program *program);
/// The bytes that a host lends, or a copy where it lends none: see tsc_program_load_bytes(). It calls `release` where
/// it fails.
StatusOr<Bytes> bytesOf(const void *data, size_t size, tsc_release release, void *user);
/// The handles of an array, none of them null.
StatusOr<std::vector<IValue>> valuesOf(tsc_value *const *handles, size_t count, const char *name);
/// A value that a host gives to this program, as one that holds no types of another. With null, it is given to none.
StatusOr<IValue> valueFor(const tsc_value *handle, const tsc_program *program, const char *name);
/// The kind of an attribute, as hosts know it.
tsc_attribute_kind kindOf(AttributeKind kind);
/// What tsc_dump_flags leave.
StatusOr<DumpOptions> dumpOptions(uint32_t flags);
/// What several results of a call are for a host: None, the only one, or a tuple.
IValue packed(std::vector<IValue> results);
/// Sets one quota; 0 is its default.
Status setQuota(Quotas &quotas, tsc_quota quota, uint64_t limit);
/// An operator of a host's as one of the engine's.
StatusOr<HostOperator> makeOperator(const char *schema, tsc_operator function, void *user, tsc_release release);
/// "expects a tensor, but the value is a 'list'".
Status wrongKind(const tsc_value *value, const char *expected);

} // namespace tsc::capi

#endif
