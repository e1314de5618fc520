//===- Modules.cpp - Modules and other objects as values ------------------===//
#include "Eager.h"
#include "HostMemory.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/ArchiveWriter.h"

using namespace tsc;
using namespace tsc::capi;

/// The program that an object belongs to.
static StatusOr<tsc_program *> programOf(const tsc_value *value) {
  TSC_RETURN_IF_ERROR(checkNotNull({{value, "module"}}));
  if (!value->value.isObject())
    return wrongKind(value, "a module or another object");
  assert(value->owner && "an object's handle keeps its program");
  TSC_RETURN_IF_ERROR(value->owner->program.status());
  return value->owner.get();
}

/// Whether the object is the module of its program, which may be frozen.
static bool isWhole(const tsc_program &program, const IValue &object) {
  const Module *own = program.program.module();
  return own && own->object().get() == &object.toObject();
}

static StatusOr<Object> objectOf(const tsc_program &program, const IValue &object) {
  if (isWhole(program, object))
    return StatusOr<Object>(program.program.findModule(""));
  return program.program.object(object);
}

namespace {
/// Where a function puts what it gives, if it gives something.
struct Output {
  bool isAsked;
  NotNull place;
};
} // namespace

/// Returns an output that holds nothing yet.
template <typename T> static Output cleared(T *out, const char *name) {
  if (out)
    *out = T();
  return {true, {out, name}};
}
static constexpr Output nothing{false, {nullptr, ""}};

/// Does something with an object and its program.
static tsc_error *withObject(const tsc_value *value, Output out,
                             llvm::function_ref<Status(tsc_program &program, const Object &object)> body) {
  return guarded([&]() -> Status {
    TSC_ASSIGN_OR_RETURN(tsc_program * program, programOf(value));
    TSC_ASSIGN_OR_RETURN(const Object object, objectOf(*program, value->value));
    if (out.isAsked)
      TSC_RETURN_IF_ERROR(checkNotNull({out.place}));
    return body(*program, object);
  });
}

/// The same with a module.
static tsc_error *withModule(const tsc_value *value, Output out,
                             llvm::function_ref<Status(tsc_program &program, const Module &module)> body) {
  return withObject(value, out, [&](tsc_program &program, const Object &object) -> Status {
    if (!object.type().isModule())
      return wrongKind(value, "a module");
    return body(program, Module(object));
  });
}

tsc_error *tsc_module_new(const tsc_value *within, const char *name, const tsc_options *options, tsc_value **module) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{module, "module"}}));
    *module = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    Ref<tsc_program> owner;
    if (within) {
      TSC_ASSIGN_OR_RETURN(tsc_program * program, programOf(within));
      owner = share(program);
    } else {
      TSC_ASSIGN_OR_RETURN(tsc_program * program, loadWith(options, [](EngineOptions engine) {
                             return Program::load(Bytes{}, "module.py", std::move(engine));
                           }));
      owner = Ref<tsc_program>::adopt(program);
    }
    TSC_ASSIGN_OR_RETURN(Module made, owner->program.createModule(name, /*mangle=*/true));
    *module = newValue(IValue(made.object()), owner);
    return okStatus();
  });
}

int tsc_value_is_module(const tsc_value *value) { return value && isModuleObject(value->value); }

