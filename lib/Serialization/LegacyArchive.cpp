//===- LegacyArchive.cpp - Archives of PyTorch 1.0 and 1.1 ----------------===//
//
// model.json is a tree of modules: names, parameters (numbers in a table of
// tensors), attributes (numbers in attributes.pkl), and of each the file with the
// text of its methods. There are no classes; each module gets one here, whose text
// is made of what the tree says, and is then read as any archive's:
//
//   class Net_fc(Module):
//     __parameters__ = ["weight", ]
//     __buffers__ = []
//     weight : Tensor
//     def forward(self,          <- code/Net_fc.py, two blanks further in
//         x: Tensor) -> Tensor:
//       ...
//
//===----------------------------------------------------------------------===//
#include "LegacyArchive.h"
#include "ArchiveCode.h"
#include "ArchiveStorages.h"
#include "Devices.h"
#include "PythonFunction.h"
#include "tsc/Frontend/ArchiveCode.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Serialization/Unpickler.h"
#include "tsc/Support/ErrorsSince.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace tsc;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr unsigned maxModuleDepth = 100, maxJsonDepth = 500;
static constexpr uint64_t maxCodeSize = uint64_t(64) << 20; // what the parser takes
static constexpr StringRef codeModule = "__torch__";

namespace {
struct LegacyModule {
  std::string className; ///< Without `__torch__.`.
  struct Slot {
    std::string name, type;
    AttributeKind kind;
    IValue value;
    std::unique_ptr<LegacyModule> module; ///< Null but for a submodule.
  };
  std::vector<Slot> slots;
  std::string methods; ///< Their text, indented.
};

class LegacyLoader {
public:
  LegacyLoader(Compiler &compiler, std::shared_ptr<ZipReader> zip, std::string prefix, const LoadOptions &options)
      : compiler(compiler), errors(compiler.diagnostics()), zip(std::move(zip)), prefix(std::move(prefix)),
        options(options), storages(*this->zip, this->prefix, /*bigEndian=*/false) {}
  StatusOr<ArchiveContents> run();

private:
  StatusOr<json::Value> readModel();
  Status readTensors(const json::Array &table);
  StatusOr<Tensor> readTensor(const json::Object &tensor);
  Status readAttributes(int64_t protocol);
  StatusOr<std::unique_ptr<LegacyModule>> readModule(const json::Object &module, const std::string &path,
                                                     unsigned depth);
  Status readMethods(const json::Object &module, LegacyModule &made);
  StatusOr<std::string> className(const std::string &wanted);
  /// Counts text of classes: each module has a class of its own, but many may name one file and one long path.
  Status takeCode(uint64_t size);
  static void print(const LegacyModule &module, std::string &text);
  StatusOr<IValue> build(const LegacyModule &module);

  Compiler &compiler;
  const ErrorsSince errors; ///< Those of loading.
  std::shared_ptr<ZipReader> zip;
  std::string prefix;
  const LoadOptions &options;
  ArchiveStorages storages;
  std::vector<IValue> tensors;
  std::vector<IValue> attributes;
  llvm::StringMap<unsigned> classNames; ///< With the number behind the last one that another class wanted, too.
  llvm::StringMap<Bytes> texts;         ///< Of files of code.
  uint64_t codeSize = 0;
};
} // namespace

static Status badModel(const Twine &what) { return dataLoss("model.json: " + what); }

/// A number; 64-bit ones are strings in this form of JSON.
static std::optional<int64_t> toInt(const json::Value *value) {
  if (!value)
    return std::nullopt;
  if (std::optional<int64_t> number = value->getAsInteger())
    return number;
  int64_t number;
  std::optional<StringRef> text = value->getAsString();
  return text && !text->getAsInteger(10, number) ? std::optional(number) : std::nullopt;
}

static StatusOr<llvm::SmallVector<int64_t, 8>> toInts(const json::Object &object, StringRef name) {
  llvm::SmallVector<int64_t, 8> numbers;
  if (const json::Array *array = object.getArray(name))
    for (const json::Value &value : *array) {
      std::optional<int64_t> number = toInt(&value);
      if (!number)
        return badModel("'" + name + "' holds what is no number");
      numbers.push_back(*number);
    }
  return numbers;
}

