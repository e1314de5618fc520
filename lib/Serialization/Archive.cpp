//===- Archive.cpp - Loading TorchScript archives -------------------------===//
//
// Order: constants first (the code refers to them), then the code's index, then
// the module object, whose pickle names the classes that are then declared.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/Archive.h"
#include "ArchiveStorages.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Unpickler.h"
#include "tsc/Support/MappedFile.h"
#include "llvm/ADT/StringMap.h"

using namespace tsc;
using llvm::StringRef;

/// The newest file format PyTorch has defined.
static constexpr int64_t maxVersion = 10;

LoadedModule::LoadedModule() = default;
LoadedModule::LoadedModule(LoadedModule &&) = default;
/// The object goes before the unit that its classes' methods belong to.
LoadedModule::~LoadedModule() { object = IValue(); }

Function *LoadedModule::findMethod(StringRef name) const { return type().findMethod(name); }

namespace {

class ArchiveLoader {
public:
  ArchiveLoader(Compiler &compiler, ZipReader zip, std::string prefix, const LoadOptions &options)
      : compiler(compiler), context(compiler.context()), zip(std::make_shared<ZipReader>(std::move(zip))),
        prefix(std::move(prefix)), options(options) {}
  StatusOr<ArchiveContents> run();

private:
  Status readVersion();
  StatusOr<std::vector<IValue>> readConstants();
  StatusOr<IValue> readPickle(StringRef name);
  UnpicklerHooks hooks();
  Compiler::FindSource findSource();
  /// The modules whose code means what Python means; PyTorch does not look at this file.
  StatusOr<std::vector<std::string>> readPythonModules();
  Status readExtraFiles();
  /// What was reported so far as a Status.
  Status diagnosed(StringRef otherwise) const;

  Compiler &compiler;
  Context &context;
  /// Shared with the compiler, which reads code files when it first needs them.
  std::shared_ptr<ZipReader> zip;
  std::string prefix;
  const LoadOptions &options;
  bool bigEndian = false;
  ArchiveContents loaded;
};

} // namespace

Status ArchiveLoader::diagnosed(StringRef otherwise) const {
  return dataLoss(compiler.diagnostics().hasErrors() ? compiler.diagnostics().str() : otherwise.str());
}

Status ArchiveLoader::readVersion() {
  std::string name = prefix + (zip->contains(prefix + ".data/version") ? ".data/version" : "version");
  TSC_ASSIGN_OR_RETURN(Bytes text, zip->read(name));
  if (text.data.trim().getAsInteger(10, loaded.version) || loaded.version < 1)
    return dataLoss("bad version '" + text.data.trim().take_front(20) + "'");
  if (loaded.version > maxVersion)
    return unimplemented("Attempted to read a PyTorch file with version " + llvm::Twine(loaded.version) +
                         ", but the maximum supported version for reading is " + llvm::Twine(maxVersion));
  TSC_ASSIGN_OR_RETURN(bigEndian, isBigEndian(*zip, prefix));
  return okStatus();
}

UnpicklerHooks ArchiveLoader::hooks() {
  UnpicklerHooks hooks;
  hooks.findType = [this](StringRef name) -> StatusOr<const Type *> {
    const Type *type = compiler.findType(name);
    if (!type && compiler.diagnostics().hasErrors())
      return diagnosed("");
    if (!type && name.starts_with("__torch__.torch.classes."))
      return unimplemented("the archive holds an object of the C++ class '" + name + "', which is not available");
    return type;
  };
  hooks.parseType = [this](StringRef annotation) -> StatusOr<const Type *> {
    const Type *type = compiler.typeFromAnnotation(annotation);
    return type ? StatusOr<const Type *>(type) : diagnosed("unknown type '" + annotation.str() + "'");
  };
  hooks.setState = options.setState;
  return hooks;
}

/// The pickle `<name>.pkl` with the storages `<name>/N`.
StatusOr<IValue> ArchiveLoader::readPickle(StringRef name) {
  std::string file = name.str() + ".pkl";
  TSC_ASSIGN_OR_RETURN(Bytes pickle, zip->read(prefix + file));
  ArchiveStorages storages(*zip, prefix + name.str() + "/", bigEndian);
  UnpicklerHooks all = hooks();
  all.storage = [&](StringRef key, DType dtype, uint64_t bytes) { return storages.get(key, dtype, bytes); };
  auto value = Unpickler(context, std::move(all)).read(pickle.data);
  return value.ok() ? value : withContext(value.status(), file + ": ");
}

