//===- Archive.cpp - Loading TorchScript archives -------------------------===//
//
// Order: constants first (the code refers to them), then the code's index, then
// the module object, whose pickle names the classes that are then declared.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/Archive.h"
#include "ArchiveCode.h"
#include "ArchiveStorages.h"
#include "Devices.h"
#include "FileKinds.h"
#include "LegacyArchive.h"
#include "tsc/Frontend/ArchiveCode.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Unpickler.h"
#include "tsc/Support/ErrorsSince.h"
#include "tsc/Support/MappedFile.h"
#include <map>

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
  ArchiveLoader(Compiler &compiler, std::shared_ptr<ZipReader> zip, std::string prefix, const LoadOptions &options)
      : compiler(compiler), errors(compiler.diagnostics()), zip(std::move(zip)), prefix(std::move(prefix)),
        options(options), code(std::make_shared<ArchiveCode>(compiler.context(), this->zip, this->prefix)) {}
  StatusOr<ArchiveContents> run();

private:
  Status readVersion();
  StatusOr<std::vector<IValue>> readConstants();
  StatusOr<IValue> readPickle(StringRef name);
  UnpicklerHooks hooks();
  std::optional<Device> deviceNamed(StringRef name);
  StatusOr<Ref<Storage>> storageAt(ArchiveStorages &storages, StringRef key, DType dtype, uint64_t bytes,
                                   StringRef location);
  /// The modules whose code means what Python means; PyTorch does not look at this file.
  StatusOr<std::vector<std::string>> readPythonModules();
  Status readExtraFiles();
  /// Looks over all code, and tells what it asks for that is not there.
  void scanCode();
  void retarget();
  void remarkOnValues();
  /// What was reported so far as a Status.
  Status diagnosed(StringRef otherwise) const;

  Compiler &compiler;
  const ErrorsSince errors; ///< Those of loading.
  /// Shared with the code, which is read when it is first needed.
  std::shared_ptr<ZipReader> zip;
  std::string prefix;
  const LoadOptions &options;
  std::shared_ptr<ArchiveCode> code; ///< Shared with the compiler.
  CodeScan scan;
  bool bigEndian = false;
  std::string otherDevice; ///< The first device that was replaced.
  bool hasMeta = false;
  std::map<std::string, DType> widened; ///< Dtypes of tensors that are read as other ones.
  ArchiveContents loaded;
};

} // namespace

Status ArchiveLoader::diagnosed(StringRef otherwise) const { return dataLoss(errors ? errors.str() : otherwise.str()); }

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

std::optional<Device> ArchiveLoader::deviceNamed(StringRef name) {
  std::optional<Device> device = Device::parse(name);
  const bool stays = device && (device->kind == DeviceKind::CPU || device->kind == DeviceKind::Meta);
  if (!isPyTorchDevice(name) || stays || (device && !options.device))
    return device;
  if (otherDevice.empty())
    otherDevice = name.str();
  return options.device.value_or(Device());
}

UnpicklerHooks ArchiveLoader::hooks() {
  UnpicklerHooks hooks;
  hooks.findType = [this](StringRef name) -> StatusOr<const Type *> {
    const Type *type = compiler.findType(name);
    if (!type && errors)
      return diagnosed("");
    if (!type && name.starts_with(nativeClasses))
      return unimplemented("the archive holds an object of the C++ class '" + name + "', which is not available");
    return type;
  };
  hooks.parseType = [this](StringRef annotation) -> StatusOr<const Type *> {
    const Type *type = compiler.typeFromAnnotation(annotation);
    return type ? StatusOr<const Type *>(type) : diagnosed("unknown type '" + annotation.str() + "'");
  };
  hooks.device = [this](StringRef name) { return deviceNamed(name); };
  hooks.widened = [this](StringRef name, DType readAs) { widened.emplace(name.str(), readAs); };
  hooks.setState = options.setState;
  return hooks;
}

StatusOr<Ref<Storage>> ArchiveLoader::storageAt(ArchiveStorages &storages, StringRef key, DType dtype, uint64_t bytes,
                                                StringRef location) {
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, storages.get(key, dtype, bytes, location));
  hasMeta |= location == "meta";
  if (location == "cpu" || location == "meta")
    return storage;
  if (!options.device)
    loaded.locations.emplace_back(storage, location.str());
  else if (otherDevice.empty())
    otherDevice = location.str();
  return storage;
}