StatusOr<json::Value> LegacyLoader::readModel() {
  TSC_ASSIGN_OR_RETURN(Bytes text, zip->read(prefix + "model.json"));
  // The parser recurses, and so does the destructor of what it gives.
  constexpr size_t stackPerLevel = 512;
  const size_t left = stackLeft();
  const size_t maxDepth = std::min<size_t>(maxJsonDepth, (left - std::min(left, stackForLeaves)) / stackPerLevel);
  size_t depth = 0;
  for (char c : text.data) {
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= (c == '}' || c == ']') && depth ? 1 : 0;
    if (depth > maxDepth)
      return resourceExhausted("model.json nests too deeply");
  }
  llvm::Expected<json::Value> model = json::parse(text.data);
  if (!model)
    return badModel(llvm::toString(model.takeError()));
  return std::move(*model);
}

StatusOr<Tensor> LegacyLoader::readTensor(const json::Object &tensor) {
  std::optional<DType> dtype = llvm::StringSwitch<std::optional<DType>>(tensor.getString("dataType").value_or("FLOAT"))
                                   .Case("FLOAT", DType::Float)
                                   .Case("DOUBLE", DType::Double)
                                   .Case("FLOAT16", DType::Half)
                                   .Case("INT64", DType::Int64)
                                   .Case("INT32", DType::Int32)
                                   .Case("INT16", DType::Int16)
                                   .Case("INT8", DType::Int8)
                                   .Case("UINT8", DType::UInt8)
                                   .Case("BOOL", DType::Bool)
                                   .Default(std::nullopt);
  const json::Object *data = tensor.getObject("data");
  std::optional<StringRef> key = data ? data->getString("key") : std::nullopt;
  if (!dtype || !key)
    return badModel("a tensor of unknown dtype, or without data");
  if (tensor.getBoolean("isQuantized").value_or(false))
    return unimplemented("model.json: a quantized tensor");
  TSC_ASSIGN_OR_RETURN(auto sizes, toInts(tensor, "dims"));
  TSC_ASSIGN_OR_RETURN(auto strides, toInts(tensor, "strides"));
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, storages.get(*key, *dtype));
  TSC_ASSIGN_OR_RETURN(Tensor made,
                       Tensor::view(storage, toInt(tensor.get("offset")).value_or(0), sizes, strides, *dtype));
  made.get()->setLeafOfFile(tensor.getBoolean("requiresGrad").value_or(false) && isFloating(*dtype));
  return made;
}

Status LegacyLoader::readTensors(const json::Array &table) {
  for (const json::Value &entry : table) {
    const json::Object *tensor = entry.getAsObject();
    if (!tensor)
      return badModel("the table of tensors holds something else");
    TSC_ASSIGN_OR_RETURN(Tensor made, readTensor(*tensor));
    tensors.push_back(IValue(std::move(made)));
  }
  return okStatus();
}

Status LegacyLoader::readAttributes(int64_t protocol) {
  if (protocol < 2 || !zip->contains(prefix + "attributes.pkl"))
    return okStatus();
  TSC_ASSIGN_OR_RETURN(Bytes pickle, zip->read(prefix + "attributes.pkl"));
  UnpicklerHooks hooks;
  hooks.parseType = [this](StringRef annotation) -> StatusOr<const Type *> {
    const Type *type = compiler.typeFromAnnotation(annotation);
    return type ? StatusOr<const Type *>(type) : badModel("unknown type '" + annotation + "'");
  };
  hooks.tensor = [this](int64_t number) -> StatusOr<IValue> {
    if (number < 0 || static_cast<size_t>(number) >= tensors.size())
      return badModel("there is no tensor " + Twine(number));
    return tensors[number];
  };
  auto values = Unpickler(compiler.context(), std::move(hooks)).read(pickle.data);
  if (!values.ok())
    return withContext(values.status(), "attributes.pkl: ");
  if (values->isTuple())
    attributes = values->toTuple().elements;
  else if (values->isGenericList())
    attributes = values->toGenericList().elements;
  return okStatus();
}

