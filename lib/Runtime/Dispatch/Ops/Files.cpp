//===- Files.cpp - Operators on files -------------------------------------===//
#include "tsc/Runtime/Dispatch/Ops/Files.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/FileAccess.h"
#include "tsc/Tensor/Tensor.h"

using namespace tsc;

FileAccess::~FileAccess() = default;

static StatusOr<FileAccess *> filesOf(CallContext &context) {
  if (context.files)
    return context.files;
  std::string name = context.site ? context.site->name : "an operator on files";
  return permissionDenied(name +
                          ": this program may not read or write files; a source program may where its host lets it, an "
                          "archive never");
}

Status ops::saveTensors(CallContext &context, const IValue *const *args, IValue *) {
  TSC_ASSIGN_OR_RETURN(FileAccess * files, filesOf(context));
  return files->saveValue(*args[0], args[1]->toString());
}

Status ops::loadTensors(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(FileAccess * files, filesOf(context));
  const std::string &path = args[0]->toString();
  TSC_ASSIGN_OR_RETURN(IValue value, files->loadValue(context.context(), path));
  bool isOfTensors = value.isDict();
  auto tensors = makeRef<DictValue>(Type::stringType(), Type::tensorType());
  if (isOfTensors)
    value.toDict().forEach([&](const IValue &key, const IValue &element) {
      isOfTensors &= key.isString() && element.isTensor();
      if (isOfTensors)
        tensors->set(IValue(key), IValue(element));
    });
  if (!isOfTensors)
    return dataLoss("'" + llvm::Twine(path) + "' does not hold a dict of strings and tensors");
  results[0] = std::move(tensors);
  return okStatus();
}

Status ops::writeText(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(FileAccess * files, filesOf(context));
  const std::string &text = args[1]->toString();
  TSC_RETURN_IF_ERROR(files->writeText(text, args[0]->toString()));
  results[0] = static_cast<int64_t>(text.size());
  return okStatus();
}

Status ops::readText(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(FileAccess * files, filesOf(context));
  TSC_ASSIGN_OR_RETURN(std::string text, files->readText(args[0]->toString()));
  results[0] = std::move(text);
  return okStatus();
}

Status ops::fileExists(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(FileAccess * files, filesOf(context));
  results[0] = files->exists(args[0]->toString());
  return okStatus();
}
