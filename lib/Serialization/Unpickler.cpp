//===- Unpickler.cpp - Python pickles to values ---------------------------===//
//
// Pickle is a stack machine. Names and storages wait on its stack as capsules
// until a REDUCE consumes them; none may be left in the result.
//
// Containers are filled before they go into another container, in all pickles
// that Python and PyTorch write. Holding pickles to that order keeps depth and
// size known without walking, and makes cycles impossible.
//
//===----------------------------------------------------------------------===//
#include "ArchiveStorages.h"
#include "PickleMachine.h"
#include "WidenedStorages.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Support/Stack.h"
#include "llvm/Support/Endian.h"

using namespace tsc;
using llvm::StringRef;
using llvm::Twine;

namespace {
enum Opcode : uint8_t {
  OpMark = '(',
  OpStop = '.',
  OpPop = '0',
  OpPopMark = '1',
  OpDup = '2',
  OpBinFloat = 'G',
  OpBinInt = 'J',
  OpBinInt1 = 'K',
  OpBinInt2 = 'M',
  OpNone = 'N',
  OpBinPersId = 'Q',
  OpReduce = 'R',
  OpBinString = 'T',
  OpShortBinString = 'U',
  OpBinUnicode = 'X',
  OpAppend = 'a',
  OpBuild = 'b',
  OpGlobal = 'c',
  OpDict = 'd',
  OpEmptyDict = '}',
  OpAppends = 'e',
  OpBinGet = 'h',
  OpLongBinGet = 'j',
  OpList = 'l',
  OpEmptyList = ']',
  OpBinPut = 'q',
  OpLongBinPut = 'r',
  OpSetItem = 's',
  OpTuple = 't',
  OpEmptyTuple = ')',
  OpSetItems = 'u',
  OpBinBytes = 'B',
  OpShortBinBytes = 'C',
  OpProto = 0x80,
  OpNewObj = 0x81,
  OpTuple1 = 0x85,
  OpTuple2 = 0x86,
  OpTuple3 = 0x87,
  OpNewTrue = 0x88,
  OpNewFalse = 0x89,
  OpLong1 = 0x8a,
  OpLong4 = 0x8b,
  OpShortBinUnicode = 0x8c,
  OpBinUnicode8 = 0x8d,
  OpBinBytes8 = 0x8e,
  OpStackGlobal = 0x93,
  OpMemoize = 0x94,
  OpFrame = 0x95,
};
} // namespace

Status tsc::badPickle(const Twine &what) { return dataLoss("malformed pickle: " + what); }

//===-- Input ----------------------------------------------------------------===//

StatusOr<StringRef> PickleMachine::take(uint64_t count) {
  if (count > bytes.size() - at)
    return badPickle("it ends too early");
  StringRef taken = bytes.substr(at, count);
  at += count;
  return taken;
}

template <typename T> StatusOr<T> PickleMachine::number() {
  TSC_ASSIGN_OR_RETURN(StringRef raw, take(sizeof(T)));
  return llvm::support::endian::read<T, llvm::endianness::little>(raw.data());
}

StatusOr<StringRef> PickleMachine::line() {
  size_t end = bytes.find('\n', at);
  if (end == StringRef::npos)
    return badPickle("it ends too early");
  StringRef text = bytes.slice(at, end);
  at = end + 1;
  return text;
}

//===-- Stack and memo ---------------------------------------------------------===//

Status PickleMachine::push(IValue value) {
  stack.push_back(std::move(value));
  return okStatus();
}

StatusOr<IValue *> PickleMachine::top() {
  if (stack.size() <= (marks.empty() ? 0 : marks.back()))
    return badPickle("nothing on the stack");
  return &stack.back();
}

StatusOr<IValue> PickleMachine::pop() {
  TSC_RETURN_IF_ERROR(top().status());
  IValue value = std::move(stack.back());
  stack.pop_back();
  return value;
}

StatusOr<std::vector<IValue>> PickleMachine::popToMark() {
  if (marks.empty())
    return badPickle("no mark on the stack");
  size_t begin = marks.back();
  marks.pop_back();
  return popSome(stack.size() - begin);
}

