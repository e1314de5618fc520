//===- Calls.cpp - Running entries from C ---------------------------------===//
#include "Eager.h"
#include "tsc/Collectives/Open.h"
#include "llvm/ADT/ScopeExit.h"
#include <climits>
#include <cstdio>

using namespace tsc;
using namespace tsc::capi;

//===----------------------------------------------------------------------===//
// Entries and contexts
//===----------------------------------------------------------------------===//

const char *tsc_entry_name(const tsc_entry *entry) { return entry ? entry->name.c_str() : ""; }
const char *tsc_entry_schema(const tsc_entry *entry) { return entry ? entry->schema.c_str() : ""; }
void tsc_entry_free(tsc_entry *entry) { delete entry; }

tsc_error *tsc_context_set_recording(tsc_context *context, int recording) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    context->isRecording = recording != 0;
    return okStatus();
  });
}

/// What the host gives to a call: all but `self`.
static llvm::ArrayRef<Argument> argumentsOf(const tsc_entry &entry) {
  llvm::ArrayRef<Argument> all = entry.entry.schema().arguments();
  return all.drop_front(!all.empty() && all.front().name == "self" ? 1 : 0);
}

tsc_error *tsc_entry_num_arguments(const tsc_entry *entry, size_t *count) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{count, "count"}}));
    *count = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}}));
    *count = argumentsOf(*entry).size();
    return okStatus();
  });
}

tsc_error *tsc_entry_argument(const tsc_entry *entry, size_t index, const char **name, tsc_value **type,
                              tsc_value **default_value) {
  return guarded([&]() -> Status {
    if (name)
      *name = nullptr;
    if (type)
      *type = nullptr;
    if (default_value)
      *default_value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}}));
    llvm::ArrayRef<Argument> arguments = argumentsOf(*entry);
    if (index >= arguments.size())
      return invalidArgument("there is no argument " + llvm::Twine(index) + ": '" + entry->name + "' takes " +
                             llvm::Twine(arguments.size()));
    const Argument &argument = arguments[index];
    std::unique_ptr<tsc_value> text(type ? newValue(IValue(argument.type->annotation()), nullptr) : nullptr);
    if (default_value && argument.defaultValue)
      *default_value = newValue(deepCopy(*argument.defaultValue), entry->program);
    if (type)
      *type = text.release();
    if (name)
      *name = argument.name.c_str();
    return okStatus();
  });
}

tsc_error *tsc_entry_result_type(const tsc_entry *entry, tsc_value **type) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{type, "type"}}));
    *type = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}}));
    std::string text;
    llvm::ArrayRef<Argument> results = entry->entry.schema().returns();
    for (const Argument &result : results)
      text += (text.empty() ? "" : ", ") + result.type->annotation();
    *type = newValue(IValue(results.empty() ? "None" : results.size() == 1 ? text : "Tuple[" + text + "]"), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_context_new(const tsc_program *program, tsc_context **context) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    *context = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    *context = new tsc_context(Ref<tsc_program>::share(const_cast<tsc_program *>(program)));
    return okStatus();
  });
}

void tsc_context_free(tsc_context *context) { delete context; }

tsc_error *tsc_context_set_seed(tsc_context *context, uint64_t seed) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    context->call.generator().setSeed(seed);
    return okStatus();
  });
}

tsc_error *tsc_context_set_print(tsc_context *context, tsc_write print, void *user) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    context->call.setOut(llvm::nulls());
    context->out.reset();
    if (print)
      context->call.setOut(context->out.emplace(print, user));
    return okStatus();
  });
}

tsc_error *tsc_context_set_warn(tsc_context *context, tsc_write warn, void *user) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    if (warn)
      context->call.setWarningHandler([warn, user](const std::string &text) { warn(user, text.data(), text.size()); });
    else
      context->call.setWarningHandler(nullptr);
    return okStatus();
  });
}

tsc_error *tsc_context_set_quotas(tsc_context *context, uint64_t steps, uint32_t depth) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    TSC_RETURN_IF_ERROR(setQuota(context->call.quotas, TSC_QUOTA_STEPS, steps));
    return setQuota(context->call.quotas, TSC_QUOTA_DEPTH, depth);
  });
}

tsc_error *tsc_context_set_quota(tsc_context *context, tsc_quota quota, uint64_t limit) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    return setQuota(context->call.quotas, quota, limit);
  });
}

tsc_error *tsc_context_set_communicator(tsc_context *context, const void *communicator, double timeout) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{context, "context"}}));
    std::shared_ptr<Collectives> ranks;
    if (communicator) {
      CollectivesOptions options;
      options.timeout = timeout == 0 ? 1800 : timeout;
      TSC_ASSIGN_OR_RETURN(ranks, adoptCommunicator(communicator, options));
    }
    setCollectives(context->call.context(), std::move(ranks));
    return okStatus();
  });
}

