#include "tsc/Engine/Prompt.h"
#include "tsc/Serialization/Zip.h"
#include <catch2/catch.hpp>
#include <thread>

using namespace tsc;

TEST_CASE("A text goes on while something is open") {
  for (const char *open : {"f(", "f(1,\n2", "x = [", "if x:", "if x:\n    y", "@decorated",
                           "@decorated\ndef f():", "def f():\n    '''text", "\"\"\"a\n", "x = 1 + \\",
                           "class A:\n    x: int\n    def f(self):", "if x: # a comment", "x = \\\n",
                           "def f():\n    x = $", "if x:\n    y = {\n\n"})
    CHECK(Prompt::goesOn(open));
  for (const char *whole : {"", "1", "f(1)", "f(1,\n2)", "if x:\n    y\n", "x = '''a\nb'''", "x = \"[\"", "# f(",
                            "x: int = 3", "d = {1: 2}", "a[1:2]", "'unclosed", ")", "@decorated\ndef f():\n    pass\n"})
    CHECK(!Prompt::goesOn(whole));
}

TEST_CASE("Any bytes are a text that goes on or not") {
  const std::string text = "def f(a='[', b=\"\"\"\n(\"\"\"): # }\n    return {1: [2]} \\\n\n@x";
  for (size_t size = 0; size <= text.size(); ++size)
    (void)Prompt::goesOn(llvm::StringRef(text).take_front(size));
}

TEST_CASE("A host talks to a program") {
  std::string heard;
  EngineOptions options;
  options.onDiagnostic = [&](const Diagnostic &diagnostic) { heard += diagnostic.message; };
  StatusOr<Program> program =
      Program::load(Bytes{"def twice(x: int) -> int:\n    return 2 * x\n", {}}, "a.py", std::move(options));
  REQUIRE(program.ok());
  CallContext call(program->context());
  Prompt prompt(*program, call);
  std::vector<int64_t> shown;
  auto run = [&](std::string text) {
    return prompt.run(std::move(text), [&](const IValue &value, llvm::StringRef) { shown.push_back(value.toInt()); });
  };
  CHECK(run("x = twice(4)\nx\nx + 1").ok());
  CHECK(shown == std::vector<int64_t>{8, 9});
  REQUIRE(prompt.variables().count("x"));
  CHECK(prompt.variables().find("x")->second.type->isInt());
  StatusOr<std::string> type = prompt.typeOf("[x, twice(x)]");
  REQUIRE(type.ok());
  CHECK(*type == "List[int]");
  CHECK(prompt.graphOf("twice").ok());
  CHECK(prompt.graphOf("thrice").status().code() == StatusCode::NotFound);
  Status wrong = run("y = 1\nz");
  CHECK(wasDiagnosed(wrong));
  CHECK(heard == "undefined value z");
  CHECK(prompt.variables().count("y")); // what stands above is done

  // Another thread ends what runs; the session goes on.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    call.cancel();
  });
  Status endless = run("while True: x += 1\n");
  other.join();
  CHECK(endless.code() == StatusCode::Cancelled);
  call.resume();
  CHECK(run("x").ok());
  CHECK(shown.back() == 8);
}
