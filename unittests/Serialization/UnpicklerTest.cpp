//===- UnpicklerTest.cpp - Pickles, good and bad --------------------------===//
#include "tsc/Serialization/Unpickler.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Convert.h"
#include "tsc/Serialization/ValueFile.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tsc;

static std::string repr(const IValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  reprValue(os, value);
  return text;
}

/// The value's text, or `!` and the message.
static std::string unpickled(llvm::StringRef pickle) {
  Context context;
  auto value = Unpickler(context, {}).read(pickle);
  return value.ok() ? repr(*value) : "!" + messageOf(value.status()).str();
}

#define PICKLE(text) llvm::StringRef("\x80\x02" text, sizeof("\x80\x02" text) - 1)

TEST_CASE("scalars and containers") {
  CHECK(unpickled(PICKLE("K\x05.")) == "5");
  CHECK(unpickled(PICKLE("J\xff\xff\xff\xff.")) == "-1");
  CHECK(unpickled(PICKLE("\x8a\x05\x00\x00\x00\x00\x01.")) == "4294967296");
  CHECK(unpickled(PICKLE("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00.")) ==
        "!malformed pickle: an integer that does not fit in 64 bits");
  CHECK(unpickled(PICKLE("G?\xf8\x00\x00\x00\x00\x00\x00.")) == "1.5");
  CHECK(unpickled(PICKLE("X\x02\x00\x00\x00hi.")) == "'hi'");
  CHECK(unpickled(PICKLE("](K\x01\x88Ne.")) == "[1, True, None]");
  CHECK(unpickled(PICKLE("}(X\x01\x00\x00\x00"
                         "aK\x01u.")) == "{'a': 1}");
  CHECK(unpickled(PICKLE("K\x01K\x02\x86q\x00h\x00\x86.")) == "((1, 2), (1, 2))");
  CHECK(unpickled(PICKLE("ccollections\nOrderedDict\n)R.")) == "{}");
  CHECK(unpickled(PICKLE("ctorch\nfloat64\n.")) == "7");
  CHECK(unpickled(PICKLE("cbuiltins\ncomplex\nG?\xf8\x00\x00\x00\x00\x00\x00G?\xf8\x00\x00\x00\x00\x00\x00\x86R.")) ==
        "(1.5+1.5j)");
}

TEST_CASE("nothing outside of the list is called") {
  CHECK(unpickled(PICKLE("cos\nsystem\nX\x02\x00\x00\x00ls\x85R.")) ==
        "!pickle calls 'os.system', which is not allowed");
  CHECK(unpickled(PICKLE("cos\nsystem\n.")) == "!pickle holds a function, a class or a storage as a value");
  CHECK(unpickled(PICKLE("(ios\nsystem\n.")) == "!malformed pickle: opcode 0x69 is not allowed");
  CHECK(unpickled(PICKLE("c__torch__\nFoo\n)\x81.")) ==
        "!pickle names the class '__torch__.Foo', which needs an archive's code");
}

TEST_CASE("cycles, depth and sharing are bounded") {
  CHECK(unpickled(PICKLE("]q\x00h\x00"
                         "a.")) == "!malformed pickle: a container that contains itself");
  // a = []; b = [a]; a.append(b)
  CHECK(unpickled(PICKLE("]q\x00]q\x01h\x00"
                         "a0h\x00h\x01"
                         "a.")) == "!malformed pickle: elements added to what is no list under construction");
  std::string deep = "\x80\x02)";
  deep.append(100000, '\x85');
  CHECK(unpickled(deep + ".") == "!pickle nests too deeply");
  std::string shared = "\x80\x02)";
  for (unsigned i = 0; i != 100; ++i)
    shared += std::string("q\x00h\x00\x86", 5);
  CHECK(unpickled(shared + ".") == "!pickle repeats values too often");
}

TEST_CASE("stack errors") {
  CHECK(unpickled(PICKLE(".")) == "!malformed pickle: nothing on the stack");
  CHECK(unpickled(PICKLE("K\x01")) == "!malformed pickle: it ends too early");
  CHECK(unpickled(PICKLE("X\xff\xff\xff\xff.")) == "!malformed pickle: it ends too early");
  CHECK(unpickled(PICKLE("h\x07.")) == "!malformed pickle: no value 7 in the memo");
  CHECK(unpickled(PICKLE("t.")) == "!malformed pickle: no mark on the stack");
  CHECK(unpickled(PICKLE("K\x01(\x85.")) == "!malformed pickle: too few values on the stack");
  CHECK(unpickled("\x80\x07.") == "!malformed pickle: protocol 7 is not supported");
}