StatusOr<std::vector<IValue>> PickleMachine::popSome(size_t count) {
  if (stack.size() - (marks.empty() ? 0 : marks.back()) < count)
    return badPickle("too few values on the stack");
  std::vector<IValue> values(std::make_move_iterator(stack.end() - count), std::make_move_iterator(stack.end()));
  stack.resize(stack.size() - count);
  return values;
}

Status PickleMachine::memoize(uint64_t index) {
  TSC_ASSIGN_OR_RETURN(IValue * value, top());
  if (index >= bytes.size()) // picklers count; numbers far apart could be chosen so that they collide
    return badPickle("the number " + Twine(index) + " in the memo, which has fewer values");
  memo[index] = *value;
  return okStatus();
}

/// A few bytes name a value again however large it is, and whoever gets it may look at all of it.
Status PickleMachine::recall(uint64_t index) {
  auto found = memo.find(index);
  if (found == memo.end())
    return badPickle("no value " + Twine(index) + " in the memo");
  const IValue &value = found->second;
  if (value.isString()) {
    TSC_RETURN_IF_ERROR(spend(value.toString().size()));
  } else if (value.isCounted()) {
    if (auto extent = extents.find(value.counted()); extent != extents.end())
      TSC_RETURN_IF_ERROR(spend(extent->second.weight));
  }
  return push(value);
}

static uint64_t allowance(StringRef pickle) { return 1000000 + 64 * uint64_t(pickle.size()); }

Status PickleMachine::spend(uint64_t amount) {
  spent += amount; // of at most 2^40 bytes a time: no sum is beyond 64 bits before it is refused
  return spent <= allowance(bytes) ? okStatus() : resourceExhausted("pickle repeats values too often");
}

//===-- Containers -------------------------------------------------------------===//

Status PickleMachine::contain(const IValue &parent, const IValue &child) {
  auto inner = child.isCounted() ? extents.find(child.counted()) : extents.end();
  if (inner == extents.end()) {
    ++extents[parent.counted()].weight;
    return okStatus();
  }
  if (parent.counted() == child.counted())
    return badPickle("a container that contains itself");
  inner->second.sealed = true;
  Extent &outer = extents[parent.counted()];
  outer.depth = std::max(outer.depth, inner->second.depth + 1);
  outer.weight += inner->second.weight;
  if (outer.depth > maxDepth)
    return resourceExhausted("pickle nests too deeply");
  if (outer.weight > allowance(bytes))
    return resourceExhausted("pickle shares containers too often");
  return okStatus();
}

IValue PickleMachine::trackLike(IValue converted, const IValue &original) {
  if (converted.counted() == original.counted() || !converted.isCounted())
    return converted;
  auto found = extents.find(original.counted());
  if (found != extents.end()) {
    Extent extent = found->second;
    extent.sealed = true; // its type is known: it is complete
    kept.push_back(converted);
    extents[converted.counted()] = extent;
  }
  return converted;
}

StatusOr<IValue> PickleMachine::makeTrackedTuple(std::vector<IValue> elements, const TupleType *type) {
  IValue tuple = track(makeTuple(std::move(elements), type));
  for (const IValue &element : tuple.toTuple().elements)
    TSC_RETURN_IF_ERROR(contain(tuple, element));
  return tuple;
}

Status PickleMachine::appendAll(const IValue &list, std::vector<IValue> elements) {
  if (!list.isGenericList() || extents[list.counted()].sealed)
    return badPickle("elements added to what is no list under construction");
  for (IValue &element : elements) {
    TSC_RETURN_IF_ERROR(contain(list, element));
    list.toGenericList().elements.push_back(std::move(element));
  }
  return okStatus();
}

static bool isKey(const IValue &value) {
  return value.isString() || value.isInt() || value.isDouble() || value.isBool() || value.isComplex() ||
         value.isTensor();
}

Status PickleMachine::setItems(const IValue &dict, std::vector<IValue> keysAndValues) {
  if (!dict.isDict() || extents[dict.counted()].sealed)
    return badPickle("entries added to what is no dict under construction");
  if (keysAndValues.size() % 2)
    return badPickle("a key without a value");
  for (size_t i = 0; i != keysAndValues.size(); i += 2) {
    if (!isKey(keysAndValues[i]))
      return badPickle("a dict key that is neither a str, a number nor a Tensor");
    TSC_RETURN_IF_ERROR(contain(dict, keysAndValues[i + 1]));
    dict.toDict().set(std::move(keysAndValues[i]), std::move(keysAndValues[i + 1]));
  }
  return okStatus();
}

