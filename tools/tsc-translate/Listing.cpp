//===- Listing.cpp - What is in a program ---------------------------------===//
#include "Listing.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace tsc;
using namespace tsc::translate;
using llvm::raw_ostream;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

namespace {
class Lister {
public:
  explicit Lister(Listing &listing) : listing(listing) {}
  void addModule(const ObjectValue &object, const std::string &path);

private:
  void addAttribute(const ClassAttribute &attribute, const IValue &value, const std::string &path);
  void addTensor(const Tensor &tensor, ListedAttribute &entry);
  void addMethod(Function &method, const std::string &path);

  Listing &listing;
  llvm::DenseSet<const Storage *> storages;
  llvm::SmallPtrSet<const ObjectValue *, 16> open; ///< Around the object that is listed.
};
} // namespace

/// The contents in the order of elements, whatever the strides.
static uint64_t digestOf(const Tensor &tensor) {
  const size_t size = itemSize(tensor.dtype());
  std::string bytes;
  if (tensor.isContiguous()) {
    const char *data = static_cast<const char *>(tensor.get()->storage->data()) + tensor.storageOffset() * size;
    return llvm::xxh3_64bits(StringRef(data, tensor.numel() * size));
  }
  for (int64_t i = 0; i != tensor.numel(); ++i) {
    std::string text;
    llvm::raw_string_ostream out(text);
    reprValue(out, IValue(tensor.at(i)));
    bytes += out.str() + ",";
  }
  return llvm::xxh3_64bits(bytes);
}

static std::string textOf(const IValue &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  reprValue(out, value);
  return out.str();
}

void Lister::addTensor(const Tensor &tensor, ListedAttribute &entry) {
  entry.type = pythonName(tensor.dtype()).str() + "[";
  for (auto [i, size] : llvm::enumerate(tensor.sizes()))
    entry.type += (i ? ", " : "") + std::to_string(size);
  entry.type += "]";
  entry.bytes = static_cast<uint64_t>(tensor.numel()) * itemSize(tensor.dtype());
  entry.digest = digestOf(tensor);
  if (entry.kind == "parameter")
    listing.parameterCount += tensor.numel();
  const Storage *storage = tensor.get()->storage.get();
  if (storages.insert(storage).second)
    listing.storageBytes += storage->size();
}

void Lister::addAttribute(const ClassAttribute &attribute, const IValue &value, const std::string &path) {
  if (value.isObject() && value.toObject().type->isModule())
    return addModule(value.toObject(), path);
  ListedAttribute entry;
  entry.path = path;
  entry.kind = attribute.kind == AttributeKind::Parameter ? "parameter"
               : attribute.kind == AttributeKind::Buffer  ? "buffer"
                                                          : "attribute";
  if (value.isTensor())
    addTensor(value.asTensor(), entry);
  else {
    std::string text = value.isObject() ? "" : textOf(value);
    entry.digest = llvm::xxh3_64bits(text);
    entry.type = attribute.type->annotation();
    if (!text.empty() && text.size() < 60)
      entry.type += " = " + text;
  }
  listing.attributes.push_back(std::move(entry));
}

static std::string schemaOf(const Function &method) {
  std::string text = "(";
  bool isFirst = true;
  for (const Argument &argument : method.schema().arguments().drop_front()) {
    text += (isFirst ? "" : ", ") + argument.name + ": " + argument.type->annotation();
    if (argument.defaultValue)
      text += " = " + textOf(*argument.defaultValue);
    isFirst = false;
  }
  const auto &results = method.schema().returns();
  return text + ") -> " + (results.empty() ? "None" : results[0].type->annotation());
}

void Lister::addMethod(Function &method, const std::string &path) {
  ListedMethod entry;
  entry.name = path;
  if (failed(method.ensureDefined()) || !method.graph()) {
    entry.error = "does not compile";
    listing.methods.push_back(std::move(entry));
    return;
  }
  entry.schema = schemaOf(method);
  entry.code = pythonSource(method, /*isMethod=*/true);
  method.graph()->walk([&](Node &node) {
    if (node.kind() != prim::Constant)
      ++listing.operators[node.kindName().str()];
  });
  listing.methods.push_back(std::move(entry));
}