/// A name that no other class has.
StatusOr<std::string> LegacyLoader::className(const std::string &wanted) {
  TSC_RETURN_IF_ERROR(takeCode(wanted.size()));
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name[0]))
    name = "_" + name;
  const std::string stem = name;
  while (!classNames.try_emplace(name).second)
    name = stem + "_" + std::to_string(++classNames[stem]);
  return name;
}

Status LegacyLoader::takeCode(uint64_t size) {
  codeSize += size;
  return codeSize <= maxCodeSize ? okStatus() : resourceExhausted("model.json: the code of all modules is too large");
}

/// The text of the methods, without the line that says of which version it is.
Status LegacyLoader::readMethods(const json::Object &module, LegacyModule &made) {
  const json::Object *arena = module.getObject("torchscriptArena");
  std::optional<StringRef> key = arena ? arena->getString("key") : std::nullopt;
  if (!key)
    return okStatus();
  Bytes &text = texts[*key];
  if (!text.data.data()) {
    TSC_ASSIGN_OR_RETURN(text, zip->read(prefix + key->str()));
  }
  TSC_RETURN_IF_ERROR(takeCode(text.data.size()));
  llvm::SmallVector<StringRef> lines;
  text.data.split(lines, '\n');
  for (StringRef line : lines)
    if (!line.starts_with("op_version_set") && !line.trim().empty())
      made.methods += ("  " + line + "\n").str();
  return okStatus();
}