tsc_error *tsc_module_program(const tsc_value *module, tsc_program **program) {
  return withObject(module, cleared(program, "program"), [&](tsc_program &owner, const Object &) {
    owner.retain();
    *program = &owner;
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

tsc_error *tsc_module_find(const tsc_value *module, const char *method, tsc_entry **entry) {
  return withObject(module, cleared(entry, "entry"), [&](tsc_program &program, const Object &object) -> Status {
    const bool isOwn = isWhole(program, module->value);
    TSC_ASSIGN_OR_RETURN(Program::Entry found, isOwn ? program.program.find(method ? method : "")
                                                     : program.program.entryOf(object.object(), method ? method : ""));
    if (isOwn && object.isFrozen() && !object.graphOf(*object.findMethod(found.name())))
      return notFound("Method '" + found.name() + "' was not among those for which the module was frozen");
    *entry = newEntry(module->owner, std::move(found), isOwn ? Ref<ObjectValue>() : object.object());
    return okStatus();
  });
}

tsc_error *tsc_module_num_methods(const tsc_value *module, size_t *count) {
  return withObject(module, cleared(count, "count"), [&](tsc_program &, const Object &object) {
    *count = object.type().methods().size();
    return okStatus();
  });
}

tsc_error *tsc_module_method_name(const tsc_value *module, size_t index, const char **name) {
  return withObject(module, cleared(name, "name"), [&](tsc_program &, const Object &object) -> Status {
    llvm::ArrayRef<Function *> methods = object.type().methods();
    if (index >= methods.size())
      return invalidArgument("there is no method " + llvm::Twine(index) + ": the class has " +
                             llvm::Twine(methods.size()));
    *name = methods[index]->name().data(); // the end of the qualified name, which ends in a zero
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Whether freezing made a constant of an attribute: its value is None, which its type does not have.
static bool isGone(const Object &object, llvm::StringRef name) {
  const IValue *value = object.object()->findAttribute(name);
  auto slot = object.type().findAttribute(name);
  return value && value->isNone() && slot && !isInstanceOf(*value, object.type().attribute(*slot).type);
}

/// The object that has the attribute at a path, and the attribute's name.
static StatusOr<std::pair<Object, llvm::StringRef>> holderOf(const tsc_program &program, Object object,
                                                             llvm::StringRef path) {
  for (auto [name, rest] = path.split('.');; std::tie(name, rest) = rest.split('.')) {
    if (name.empty())
      return notFound("'" + path + "' is no path of an attribute");
    if (rest.empty() && !path.ends_with("."))
      return std::pair(std::move(object), name);
    TSC_ASSIGN_OR_RETURN(IValue held, object.attribute(name));
    if (!held.isObject())
      return notFound("'" + name + "' of '" + path + "' is no object");
    TSC_ASSIGN_OR_RETURN(object, program.program.object(held));
  }
}

tsc_error *tsc_module_attribute(const tsc_value *module, const char *path, tsc_value **value) {
  return withObject(module, cleared(value, "value"), [&](tsc_program &program, const Object &object) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{path, "path"}}));
    StatusOr<IValue> found = IValue();
    TSC_RETURN_IF_ERROR(program.program.readState([&] {
      found = [&]() -> StatusOr<IValue> {
        TSC_ASSIGN_OR_RETURN(auto holder, holderOf(program, object, path));
        if (isGone(holder.first, holder.second))
          return notFound("'" + llvm::Twine(path) + "' became a constant when the module was frozen");
        return holder.first.attribute(holder.second);
      }();
    }));
    TSC_RETURN_IF_ERROR(found.status());
    *value = newValue(*std::move(found), module->owner, module->isUnrecorded);
    return okStatus();
  });
}

tsc_error *tsc_module_set_attribute(const tsc_value *module, const char *path, const tsc_value *value) {
  return withObject(module, nothing, [&](tsc_program &program, const Object &object) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{path, "path"}}));
    TSC_ASSIGN_OR_RETURN(IValue given, valueFor(value, &program, "value"));
    TSC_ASSIGN_OR_RETURN(auto holder, holderOf(program, object, path));
    const ClassType &type = holder.first.type();
    if (auto slot = type.findAttribute(holder.second)) // a list of any values may become one of ints
      if (auto converted = convertTo(program.program.context(), given, type.attribute(*slot).type))
        given = *std::move(converted);
    noteGradientMark();
    return holder.first.setAttribute(holder.second, std::move(given));
  });
}

tsc_error *tsc_module_register(const tsc_value *module, const char *name, tsc_attribute_kind kind,
                               const tsc_value *value) {
  return withModule(module, nothing, [&](tsc_program &program, const Module &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    TSC_ASSIGN_OR_RETURN(IValue given, valueFor(value, &program, "value"));
    const bool isTensor = kind == TSC_PARAMETER || kind == TSC_BUFFER;
    if (!isTensor && kind != TSC_ATTRIBUTE)
      return invalidArgument("there is no kind " + llvm::Twine(static_cast<int>(kind)) + " of attributes to add");
    if (isTensor && !given.isTensor() && !given.isNone())
      return wrongKind(value, "a tensor or None");
    Context &context = program.program.context();
    if (std::optional<IValue> typed = convertTo(context, given, Type::anyType())) // lists show what they hold
      given = *std::move(typed);
    const Type *type = !isTensor          ? given.dynamicType(context)
                       : given.isTensor() ? Type::tensorType()
                                          : context.optionalOf(Type::tensorType());
    noteGradientMark();
    return held.registerAttribute(name, type, std::move(given),
                                  kind == TSC_PARAMETER ? AttributeKind::Parameter
                                  : kind == TSC_BUFFER  ? AttributeKind::Buffer
                                                        : AttributeKind::Regular);
  });
}

