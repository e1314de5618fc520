//===- LoadingTest.cpp - Programs from files and bytes --------------------===//
#include "Programs.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using Catch::Contains;

namespace {
/// A file of this content, for as long as this lives.
class TemporaryFile {
public:
  TemporaryFile(llvm::StringRef content, llvm::StringRef ending) {
    int descriptor;
    REQUIRE(!llvm::sys::fs::createTemporaryFile("tsc-program", ending, descriptor, file));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { (void)llvm::sys::fs::remove(file); }
  std::string path() const { return std::string(file); }

private:
  llvm::SmallString<64> file;
};

constexpr const char *source = "def main(x: int) -> int:\n    return x + 5\n";
constexpr const char *graph = "graph @main(%x : int):\n"
                              "  %1 : int = prim::Constant[value=5]()\n"
                              "  %2 : int = aten::add(%x, %1)\n"
                              "  return (%2)\n";
} // namespace

static std::string messageOfLoading(llvm::StringRef text, llvm::StringRef name) {
  StatusOr<Program> program = tryLoad(text, name);
  REQUIRE_FALSE(program.ok());
  return messageOf(program.status()).str();
}

TEST_CASE("source, graphs and archives load from a path and from bytes") {
  const std::string archive = TestArchive().bytes();
  for (auto [content, ending] :
       {std::pair<llvm::StringRef, llvm::StringRef>{source, "py"}, {graph, "ir"}, {archive, "pt"}}) {
    INFO(ending.str());
    TemporaryFile file(content, ending);
    StatusOr<Program> fromPath = Program::load(file.path());
    INFO(fromPath.status().message());
    REQUIRE(fromPath.ok());
    CHECK(run(*fromPath, "", {IValue(3)}).toInt() == 8);
    CHECK(run(load(content, ("bytes." + ending).str()), "", {IValue(3)}).toInt() == 8);
  }
}

TEST_CASE("a program may be moved while it is used") {
  Program first = load(source, "a.py");
  StatusOr<Program::Entry> entry = first.find("main");
  REQUIRE(entry.ok());
  Program second = std::move(first);
  CallContext call(second.context());
  StatusOr<IValue> result = second.run(call, *entry, {IValue(1)});
  REQUIRE(result.ok());
  CHECK(result->toInt() == 6);
}

TEST_CASE("what is wrong with a file is said") {
  StatusOr<Program> absent = Program::load("/nonexistent/model.pt");
  CHECK(absent.status().code() == StatusCode::NotFound);
  CHECK_THAT(messageOf(absent.status()).str(), Contains("/nonexistent/model.pt") && Contains("No such file"));
  CHECK(Program::load("/").status().code() == StatusCode::InvalidArgument);

  CHECK_THAT(messageOfLoading("", "empty.pt"), Contains("empty.pt: not a TorchScript archive: this is an empty file"));
  CHECK_THAT(messageOfLoading("PK\3\4, and then no zip file", "noise.pt"), Contains("noise.pt: the file is cut short"));
  CHECK(messageOfLoading("graph @f(%x : int):\n  return (%x)\ngraph @f(%x : int):\n  return (%x)\n", "same.ir") ==
        "'same.ir' holds two graphs of the name 'f'");
  EngineOptions high;
  high.optimization = 4;
  CHECK(messageOf(tryLoad(source, "a.py", high).status()) == "there is no optimization level 4: levels are 0 to 3");
}

TEST_CASE("an archive that is cut anywhere is refused") {
  const std::string archive = TestArchive().bytes();
  for (size_t length = 0; length < archive.size(); length += 7) {
    StatusOr<Program> program = tryLoad(llvm::StringRef(archive).take_front(length), "cut.pt");
    INFO(length);
    REQUIRE_FALSE(program.ok());
    CHECK_THAT(messageOf(program.status()).str(), Contains("cut.pt: "));
  }
}

TEST_CASE("what text that does not compile is told of stands in the status and goes to the host") {
  std::vector<std::string> heard;
  EngineOptions options;
  options.onDiagnostic = [&](const Diagnostic &diagnostic) { heard.push_back(diagnostic.str()); };
  auto check = [&](llvm::StringRef text, llvm::StringRef name, const std::string &expected) {
    heard.clear();
    Status status = tryLoad(text, name, options).status();
    CHECK(wasDiagnosed(status));
    CHECK_THAT(messageOf(status).str(), Contains(expected));
    REQUIRE(heard.size() == 1);
    CHECK_THAT(heard.front(), Contains(expected));
  };
  check("def f(:\n    return 1\n", "wrong.py", "wrong.py:1:6: error: ");
  check("graph @f(%x : int):\n  return (%y)\n", "wrong.ir", "wrong.ir:2:");
  TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n  n : int\n  xs : (\n";
  check(archive.bytes(), "wrong.pt", "code/__torch__.py:3:8: error: '(' was never closed");
  CHECK_FALSE(wasDiagnosed(tryLoad("", "empty.pt", options).status()));
}

TEST_CASE("loading runs __setstate__ with the host's leave only") {
  TestArchive archive;
  archive.files["code/__torch__.py"] = "class M(Module):\n"
                                       "  __parameters__ = []\n"
                                       "  __buffers__ = []\n"
                                       "  n : int\n"
                                       "  def forward(self: __torch__.M) -> int:\n"
                                       "    return self.n\n"
                                       "  def __setstate__(self: __torch__.M, state: int) -> NoneType:\n"
                                       "    print(\"state\", state)\n"
                                       "    self.n = torch.mul(state, 2)\n"
                                       "    return None\n";
  archive.files["data.pkl"] = "\x80\x02"
                              "c__torch__\nM\n)\x81K\7b.";
  const std::string bytes = archive.bytes();
  CHECK(tryLoad(bytes, "m.pt").status().code() == StatusCode::PermissionDenied);
  EngineOptions options;
  std::string printed;
  llvm::raw_string_ostream out(printed);
  options.allowSetState = true;
  options.loadingOut = &out;
  CHECK(run(load(bytes, "m.pt", options), "forward", {}).toInt() == 14);
  CHECK(printed == "state 7\n");
}
