//===- Programs.cpp - Loading programs, and what is in them ---------------===//
#include "Eager.h"
#include "Fuser.h"
#include "Handles.h"
#include "HostMemory.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/ADT/DenseSet.h"

using namespace tsc;
using namespace tsc::capi;

Ref<tsc_program> capi::share(const tsc_program *handle) {
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

/// What a host's callback has given.
struct ReadBytes final : RefCounted {
  llvm::SmallVector<char, 0> bytes;
};
} // namespace

static std::shared_ptr<Threads> makeThreads(const tsc_options &options) {
  if (!options.parallel)
    return std::make_shared<Threads>(options.threads);
  return std::make_shared<Threads>(
      std::make_unique<HostExecutor>(options.concurrency, options.parallel, options.parallelUser));
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

StatusOr<tsc_program *> capi::loadWith(const tsc_options *given,
                                       llvm::function_ref<StatusOr<Program>(EngineOptions options)> load) {
  const tsc_options defaults;
  const tsc_options &options = given ? *given : defaults;
  std::shared_ptr<Threads> threads = makeThreads(options);
  Threads::Scope scope(*threads);
  TSC_ASSIGN_OR_RETURN(Program program, load(engineOptions(options)));
  return new tsc_program(std::move(program), std::move(threads));
}

StatusOr<Bytes> capi::bytesOf(const void *data, size_t size, tsc_release release, void *user) {
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
  if (size != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{data, "data"}}));
  llvm::StringRef bytes(static_cast<const char *>(data), size);
  if (!release) {
    auto copy = makeRef<CopiedBytes>(bytes);
    bytes = copy->bytes;
    keeper = std::move(copy);
  }
  return Bytes{bytes, std::move(keeper)};
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
    StatusOr<Bytes> bytes = bytesOf(data, size, release, user); // first: it releases what fails
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *program = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    TSC_RETURN_IF_ERROR(bytes.status());
    TSC_ASSIGN_OR_RETURN(*program, loadWith(options, [&](EngineOptions engine) {
      return Program::load(*std::move(bytes), name, std::move(engine));
    }));
    return okStatus();
  });
}

tsc_error *tsc_program_load_reader(tsc_read read, void *user, uint64_t size, const char *name,
                                   const tsc_options *options, tsc_program **program) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *program = nullptr;
    if (!read)
      return nullArgument("read");
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    auto copy = makeRef<ReadBytes>();
    for (constexpr uint64_t piece = 1 << 24; copy->bytes.size() < size;) { // a file may have fewer than it claims
      const uint64_t had = copy->bytes.size(), wanted = std::min(size - had, piece);
      copy->bytes.resize_for_overwrite(had + wanted);
      const size_t given = read(user, had, copy->bytes.data() + had, wanted);
      if (given == 0 || given > wanted)
        return dataLoss("'" + llvm::Twine(name) + "' ends after " + llvm::Twine(had) + " of " + llvm::Twine(size) +
                        " bytes");
      copy->bytes.truncate(had + given);
    }
    llvm::StringRef bytes(copy->bytes.data(), copy->bytes.size());
    TSC_ASSIGN_OR_RETURN(*program, loadWith(options, [&](EngineOptions engine) {
      return Program::load(Bytes{bytes, std::move(copy)}, name, std::move(engine));
    }));
    return okStatus();
  });
}

static tsc_error *makeFork(const tsc_program *program, tsc_program **fork,
                           llvm::function_ref<StatusOr<Program>(const Program &)> body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{fork, "fork"}}));
    *fork = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_ASSIGN_OR_RETURN(Program forked, body(program->program));
    *fork = new tsc_program(std::move(forked), program->threads);
    return okStatus();
  });
}

tsc_error *tsc_program_fork(const tsc_program *program, tsc_program **fork) {
  return makeFork(program, fork, [](const Program &origin) { return origin.fork(); });
}

tsc_error *tsc_program_copy(const tsc_program *program, tsc_program **copy) {
  return makeFork(program, copy, [](const Program &origin) {
    return origin.module() ? origin.forkCopy(*origin.module()) : origin.fork();
  });
}

//===----------------------------------------------------------------------===//
// Extra files
//===----------------------------------------------------------------------===//

tsc_error *tsc_program_num_extra_files(const tsc_program *program, size_t *count) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{count, "count"}}));
    *count = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *count = program->program.extraFileNames().size();
    return okStatus();
  });
}

/// Gives the contents of the file with this number.
static void giveExtraFile(const Program &program, size_t index, const void **data, size_t *size) {
  llvm::StringRef bytes = program.extraFile(index);
  if (data)
    *data = bytes.data();
  if (size)
    *size = bytes.size();
}