//===-- Opcodes ----------------------------------------------------------------===//

/// A two's complement number of any length; only 64 bits fit.
Status PickleMachine::pushInteger(StatusOr<StringRef> littleEndian) {
  TSC_ASSIGN_OR_RETURN(StringRef raw, std::move(littleEndian));
  bool negative = !raw.empty() && (raw.back() & 0x80);
  uint64_t value = negative ? ~uint64_t(0) : 0;
  for (size_t i = raw.size(); i-- > 0;) {
    uint8_t byte = raw[i];
    if (i >= 8) {
      if (byte != (negative ? 0xFF : 0))
        return badPickle("an integer that does not fit in 64 bits");
      continue;
    }
    value = value << 8 | byte;
  }
  if (raw.size() > 8 && static_cast<int64_t>(value) < 0 && !negative)
    return badPickle("an integer that does not fit in 64 bits");
  return push(static_cast<int64_t>(value));
}

Status PickleMachine::pushString(StatusOr<StringRef> text) {
  TSC_RETURN_IF_ERROR(text.status());
  return push(*text);
}

/// A name that stands for a value by itself; else None.
static std::optional<IValue> constantNamed(StringRef name) {
  if (name.consume_front("torch.")) {
    if (auto dtype = dtypeFromPythonName(name))
      return IValue(*dtype);
    if (name == "strided")
      return IValue(int64_t(Layout::Strided));
    if (name == "contiguous_format")
      return IValue(int64_t(MemoryFormat::Contiguous));
    if (name == "preserve_format")
      return IValue(int64_t(MemoryFormat::Preserve));
    if (name == "channels_last")
      return IValue(int64_t(MemoryFormat::ChannelsLast));
    if (name == "channels_last_3d")
      return IValue(int64_t(MemoryFormat::ChannelsLast3d));
  }
  return std::nullopt;
}

Status PickleMachine::pushGlobal(StringRef module, StringRef name) {
  std::string full = (module + "." + name).str();
  if (auto constant = constantNamed(full))
    return push(*std::move(constant));
  auto global = makeRef<PickleGlobal>(full);
  if (StringRef(full).starts_with("__torch__.")) {
    if (!hooks.findType)
      return unimplemented("pickle names the class '" + full + "', which needs an archive's code");
    TSC_ASSIGN_OR_RETURN(global->type, hooks.findType(full));
    if (!global->type)
      return dataLoss("the archive does not define the class '" + full + "'");
    using Kind = PickleGlobal::Kind;
    if (llvm::isa<ClassType>(global->type))
      global->kind = Kind::Class;
    else if (llvm::isa<EnumType>(global->type))
      global->kind = Kind::Enum;
    else if (llvm::isa<TupleType>(global->type))
      global->kind = Kind::NamedTuple;
    else
      return badPickle("'" + full + "' has no instances");
  }
  return push(IValue::capsule(std::move(global)));
}

Status PickleMachine::checkFilled(const Twine &tensor) const {
  return hooks.storagesAreFilled
             ? okStatus()
             : unimplemented("the file has the format of torch.save before PyTorch 1.6 and holds " + tensor +
                             ", which is read from files of the format since then: save it again");
}

StatusOr<Ref<Storage>> PickleMachine::widenStorage(const Ref<Storage> &storage, const NarrowFormat &format) {
  TSC_RETURN_IF_ERROR(checkFilled(Twine("a tensor of ") + format.name));
  auto &[from, wide] = widened[storage.get()];
  if (!wide) {
    from = storage;
    TSC_ASSIGN_OR_RETURN(wide, widen(format, *storage));
    if (hooks.widened)
      hooks.widened(format.name, format.read);
  }
  return wide;
}

StatusOr<Ref<Storage>> PickleMachine::separateStorage(const Ref<Storage> &storage) {
  TSC_RETURN_IF_ERROR(checkFilled("bools in a storage of another dtype"));
  auto &[from, own] = separated[storage.get()];
  if (!own) {
    from = storage;
    TSC_ASSIGN_OR_RETURN(own, storage->clone());
    tidyBools(own->mutableData(), own->size());
  }
  return own;
}

