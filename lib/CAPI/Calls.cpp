//===- Calls.cpp - Running entries from C ---------------------------------===//
#include "Handles.h"
#include "llvm/ADT/ScopeExit.h"
#include <climits>

using namespace tsc;
using namespace tsc::capi;

//===----------------------------------------------------------------------===//
// Entries and contexts
//===----------------------------------------------------------------------===//

const char *tsc_entry_name(const tsc_entry *entry) { return entry ? entry->name.c_str() : ""; }
const char *tsc_entry_schema(const tsc_entry *entry) { return entry ? entry->schema.c_str() : ""; }
void tsc_entry_free(tsc_entry *entry) { delete entry; }

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

Status capi::setQuota(Quotas &quotas, tsc_quota quota, uint64_t limit) {
  const uint64_t wanted = limit == 0 ? Quotas::unlimited : limit;
  switch (static_cast<int>(quota)) {
  case TSC_QUOTA_STEPS: quotas.steps = wanted; return okStatus();
  case TSC_QUOTA_DEPTH:
    quotas.depth = limit == 0 ? Quotas().depth : static_cast<unsigned>(std::min<uint64_t>(limit, UINT_MAX));
    return okStatus();
  case TSC_QUOTA_MEMORY: quotas.memory = wanted; return okStatus();
  case TSC_QUOTA_OUTPUT: quotas.output = wanted; return okStatus();
  }
  return invalidArgument("there is no quota " + llvm::Twine(static_cast<int>(quota)));
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

static constexpr unsigned maxDepth = 200;

/// A value of another program as one that holds none of its types: containers are made again, tensors shared.
static StatusOr<IValue> adopt(const IValue &value, unsigned depth = 0) {
  if (depth > maxDepth)
    return invalidArgument("an argument is nested more deeply than " + llvm::Twine(maxDepth) + " levels");
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
  if (handle->owner && !handle->owner->sharesTypesWith(*program)) [[unlikely]]
    return adopt(handle->value);
  return handle->value;
}

static StatusOr<IValue> run(const tsc_entry &entry, tsc_context &context, std::vector<IValue> args,
                            KeywordArguments kwargs) {
  tsc_program &program = *entry.program;
  ExecutorScope scope(program.executor.get());
  context.call.beginCall();
  auto flushed = llvm::make_scope_exit([&] {
    if (context.out)
      context.out->flush();
  });
  return program.program.run(context.call, entry.entry, std::move(args), std::move(kwargs));
}

tsc_error *tsc_entry_run_named(const tsc_entry *entry, tsc_context *context, tsc_value *const *args, size_t num_args,
                               const char *const *names, tsc_value *const *named_args, size_t num_named,
                               tsc_value **result) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{result, "result"}}));
    *result = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{entry, "entry"}, {context, "context"}}));
    if (num_args != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{args, "args"}}));
    if (num_named != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{names, "names"}, {named_args, "named_args"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_args, "args"));
    TSC_RETURN_IF_ERROR(checkLength(num_named, "named_args"));
    const tsc_program *program = entry->program.get();
    if (!context->program->sharesTypesWith(*program))
      return invalidArgument("the context is one of another program than '" + llvm::Twine(entry->name) + "'");
    std::vector<IValue> positional;
    positional.reserve(num_args + 1); // a method's module goes before them
    for (size_t i = 0; i != num_args; ++i) {
      TSC_ASSIGN_OR_RETURN(IValue argument, valueFor(args[i], program, "args"));
      positional.push_back(std::move(argument));
    }
    KeywordArguments named;
    for (size_t i = 0; i != num_named; ++i) {
      TSC_RETURN_IF_ERROR(checkNotNull({{names[i], "names"}}));
      TSC_ASSIGN_OR_RETURN(IValue argument, valueFor(named_args[i], program, "named_args"));
      named.emplace_back(names[i], std::move(argument));
    }
    TSC_ASSIGN_OR_RETURN(IValue given, run(*entry, *context, std::move(positional), std::move(named)));
    *result = newValue(std::move(given), entry->program);
    return okStatus();
  });
}

tsc_error *tsc_entry_run(const tsc_entry *entry, tsc_context *context, tsc_value *const *args, size_t num_args,
                         tsc_value **result) {
  return tsc_entry_run_named(entry, context, args, num_args, nullptr, nullptr, 0, result);
}
