//===- Programs.cpp - Loading programs, and what is in them ---------------===//
#include "Fuser.h"
#include "Handles.h"
#include "HostMemory.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/ADT/DenseSet.h"

using namespace tsc;
using namespace tsc::capi;

struct tsc_attributes {
  struct Attribute {
    std::string path;
    tsc_attribute_kind kind;
    IValue value;
  };
  Ref<tsc_program> program;
  std::vector<Attribute> attributes;
};

static Ref<tsc_program> share(const tsc_program *handle) {
  return Ref<tsc_program>::share(const_cast<tsc_program *>(handle));
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// Threads of the host's.
class HostExecutor final : public Executor {
public:
  HostExecutor(unsigned threads, tsc_parallel parallel, void *user)
      : threads(threads), parallel(parallel), user(user) {}
  unsigned concurrency() const override { return threads; }
  void run(unsigned count, llvm::function_ref<void(unsigned)> task) override { parallel(user, count, runTask, &task); }

private:
  static void runTask(void *task, uint32_t index) {
    ExecutorScope serial(nullptr); // a task splits no further
    (*static_cast<llvm::function_ref<void(unsigned)> *>(task))(index);
  }
  unsigned threads;
  tsc_parallel parallel;
  void *user;
};

/// Memory that the host lent.
class LentBytes final : public RefCounted {
public:
  LentBytes(tsc_release whenUnused, void *user) : whenUnused(whenUnused), user(user) {}
  ~LentBytes() override { whenUnused(user); }

private:
  tsc_release whenUnused;
  void *user;
};

/// A copy of what the host lent for a call.
struct CopiedBytes final : RefCounted {
  explicit CopiedBytes(llvm::StringRef bytes) : bytes(bytes.str()) {}
  const std::string bytes;
};
} // namespace

static std::unique_ptr<Executor> makeExecutor(const tsc_options &options) {
  if (options.parallel)
    return std::make_unique<HostExecutor>(options.concurrency, options.parallel, options.parallelUser);
  return options.threads > 1 ? std::make_unique<ThreadPool>(options.threads) : nullptr;
}

static EngineOptions engineOptions(const tsc_options &options) {
  EngineOptions asked;
  asked.optimization = options.optimization;
  asked.plans = options.mode;
  if (options.cpuFuser && options.optimization >= 2)
    if (std::shared_ptr<Fuser> fuser = makeCpuFuser(options))
      asked.fusers.add(DeviceKind::CPU, std::move(fuser));
  asked.allowSetState = options.allowSetState;
  asked.allowFiles = options.allowFiles;
  asked.operators = options.operators;
  asked.loadingQuotas = options.loading;
  asked.hostOperators = options.hostOperators;
  return asked;
}

/// Loads a program with options, or with the defaults.
template <typename F> static StatusOr<tsc_program *> loadWith(const tsc_options *given, F &&load) {
  const tsc_options defaults;
  const tsc_options &options = given ? *given : defaults;
  std::unique_ptr<Executor> executor = makeExecutor(options);
  ExecutorScope scope(executor.get());
  TSC_ASSIGN_OR_RETURN(Program program, load(engineOptions(options)));
  return new tsc_program(std::move(program), std::move(executor));
}

tsc_error *tsc_program_load(const char *path, const tsc_options *options, tsc_program **program) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *program = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{path, "path"}}));
    TSC_ASSIGN_OR_RETURN(
        *program, loadWith(options, [&](EngineOptions engine) { return Program::load(path, std::move(engine)); }));
    return okStatus();
  });
}

tsc_error *tsc_program_load_bytes(const void *data, size_t size, const char *name, const tsc_options *options,
                                  tsc_release release, void *user, tsc_program **program) {
  return guarded([&]() -> Status {
    Ref<RefCounted> keeper;
    if (release) // first: whatever fails, the host hears that its bytes are not used
      if (Status kept = orMemoryError([&] {
            keeper = makeRef<LentBytes>(release, user);
            return okStatus();
          });
          !kept.ok()) {
        release(user);
        return kept;
      }
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *program = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    if (size != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{data, "data"}}));
    llvm::StringRef bytes(static_cast<const char *>(data), size);
    if (!release) {
      auto copy = makeRef<CopiedBytes>(bytes);
      bytes = copy->bytes;
      keeper = std::move(copy);
    }
    TSC_ASSIGN_OR_RETURN(*program, loadWith(options, [&](EngineOptions engine) {
      return Program::load(Bytes{bytes, std::move(keeper)}, name, std::move(engine));
    }));
    return okStatus();
  });
}

