//===- ArchiveTest.cpp - Archives made by hand ----------------------------===//
#include "tsc/Serialization/Archive.h"
#include "TestArchive.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include <catch2/catch.hpp>

using namespace tsc;

/// Empty when it loads, else the message.
static std::string message(const TestArchive &archive, const LoadOptions &options = {}) {
  std::string file = archive.bytes();
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{file, nullptr}, options);
  return loaded.ok() ? "" : messageOf(loaded.status()).str();
}

TEST_CASE("a module loads with attributes of their declared types") {
  std::string file = TestArchive().bytes();
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{file, nullptr});
  INFO(loaded.status().message());
  REQUIRE(loaded.ok());
  const ObjectValue &object = loaded->object.toObject();
  CHECK(object.type->name() == "__torch__.M");
  CHECK(object.slots[0].toInt() == 5);
  REQUIRE(object.slots[1].isDoubleList());
  CHECK(object.slots[1].toDoubleList().elements == std::vector<double>{1.5, 2.0});
  Function *forward = object.type->findMethod("forward");
  REQUIRE(forward);
  CHECK_FALSE(forward->graph());
  CHECK(succeeded(forward->ensureDefined()));
  CHECK(forward->graph());
}

TEST_CASE("a name that is too long for a zip file is an error") {
  std::string file = TestArchive().bytes();
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{file, nullptr});
  REQUIRE(loaded.ok());
  const size_t longest = 0xFFFF - llvm::StringRef("archive/extra/").size();
  SaveOptions options;
  options.extraFiles = {{std::string(longest, 'n'), "text"}};
  CHECK(saveArchive(loaded->object, options).ok());
  options.extraFiles = {{std::string(longest + 1, 'n'), "text"}};
  auto saved = saveArchive(loaded->object, options);
  REQUIRE_FALSE(saved.ok());
  CHECK_THAT(messageOf(saved.status()).str(),
             Catch::Matchers::StartsWith("a file of the archive, 'archive/extra/nnn") &&
                 Catch::Matchers::Contains("has a name of 65536 bytes"));
}

TEST_CASE("what is wrong with an archive is said") {
  auto with = [](std::string name, std::string content) {
    TestArchive archive;
    archive.files[name] = content;
    return message(archive);
  };
  auto without = [](std::string name) {
    TestArchive archive;
    archive.files.erase(name);
    return message(archive);
  };
  CHECK(message({}) == "");
  CHECK(without("data.pkl") ==
        "not a TorchScript archive: this is an archive of torch.jit.save whose values (data.pkl) "
        "are missing; was it packed again?");
  CHECK(without("version") == "file not found: 'model/version'");
  CHECK(without("code/__torch__.py") == "data.pkl: the archive does not define the class '__torch__.M'");
  CHECK(with("version", "11\n") ==
        "Attempted to read a PyTorch file with version 11, but the maximum supported version for reading is 10");
  CHECK(with("version", "x") == "bad version 'x'");
  CHECK(with("byteorder", "middle") == "unknown byte order 'middle'");
  CHECK(with("model.json", "{}") == ""); // it has a data.pkl
  TestArchive legacy;
  legacy.files = {{"version", "1\n"}, {"model.json", "{}"}};
  CHECK(message(legacy) == "model.json: it has no mainModule");
  legacy.files["model.json"] = "{";
  CHECK(llvm::StringRef(message(legacy)).starts_with("model.json: "));
  CHECK(with("data.pkl", "\x80\x02K\x01.") == "data.pkl: expected a module");
  CHECK(with("data.pkl", TestArchive::module("")) == "data.pkl: no value for attribute 'xs' of class '__torch__.M'");
  CHECK(with("data.pkl", TestArchive::module("X\x02\x00\x00\x00xsK\x01")) ==
        "data.pkl: attribute 'xs' of class '__torch__.M': expected a value of type 'List[float]' but found 'int'");
  std::string wrongCode = with("code/__torch__.py", "class M(Module):\n  n : int\n  xs : (\n");
  CHECK(llvm::StringRef(wrongCode).contains("code/__torch__.py:3:8: error: '(' was never closed"));
}