/// The message for a pickle whose storages get their bytes later, as in files of torch.save before PyTorch 1.6.
static std::string messageBeforeBytes(llvm::StringRef pickle) {
  Context context;
  UnpicklerHooks hooks;
  hooks.storage = [](llvm::StringRef, DType, uint64_t bytes, llvm::StringRef) { return Storage::allocate(bytes); };
  hooks.storagesAreFilled = false;
  return messageOf(Unpickler(context, hooks).read(pickle).status()).str();
}

TEST_CASE("tensors whose elements are looked at are refused where those come later") {
  auto refusal = [](llvm::StringRef tensor) {
    return ("the file has the format of torch.save before PyTorch 1.6 and holds " + tensor +
            ", which is read from files of the format since then: save it again")
        .str();
  };
  auto storage = [](const std::string &name) { // of four elements
    return std::string("(X\x07\0\0\0storagectorch\n", 20) + name + "\n" +
           std::string("X\x01\0\0\0"
                       "0X\x03\0\0\0cpuK\x04tQ",
                       18);
  };
  // A storage; the offset, the sizes, the strides and the quantizer of a tensor over it.
  auto quantized = [&](const std::string &name) {
    return "\x80\x02"
           "ctorch._utils\n_rebuild_qtensor\n(" +
           storage(name) + std::string("K\0K\x04\x85K\x01\x85)tR.", 12);
  };
  CHECK(messageBeforeBytes(PICKLE("ctorch._utils\n_rebuild_sparse_tensor\nK\x01)\x86R.")) ==
        refusal("a sparse tensor"));
  CHECK(messageBeforeBytes(quantized("QUInt4x2Storage")) == refusal("a tensor of quint4x2"));
  CHECK(messageBeforeBytes(quantized("QUInt2x4Storage")) == refusal("a tensor of quint2x4"));
  CHECK(messageBeforeBytes("\x80\x02" + storage("UInt16Storage") + ".") == refusal("a tensor of uint16"));
}

TEST_CASE("values survive a file of torch.save") {
  Context context;
  auto tensor = Tensor::full({2, 3}, 1.5, DType::Float);
  REQUIRE(tensor.ok());
  auto dict = makeRef<DictValue>(Type::stringType(), Type::anyType());
  dict->set(IValue("list"), IValue(std::vector<int64_t>{1, 2, int64_t(1) << 40}));
  dict->set(IValue("tuple"),
            makeTuple({IValue(*tensor), IValue(), IValue(2.5), IValue("text"), IValue(std::complex<double>(1, -2))}));
  auto file = saveValue(IValue(dict));
  REQUIRE(file.ok());
  auto back = loadValue(context, Bytes{*file, nullptr});
  REQUIRE(back.ok());
  CHECK(repr(*back) == repr(IValue(dict)));
  CHECK(back->toDict().find(IValue("list"))->isIntList());
  for (size_t length = 0; length < file->size(); length += 7)
    CHECK_FALSE(loadValue(context, Bytes{llvm::StringRef(*file).take_front(length), nullptr}).ok());
}

TEST_CASE("convertTo follows PyTorch's rules for Python arguments") {
  Context context;
  IValue untyped(makeRef<GenericList>(Type::anyType(), std::vector<IValue>{IValue(1), IValue(2)}));
  CHECK(convertTo(untyped, context.listOf(Type::intType()), context)->isIntList());
  CHECK(convertTo(untyped, context.listOf(Type::floatType()), context)->isDoubleList());
  CHECK(convertTo(makeTuple({IValue(1)}), context.listOf(Type::intType()), context)->isIntList());
  CHECK(convertTo(IValue(), context.optionalOf(Type::intType()), context)->isNone());
  CHECK_FALSE(convertTo(IValue("a"), Type::intType(), context).ok());
  CHECK_FALSE(convertTo(IValue(1.5), Type::intType(), context).ok());
  IValue nested(makeRef<GenericList>(Type::anyType(), std::vector<IValue>{untyped, untyped}));
  IValue inferred = inferTypes(nested, context);
  CHECK(inferred.dynamicType(context)->str() == "int[][]");
  CHECK(inferred.listElement(0).isSameAs(inferred.listElement(1)));
}