tsc_error *tsc_program_fork(const tsc_program *program, tsc_program **fork) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{fork, "fork"}}));
    *fork = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_ASSIGN_OR_RETURN(Program forked, program->program.fork());
    *fork = new tsc_program(std::move(forked), program->executor);
    return okStatus();
  });
}

void tsc_program_free(tsc_program *program) {
  if (program)
    program->release();
}

//===----------------------------------------------------------------------===//
// What there is to call
//===----------------------------------------------------------------------===//

static llvm::ArrayRef<Function *> functionsOf(const Program &program) {
  return program.module() ? program.module()->type().methods() : program.functions();
}

static tsc_entry *newEntry(const tsc_program *program, Program::Entry entry) {
  auto made = std::make_unique<tsc_entry>();
  made->program = share(program);
  made->name = entry.name().str();
  made->schema = entry.schema().str();
  made->entry = std::move(entry);
  return made.release();
}

tsc_error *tsc_program_num_functions(const tsc_program *program, size_t *count) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{count, "count"}}));
    *count = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *count = functionsOf(program->program).size();
    return okStatus();
  });
}

tsc_error *tsc_program_function_name(const tsc_program *program, size_t index, const char **name) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    *name = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    llvm::ArrayRef<Function *> functions = functionsOf(program->program);
    if (index >= functions.size())
      return invalidArgument("there is no function " + llvm::Twine(index) + ": the program has " +
                             llvm::Twine(functions.size()));
    *name = functions[index]->name().data(); // the end of the qualified name, which ends in a zero
    return okStatus();
  });
}

tsc_error *tsc_program_find(const tsc_program *program, const char *name, tsc_entry **entry) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}}));
    *entry = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_ASSIGN_OR_RETURN(Program::Entry found, program->program.find(name ? name : ""));
    *entry = newEntry(program, std::move(found));
    return okStatus();
  });
}

tsc_error *tsc_program_compile_all(tsc_program *program) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    return program->program.compileAll();
  });
}

tsc_error *tsc_program_differentiate(tsc_program *program, const tsc_entry *entry, const uint32_t *arguments,
                                     size_t num_arguments, tsc_entry **gradients) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{gradients, "gradients"}}));
    *gradients = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}, {entry, "entry"}}));
    if (num_arguments != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{arguments, "arguments"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_arguments, "arguments"));
    if (entry->program.get() != program)
      return invalidArgument("the entry '" + llvm::Twine(entry->name) + "' is one of another program");
    TSC_ASSIGN_OR_RETURN(Program::Entry made, program->program.differentiate(
                                                  entry->entry, llvm::ArrayRef<unsigned>(arguments, num_arguments)));
    *gradients = newEntry(program, std::move(made));
    return okStatus();
  });
}

tsc_error *tsc_program_freeze(tsc_program *program, const char *const *methods, size_t num_methods) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    if (num_methods != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{methods, "methods"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_methods, "methods"));
    std::vector<std::string> names;
    for (size_t i = 0; i != num_methods; ++i) {
      TSC_RETURN_IF_ERROR(checkNotNull({{methods[i], "methods"}}));
      names.emplace_back(methods[i]);
    }
    return program->program.freeze(names);
  });
}

/// Says whether `write`, which shows a line that writes, shows one.
static void tell(std::string write, int *writes, tsc_value **first) {
  *writes = !write.empty();
  if (first)
    *first = newValue(IValue(std::move(write)), nullptr);
}

tsc_error *tsc_program_writes_state(const tsc_program *program, int *writes, tsc_value **first) {
  return guarded([&]() -> Status {
    if (first)
      *first = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{writes, "writes"}}));
    *writes = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    tell(program->program.writes().state, writes, first);
    return okStatus();
  });
}