TEST_CASE("__setstate__ runs with the host's leave only") {
  TestArchive archive;
  archive.files["code/__torch__.py"] =
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  n : int\n"
      "  def __getstate__(self: __torch__.M) -> Tuple[int, List[int]]:\n"
      "    return (self.n, [1])\n"
      "  def __setstate__(self: __torch__.M, state: Tuple[int, List[int]]) -> NoneType:\n"
      "    self.n = (state)[0]\n"
      "    return None\n";
  archive.files["data.pkl"] = "\x80\x02"
                              "c__torch__\nM\n)\x81K\7](K\1e\x86"
                              "b.";
  CHECK(message(archive) ==
        "data.pkl: loading an object of class '__torch__.M' runs its __setstate__, which was not allowed");
  LoadOptions options;
  unsigned calls = 0;
  options.setState = [&](Function &setState, const IValue &object, IValue state) {
    ++calls;
    CHECK(setState.name() == "__setstate__");
    CHECK(object.isObject());
    CHECK(state.toTuple().elements[0].toInt() == 7);
    CHECK(state.toTuple().elements[1].isIntList());
    return okStatus();
  };
  CHECK(message(archive, options) == "");
  CHECK(calls == 1);
}

/// Compiles the forward of an M whose class has this body; empty when that succeeds, else what was reported.
static std::string compileForward(TestArchive archive, const char *source) {
  archive.files["code/__torch__.py"] = source;
  std::string file = archive.bytes();
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{file, nullptr});
  if (!loaded.ok())
    return messageOf(loaded.status()).str();
  Function *forward = loaded->object.toObject().type->findMethod("forward");
  return succeeded(forward->ensureDefined()) ? "" : diags.str();
}

static const std::string moduleHead = TestArchive::head;

TEST_CASE("code of archives uses names that source does not") {
  SECTION("hooks are methods called with self given") {
    std::string source = moduleHead + "  def hook(self: __torch__.M, x: int) -> int:\n"
                                      "    return x\n"
                                      "  def forward(self: __torch__.M, x: int) -> int:\n"
                                      "    _0 = __torch__.M.hook\n"
                                      "    return _0(self, x, )\n";
    CHECK(compileForward({}, source.c_str()) == "");
  }
  SECTION("imaginary infinity") {
    std::string source = moduleHead + "  def forward(self: __torch__.M, x: int) -> complex:\n"
                                      "    return torch.add(x, 0.+infj)\n";
    CHECK(compileForward({}, source.c_str()) == "");
  }
  SECTION("steps of linspace had a default before version 8") {
    std::string source = moduleHead + "  def forward(self: __torch__.M, x: int) -> Tensor:\n"
                                      "    return torch.linspace(x, 1)\n";
    CHECK(compileForward({}, source.c_str()) == "");
    TestArchive newer;
    newer.files["version"] = "10\n";
    CHECK(compileForward(newer, source.c_str()).find("'linspace' needs 'steps', which is missing") !=
          std::string::npos);
  }
  SECTION("a constant may be an object") {
    TestArchive archive;
    archive.files["constants.pkl"] = std::string("\x80\x02"
                                                 "c__torch__\nV\n)\x81}(X\x03\0\0\0valK\x07ub\x85.",
                                                 33);
    std::string source = moduleHead + "  def forward(self: __torch__.M, x: int) -> int:\n"
                                      "    v = CONSTANTS.c0\n"
                                      "    return v.val\n"
                                      "class V:\n"
                                      "  val : int\n";
    CHECK(compileForward(archive, source.c_str()) == "");
  }
  SECTION("an enum is pickled as its bare value") {
    TestArchive archive;
    archive.files["data.pkl"] = TestArchive::module("X\x02\x00\x00\x00xs]X\x01\x00\x00\x00"
                                                    "ec__torch__\nC\nK\x02R");
    std::string source = moduleHead + "  e : __torch__.C\n"
                                      "  def forward(self: __torch__.M) -> int:\n"
                                      "    return self.e.value\n"
                                      "class C(Enum):\n"
                                      "  A = 1\n"
                                      "  B = 2\n";
    CHECK(compileForward(archive, source.c_str()) == "");
  }
}