void Lister::addModule(const ObjectValue &object, const std::string &path) {
  if (!open.insert(&object).second)
    return;
  const ClassType &type = *object.type;
  listing.modules.push_back({path, type.name().str(), type.findMethod("__setstate__") != nullptr});
  const std::string prefix = path.empty() ? "" : path + ".";
  for (auto [attribute, value] : llvm::zip(type.attributes(), object.slots))
    addAttribute(attribute, value, prefix + attribute.name);
  for (Function *method : type.methods())
    addMethod(*method, prefix + method->name().str());
  open.erase(&object);
}

Listing translate::listModule(const IValue &module) {
  Listing listing;
  Lister(listing).addModule(module.toObject(), "");
  PythonPrinter printer;
  printer.add(module.toObject().type);
  if (StatusOr<PythonCode> code = printer.finish(); code.ok())
    listing.version = code->version;
  return listing;
}

void translate::addStateMethod(Listing &listing, Function &method, unsigned objects) {
  ListedState state{method.qualifiedName().str(), objects, {}, {}};
  if (succeeded(method.ensureDefined()) && method.graph())
    method.graph()->walk([&](Node &node) {
      const bool isCall = node.kind() == prim::CallFunction || node.kind() == prim::CallMethod;
      Function *callee = isCall ? calleeOf(node) : nullptr;
      std::string name = callee ? callee->qualifiedName().str() : node.kindName().str();
      std::vector<std::string> &names = isCall ? state.calls : state.operators;
      if (node.kind() != prim::Constant && !llvm::is_contained(names, name))
        names.push_back(std::move(name));
    });
  listing.states.push_back(std::move(state));
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static std::string bytesText(uint64_t bytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (bytes < 10000)
    out << bytes << " bytes";
  else if (bytes < 10000000)
    out << llvm::format("%.1f kB", double(bytes) / 1e3);
  else
    out << llvm::format("%.1f MB", double(bytes) / 1e6);
  return out.str();
}

/// The path within the module that it is listed below.
static std::pair<StringRef, StringRef> split(StringRef path) {
  auto [owner, name] = path.rsplit('.');
  return name.empty() ? std::pair<StringRef, StringRef>("", path) : std::pair(owner, name);
}

void translate::printListing(const Listing &listing, raw_ostream &os) {
  for (const ListedModule &module : listing.modules) {
    const unsigned depth = module.path.empty() ? 0 : 1 + StringRef(module.path).count('.');
    const std::string indent(2 * depth, ' ');
    os << indent << (module.path.empty() ? "module" : split(module.path).second) << ": " << module.type
       << (module.setsState ? "  (its __setstate__ runs on loading)" : "") << '\n';
    for (const ListedAttribute &attribute : listing.attributes)
      if (split(attribute.path).first == module.path) {
        os << indent << "  " << attribute.kind << ' ' << split(attribute.path).second << ": " << attribute.type;
        if (attribute.bytes)
          os << "  " << bytesText(attribute.bytes);
        os << '\n';
      }
    for (const ListedMethod &method : listing.methods)
      if (split(method.name).first == module.path)
        os << indent << "  def " << split(method.name).second
           << (method.error.empty() ? method.schema : ": " + method.error) << '\n';
  }
  os << "\noperators:\n";
  for (const auto &[name, count] : listing.operators)
    os << llvm::format("%7u  ", count) << name << '\n';
  for (const ListedState &state : listing.states) {
    os << "\nruns on loading, for " << state.objects << (state.objects == 1 ? " object: " : " objects: ") << state.name
       << '\n';
    for (const std::string &name : state.operators)
      os << "    uses " << name << '\n';
    for (const std::string &name : state.calls)
      os << "    calls " << name << '\n';
  }
  if (!listing.writesState.empty())
    os << "\nwrites its state: " << listing.writesState << '\n';
  if (!listing.writesArguments.empty())
    os << "\nwrites its arguments: " << listing.writesArguments << '\n';
  if (!listing.missing.empty())
    os << "\nmissing:\n";
  for (const std::string &what : listing.missing)
    os << "    " << what << '\n';
  if (!listing.extraFiles.empty())
    os << "\nextra files:\n";
  for (const std::string &name : listing.extraFiles)
    os << "    " << name << '\n';
  os << '\n'
     << listing.parameterCount << " numbers in parameters, " << bytesText(listing.storageBytes)
     << " of tensors, format version " << listing.version;
  if (listing.archiveVersion && listing.archiveVersion != listing.version)
    os << " (the archive has " << listing.archiveVersion << ')';
  os << '\n';
}

void translate::printJson(const Listing &listing, raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("version", listing.version);
    if (listing.archiveVersion)
      json.attribute("archive_version", listing.archiveVersion);
    json.attribute("parameter_count", listing.parameterCount);
    json.attribute("storage_bytes", listing.storageBytes);
    json.attribute("writes_state", listing.writesState);
    json.attribute("writes_arguments", listing.writesArguments);
    json.attributeArray("modules", [&] {
      for (const ListedModule &module : listing.modules)
        json.object([&] {
          json.attribute("path", module.path);
          json.attribute("type", module.type);
          json.attribute("runs_setstate", module.setsState);
        });
    });
    json.attributeArray("attributes", [&] {
      for (const ListedAttribute &attribute : listing.attributes)
        json.object([&] {
          json.attribute("path", attribute.path);
          json.attribute("kind", attribute.kind);
          json.attribute("type", attribute.type);
          json.attribute("bytes", attribute.bytes);
        });
    });
    json.attributeArray("methods", [&] {
      for (const ListedMethod &method : listing.methods)
        json.object([&] {
          json.attribute("name", method.name);
          if (method.error.empty())
            json.attribute("schema", method.schema);
          else
            json.attribute("error", method.error);
        });
    });
    auto strings = [&](StringRef name, const std::vector<std::string> &values) {
      json.attributeArray(name, [&] {
        for (const std::string &value : values)
          json.value(value);
      });
    };
    json.attributeArray("runs_on_loading", [&] {
      for (const ListedState &state : listing.states)
        json.object([&] {
          json.attribute("method", state.name);
          json.attribute("objects", int64_t(state.objects));
          strings("operators", state.operators);
          strings("calls", state.calls);
        });
    });
    strings("missing", listing.missing);
    strings("extra_files", listing.extraFiles);
    json.attributeObject("operators", [&] {
      for (const auto &[name, count] : listing.operators)
        json.attribute(name, count);
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// Walks two lists of the same names side by side; `compare` says what differs of two entries, or nothing.
template <typename T, typename Compare>
static bool printDifference(StringRef what, const std::vector<T> &a, const std::vector<T> &b, std::string T::*name,
                            Compare compare, raw_ostream &os) {
  std::map<std::string, const T *> known;
  for (const T &entry : a)
    known[entry.*name] = &entry;
  bool differs = false;
  for (const T &entry : b) {
    auto found = known.find(entry.*name);
    std::string shown = entry.*name;
    if (found == known.end()) {
      os << "+ " << what << " '" << shown << "'\n";
      differs = true;
      continue;
    }
    std::string difference = compare(*found->second, entry);
    if (!difference.empty()) {
      os << "! " << what << " '" << shown << "': " << difference << '\n';
      differs = true;
    }
    known.erase(found);
  }
  for (const T &entry : a)
    if (known.count(entry.*name)) {
      os << "- " << what << " '" << entry.*name << "'\n";
      differs = true;
    }
  return differs;
}

bool translate::printDifference(const Listing &a, const Listing &b, raw_ostream &os) {
  bool differs = ::printDifference(
      "module", a.modules, b.modules, &ListedModule::path,
      [](const ListedModule &x, const ListedModule &y) {
        return x.type == y.type ? "" : "'" + x.type + "' and '" + y.type + "'";
      },
      os);
  differs |= ::printDifference(
      "weight", a.attributes, b.attributes, &ListedAttribute::path,
      [](const ListedAttribute &x, const ListedAttribute &y) -> std::string {
        if (x.type != y.type)
          return x.type + " and " + y.type;
        return x.kind != y.kind ? x.kind + " and " + y.kind : x.digest != y.digest ? "other values" : "";
      },
      os);
  differs |= ::printDifference(
      "method", a.methods, b.methods, &ListedMethod::name,
      [](const ListedMethod &x, const ListedMethod &y) -> std::string {
        if (x.schema != y.schema)
          return x.schema + " and " + y.schema;
        return x.code != y.code ? "other code" : "";
      },
      os);
  return differs;
}