tsc_error *tsc_program_writes_arguments(const tsc_program *program, int *writes, tsc_value **first) {
  return guarded([&]() -> Status {
    if (first)
      *first = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{writes, "writes"}}));
    *writes = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    tell(program->program.writes().arguments, writes, first);
    return okStatus();
  });
}

tsc_error *tsc_program_finish_compiling(const tsc_program *program) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    program->program.finishCompiling();
    return program->program.status();
  });
}

//===----------------------------------------------------------------------===//
// What modules hold
//===----------------------------------------------------------------------===//

namespace {
/// Who holds the attribute at a path.
struct Holder {
  Module module;
  llvm::StringRef name; ///< Of the attribute; "" is the module itself.
};
} // namespace

static StatusOr<Holder> holderOf(const Program &program, llvm::StringRef path) {
  if (!program.module())
    return notFound("the program holds functions, and no module with '" + path + "'");
  if (path.starts_with(".") || path.ends_with(".") || path.contains(".."))
    return notFound("'" + path + "' is no path of an attribute");
  const size_t dot = path.rfind('.');
  const bool isWithin = dot != llvm::StringRef::npos;
  TSC_ASSIGN_OR_RETURN(Module module, program.findModule(isWithin ? path.take_front(dot) : ""));
  return Holder{std::move(module), isWithin ? path.substr(dot + 1) : path};
}

static StatusOr<IValue> attributeAt(const Program &program, llvm::StringRef path) {
  TSC_ASSIGN_OR_RETURN(Holder holder, holderOf(program, path));
  if (holder.name.empty())
    return IValue(holder.module.object());
  return holder.module.attribute(holder.name);
}

tsc_error *tsc_program_attribute(const tsc_program *program, const char *path, tsc_value **value) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}, {path, "path"}}));
    StatusOr<IValue> found = IValue();
    TSC_RETURN_IF_ERROR(program->program.readState([&] { found = attributeAt(program->program, path); }));
    if (!found.ok())
      return found.status();
    *value = newValue(*std::move(found), share(program));
    return okStatus();
  });
}

tsc_error *tsc_program_set_attribute(tsc_program *program, const char *path, const tsc_value *value) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}, {path, "path"}, {value, "value"}}));
    TSC_ASSIGN_OR_RETURN(Holder holder, holderOf(program->program, path));
    if (holder.name.empty())
      return invalidArgument("the module itself cannot be set");
    TSC_ASSIGN_OR_RETURN(IValue given, valueFor(value, program, "value"));
    const ClassType &type = holder.module.type();
    if (auto slot = type.findAttribute(holder.name)) // a list of any values may become one of ints
      if (auto converted = convertTo(program->program.context(), given, type.attribute(*slot).type))
        given = *std::move(converted);
    return holder.module.setAttribute(holder.name, std::move(given));
  });
}

/// Does something with the module of a program that has one.
template <typename F> static tsc_error *withModule(const tsc_program *program, F &&body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_RETURN_IF_ERROR(program->program.status());
    if (!program->program.module())
      return notFound("the program holds functions, and no module");
    return body(*program->program.module());
  });
}

tsc_error *tsc_program_convert(tsc_program *program, tsc_dtype dtype) {
  return withModule(program, [&](const Module &module) {
    if (!isKnownDType(dtype))
      return invalidArgument("there is no dtype " + llvm::Twine(static_cast<int>(dtype)));
    return module.to(std::nullopt, static_cast<DType>(dtype));
  });
}

tsc_error *tsc_program_set_training(tsc_program *program, int mode) {
  return withModule(program, [&](const Module &module) {
    module.train(mode != 0);
    return okStatus();
  });
}

