//===- HostFiles.cpp - The machine's files, for programs ------------------===//
#include "HostFiles.h"
#include "tsc/Serialization/ValueFile.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/ReplaceFile.h"
#include "llvm/Support/FileSystem.h"

using namespace tsc;

Status HostFiles::saveValue(const IValue &value, const std::string &path) { return tsc::saveValue(value, path); }

StatusOr<IValue> HostFiles::loadValue(Context &context, const std::string &path) {
  return tsc::loadValue(context, path);
}

Status HostFiles::writeText(const std::string &text, const std::string &path) { return replaceFile(path, text); }

StatusOr<std::string> HostFiles::readText(const std::string &path) {
  TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
  return file->bytes().str();
}

bool HostFiles::exists(const std::string &path) { return llvm::sys::fs::exists(path); }
