//===- HostOperators.cpp - Operators that are written in C ----------------===//
#include "Handles.h"
#include "tsc/CAPI/HostLibrary.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Diagnostics.h"
#include <dlfcn.h>
#include <filesystem>

using namespace tsc;
using namespace tsc::capi;

namespace {
/// What a host gave along with an operator.
class OperatorUser {
public:
  OperatorUser(tsc_operator function, void *user, tsc_release whenUnused)
      : function(function), user(user), whenUnused(whenUnused) {}
  OperatorUser(const OperatorUser &) = delete;
  ~OperatorUser() {
    if (whenUnused)
      whenUnused(user);
  }
  Status run(CallContext &call, const IValue *const *args, IValue *results) const;

private:
  tsc_operator function;
  void *user;
  tsc_release whenUnused;
};

/// Handles that go with this.
class Values {
public:
  explicit Values(size_t count) : handles(count) {}
  ~Values() {
    for (tsc_value *handle : handles)
      tsc_value_free(handle);
  }
  llvm::SmallVector<tsc_value *, 8> handles;
};
} // namespace

Status OperatorUser::run(CallContext &call, const IValue *const *args, IValue *results) const {
  const CallSite &site = *call.site;
  Values given(site.numArgs), made(site.numResults);
  for (unsigned i = 0; i != site.numArgs; ++i)
    given.handles[i] = newValue(*args[i], nullptr, /*isUnrecorded=*/true);
  tsc_error *error = function(user, given.handles.data(), site.numArgs, made.handles.data(), site.numResults);
  call.site = &site;
  if (error) {
    Status status(static_cast<StatusCode>(error->code), error->message);
    tsc_error_free(error);
    return status;
  }
  for (unsigned i = 0; i != site.numResults; ++i) {
    if (!made.handles[i])
      return invalidArgument("operator '" + llvm::Twine(site.name) + "' gave no result " + llvm::Twine(i));
    results[i] = made.handles[i]->value;
  }
  return okStatus();
}

StatusOr<HostOperator> capi::makeOperator(const char *schema, tsc_operator function, void *user, tsc_release release) {
  // First: whatever fails, the host hears that it is not used.
  auto kept = std::make_shared<const OperatorUser>(function, user, release);
  if (!schema)
    return nullArgument("schema");
  if (!function)
    return nullArgument("function");
  Context scratch;
  DiagnosticEngine diags;
  SourceBuffer text("schema", schema);
  auto parsed = parseSchema(scratch, text, diags);
  if (failed(parsed))
    return invalidArgument(diags.str());
  if (!llvm::StringRef(parsed->name()).contains("::"))
    return invalidArgument("operator '" + llvm::Twine(parsed->name()) + "' is in no namespace: programs call 'mine::" +
                           parsed->name() + "' as torch.ops.mine." + parsed->name());
  return HostOperator{schema, [kept](CallContext &call, const IValue *const *args, IValue *results) {
                        return kept->run(call, args, results);
                      }};
}

tsc_error *tsc_operators_add(tsc_operators *operators, const char *schema, tsc_operator function, void *user,
                             tsc_release release) {
  return guarded([&]() -> Status {
    TSC_ASSIGN_OR_RETURN(HostOperator made, makeOperator(schema, function, user, release));
    TSC_RETURN_IF_ERROR(checkNotNull({{operators, "operators"}}));
    operators->added.push_back(std::move(made));
    return okStatus();
  });
}

StatusOr<std::vector<HostOperator>> tsc::loadHostLibrary(const std::string &path) {
  if (std::error_code ignored; !std::filesystem::exists(path, ignored))
    return notFound("cannot open library '" + llvm::Twine(path) + "': there is no such file");
  // A name alone would be looked for where the system keeps its libraries.
  void *library = dlopen((path.find('/') == std::string::npos ? "./" + path : path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dataLoss("cannot load library '" + llvm::Twine(path) + "': " + dlerror());
  const auto *abi = static_cast<const uint32_t *>(dlsym(library, "tsc_library_abi"));
  auto *fill = reinterpret_cast<tsc_error *(*)(tsc_operators *)>(dlsym(library, "tsc_library_register"));
  if (!abi || !fill)
    return dataLoss("'" + llvm::Twine(path) + "' is no library of operators: it lacks '" +
                    (abi ? "tsc_library_register" : "tsc_library_abi") + "', which TSC_LIBRARY of tsc-c/tsc.h makes");
  if (*abi != TSC_LIBRARY_ABI)
    return dataLoss("library '" + llvm::Twine(path) + "' was made for version " + llvm::Twine(*abi) +
                    " of the interface for operators, and this is version " + llvm::Twine(TSC_LIBRARY_ABI));
  tsc_operators operators;
  if (tsc_error *error = fill(&operators)) {
    Status status(static_cast<StatusCode>(error->code), "library '" + path + "': " + error->message);
    tsc_error_free(error);
    return status;
  }
  return std::move(operators.added);
}