Status capi::setQuota(Quotas &quotas, tsc_quota quota, uint64_t limit) {
  const uint64_t wanted = limit == 0 ? Quotas::unlimited : limit;
  switch (static_cast<int>(quota)) {
  case TSC_QUOTA_STEPS: quotas.steps = wanted; return okStatus();
  case TSC_QUOTA_DEPTH:
    quotas.depth = limit == 0 ? Quotas().depth : static_cast<unsigned>(std::min<uint64_t>(limit, UINT_MAX));
    return okStatus();
  case TSC_QUOTA_MEMORY: quotas.memory = wanted; return okStatus();
  case TSC_QUOTA_OUTPUT: quotas.output = wanted; return okStatus();
  default: return invalidArgument("there is no quota " + llvm::Twine(static_cast<int>(quota)));
  }
}

void tsc_context_cancel(tsc_context *context) {
  if (context)
    context->call.cancel();
}
void tsc_context_resume(tsc_context *context) {
  if (context)
    context->call.resume();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr unsigned maxArgumentDepth = 200;

/// A value of another program as one that holds none of its types: containers are made again, tensors shared.
static StatusOr<IValue> adopt(const IValue &value, unsigned depth = 0) {
  if (depth > maxArgumentDepth)
    return invalidArgument("an argument is nested more deeply than " + llvm::Twine(maxArgumentDepth) + " levels");
  if (value.isObject() || value.isEnum() || value.isFunction() || value.isFuture())
    return invalidArgument("an argument holds an object of another program's class");
  if (!value.isGenericList() && !value.isTuple() && !value.isDict())
    return value;
  auto adoptAll = [&](llvm::ArrayRef<IValue> elements) -> StatusOr<std::vector<IValue>> {
    std::vector<IValue> adopted;
    for (const IValue &element : elements) {
      TSC_ASSIGN_OR_RETURN(adopted.emplace_back(), adopt(element, depth + 1));
    }
    return adopted;
  };
  if (value.isDict()) {
    auto made = makeRef<DictValue>(Type::anyType(), Type::anyType());
    Status status;
    value.toDict().forEach([&](const IValue &key, const IValue &element) {
      StatusOr<IValue> adopted = adopt(element, depth + 1);
      if (adopted.ok())
        made->set(key, *std::move(adopted));
      else
        status = adopted.status();
    });
    TSC_RETURN_IF_ERROR(status);
    return IValue(std::move(made));
  }
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> elements,
                       adoptAll(value.isTuple() ? value.toTuple().elements : value.toGenericList().elements));
  if (value.isTuple())
    return makeTuple(std::move(elements));
  return IValue(makeRef<GenericList>(Type::anyType(), std::move(elements)));
}

StatusOr<IValue> capi::valueFor(const tsc_value *handle, const tsc_program *program, const char *name) {
  TSC_RETURN_IF_ERROR(checkNotNull({{handle, name}}));
  if (handle->owner && !(program && handle->owner->sharesTypesWith(*program))) [[unlikely]]
    return adopt(handle->value);
  return handle->value;
}

StatusOr<std::vector<IValue>> capi::argumentsOf(tsc_value *const *handles, size_t count, const tsc_program *program,
                                                bool writes) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{handles, "args"}}));
  TSC_RETURN_IF_ERROR(checkLength(count, "args"));
  std::vector<IValue> values;
  values.reserve(count + 1); // a method's module goes before them
  for (size_t i = 0; i != count; ++i) {
    TSC_ASSIGN_OR_RETURN(IValue argument, valueFor(handles[i], program, "args"));
    if (handles[i]->isUnrecorded && !program) [[unlikely]]
      argument = recordable(argument, writes && i == 0);
    values.push_back(std::move(argument));
  }
  return values;
}

StatusOr<KeywordArguments> capi::keywordsOf(const char *const *names, tsc_value *const *values, size_t count,
                                            const tsc_program *program) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{names, "names"}, {values, "named_args"}}));
  TSC_RETURN_IF_ERROR(checkLength(count, "named_args"));
  KeywordArguments named;
  for (size_t i = 0; i != count; ++i) {
    TSC_RETURN_IF_ERROR(checkNotNull({{names[i], "names"}}));
    TSC_ASSIGN_OR_RETURN(IValue argument, valueFor(values[i], program, "named_args"));
    named.emplace_back(names[i], values[i]->isUnrecorded && !program ? recordable(argument) : std::move(argument));
  }
  return named;
}

IValue capi::packed(std::vector<IValue> results) {
  if (results.empty())
    return IValue();
  return results.size() == 1 ? std::move(results.front()) : makeTuple(std::move(results));
}

/// Whether a tensor requires a gradient that the entry's module, or the object that it is a method of, holds. What
/// cannot be read now holds one: the call will be refused.
static bool holdsGradients(const tsc_entry &entry) {
  const Program &program = entry.program->program;
  const ObjectValue *object = entry.target ? entry.target.get() : nullptr;
  if (const Module *module = object ? nullptr : program.module())
    object = module->object().get();
  if (!object)
    return false;
  const uint64_t now = gradientMarks();
  if (entry.marksWhenLooked.load(std::memory_order_acquire) == now) [[likely]]
    return entry.holdsGradients.load(std::memory_order_relaxed);
  bool holds = true;
  auto look = [&] { holds = holdsGradients(IValue(Ref<ObjectValue>::share(const_cast<ObjectValue *>(object)))); };
  if (!program.readState(look).ok())
    return true;
  entry.holdsGradients.store(holds, std::memory_order_relaxed);
  entry.marksWhenLooked.store(now, std::memory_order_release);
  return holds;
}