StatusOr<Tensor> PickleMachine::ownCopy(const Tensor &tensor) {
  const Ref<Storage> &storage = tensor.get()->storage;
  auto &[from, own] = copied[storage.get()];
  if (!own) {
    from = storage;
    TSC_ASSIGN_OR_RETURN(own, storage->clone());
    if (!hooks.storagesAreFilled)
      TSC_RETURN_IF_ERROR(whenFilled([from = from, own = own] {
        if (own->size())
          std::memcpy(own->mutableData(), from->data(), own->size());
        return okStatus();
      }));
  }
  return Tensor::view(own, tensor.storageOffset(), tensor.sizes(), tensor.strides(), tensor.dtype());
}

Status PickleMachine::whenFilled(std::function<Status()> look) {
  if (hooks.storagesAreFilled)
    return look();
  if (!hooks.whenFilled)
    return checkFilled("a tensor quantized per channel");
  hooks.whenFilled(std::move(look));
  return okStatus();
}

/// ('storage', storage class, key, location, number of elements[, view]).
Status PickleMachine::persistentLoad() {
  TSC_ASSIGN_OR_RETURN(IValue id, pop());
  if (!id.isTuple() || id.toTuple().elements.size() < 5)
    return badPickle("a persistent id that names no storage");
  const auto &parts = id.toTuple().elements;
  auto *global = capsuleAs<PickleGlobal>(parts[1]);
  if (!parts[0].isString() || parts[0].toString() != "storage" || !global || !parts[2].isString() || !parts[4].isInt())
    return badPickle("a persistent id that names no storage");
  StringRef className = StringRef(global->name).rsplit('.').second;
  auto storage = makeRef<PickleStorage>();
  storage->key = parts[2].toString();
  std::optional<NarrowFormat> format;
  if (className == "QUInt4x2Storage" || className == "QUInt2x4Storage") {
    storage->dtype = DType::QUInt8;
    storage->bits = className == "QUInt4x2Storage" ? 4 : 2;
  } else if (className != "UntypedStorage" && className != "_UntypedStorage") {
    const bool isTyped = className.consume_back("Storage");
    format = isTyped ? narrowFormatOfStorage(className) : std::nullopt;
    storage->dtype = format ? format->stored : isTyped ? dtypeFromIRName(className) : std::nullopt;
    if (!storage->dtype)
      return unimplemented("pickle has a storage of unknown type '" + global->name + "'");
  }
  DType dtype = storage->dtype.value_or(DType::UInt8);
  int64_t count = parts[4].toInt();
  if (count < 0 || !hooks.storage || uint64_t(count) > (uint64_t(1) << 56) / itemSize(dtype))
    return badPickle("a storage of " + Twine(count) + " elements");
  StringRef location = parts[3].isString() ? StringRef(parts[3].toString()) : StringRef("cpu");
  TSC_ASSIGN_OR_RETURN(storage->storage, hooks.storage(parts[2].toString(), dtype, count * itemSize(dtype), location));
  if (format) {
    TSC_ASSIGN_OR_RETURN(storage->storage, widenStorage(storage->storage, *format));
    storage->dtype = format->read;
  }
  return push(IValue::capsule(std::move(storage)));
}

Status PickleMachine::reduce() {
  TSC_ASSIGN_OR_RETURN(IValue args, pop());
  TSC_ASSIGN_OR_RETURN(IValue callee, pop());
  auto *global = capsuleAs<PickleGlobal>(callee);
  if (global && global->kind == PickleGlobal::Kind::Enum &&
      !args.isTuple()) // TorchScript writes the member's bare value
    args = makeTuple({std::move(args)});
  if (!global || !args.isTuple())
    return badPickle("a call of what is no function");
  TSC_ASSIGN_OR_RETURN(IValue result, call(*global, args.toTuple().elements));
  return push(std::move(result));
}

Status PickleMachine::newObject() {
  TSC_ASSIGN_OR_RETURN(IValue args, pop());
  TSC_ASSIGN_OR_RETURN(IValue callee, pop());
  auto *global = capsuleAs<PickleGlobal>(callee);
  if (!global || !args.isTuple())
    return badPickle("an instance of what is no class");
  if (global->kind != PickleGlobal::Kind::Class) {
    TSC_ASSIGN_OR_RETURN(IValue result, call(*global, args.toTuple().elements));
    return push(std::move(result));
  }
  auto *type = llvm::cast<ClassType>(global->type);
  TSC_RETURN_IF_ERROR(spend(type->numAttributes())); // its slots, whether they get values or not
  IValue object = track(IValue(makeRef<ObjectValue>(type, type->numAttributes())));
  return push(std::move(object));
}