StatusOr<std::vector<IValue>> ArchiveLoader::readConstants() {
  if (!zip->contains(prefix + "constants.pkl"))
    return std::vector<IValue>();
  TSC_ASSIGN_OR_RETURN(IValue constants, readPickle("constants"));
  if (!constants.isTuple())
    return dataLoss("constants.pkl: expected a tuple of constants");
  return constants.toTuple().elements;
}

Compiler::FindSource ArchiveLoader::findSource() {
  auto known = std::make_shared<llvm::StringMap<const SourceBuffer *>>();
  return [zip = zip, prefix = prefix, known, &context = context](StringRef module) -> const SourceBuffer * {
    auto [entry, isNew] = known->try_emplace(module, nullptr);
    if (!isNew)
      return entry->second;
    std::string file = "code/" + module.str() + ".py";
    std::replace(file.begin() + 5, file.end() - 3, '.', '/');
    auto text = zip->read(prefix + file);
    if (text.ok())
      entry->second = &context.sources().add(file, text->data.str());
    return entry->second;
  };
}

StatusOr<std::vector<std::string>> ArchiveLoader::readPythonModules() {
  std::vector<std::string> modules;
  if (!zip->contains(prefix + ".data/python"))
    return modules;
  TSC_ASSIGN_OR_RETURN(Bytes text, zip->read(prefix + ".data/python"));
  llvm::SmallVector<StringRef> lines;
  text.data.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    modules.push_back(line.str());
  return modules;
}

Status ArchiveLoader::readExtraFiles() {
  for (const std::string &name : zip->names()) {
    StringRef rest = name;
    if (!rest.consume_front(prefix) || !rest.consume_front("extra/") || rest.empty())
      continue;
    TSC_ASSIGN_OR_RETURN(Bytes bytes, zip->read(name));
    loaded.extraFiles.emplace_back(rest.str(), std::move(bytes));
  }
  return okStatus();
}

StatusOr<ArchiveContents> ArchiveLoader::run() {
  if (zip->contains(prefix + "model.json"))
    return unimplemented(
        "the archive has the format of PyTorch 1.1 and earlier (model.json); save it again with a newer PyTorch");
  if (!zip->contains(prefix + "constants.pkl") &&
      llvm::none_of(zip->names(), [&](StringRef name) { return name.starts_with(prefix + "code/"); }))
    return dataLoss("not a TorchScript archive: it has no code (a file of torch.save? torch.jit.save writes archives)");
  TSC_RETURN_IF_ERROR(readVersion());
  // Code is found before constants are read, in case a constant is an object; what CONSTANTS means follows.
  TSC_ASSIGN_OR_RETURN(std::vector<std::string> pythonModules, readPythonModules());
  compiler.setArchive(findSource(), {}, loaded.version, pythonModules);
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> constants, readConstants());
  compiler.setArchive(findSource(), std::move(constants), loaded.version, std::move(pythonModules));
  TSC_ASSIGN_OR_RETURN(loaded.object, readPickle("data"));
  if (!loaded.object.isObject())
    return dataLoss("data.pkl: expected a module");
  if (compiler.diagnostics().hasErrors())
    return diagnosed("");
  TSC_RETURN_IF_ERROR(readExtraFiles());
  return std::move(loaded);
}

StatusOr<ArchiveContents> tsc::loadArchive(Compiler &compiler, Bytes file, const LoadOptions &options) {
  TSC_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::open(std::move(file)));
  TSC_ASSIGN_OR_RETURN(std::string prefix, archivePrefix(zip));
  return ArchiveLoader(compiler, std::move(zip), std::move(prefix), options).run();
}

StatusOr<ArchiveContents> tsc::loadArchive(Compiler &compiler, const std::string &path, const LoadOptions &options) {
  TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
  StringRef bytes = file->bytes();
  auto loaded = loadArchive(compiler, Bytes{bytes, std::move(file)}, options);
  return loaded.ok() ? std::move(loaded) : withContext(loaded.status(), path + ": ");
}

StatusOr<LoadedModule> tsc::loadModule(Context &context, const std::string &path, const LoadOptions &options) {
  LoadedModule loaded;
  loaded.diagnostics = std::make_unique<DiagnosticEngine>();
  loaded.unit = std::make_unique<CompilationUnit>(context);
  loaded.compiler = std::make_unique<Compiler>(*loaded.unit, *loaded.diagnostics);
  TSC_ASSIGN_OR_RETURN(static_cast<ArchiveContents &>(loaded), loadArchive(*loaded.compiler, path, options));
  return std::move(loaded);
}