/// Lists the attributes of an object that is no module.
static void listFields(tsc_attributes &list, const Object &object) {
  llvm::ArrayRef<ClassAttribute> attributes = object.type().attributes();
  for (size_t slot = 0; slot != std::min(attributes.size(), object.numSlots()); ++slot)
    list.attributes.push_back({attributes[slot].name, TSC_ATTRIBUTE, object.object()->slots[slot]});
}

/// The kind of an attribute by its path, where its value is no module.
static tsc_attribute_kind kindAt(const Module &module, llvm::StringRef path) {
  auto [holder, name] = path.rsplit('.');
  const bool isWithin = path.contains('.');
  StatusOr<Module> owner = module.findModule(isWithin ? holder : "");
  const std::optional<unsigned> slot = owner.ok() ? owner->type().findAttribute(isWithin ? name : path) : std::nullopt;
  return slot ? kindOf(owner->type().attribute(*slot).kind) : TSC_ATTRIBUTE;
}

static void listModule(tsc_attributes &list, const Module &module, tsc_listing what, bool recurse) {
  auto add = [&](std::vector<ModuleAttribute> found) {
    for (ModuleAttribute &one : found) {
      const tsc_attribute_kind kind = isModuleObject(one.value)     ? TSC_SUBMODULE
                                      : what == TSC_LIST_PARAMETERS ? TSC_PARAMETER
                                      : what == TSC_LIST_BUFFERS    ? TSC_BUFFER
                                                                    : kindAt(module, one.path);
      list.attributes.push_back({std::move(one.path), kind, std::move(one.value)});
    }
  };
  switch (what) {
  case TSC_LIST_PARAMETERS: return add(module.namedParameters(recurse));
  case TSC_LIST_BUFFERS: return add(module.namedBuffers(recurse));
  case TSC_LIST_MODULES:
    for (NamedModule &one : recurse ? module.namedModules() : module.namedChildren())
      list.attributes.push_back({std::move(one.path), TSC_SUBMODULE, IValue(one.module.object())});
    return;
  case TSC_LIST_ATTRIBUTES: return add(module.namedAttributes(recurse));
  }
}

tsc_error *tsc_module_list(const tsc_value *module, tsc_listing what, int recurse, tsc_attributes **list) {
  return withObject(module, cleared(list, "list"), [&](tsc_program &program, const Object &object) -> Status {
    if (static_cast<int>(what) < TSC_LIST_ATTRIBUTES || static_cast<int>(what) > TSC_LIST_MODULES)
      return invalidArgument("there is no listing " + llvm::Twine(static_cast<int>(what)));
    auto made = std::make_unique<tsc_attributes>();
    made->program = module->owner;
    TSC_RETURN_IF_ERROR(program.program.readState([&] {
      if (object.type().isModule())
        listModule(*made, Module(object), what, recurse != 0);
      else if (what == TSC_LIST_ATTRIBUTES)
        listFields(*made, object);
    }));
    if (object.isFrozen())
      llvm::erase_if(made->attributes, [&](const tsc_attributes::Attribute &one) {
        auto holder = holderOf(program, object, one.path);
        return !one.path.empty() && holder.ok() && isGone(holder->first, holder->second);
      });
    *list = made.release();
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// Modules as wholes
//===----------------------------------------------------------------------===//

tsc_error *tsc_module_set_training(const tsc_value *module, int mode) {
  return withModule(module, nothing, [&](tsc_program &, const Module &held) {
    held.train(mode != 0);
    return okStatus();
  });
}

tsc_error *tsc_module_is_training(const tsc_value *module, int *mode) {
  return withModule(module, cleared(mode, "mode"), [&](tsc_program &program, const Module &held) {
    return program.program.readState(
        [&] { *mode = held.attribute("training", IValue(true)).isSameAs(IValue(true)) && !isGone(held, "training"); });
  });
}

tsc_error *tsc_module_convert(const tsc_value *module, int dtype, int device_kind, int device_index) {
  return withModule(module, nothing, [&](tsc_program &, const Module &held) -> Status {
    std::optional<DType> wanted;
    if (dtype != -1) {
      if (!isKnownDType(dtype))
        return invalidArgument("there is no dtype " + llvm::Twine(dtype));
      wanted = static_cast<DType>(dtype);
    }
    std::optional<Device> device;
    if (device_kind != -1) {
      tsc_value *made = nullptr;
      if (tsc_error *error = tsc_value_new_device(device_kind, device_index, &made)) {
        Status status = invalidArgument(tsc_error_message(error));
        tsc_error_free(error);
        return status;
      }
      device = std::unique_ptr<tsc_value>(made)->value.toDevice();
    }
    noteGradientMark();
    return held.to(device, wanted);
  });
}

tsc_error *tsc_module_define(const tsc_value *module, const char *source) {
  return withModule(module, nothing, [&](tsc_program &, const Module &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{source, "source"}}));
    return held.define(source);
  });
}