Status PickleMachine::build() {
  TSC_ASSIGN_OR_RETURN(IValue state, pop());
  TSC_ASSIGN_OR_RETURN(IValue * target, top());
  if (!target->isObject())
    return okStatus(); // Python attributes of a tensor or an OrderedDict, which mean nothing here
  if (extents[target->counted()].sealed)
    return badPickle("an object whose state comes after its use");
  TSC_RETURN_IF_ERROR(contain(*target, state));
  extents[target->counted()].sealed = true;
  return setAttributes(target->toObject(), state);
}

template <typename T> Status PickleMachine::pushNumber() {
  TSC_ASSIGN_OR_RETURN(std::make_unsigned_t<T> value, number<std::make_unsigned_t<T>>());
  return push(int64_t(static_cast<T>(value)));
}

Status PickleMachine::pushFloat() {
  TSC_ASSIGN_OR_RETURN(StringRef raw, take(8));
  return push(std::bit_cast<double>(llvm::support::endian::read64be(raw.data())));
}

/// As many bytes as a number of type T before them says.
template <typename T> StatusOr<StringRef> PickleMachine::takeCounted() {
  TSC_ASSIGN_OR_RETURN(T length, number<T>());
  return take(length);
}

Status PickleMachine::checkProtocol() {
  TSC_ASSIGN_OR_RETURN(uint8_t version, number<uint8_t>());
  return version >= 2 && version <= 5 ? okStatus()
                                      : badPickle("protocol " + Twine(unsigned(version)) + " is not supported");
}

Status PickleMachine::pushList(StatusOr<std::vector<IValue>> elements) {
  TSC_RETURN_IF_ERROR(elements.status());
  IValue list = track(IValue(makeRef<GenericList>(Type::anyType())));
  TSC_RETURN_IF_ERROR(appendAll(list, *std::move(elements)));
  return push(std::move(list));
}

Status PickleMachine::appendToTop(StatusOr<std::vector<IValue>> elements) {
  TSC_RETURN_IF_ERROR(elements.status());
  TSC_ASSIGN_OR_RETURN(IValue * list, top());
  return appendAll(*list, *std::move(elements));
}

Status PickleMachine::pushDict(StatusOr<std::vector<IValue>> items) {
  TSC_RETURN_IF_ERROR(items.status());
  IValue dict = track(IValue(makeRef<DictValue>(Type::anyType(), Type::anyType())));
  TSC_RETURN_IF_ERROR(setItems(dict, *std::move(items)));
  return push(std::move(dict));
}

Status PickleMachine::setInTop(StatusOr<std::vector<IValue>> items) {
  TSC_RETURN_IF_ERROR(items.status());
  TSC_ASSIGN_OR_RETURN(IValue * dict, top());
  return setItems(*dict, *std::move(items));
}

Status PickleMachine::pushTuple(StatusOr<std::vector<IValue>> elements) {
  TSC_RETURN_IF_ERROR(elements.status());
  TSC_ASSIGN_OR_RETURN(IValue tuple, makeTrackedTuple(*std::move(elements)));
  return push(std::move(tuple));
}

template <typename T> Status PickleMachine::memoizeAt() {
  TSC_ASSIGN_OR_RETURN(T index, number<T>());
  return memoize(index);
}

template <typename T> Status PickleMachine::recallAt() {
  TSC_ASSIGN_OR_RETURN(T index, number<T>());
  return recall(index);
}

Status PickleMachine::pushGlobalOfLines() {
  TSC_ASSIGN_OR_RETURN(StringRef module, line());
  TSC_ASSIGN_OR_RETURN(StringRef name, line());
  return pushGlobal(module, name);
}

Status PickleMachine::pushGlobalOfStack() {
  TSC_ASSIGN_OR_RETURN(auto names, popSome(2));
  if (!names[0].isString() || !names[1].isString())
    return badPickle("a name that is no string");
  return pushGlobal(names[0].toString(), names[1].toString());
}