tsc_error *tsc_program_dump(const tsc_program *program, uint32_t flags, tsc_value **text) {
  if (text)
    *text = nullptr;
  return withModule(program, [&](const Module &module) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{text, "text"}}));
    if (flags & ~uint32_t(TSC_DUMP_NO_METHODS | TSC_DUMP_NO_ATTRIBUTES | TSC_DUMP_NO_PARAMETERS))
      return invalidArgument("there are no flags " + llvm::Twine(flags));
    DumpOptions options;
    options.methods = !(flags & TSC_DUMP_NO_METHODS);
    options.attributes = !(flags & TSC_DUMP_NO_ATTRIBUTES);
    options.parameters = !(flags & TSC_DUMP_NO_PARAMETERS);
    std::string dumped;
    llvm::raw_string_ostream os(dumped);
    TSC_RETURN_IF_ERROR(program->program.readState([&] { module.dump(os, options); }));
    *text = newValue(IValue(std::move(dumped)), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_program_define(tsc_program *program, const char *path, const char *source) {
  return withModule(program, [&](const Module &) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{source, "source"}}));
    TSC_ASSIGN_OR_RETURN(Module module, program->program.findModule(path ? path : ""));
    return module.define(source);
  });
}

tsc_error *tsc_program_save(const tsc_program *program, const char *file) {
  return withModule(program, [&](const Module &module) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{file, "file"}}));
    return module.save(std::string(file));
  });
}

static tsc_attribute_kind kindOf(AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Parameter: return TSC_PARAMETER;
  case AttributeKind::Buffer: return TSC_BUFFER;
  case AttributeKind::Regular: return TSC_ATTRIBUTE;
  }
  return TSC_ATTRIBUTE;
}

/// The attributes of a module and of those in it. A module that stands in two places is listed once, as PyTorch does.
static void collect(tsc_attributes &list, const ObjectValue &root) {
  llvm::DenseSet<const ObjectValue *> seen{&root};
  std::vector<std::pair<const ObjectValue *, std::string>> pending{{&root, ""}};
  while (!pending.empty()) {
    auto [object, prefix] = std::move(pending.back());
    pending.pop_back();
    std::vector<std::pair<const ObjectValue *, std::string>> inner;
    llvm::ArrayRef<ClassAttribute> attributes = object->type->attributes();
    for (size_t slot = 0; slot != std::min(attributes.size(), object->slots.size()); ++slot) {
      const IValue &value = object->slots[slot];
      std::string path = prefix + attributes[slot].name;
      if (!isModuleObject(value))
        list.attributes.push_back({std::move(path), kindOf(attributes[slot].kind), value});
      else if (seen.insert(&value.toObject()).second)
        inner.emplace_back(&value.toObject(), path + ".");
    }
    pending.insert(pending.end(), std::make_move_iterator(inner.rbegin()), std::make_move_iterator(inner.rend()));
  }
}

tsc_error *tsc_program_attributes(const tsc_program *program, tsc_attributes **attributes) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{attributes, "attributes"}}));
    *attributes = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    auto list = std::make_unique<tsc_attributes>();
    list->program = share(program);
    if (const Module *module = program->program.module())
      TSC_RETURN_IF_ERROR(program->program.readState([&] { collect(*list, *module->object()); }));
    *attributes = list.release();
    return okStatus();
  });
}

void tsc_attributes_free(tsc_attributes *attributes) { delete attributes; }

tsc_error *tsc_attributes_size(const tsc_attributes *attributes, size_t *size) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{size, "size"}}));
    *size = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{attributes, "attributes"}}));
    *size = attributes->attributes.size();
    return okStatus();
  });
}

tsc_error *tsc_attributes_get(const tsc_attributes *attributes, size_t index, const char **name,
                              tsc_attribute_kind *kind, tsc_value **value) {
  return guarded([&]() -> Status {
    if (name)
      *name = nullptr;
    if (kind)
      *kind = TSC_ATTRIBUTE;
    if (value)
      *value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{attributes, "attributes"}}));
    if (index >= attributes->attributes.size())
      return invalidArgument("there is no attribute " + llvm::Twine(index) + ": there are " +
                             llvm::Twine(attributes->attributes.size()));
    const tsc_attributes::Attribute &attribute = attributes->attributes[index];
    if (value)
      *value = newValue(attribute.value, attributes->program);
    if (name)
      *name = attribute.path.c_str();
    if (kind)
      *kind = attribute.kind;
    return okStatus();
  });
}