/// A call of an entry that may be recorded.
static StatusOr<IValue> run(const tsc_entry &entry, CallContext &context, std::vector<IValue> args,
                            KeywordArguments kwargs, bool isRecorded) {
  std::optional<EagerCall> recording;
  if (isRecorded) {
    TSC_RETURN_IF_ERROR(recording.emplace().status());
    context.observer = &recording->tape();
  }
  Threads::Scope scope(*entry.program->threads);
  StatusOr<IValue> result = entry.program->program.run(context, entry.entry, std::move(args), std::move(kwargs));
  context.observer = nullptr;
  if (isRecorded && !entry.holdsGradients.load(std::memory_order_relaxed)) // the module may hold what was computed
    entry.marksWhenLooked.store(0, std::memory_order_relaxed);
  return result;
}

/// Whether a call is to be recorded: an argument, or what the module holds, requires a gradient. Makes values of calls
/// that were not recorded recordable then.
static bool isToBeRecorded(const tsc_entry &entry, tsc_value *const *handles, std::vector<IValue> &args,
                           tsc_value *const *named, KeywordArguments &kwargs) {
  if (!recordsGradients())
    return false;
  auto holds = [](const IValue &value) { return holdsGradients(value); };
  if (!llvm::any_of(args, holds) && !llvm::any_of(llvm::make_second_range(kwargs), holds) && !holdsGradients(entry))
    return false;
  for (size_t i = 0; i != args.size(); ++i)
    if (handles[i]->isUnrecorded)
      args[i] = recordable(args[i]);
  for (size_t i = 0; i != kwargs.size(); ++i)
    if (named[i]->isUnrecorded)
      kwargs[i].second = recordable(kwargs[i].second);
  return true;
}

static StatusOr<IValue> run(const tsc_entry &entry, tsc_context &context, std::vector<IValue> args,
                            KeywordArguments kwargs, bool isRecorded) {
  context.call.beginCall();
  auto flushed = llvm::make_scope_exit([&] {
    if (context.out)
      context.out->flush();
  });
  return run(entry, context.call, std::move(args), std::move(kwargs), isRecorded);
}

tsc_error *tsc_entry_run_named(const tsc_entry *entry, tsc_context *context, tsc_value *const *args, size_t num_args,
                               const char *const *names, tsc_value *const *named_args, size_t num_named,
                               tsc_value **result) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{result, "result"}}));
    *result = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}, {context, "context"}}));
    const tsc_program *program = entry->program.get();
    if (!context->program->sharesTypesWith(*program))
      return invalidArgument("the context is one of another program than '" + llvm::Twine(entry->name) + "'");
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> positional, argumentsOf(args, num_args, program));
    TSC_ASSIGN_OR_RETURN(KeywordArguments named, keywordsOf(names, named_args, num_named, program));
    const bool isRecorded = context->isRecording && isToBeRecorded(*entry, args, positional, named_args, named);
    TSC_ASSIGN_OR_RETURN(IValue given, run(*entry, *context, std::move(positional), std::move(named), isRecorded));
    *result = newValue(std::move(given), entry->program, !isRecorded);
    return okStatus();
  });
}

/// Hands what a program prints to standard output.
static void writeToStdout(void *, const char *text, size_t length) { std::fwrite(text, 1, length, stdout); }

tsc_error *tsc_entry_call(const tsc_entry *entry, tsc_value *const *args, size_t num_args, const char *const *names,
                          tsc_value *const *named_args, size_t num_named, tsc_value **result) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{result, "result"}}));
    *result = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}}));
    const tsc_program *program = entry->program.get();
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> positional, argumentsOf(args, num_args, program));
    TSC_ASSIGN_OR_RETURN(KeywordArguments named, keywordsOf(names, named_args, num_named, program));
    const bool isRecorded = isToBeRecorded(*entry, args, positional, named_args, named);
    CallContext context(program->program.context());
    HostStream out(writeToStdout, nullptr);
    context.setOut(out);
    context.setGenerator(ThreadState::get().generator);
    context.gradMode = recordsGradients();
    TSC_ASSIGN_OR_RETURN(IValue given, run(*entry, context, std::move(positional), std::move(named), isRecorded));
    *result = newValue(std::move(given), entry->program, !isRecorded);
    return okStatus();
  });
}

tsc_error *tsc_entry_run(const tsc_entry *entry, tsc_context *context, tsc_value *const *args, size_t num_args,
                         tsc_value **result) {
  return tsc_entry_run_named(entry, context, args, num_args, nullptr, nullptr, 0, result);
}