/// The pickle `<name>.pkl` with the storages `<name>/N`.
StatusOr<IValue> ArchiveLoader::readPickle(StringRef name) {
  std::string file = name.str() + ".pkl";
  TSC_ASSIGN_OR_RETURN(Bytes pickle, zip->read(prefix + file));
  ArchiveStorages storages(*zip, prefix + name.str() + "/", bigEndian);
  UnpicklerHooks all = hooks();
  all.storage = [&](StringRef key, DType dtype, uint64_t bytes, StringRef location) {
    return storageAt(storages, key, dtype, bytes, location);
  };
  auto value = Unpickler(compiler.context(), std::move(all)).read(pickle.data);
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

/// Bodies get the devices that are here when they are compiled.
void ArchiveLoader::retarget() {
  if (options.device)
    setArchiveBodyPass(compiler, [device = *options.device](Graph &graph) { retargetDevices(graph, device); });
}

void ArchiveLoader::scanCode() {
  for (const std::string &module : code->modules())
    if (const SourceBuffer *text = code->find(module))
      scan.add(module, *text);
  reportMissing(compiler, scan);
  if (options.sawCode)
    options.sawCode(llvm::any_of(scan.references(), [](const CodeScan::Reference *reference) {
      StringRef name = reference->first();
      return name.starts_with("torch.autograd.") || name == "torch.backward" || name == "torch.is_leaf";
    }));
}

static constexpr DiagnosticKind otherDevices{Severity::Remark, "OtherDevice",
                                             "the archive names the device '{0}'; here '{1}' stands for it"},
    metaTensors{Severity::Warning, "MetaTensors",
                "the archive holds tensors of the device 'meta', which have no values: they are read as zeros"},
    widenedTensors{Severity::Warning, "WidenedTensors",
                   "the archive holds tensors of {0}, which no operator takes here: they are read as {1}"};

void ArchiveLoader::remarkOnValues() {
  const SourceRange place = scan.device();
  if (otherDevice.empty())
    otherDevice = scan.deviceName().str();
  DiagnosticEngine &engine = compiler.diagnostics();
  if (!otherDevice.empty() && options.device)
    (void)engine.report(place, otherDevices, otherDevice, options.device->str());
  if (hasMeta)
    (void)engine.report({}, metaTensors);
  for (const auto &[name, readAs] : widened)
    (void)engine.report({}, widenedTensors, name, pythonName(readAs));
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
  TSC_RETURN_IF_ERROR(readVersion());
  // Code is found before constants are read, in case a constant is an object; what CONSTANTS means follows.
  TSC_ASSIGN_OR_RETURN(std::vector<std::string> pythonModules, readPythonModules());
  auto findSource = [code = code](StringRef module) { return code->find(module); };
  compiler.setArchive(findSource, {}, loaded.version, pythonModules);
  retarget();
  scanCode();
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> constants, readConstants());
  compiler.setArchive(findSource, std::move(constants), loaded.version, std::move(pythonModules));
  retarget();
  TSC_ASSIGN_OR_RETURN(loaded.object, readPickle("data"));
  if (!loaded.object.isObject())
    return dataLoss("data.pkl: expected a module");
  if (errors)
    return diagnosed("");
  TSC_RETURN_IF_ERROR(readExtraFiles());
  remarkOnValues();
  return std::move(loaded);
}

/// Whether a zip file is an archive of torch.jit.save; else what it is.
static Status checkIsArchive(ZipReader &zip, StringRef prefix) {
  const bool hasCode = llvm::any_of(
      zip.names(), [&](StringRef name) { return name.consume_front(prefix) && name.starts_with("code/"); });
  const bool isModule = !prefix.empty() && (hasCode || zip.contains((prefix + "constants.pkl").str()));
  return isModule && (hasCode || !zip.contains((prefix + "bytecode.pkl").str())) ? okStatus() : explainZip(zip, prefix);
}

StatusOr<ArchiveContents> tsc::loadArchive(Compiler &compiler, Bytes file, const LoadOptions &options) {
  StatusOr<ZipReader> opened = ZipReader::open(file);
  if (!opened.ok())
    return explainBytes(file.data, opened.status());
  auto zip = std::make_shared<ZipReader>(*std::move(opened));
  StatusOr<std::string> prefix = archivePrefix(*zip);
  if (prefix.ok() && zip->contains(*prefix + "model.json") && !zip->contains(*prefix + "data.pkl"))
    return loadLegacyArchive(compiler, std::move(zip), *std::move(prefix), options);
  TSC_RETURN_IF_ERROR(checkIsArchive(*zip, prefix.ok() ? StringRef(*prefix) : ""));
  return ArchiveLoader(compiler, std::move(zip), *std::move(prefix), options).run();
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
  loaded.compiler = std::make_unique<Compiler>(*loaded.unit, *loaded.diagnostics, prelude());
  TSC_ASSIGN_OR_RETURN(static_cast<ArchiveContents &>(loaded), loadArchive(*loaded.compiler, path, options));
  return std::move(loaded);
}
