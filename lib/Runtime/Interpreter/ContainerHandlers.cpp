//===- ContainerHandlers.cpp - Lists, tuples, dicts, strings --------------===//
//
// Each handler reads its operands, computes, releases the operands that die here
// and then writes its result, whose slot may be that of a dying operand. The
// representation of a list is checked: IR and archives may lie about types.
//
//===----------------------------------------------------------------------===//
#include "Instruction.h"
#include "tsc/Python/Slices.h"
#include "tsc/Python/Text.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Ops/Python.h"
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
#include "tsc/Support/WorkMeter.h"
#include <array>
#include <cstring>

namespace tsc {

static Status wrongValue(const char *expected) {
  return invalidArgument(llvm::Twine("expected a value of type ") + expected +
                         " here; the program's types do not agree with its values");
}
TSC_FAILURE(indexOutOfRange, outOfRange("list index out of range"))
TSC_FAILURE(tupleIndexOutOfRange, outOfRange("tuple index out of range"))
TSC_FAILURE(stringIndexOutOfRange, python::stringIndexOutOfRange())
TSC_FAILURE(noneWhereValue, invalidArgument("Unwrapping null optional"))
TSC_FAILURE(notAList, wrongValue("List"))
TSC_FAILURE(notATuple, wrongValue("Tuple"))
TSC_FAILURE(notADict, wrongValue("Dict"))
TSC_FAILURE(notAString, wrongValue("str"))
TSC_FAILURE(notAContainer, wrongValue("List, Dict or str"))
TSC_FAILURE(wrongElement, wrongValue("the container's element type"))
TSC_FAILURE(notUnboxable, operandAt(ip->b, regs, m).isNone() ? invalidArgument("Unwrapping null optional")
                                                             : wrongValue("int, float or bool"))
/// Counts what an instruction does with a text, where that is much.
static inline void countText(size_t bytes, Machine *m) {
  if (bytes >= static_cast<size_t>(work::operationsInStep)) [[unlikely]] {
    work::count(static_cast<int64_t>(bytes));
    m->lookSoon();
  }
}

static bool wrapIndex(int64_t &index, size_t size) {
  const std::optional<int64_t> place = python::elementPlace(index, static_cast<int64_t>(size));
  index = place.value_or(0);
  return place.has_value();
}

// Values of scalar slots that come out of a value slot.
#define UNBOX(NAME, IS, ASSIGN)                                                                                        \
  TSC_HANDLER(NAME) {                                                                                                  \
    IValue &v = operandAt(ip->b, regs, m);                                                                             \
    if (!(IS)) [[unlikely]]                                                                                            \
      TSC_FAIL(notUnboxable);                                                                                          \
    ASSIGN;                                                                                                            \
    finishOperand(ip->b, regs);                                                                                        \
    TSC_NEXT;                                                                                                          \
  }
UNBOX(UnboxI, v.isInt() || v.isBool(), intAt(regs, ip->a) = v.toInt())
UNBOX(UnboxF, v.isDouble(), floatAt(regs, ip->a) = v.toDouble())
UNBOX(UnboxB, v.isBool() || v.isInt(), intAt(regs, ip->a) = v.toInt() != 0)
#undef UNBOX

TSC_HANDLER(Move) {
  putValue(regs, ip->a, takeOperand(ip->b, regs, m));
  TSC_NEXT;
}
TSC_HANDLER(Copy) {
  putValue(regs, ip->a, IValue(operandAt(ip->b & ~lastUse, regs, m)));
  TSC_NEXT;
}
TSC_HANDLER(Drop) {
  finishOperand(ip->a | lastUse, regs);
  TSC_NEXT;
}
TSC_HANDLER(CheckNotNone) {
  if (operandAt(ip->b, regs, m).isNone()) [[unlikely]]
    TSC_FAIL(noneWhereValue);
  putValue(regs, ip->a, takeOperand(ip->b, regs, m));
  TSC_NEXT;
}

// Tests on values.
TSC_HANDLER(IsNone) {
  bool none = operandAt(ip->b, regs, m).isNone();
  finishOperand(ip->b, regs);
  intAt(regs, ip->a) = none;
  TSC_NEXT;
}
TSC_HANDLER(IsNotNone) {
  bool none = operandAt(ip->b, regs, m).isNone();
  finishOperand(ip->b, regs);
  intAt(regs, ip->a) = !none;
  TSC_NEXT;
}
TSC_HANDLER(JumpNone) {
  bool none = operandAt(ip->a, regs, m).isNone();
  finishOperand(ip->a, regs);
  if (none)
    TSC_GOTO(ip->b);
  TSC_NEXT;
}
TSC_HANDLER(JumpNotNone) {
  bool none = operandAt(ip->a, regs, m).isNone();
  finishOperand(ip->a, regs);
  if (!none)
    TSC_GOTO(ip->b);
  TSC_NEXT;
}
static bool sameText(const IValue &a, const IValue &b, Machine *m) {
  if (!a.isString() || !b.isString())
    return a.isSameAs(b);
  const std::string &left = a.toString(), &right = b.toString();
  if (&left == &right || left.size() != right.size())
    return &left == &right;
  countText(left.size(), m);
  return left == right;
}
#define COMPARE_TEXT(NAME, NEGATE)                                                                                     \
  TSC_HANDLER(NAME) {                                                                                                  \
    bool same = sameText(operandAt(ip->b, regs, m), operandAt(ip->c, regs, m), m);                                     \
    finishOperand(ip->b, regs);                                                                                        \
    finishOperand(ip->c, regs);                                                                                        \
    intAt(regs, ip->a) = same != NEGATE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }                                                                                                                    \
  TSC_HANDLER(Jump##NAME) {                                                                                            \
    bool same = sameText(operandAt(ip->a, regs, m), operandAt(ip->b, regs, m), m);                                     \
    finishOperand(ip->a, regs);                                                                                        \
    finishOperand(ip->b, regs);                                                                                        \
    if (same != NEGATE)                                                                                                \
      TSC_GOTO(ip->c);                                                                                                 \
    TSC_NEXT;                                                                                                          \
  }
COMPARE_TEXT(EqS, false)
COMPARE_TEXT(NeS, true)
#undef COMPARE_TEXT

// List literals. The operand list's header is its count.
#define NEW_LIST(NAME, LIST, READ)                                                                                     \
  TSC_HANDLER(NAME) {                                                                                                  \
    const int32_t *list = m->code->operands.data() + ip->b;                                                            \
    int32_t count = *list++;                                                                                           \
    bool good = true;                                                                                                  \
    {                                                                                                                  \
      auto made = makeRef<LIST>();                                                                                     \
      made->elements.reserve(count);                                                                                   \
      for (int32_t i = 0; i != count; ++i) {                                                                           \
        IValue &v = operandAt(list[i], regs, m);                                                                       \
        READ;                                                                                                          \
        finishOperand(list[i], regs);                                                                                  \
      }                                                                                                                \
      if (good)                                                                                                        \
        putValue(regs, ip->a, IValue(std::move(made)));                                                                \
    }                                                                                                                  \
    if (!good) [[unlikely]]                                                                                            \
      TSC_FAIL(wrongElement);                                                                                          \
    TSC_NEXT;                                                                                                          \
  }
NEW_LIST(NewListI, IntList, made->elements.push_back(RegisterAccess::i(v)); good &= v.isInt() || v.isBool())
NEW_LIST(NewListF, DoubleList, made->elements.push_back(RegisterAccess::d(v)); good &= v.isDouble())
NEW_LIST(NewListB, BoolList, made->elements.push_back(RegisterAccess::i(v) != 0); good &= v.isBool() || v.isInt())
NEW_LIST(NewListT, TensorList, if (v.isTensor() || v.isNone()) made->elements.push_back(v.toTensor());
         else good = false)
#undef NEW_LIST
TSC_HANDLER(NewListG) {
  const int32_t *list = m->code->operands.data() + ip->b;
  {
    auto made = makeRef<GenericList>(m->code->types[ip->c].type);
    made->elements.reserve(*list);
    for (int32_t i = 1; i <= *list; ++i)
      made->elements.push_back(takeOperand(list[i], regs, m));
    putValue(regs, ip->a, IValue(std::move(made)));
  }
  TSC_NEXT;
}

// Elements.
#define LIST_OPERAND(IS, TO)                                                                                           \
  IValue &v = operandAt(ip->b, regs, m);                                                                               \
  if (!v.IS()) [[unlikely]]                                                                                            \
    TSC_FAIL(notAList);                                                                                                \
  auto &elements = v.TO().elements
#define ELEMENT_OPERAND(IS, TO)                                                                                        \
  LIST_OPERAND(IS, TO);                                                                                                \
  int64_t index = intAt(regs, ip->c);                                                                                  \
  if (!wrapIndex(index, elements.size())) [[unlikely]]                                                                 \
  TSC_FAIL(indexOutOfRange)
/// The list is also the result, when anybody wants it.
#define LIST_RESULT()                                                                                                  \
  if (ip->a != noOperand)                                                                                              \
    putValue(regs, ip->a, takeOperand(ip->b, regs, m));                                                                \
  else                                                                                                                 \
    finishOperand(ip->b, regs)

#define GET_ITEM(NAME, IS, TO, STORE)                                                                                  \
  TSC_HANDLER(NAME) {                                                                                                  \
    ELEMENT_OPERAND(IS, TO);                                                                                           \
    STORE;                                                                                                             \
    TSC_NEXT;                                                                                                          \
  }
#define STORE_VALUE(EXPR)                                                                                              \
  {                                                                                                                    \
    IValue item = EXPR;                                                                                                \
    finishOperand(ip->b, regs);                                                                                        \
    putValue(regs, ip->a, std::move(item));                                                                            \
  }
GET_ITEM(GetItemI, isIntList, toIntList, intAt(regs, ip->a) = elements[index]; finishOperand(ip->b, regs))
GET_ITEM(GetItemF, isDoubleList, toDoubleList, floatAt(regs, ip->a) = elements[index]; finishOperand(ip->b, regs))
GET_ITEM(GetItemB, isBoolList, toBoolList, intAt(regs, ip->a) = elements[index]; finishOperand(ip->b, regs))
GET_ITEM(GetItemT, isTensorList, toTensorList, STORE_VALUE(IValue(elements[index])))
GET_ITEM(GetItemG, isGenericList, toGenericList, STORE_VALUE(elements[index]))

// list[index] = value.
#define SET_ITEM(NAME, IS, TO, ASSIGN)                                                                                 \
  TSC_HANDLER(NAME) {                                                                                                  \
    ELEMENT_OPERAND(IS, TO);                                                                                           \
    ASSIGN;                                                                                                            \
    LIST_RESULT();                                                                                                     \
    TSC_NEXT;                                                                                                          \
  }
SET_ITEM(SetItemI, isIntList, toIntList, elements[index] = intAt(regs, ip->d))
SET_ITEM(SetItemF, isDoubleList, toDoubleList, elements[index] = floatAt(regs, ip->d))
SET_ITEM(SetItemB, isBoolList, toBoolList, elements[index] = intAt(regs, ip->d) != 0)
SET_ITEM(SetItemT, isTensorList, toTensorList, {
  IValue item = takeOperand(ip->d, regs, m);
  elements[index] = item.isTensor() ? item.toTensor() : Tensor();
})
SET_ITEM(SetItemG, isGenericList, toGenericList, elements[index] = takeOperand(ip->d, regs, m))

#define APPEND(NAME, IS, TO, PUSH)                                                                                     \
  TSC_HANDLER(NAME) {                                                                                                  \
    IValue &v = operandAt(ip->b, regs, m);                                                                             \
    if (!v.IS()) [[unlikely]]                                                                                          \
      TSC_FAIL(notAList);                                                                                              \
    PUSH;                                                                                                              \
    LIST_RESULT();                                                                                                     \
    TSC_NEXT;                                                                                                          \
  }
/// A list that becomes longer is counted anew where its memory grew.
template <typename T> static void append(ListValue<T> &list, T element) {
  list.elements.push_back(std::move(element));
  list.noteSize();
}
APPEND(AppendI, isIntList, toIntList, append(v.toIntList(), intAt(regs, ip->c)))
APPEND(AppendF, isDoubleList, toDoubleList, append(v.toDoubleList(), floatAt(regs, ip->c)))
APPEND(AppendB, isBoolList, toBoolList, append(v.toBoolList(), static_cast<uint8_t>(intAt(regs, ip->c) != 0)))
APPEND(AppendT, isTensorList, toTensorList, {
  IValue item = takeOperand(ip->c, regs, m);
  append(v.toTensorList(), item.isTensor() ? item.toTensor() : Tensor());
})
APPEND(AppendG, isGenericList, toGenericList, v.toGenericList().elements.push_back(takeOperand(ip->c, regs, m)))

TSC_HANDLER(Length) {
  IValue &v = operandAt(ip->b, regs, m);
  int64_t length;
  if (v.isIntList())
    length = static_cast<int64_t>(v.toIntList().elements.size());
  else if (v.isString())
    length = static_cast<int64_t>(v.toString().size());
  else if (v.isList())
    length = static_cast<int64_t>(v.listSize());
  else if (v.isDict())
    length = static_cast<int64_t>(v.toDict().size());
  else
    TSC_FAIL(notAContainer);
  finishOperand(ip->b, regs);
  intAt(regs, ip->a) = length;
  TSC_NEXT;
}

/// The 256 strings of one byte, made once: indexing a string allocates nothing.
static const std::array<IValue, 256> &characters() {
  static const auto *table = [] {
    auto *strings = new std::array<IValue, 256>;
    for (unsigned c = 0; c != 256; ++c)
      (*strings)[c] = IValue(std::string(1, static_cast<char>(c)));
    return strings;
  }();
  return *table;
}
TSC_HANDLER(CharAt) {
  IValue &v = operandAt(ip->b, regs, m);
  if (!v.isString()) [[unlikely]]
    TSC_FAIL(notAString);
  const std::string &text = v.toString();
  int64_t index = intAt(regs, ip->c);
  if (!wrapIndex(index, text.size())) [[unlikely]]
    TSC_FAIL(stringIndexOutOfRange);
  STORE_VALUE(characters()[static_cast<unsigned char>(text[index])])
  TSC_NEXT;
}

/// a + b. Where this is the last use of `a`, and nobody else has it, it grows in place: a loop that appends to a text
/// costs what it appends.
static bool concatenate(const Instruction *ip, char *regs, Machine *m) {
  IValue &a = operandAt(ip->b, regs, m);
  const IValue &b = operandAt(ip->c, regs, m);
  if (!a.isString() || !b.isString()) [[unlikely]] {
    m->status = notAString(ip, regs, m);
    return false;
  }
  auto *text = static_cast<StringValue *>(a.counted());
  const std::string &more = b.toString();
  const bool growsInPlace = (ip->b & lastUse) && text->useCount() == 1;
  const int64_t length = static_cast<int64_t>(text->text.size() + more.size());
  if (!growsInPlace || static_cast<size_t>(length) > text->text.capacity())
    if (m->status = ops::checkLength(length); !m->status.ok()) [[unlikely]]
      return false;
  std::string both;
  if (growsInPlace) {
    std::atomic_thread_fence(std::memory_order_acquire); // what other owners did before they let go of it
    countText(more.size(), m);
    both = std::move(text->text);
    both += &more == &text->text ? both : more;
  } else {
    countText(static_cast<size_t>(length), m);
    both.reserve(static_cast<size_t>(length));
    both += text->text;
    both += more;
  }
  finishOperand(ip->b, regs); // before the result counts what `a` has counted
  finishOperand(ip->c, regs);
  putValue(regs, ip->a, IValue(std::move(both)));
  return true;
}
TSC_HANDLER(ConcatText) {
  if (!concatenate(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

/// Texts up to this size are looked through each time.
static constexpr size_t shortText = 16;

/// Whether all bytes are ASCII; a few instructions for short texts.
static inline bool isAscii(const char *bytes, size_t size) {
  uint64_t seen = 0, word;
  if (size < sizeof word) {
    for (size_t i = 0; i != size; ++i)
      seen |= static_cast<unsigned char>(bytes[i]);
    return !(seen & 0x80);
  }
  for (size_t i = 0; i + sizeof word < size; i += sizeof word) {
    std::memcpy(&word, bytes + i, sizeof word);
    seen |= word;
  }
  std::memcpy(&word, bytes + size - sizeof word, sizeof word);
  return !((seen | word) & 0x8080808080808080);
}

/// What is known of a long text; it is looked through where it is none of the last two.
[[gnu::noinline]] static KnownText &rememberText(const IValue &value, Machine *m) {
  KnownText &known = m->knownTexts[m->oldestText];
  m->oldestText = 1 - m->oldestText;
  const std::string &text = value.toString();
  countText(text.size(), m);
  known = {value, value.counted(), isAscii(text.data(), text.size()), python::countLetters(text), 0, 0};
  return known;
}
static inline KnownText &knownText(const IValue &value, Machine *m) {
  for (KnownText &known : m->knownTexts)
    if (known.payload == value.counted())
      return known;
  return rememberText(value, m);
}
static inline bool isAsciiText(const IValue &value, Machine *m) {
  const std::string &text = value.toString();
  return text.size() <= shortText ? isAscii(text.data(), text.size()) : knownText(value, m).isAscii;
}

static int64_t letterCount(const IValue &value, Machine *m) {
  return value.toString().size() <= shortText ? python::countLetters(value.toString()) : knownText(value, m).count;
}
TSC_HANDLER(LetterCount) {
  IValue &v = operandAt(ip->b, regs, m);
  if (!v.isString()) [[unlikely]]
    TSC_FAIL(notAString);
  int64_t count = isAsciiText(v, m) ? static_cast<int64_t>(v.toString().size()) : letterCount(v, m);
  finishOperand(ip->b, regs);
  intAt(regs, ip->a) = count;
  TSC_NEXT;
}

/// Of a text that is not ASCII. False when the index is out of range.
[[gnu::noinline]] static bool storeLetter(const Instruction *ip, char *regs, Machine *m) {
  const IValue &value = operandAt(ip->b, regs, m);
  llvm::StringRef text = value.toString();
  int64_t index = intAt(regs, ip->c);
  if (!wrapIndex(index, letterCount(value, m)))
    return false;
  size_t offset;
  if (text.size() <= shortText) {
    offset = python::letterOffset(text, index);
  } else { // a walk goes on where it was
    KnownText &known = knownText(value, m);
    bool goesOn = index >= known.letter;
    countText(static_cast<size_t>(goesOn ? index - known.letter : index), m);
    offset = goesOn ? known.offset + python::letterOffset(text.drop_front(known.offset), index - known.letter)
                    : python::letterOffset(text, index);
    known.letter = index;
    known.offset = offset;
  }
  IValue letter(text.substr(offset, python::letterSize(text, offset)));
  finishOperand(ip->b, regs);
  putValue(regs, ip->a, std::move(letter));
  return true;
}
TSC_HANDLER(LetterAt) {
  IValue &v = operandAt(ip->b, regs, m);
  if (!v.isString()) [[unlikely]]
    TSC_FAIL(notAString);
  if (!isAsciiText(v, m)) [[unlikely]] {
    if (!storeLetter(ip, regs, m)) [[unlikely]]
      TSC_FAIL(stringIndexOutOfRange);
    TSC_NEXT;
  }
  const std::string &text = v.toString();
  int64_t index = intAt(regs, ip->c);
  if (!wrapIndex(index, text.size())) [[unlikely]]
    TSC_FAIL(stringIndexOutOfRange);
  STORE_VALUE(characters()[static_cast<unsigned char>(text[index])])
  TSC_NEXT;
}

// Tuples.
TSC_HANDLER(NewTuple) {
  const int32_t *list = m->code->operands.data() + ip->b;
  {
    std::vector<IValue> elements;
    elements.reserve(*list);
    for (int32_t i = 1; i <= *list; ++i)
      elements.push_back(takeOperand(list[i], regs, m));
    const Type *type = ip->c >= 0 ? m->code->types[ip->c].type : nullptr;
    putValue(regs, ip->a, makeTuple(std::move(elements), static_cast<const TupleType *>(type)));
  }
  TSC_NEXT;
}
#define TUPLE_ITEM(NAME, STORE)                                                                                        \
  TSC_HANDLER(NAME) {                                                                                                  \
    IValue &v = operandAt(ip->b, regs, m);                                                                             \
    if (!v.isTuple()) [[unlikely]]                                                                                     \
      TSC_FAIL(notATuple);                                                                                             \
    auto &elements = v.toTuple().elements;                                                                             \
    int64_t index = ip->c;                                                                                             \
    if (!wrapIndex(index, elements.size())) [[unlikely]]                                                               \
      TSC_FAIL(tupleIndexOutOfRange);                                                                                  \
    bool fits = true;                                                                                                  \
    STORE;                                                                                                             \
    if (!fits) [[unlikely]]                                                                                            \
      TSC_FAIL(wrongElement);                                                                                          \
    TSC_NEXT;                                                                                                          \
  }
TUPLE_ITEM(TupleItem, STORE_VALUE(elements[index]))
TUPLE_ITEM(TupleItemS, fits = putChecked(regs, ip->a, IValue(elements[index])); finishOperand(ip->b, regs))
TSC_HANDLER(TupleRange) {
  IValue &v = operandAt(ip->b, regs, m);
  if (!v.isTuple()) [[unlikely]]
    TSC_FAIL(notATuple);
  {
    auto &elements = v.toTuple().elements;
    const python::SliceElements taken = python::sliceElements(ip->c, ip->d, 1, static_cast<int64_t>(elements.size()));
    auto begin = elements.begin() + taken.start;
    IValue part = makeTuple(std::vector<IValue>(begin, begin + taken.count));
    finishOperand(ip->b, regs);
    putValue(regs, ip->a, std::move(part));
  }
  TSC_NEXT;
}

/// Spreads a tuple or a list over the slots of a list of results.
static Status unpack(const Instruction *ip, char *regs, Machine *m) {
  IValue whole = takeOperand(ip->a, regs, m);
  const int32_t *list = m->code->operands.data() + ip->b;
  size_t count = *list++;
  size_t size = whole.isTuple() ? whole.toTuple().elements.size() : whole.isList() ? whole.listSize() : 0;
  if (!whole.isTuple() && !whole.isList())
    return wrongValue("Tuple or List");
  if (size != count)
    return invalidArgument("Expected " + llvm::Twine(count) + " elements in a " + (whole.isTuple() ? "tuple" : "list") +
                           " but found " + llvm::Twine(size));
  for (size_t i = 0; i != count; ++i)
    if (list[i] != noOperand &&
        !putChecked(regs, list[i], whole.isTuple() ? IValue(whole.toTuple().elements[i]) : whole.listElement(i)))
      return wrongValue("the element type");
  return okStatus();
}
TSC_HANDLER(Unpack) {
  m->status = unpack(ip, regs, m);
  if (!m->status.ok()) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

// Dicts.
static inline void countKey(const IValue &key, Machine *m) {
  if (key.isString())
    countText(key.toString().size(), m);
}
TSC_HANDLER(NewDict) {
  const int32_t *list = m->code->operands.data() + ip->b;
  {
    const auto *type = static_cast<const DictType *>(m->code->types[ip->c].type);
    auto made = makeRef<DictValue>(type->key(), type->value());
    for (int32_t i = 1; i + 1 <= *list; i += 2) {
      IValue key = takeOperand(list[i], regs, m);
      made->set(std::move(key), takeOperand(list[i + 1], regs, m));
    }
    putValue(regs, ip->a, IValue(std::move(made)));
  }
  TSC_NEXT;
}
static Status noSuchKey(const Instruction *ip, char *regs, Machine *m) { return keyError(operandAt(ip->c, regs, m)); }
#define DICT_GET(NAME, STORE)                                                                                          \
  TSC_HANDLER(NAME) {                                                                                                  \
    IValue &v = operandAt(ip->b, regs, m);                                                                             \
    if (!v.isDict()) [[unlikely]]                                                                                      \
      TSC_FAIL(notADict);                                                                                              \
    const IValue &key = operandAt(ip->c, regs, m);                                                                     \
    countKey(key, m);                                                                                                  \
    const IValue *found = v.toDict().find(key);                                                                        \
    if (!found) [[unlikely]]                                                                                           \
      TSC_FAIL(noSuchKey);                                                                                             \
    bool fits = true;                                                                                                  \
    STORE;                                                                                                             \
    if (!fits) [[unlikely]]                                                                                            \
      TSC_FAIL(wrongElement);                                                                                          \
    TSC_NEXT;                                                                                                          \
  }
DICT_GET(DictGet, {
  IValue item = *found;
  finishOperand(ip->b, regs);
  finishOperand(ip->c, regs);
  putValue(regs, ip->a, std::move(item));
})
DICT_GET(DictGetS, {
  fits = putChecked(regs, ip->a, IValue(*found));
  finishOperand(ip->b, regs);
  finishOperand(ip->c, regs);
})
TSC_HANDLER(DictSet) {
  IValue &v = operandAt(ip->a, regs, m);
  if (!v.isDict()) [[unlikely]]
    TSC_FAIL(notADict);
  {
    IValue key = takeOperand(ip->b, regs, m);
    countKey(key, m);
    v.toDict().set(std::move(key), takeOperand(ip->c, regs, m));
    finishOperand(ip->a, regs);
  }
  TSC_NEXT;
}
TSC_HANDLER(DictHas) {
  IValue &v = operandAt(ip->b, regs, m);
  if (!v.isDict()) [[unlikely]]
    TSC_FAIL(notADict);
  const IValue &key = operandAt(ip->c, regs, m);
  countKey(key, m);
  bool found = v.toDict().find(key);
  finishOperand(ip->b, regs);
  finishOperand(ip->c, regs);
  intAt(regs, ip->a) = found;
  TSC_NEXT;
}

} // namespace tsc