tsc_error *tsc_module_dump(const tsc_value *module, uint32_t flags, tsc_value **text) {
  return withModule(module, cleared(text, "text"), [&](tsc_program &program, const Module &held) -> Status {
    TSC_ASSIGN_OR_RETURN(DumpOptions options, dumpOptions(flags));
    std::string dumped;
    llvm::raw_string_ostream os(dumped);
    TSC_RETURN_IF_ERROR(program.program.readState([&] { held.dump(os, options); }));
    *text = newValue(IValue(std::move(dumped)), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_module_save(const tsc_value *module, const tsc_file *extra_files, size_t num_extra_files,
                           tsc_write write, void *user) {
  return withModule(module, nothing, [&](tsc_program &program, const Module &held) -> Status {
    if (!write)
      return nullArgument("write");
    if (num_extra_files != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{extra_files, "extra_files"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_extra_files, "extra_files"));
    if (program.program.module() && program.program.module()->isFrozen())
      return unimplemented("a frozen module cannot be saved");
    SaveOptions options;
    for (const tsc_file &file : llvm::ArrayRef(extra_files, num_extra_files)) {
      TSC_RETURN_IF_ERROR(checkNotNull({{file.name, "name"}}));
      if (file.size != 0)
        TSC_RETURN_IF_ERROR(checkNotNull({{file.data, "data"}}));
      options.extraFiles.emplace_back(file.name, std::string(static_cast<const char *>(file.data), file.size));
    }
    TSC_ASSIGN_OR_RETURN(const std::string bytes, program.program.save(IValue(held.object()), std::move(options)));
    write(user, bytes.data(), bytes.size());
    return okStatus();
  });
}

/// Gives the module of a program that was made of another one's.
static Status giveWhole(const tsc_program &origin, StatusOr<Program> made, tsc_value **module) {
  TSC_RETURN_IF_ERROR(made.status());
  auto owner = makeRef<tsc_program>(*std::move(made), origin.threads);
  *module = newValue(IValue(owner->program.module()->object()), owner);
  return okStatus();
}

tsc_error *tsc_module_copy(const tsc_value *module, tsc_value **copy) {
  return withModule(module, cleared(copy, "copy"), [&](tsc_program &program, const Module &held) {
    return giveWhole(program, program.program.forkCopy(held), copy);
  });
}

tsc_error *tsc_module_freeze(const tsc_value *module, const char *const *methods, size_t num_methods,
                             const char *const *attributes, size_t num_attributes, tsc_value **frozen) {
  return withModule(module, cleared(frozen, "frozen"), [&](tsc_program &program, const Module &held) -> Status {
    TSC_ASSIGN_OR_RETURN(std::vector<std::string> called, namesOf(methods, num_methods, "methods"));
    TSC_ASSIGN_OR_RETURN(std::vector<std::string> kept, namesOf(attributes, num_attributes, "attributes"));
    if (held.isTraining())
      return invalidArgument("Freezing module in training mode is not yet supported");
    if (called.empty())
      called.push_back("forward");
    return giveWhole(program, program.program.forkFrozen(held, called, std::move(kept)), frozen);
  });
}