tsc_error *tsc_program_extra_file(const tsc_program *program, size_t index, const char **name, const void **data,
                                  size_t *size) {
  return guarded([&]() -> Status {
    if (name)
      *name = nullptr;
    if (data)
      *data = nullptr;
    if (size)
      *size = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    llvm::ArrayRef<std::string> names = program->program.extraFileNames();
    if (index >= names.size())
      return invalidArgument("there is no extra file " + llvm::Twine(index) + ": the archive has " +
                             llvm::Twine(names.size()));
    giveExtraFile(program->program, index, data, size);
    if (name)
      *name = names[index].c_str();
    return okStatus();
  });
}

tsc_error *tsc_program_find_extra_file(const tsc_program *program, const char *name, const void **data, size_t *size) {
  return guarded([&]() -> Status {
    if (data)
      *data = nullptr;
    if (size)
      *size = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}, {name, "name"}}));
    llvm::ArrayRef<std::string> names = program->program.extraFileNames();
    const auto *at = llvm::find(names, name);
    if (at == names.end())
      return notFound("the archive has no extra file '" + llvm::Twine(name) + "'");
    giveExtraFile(program->program, at - names.begin(), data, size);
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

tsc_entry *capi::newEntry(const Ref<tsc_program> &program, Program::Entry entry, Ref<ObjectValue> target) {
  auto made = std::make_unique<tsc_entry>();
  made->program = program;
  made->name = entry.name().str();
  made->schema = entry.schema().str();
  made->entry = std::move(entry);
  made->target = std::move(target);
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
    *entry = newEntry(share(program), std::move(found), nullptr);
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
    *gradients = newEntry(share(program), std::move(made), entry->target);
    return okStatus();
  });
}

StatusOr<std::vector<std::string>> capi::namesOf(const char *const *names, size_t count, const char *parameter) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{names, parameter}}));
  TSC_RETURN_IF_ERROR(checkLength(count, parameter));
  std::vector<std::string> copies;
  for (size_t i = 0; i != count; ++i) {
    TSC_RETURN_IF_ERROR(checkNotNull({{names[i], parameter}}));
    copies.emplace_back(names[i]);
  }
  return copies;
}

tsc_error *tsc_program_freeze(tsc_program *program, const char *const *methods, size_t num_methods) {
  return tsc_program_freeze_keeping(program, methods, num_methods, nullptr, 0);
}

tsc_error *tsc_program_freeze_keeping(tsc_program *program, const char *const *methods, size_t num_methods,
                                      const char *const *attributes, size_t num_attributes) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_ASSIGN_OR_RETURN(std::vector<std::string> called, namesOf(methods, num_methods, "methods"));
    TSC_ASSIGN_OR_RETURN(std::vector<std::string> kept, namesOf(attributes, num_attributes, "attributes"));
    noteGradientMark();
    return program->program.freeze(called, std::move(kept));
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
    noteGradientMark();
    return holder.module.setAttribute(holder.name, std::move(given));
  });
}

/// Does something with the module of a program that has one.
static tsc_error *withModule(const tsc_program *program, llvm::function_ref<Status(const Module &)> body) {
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
    noteGradientMark();
    return module.to(std::nullopt, static_cast<DType>(dtype));
  });
}

tsc_error *tsc_program_set_training(tsc_program *program, int mode) {
  return withModule(program, [&](const Module &module) {
    module.train(mode != 0);
    return okStatus();
  });
}

StatusOr<DumpOptions> capi::dumpOptions(uint32_t flags) {
  if (flags & ~uint32_t(TSC_DUMP_NO_METHODS | TSC_DUMP_NO_ATTRIBUTES | TSC_DUMP_NO_PARAMETERS))
    return invalidArgument("there are no flags " + llvm::Twine(flags));
  DumpOptions options;
  options.methods = !(flags & TSC_DUMP_NO_METHODS);
  options.attributes = !(flags & TSC_DUMP_NO_ATTRIBUTES);
  options.parameters = !(flags & TSC_DUMP_NO_PARAMETERS);
  return options;
}

tsc_error *tsc_program_dump(const tsc_program *program, uint32_t flags, tsc_value **text) {
  if (text)
    *text = nullptr;
  return withModule(program, [&](const Module &module) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{text, "text"}}));
    TSC_ASSIGN_OR_RETURN(DumpOptions options, dumpOptions(flags));
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

tsc_attribute_kind capi::kindOf(AttributeKind kind) {
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