Status PickleMachine::step(uint8_t opcode) {
  switch (opcode) {
  case OpProto: return checkProtocol();
  case OpFrame: return take(8).status();
  case OpMark: marks.push_back(stack.size()); return okStatus();
  case OpPop: return pop().status();
  case OpPopMark: return popToMark().status();

  case OpNone: return push(IValue());
  case OpNewTrue: return push(true);
  case OpNewFalse: return push(false);
  case OpBinInt: return pushNumber<int32_t>();
  case OpBinInt1: return pushNumber<uint8_t>();
  case OpBinInt2: return pushNumber<uint16_t>();
  case OpLong1: return pushInteger(takeCounted<uint8_t>());
  case OpLong4: return pushInteger(takeCounted<uint32_t>());
  case OpBinFloat: return pushFloat();
  case OpShortBinString:
  case OpShortBinUnicode:
  case OpShortBinBytes: return pushString(takeCounted<uint8_t>());
  case OpBinString:
  case OpBinUnicode:
  case OpBinBytes: return pushString(takeCounted<uint32_t>());
  case OpBinUnicode8:
  case OpBinBytes8: return pushString(takeCounted<uint64_t>());

  case OpEmptyList: return pushList(std::vector<IValue>());
  case OpList: return pushList(popToMark());
  case OpAppend: return appendToTop(popSome(1));
  case OpAppends: return appendToTop(popToMark());
  case OpEmptyDict: return pushDict(std::vector<IValue>());
  case OpDict: return pushDict(popToMark());
  case OpSetItem: return setInTop(popSome(2));
  case OpSetItems: return setInTop(popToMark());
  case OpEmptyTuple: return pushTuple(std::vector<IValue>());
  case OpTuple: return pushTuple(popToMark());
  case OpTuple1:
  case OpTuple2:
  case OpTuple3: return pushTuple(popSome(opcode - OpTuple1 + 1));

  case OpBinPut: return memoizeAt<uint8_t>();
  case OpLongBinPut: return memoizeAt<uint32_t>();
  case OpMemoize: return memoize(memo.size());
  case OpBinGet: return recallAt<uint8_t>();
  case OpLongBinGet: return recallAt<uint32_t>();

  case OpGlobal: return pushGlobalOfLines();
  case OpStackGlobal: return pushGlobalOfStack();
  case OpReduce: return reduce();
  case OpNewObj: return newObject();
  case OpBuild: return build();
  case OpBinPersId: return persistentLoad();
  default: return badPickle("opcode 0x" + Twine::utohexstr(opcode) + " is not allowed");
  }
}

StatusOr<IValue> PickleMachine::run() {
  while (true) {
    TSC_ASSIGN_OR_RETURN(uint8_t opcode, number<uint8_t>());
    if (opcode == OpStop)
      break;
    TSC_RETURN_IF_ERROR(step(opcode));
  }
  if (!marks.empty())
    return badPickle("a mark is left on the stack");
  return pop();
}

/// Whether a name or a bare storage is left anywhere inside. Depth and size are bounded by then.
static bool hasCapsules(const IValue &value, llvm::DenseMap<RefCounted *, bool> &seen) {
  if (value.isCapsule())
    return true;
  if (!value.isCounted() || !seen.try_emplace(value.counted(), true).second)
    return false;
  requireStack();
  auto any = [&](const std::vector<IValue> &values) {
    return llvm::any_of(values, [&](const IValue &v) { return hasCapsules(v, seen); });
  };
  if (value.isTuple())
    return any(value.toTuple().elements);
  if (value.isGenericList())
    return any(value.toGenericList().elements);
  if (value.isObject())
    return any(value.toObject().slots);
  bool found = false;
  if (value.isDict())
    value.toDict().forEach([&](const IValue &, const IValue &entry) { found |= hasCapsules(entry, seen); });
  return found;
}

StatusOr<IValue> Unpickler::read(StringRef pickle, size_t *used) {
  PickleMachine machine(context, hooks, pickle);
  TSC_ASSIGN_OR_RETURN(IValue value, machine.run());
  if (used)
    *used = machine.position();
  llvm::DenseMap<RefCounted *, bool> seen;
  if (hasCapsules(value, seen))
    return unimplemented("pickle holds a function, a class or a storage as a value");
  return value;
}
