//===- LibraryNamesTest.cpp - What completion, evaluator and loader know --===//
#include "tsc/Frontend/LibraryNames.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Symbol.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

namespace {
struct Library {
  Context context;
  CompilationUnit unit{context};
  DiagnosticEngine diags;
  Compiler compiler{unit, diags, prelude()};
};
} // namespace

template <typename Names> static void checkAll(const Names &names, llvm::ArrayRef<StringRef> expected) {
  for (StringRef name : expected) {
    INFO(name.str());
    CHECK(llvm::is_contained(names, name));
  }
}

template <typename Names> static void checkNone(const Names &names, llvm::ArrayRef<StringRef> unexpected) {
  for (StringRef name : unexpected) {
    INFO(name.str());
    CHECK(!llvm::is_contained(names, name));
  }
}

TEST_CASE("what the compiler knows of torch is offered") {
  Library library;
  const std::vector<std::string> torch = libraryMembers(library.compiler, "torch");
  checkAll(torch, {"chalf", "complex32", "cfloat", "sparse_csr", "strided", "channels_last", "pi", "is_tensor",
                   "is_grad_enabled", "get_default_dtype", "save", "load", "Tensor", "nn"});
  checkNone(torch, {"tau", "e", "char", "byte", "FloatTensor", "_assert"});
}

TEST_CASE("what the compiler knows of Python's modules is offered") {
  Library library;
  const std::vector<std::string> math = libraryMembers(library.compiler, "math");
  checkAll(math, {"cbrt", "comb", "dist", "exp2", "fsum", "hypot", "isqrt", "lcm", "perm", "prod", "isclose", "log2",
                  "sin", "tau"});
  checkNone(libraryMembers(library.compiler, "cmath"), {"comb", "isqrt"});
  checkAll(libraryMembers(library.compiler, "typing"), {"final", "no_type_check", "overload", "cast", "List"});
  checkAll(libraryMembers(library.compiler, "enum"), {"unique", "Enum"});
  checkAll(libraryMembers(library.compiler, "torch.jit"), {"annotate", "script", "wait", "fork"});
  checkNone(libraryMembers(library.compiler, "torch.jit"), {"_annotate", "script_method"});
}

TEST_CASE("a name says what it is") {
  using Kind = LibraryEntry::Kind;
  Library library;
  auto kindOf = [&](StringRef path) {
    std::optional<LibraryEntry> entry = libraryEntry(library.compiler, path);
    INFO(path.str());
    REQUIRE(entry);
    return entry->kind;
  };
  CHECK(kindOf("torch.chalf") == Kind::Constant);
  CHECK(kindOf("torch.is_tensor") == Kind::Form);
  CHECK(kindOf("torch.jit.script") == Kind::Form);
  CHECK(kindOf("math.cbrt") == Kind::Function);
  CHECK(kindOf("torch.nn.functional") == Kind::Module);
  CHECK(kindOf("torch.nn.functional.multi_head_attention_forward") == Kind::Function);
  CHECK(kindOf("torch.autograd.grad") == Kind::Operator);
  CHECK(kindOf("torch.autograd.backward") == Kind::Operator);
  CHECK(!libraryEntry(library.compiler, "torch.e"));
}

TEST_CASE("what tensors have is offered whether it is an attribute, a conversion or a method") {
  Library library;
  const std::vector<std::string> names = operatorMembers(library.context, Type::tensorType());
  checkAll(names, {"shape",     "is_cuda", "is_cpu",       "is_meta",  "is_mkldnn", "is_mps",       "is_nested",
                   "is_sparse", "is_xpu",  "is_quantized", "name",     "chalf",     "cfloat",       "cdouble",
                   "backward",  "cpu",     "cuda",         "size",     "tolist",    "unique",       "retains_grad",
                   "float",     "relu",    "is_leaf",      "itemsize", "type",      "is_sparse_csr"});
  checkNone(names, {"new_tensor", "index_name"});
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(operatorMembers(library.context, Type::deviceType()) == std::vector<std::string>{"index", "type"});
  CHECK(operatorMember(library.context, Type::tensorType(), "T") == "aten::numpy_T");
  CHECK(operatorMember(library.context, Type::deviceType(), "type") == "prim::type");
}

TEST_CASE("what text and containers have is offered by Python's names") {
  Library library;
  const std::vector<std::string> ofText = operatorMembers(library.context, Type::stringType());
  checkAll(ofText, {"capitalize", "format", "join", "split", "upper", "zfill"});
  checkNone(ofText, {"percentFormat", "add", "len", "ord", "slice", "append"});
  const Type *list = library.context.listOf(Type::tensorType());
  checkAll(operatorMembers(library.context, list), {"append", "clear", "extend", "pop"});
  checkNone(operatorMembers(library.context, list), {"add", "len", "mul", "slice", "stack", "cat"});
  const Type *dict = library.context.dictOf(Type::stringType(), Type::tensorType());
  checkAll(operatorMembers(library.context, dict), {"get", "items", "keys", "pop", "update", "values"});
  checkNone(operatorMembers(library.context, dict), {"len", "fromkeys", "append"});
}

TEST_CASE("what modules and Python itself have is offered") {
  checkAll(pythonNames(),
           {"print", "len", "type", "callable", "issubclass", "next", "object", "property", "setattr", "slice", "zip"});
  checkNone(pythonNames(), {"field", "rangelist", "unchecked_cast", "staticmethod", "NotImplemented", "open"});
  checkAll(moduleMembers(), {"forward", "training", "parameters", "to", "cuda", "cpu", "half", "float", "double",
                             "bfloat16", "type", "get_submodule", "get_parameter", "register_module",
                             "register_forward_hook", "register_forward_pre_hook", "save", "share_memory"});
  checkNone(moduleMembers(), {"items", "_modules", "xpu"});
}

TEST_CASE("what a __setstate__ may run unasked moves data only") {
  Context context;
  for (StringRef op :
       {"aten::eq", "aten::ne", "aten::lt", "aten::gt", "aten::__is__", "aten::__isnot__", "aten::__not__",
        "aten::__getitem__", "aten::len", "aten::Bool", "aten::Int", "aten::format", "aten::_unwrap_optional"}) {
    INFO(op.str());
    CHECK(movesDataOnly(context.symbol(op)));
  }
  for (StringRef op : {"aten::add", "aten::matmul", "aten::Float", "aten::wait", "tsc::save", "tsc::load",
                       "aten::sorted", "aten::slice", "prim::rangelist", "aten::str"}) {
    INFO(op.str());
    CHECK(!movesDataOnly(context.symbol(op)));
  }
}