StatusOr<std::unique_ptr<LegacyModule>> LegacyLoader::readModule(const json::Object &module, const std::string &path,
                                                                 unsigned depth) {
  if (depth > maxModuleDepth || !mayRecurse())
    return resourceExhausted("model.json: modules nest too deeply");
  auto made = std::make_unique<LegacyModule>();
  TSC_ASSIGN_OR_RETURN(made->className, className(path));
  llvm::StringSet<> names;
  auto add = [&](StringRef name, std::string type, AttributeKind kind, IValue value,
                 std::unique_ptr<LegacyModule> inner = nullptr) {
    if (names.insert(name).second)
      made->slots.push_back({name.str(), std::move(type), kind, std::move(value), std::move(inner)});
  };
  auto each = [&](StringRef member, auto handle) -> Status {
    if (const json::Array *entries = module.getArray(member))
      for (const json::Value &value : *entries) {
        const json::Object *entry = value.getAsObject();
        std::optional<StringRef> name = entry ? entry->getString("name") : std::nullopt;
        if (!name)
          return badModel("'" + member + "' holds what has no name");
        TSC_RETURN_IF_ERROR(handle(*entry, *name));
      }
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(each("submodules", [&](const json::Object &entry, StringRef name) -> Status {
    TSC_ASSIGN_OR_RETURN(auto inner, readModule(entry, path + "_" + name.str(), depth + 1));
    std::string type = codeModule.str() + "." + inner->className;
    add(name, std::move(type), AttributeKind::Regular, IValue(), std::move(inner));
    return okStatus();
  }));
  TSC_RETURN_IF_ERROR(each("parameters", [&](const json::Object &entry, StringRef name) -> Status {
    std::optional<int64_t> number = toInt(entry.get("tensorId"));
    if (!number || *number < 0 || static_cast<size_t>(*number) >= tensors.size())
      return badModel("parameter '" + name + "' is no tensor of the table");
    const bool isBuffer = entry.getBoolean("isBuffer").value_or(false);
    add(name, "Tensor", isBuffer ? AttributeKind::Buffer : AttributeKind::Parameter, tensors[*number]);
    return okStatus();
  }));
  TSC_RETURN_IF_ERROR(each("attributes", [&](const json::Object &entry, StringRef name) -> Status {
    const int64_t number = toInt(entry.get("id")).value_or(-1);
    if (number >= static_cast<int64_t>(attributes.size()))
      return badModel("attribute '" + name + "' has no value");
    add(name, entry.getString("type").value_or("Tensor").str(), AttributeKind::Regular,
        number < 0 ? IValue() : attributes[number]);
    return okStatus();
  }));
  TSC_RETURN_IF_ERROR(readMethods(module, *made));
  return std::move(made);
}

void LegacyLoader::print(const LegacyModule &module, std::string &text) {
  auto namesOf = [&](AttributeKind kind) {
    std::string names = "[";
    for (const LegacyModule::Slot &slot : module.slots)
      if (slot.kind == kind)
        names += pythonLiteral(StringRef(slot.name)) + ", ";
    return names + "]\n";
  };
  for (const LegacyModule::Slot &slot : module.slots)
    if (slot.module)
      print(*slot.module, text);
  text += "class " + module.className + "(Module):\n";
  text += "  __parameters__ = " + namesOf(AttributeKind::Parameter);
  text += "  __buffers__ = " + namesOf(AttributeKind::Buffer);
  text += "  __annotations__ = []\n";
  for (const LegacyModule::Slot &slot : module.slots)
    text += "  __annotations__[" + pythonLiteral(StringRef(slot.name)) + "] = " + slot.type + "\n";
  text += module.methods;
}

StatusOr<IValue> LegacyLoader::build(const LegacyModule &module) {
  const Type *type = compiler.findType((codeModule + "." + module.className).str());
  auto *classType = llvm::dyn_cast_or_null<ClassType>(type);
  if (!classType)
    return dataLoss(errors ? errors.str() : "no class of module '" + module.className + "'");
  auto object = makeRef<ObjectValue>(classType, classType->numAttributes());
  for (const LegacyModule::Slot &slot : module.slots) {
    IValue value = slot.value;
    if (slot.module) {
      TSC_ASSIGN_OR_RETURN(value, build(*slot.module));
    }
    std::optional<unsigned> index = classType->findAttribute(slot.name);
    if (!index)
      return badModel("module '" + module.className + "' has no attribute '" + slot.name + "'");
    auto converted = convertTo(value, classType->attribute(*index).type, compiler.context());
    if (!converted.ok())
      return badModel("attribute '" + slot.name + "': " + messageOf(converted.status()));
    object->slots[*index] = *std::move(converted);
  }
  return IValue(std::move(object));
}

StatusOr<ArchiveContents> LegacyLoader::run() {
  TSC_ASSIGN_OR_RETURN(json::Value parsed, readModel());
  const json::Object *model = parsed.getAsObject();
  const json::Object *mainModule = model ? model->getObject("mainModule") : nullptr;
  if (!mainModule)
    return badModel("it has no mainModule");
  if (const json::Array *table = model->getArray("tensors"))
    TSC_RETURN_IF_ERROR(readTensors(*table));
  compiler.setArchive(nullptr, {}, 1);
  TSC_RETURN_IF_ERROR(readAttributes(toInt(model->get("protoVersion")).value_or(1)));
  std::string name = mainModule->getString("name").value_or("").str();
  TSC_ASSIGN_OR_RETURN(auto root, readModule(*mainModule, name.empty() ? "Main" : name, 0));
  std::string text;
  print(*root, text);
  const SourceBuffer &buffer = compiler.context().sources().add("code/__torch__.py", std::move(text));
  CodeScan scan;
  scan.add(codeModule, buffer);
  if (options.sawCode)
    options.sawCode(false); // there was no torch.autograd then
  compiler.setArchive([&buffer](StringRef module) { return module == codeModule ? &buffer : nullptr; }, tensors, 1);
  if (options.device)
    setArchiveBodyPass(compiler, [device = *options.device](Graph &graph) { retargetDevices(graph, device); });
  reportMissing(compiler, scan);
  ArchiveContents loaded;
  loaded.version = 1;
  TSC_ASSIGN_OR_RETURN(loaded.object, build(*root));
  if (errors)
    return dataLoss(errors.str());
  return std::move(loaded);
}

StatusOr<ArchiveContents> tsc::loadLegacyArchive(Compiler &compiler, std::shared_ptr<ZipReader> zip, std::string prefix,
                                                 const LoadOptions &options) {
  assert(zip && StringRef(prefix).ends_with("/") && "an archive, and the folder in it");
  return LegacyLoader(compiler, std::move(zip), std::move(prefix), options).run();
}
