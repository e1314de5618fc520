//===- ConfigurationTest.cpp - What the Triton backend reads, without a server =//
#include "../../serving/triton/Configuration.h"
#include "../../serving/triton/Settings.h"
#include <catch2/catch.hpp>

using namespace tsc::triton;

static Json parse(std::string_view text) {
  Json json;
  REQUIRE_FALSE(Json::parse(text, json));
  return json;
}

static Signature parseSchema(std::string_view schema) {
  Signature signature;
  REQUIRE_FALSE(Signature::parse(schema, signature));
  return signature;
}

TEST_CASE("JSON is printed as it was read") {
  const char *text = R"({"a":[1,-2.5e3,true,null,"x\"\\\u0001é"],"b":{},"c":[]})";
  CHECK(parse(text).print() == text);
  CHECK(parse(R"( { "k" : "\u00e9\ud83d\ude00\n" } )")["k"].text() == "é😀\n");
  CHECK(parse(R"({"n":"12"})")["n"].asInteger() == 12);
  CHECK(parse(R"({"n":"x"})")["n"].asInteger(7) == 7);
  CHECK(parse("{}")["missing"]["deeper"].kind() == Json::Kind::Null);
}

TEST_CASE("What is no JSON is refused") {
  for (const char *text :
       {"", "{", "[1,]", "{\"a\"}", "\"\\u12\"", "\"\\ud800x\"", "1 2", "nul", "\"open", "\"\\udc00\"", "\"a\nb\""}) {
    Json json;
    INFO(text);
    CHECK(Json::parse(text, json));
  }
  Json json;
  CHECK(Json::parse(std::string(100, '['), json));
}

TEST_CASE("Schemas are read") {
  Signature signature =
      parseSchema("forward(__torch__.M self, Tensor x, Tensor? y=None, int n=3, str s=\"a,b)\", int[] l=[1, 2], "
                  "(Tensor, Tensor)? t=None, *, float k=1.5) -> ((Tensor, (Tensor, Tensor)))");
  REQUIRE(signature.arguments.size() == 7);
  CHECK(signature.find("self") == -1);
  CHECK(signature.arguments[0].kind == ArgumentKind::Tensor);
  CHECK(signature.arguments[1].isOptional);
  CHECK(signature.arguments[1].hasDefault);
  CHECK(signature.arguments[3].kind == ArgumentKind::String);
  CHECK(signature.arguments[4].kind == ArgumentKind::IntList);
  CHECK(signature.arguments[5].kind == ArgumentKind::Other);
  CHECK(signature.arguments[6].isKeywordOnly);
  CHECK(signature.result == "(Tensor, (Tensor, Tensor))");
  CHECK(parseSchema("f() -> NamedTuple(a : Tensor, b : int)").resultNames == std::vector<std::string>{"a", "b"});
  CHECK(parseSchema("f(Dict(str, Tensor) d) -> Tensor").arguments[0].kind == ArgumentKind::TensorDict);
  CHECK(parseSchema("f(Tensor self) -> Tensor").arguments.size() == 1);
  Signature wrong;
  CHECK(Signature::parse("forward(Tensor x", wrong));
}

/// The arguments that inputs of these names are, or what is wrong.
static std::string bind(std::string_view schema, std::initializer_list<const char *> names, int64_t maxBatchSize = 0) {
  Configuration configuration;
  configuration.maxBatchSize = maxBatchSize;
  for (const char *name : names)
    configuration.inputs.push_back({name, TRITONSERVER_TYPE_FP32, {-1}, false});
  std::vector<InputBinding> bindings;
  if (Status failure = bindInputs(configuration, parseSchema(schema), bindings))
    return failure->message;
  std::string text;
  for (const InputBinding &binding : bindings)
    text += binding.isKey ? "k" : std::to_string(binding.argument);
  return text;
}

TEST_CASE("Inputs are arguments by name, by number or in their order") {
  const char *two = "forward(Tensor a, Tensor b, int n=1) -> Tensor";
  CHECK(bind(two, {"b", "a"}) == "10");
  CHECK(bind(two, {"INPUT__1", "INPUT__0"}) == "10");
  CHECK(bind(two, {"left", "right"}) == "01");
  CHECK(bind("forward(Dict(str, Tensor) d) -> Tensor", {"left", "right"}) == "kk");
  CHECK(bind(two, {"a", "right"}).find("'right' is no argument of (Tensor a, Tensor b, int n)") != std::string::npos);
  CHECK(bind(two, {"a", "INPUT__0"}).find("two inputs are argument 'a'") != std::string::npos);
  CHECK(bind(two, {"a"}).find("no input is argument 'b'") != std::string::npos);
  CHECK(bind(two, {"a", "b__5"}).find("would be argument 5") != std::string::npos);
  CHECK(bind(two, {"a", "b", "n"}, 4).find("has no batches") != std::string::npos);
  CHECK(bind("forward(Tensor[] l) -> Tensor", {"l"}).find("no input of a request can be") != std::string::npos);
}

TEST_CASE("A configuration is completed from the schema") {
  Signature signature = parseSchema("forward(Tensor x, int n, str s, float[] l, Tensor? b=None) -> Tensor");
  Json config = parse(R"({"input":[{"data_type":"TYPE_FP32","dims":[3]},{"name":"n"},{},{}]})");
  bool changed = false;
  REQUIRE_FALSE(completeInputs(config, signature, changed));
  CHECK(changed);
  CHECK(config.print() == R"({"input":[{"data_type":"TYPE_FP32","dims":[3],"name":"x"},)"
                          R"({"name":"n","data_type":"TYPE_INT64","dims":[1]},)"
                          R"({"name":"s","data_type":"TYPE_STRING","dims":[1]},)"
                          R"({"name":"l","data_type":"TYPE_FP64","dims":[-1]}]})");
  Json empty = parse("{}");
  Status failure = completeInputs(empty, signature, changed);
  REQUIRE(failure);
  CHECK(failure->message.find("what dtype and how many dimensions its argument 'x' has") != std::string::npos);
}

TEST_CASE("A model may lower limits, and change nothing that the command line decides") {
  Settings commandLine, settings;
  std::vector<std::string> unknown;
  REQUIRE_FALSE(Settings::readCommandLine(
      parse(R"({"cmdline":{"max-memory":"1G","allow-operators":"aten::*","threads":"2","elsewhere":"1"}})"),
      commandLine, unknown));
  CHECK(unknown == std::vector<std::string>{"elsewhere"});
  auto read = [&](std::string name, std::string value) {
    Status failure = Settings::readModel(
        parse("{\"parameters\":{\"" + name + "\":{\"string_value\":\"" + value + "\"}}}"), commandLine, settings);
    return failure ? failure->message : std::string();
  };
  CHECK(read("max_memory", "512M").empty());
  CHECK(settings.get("max_memory") == "512M");
  CHECK(read("max_memory", "2G").find("more than the server's command line allows: 1G") != std::string::npos);
  CHECK(read("max_memory", "0").find("more than") != std::string::npos);
  CHECK(read("threads", "4").find("more than") != std::string::npos);
  CHECK(read("allow_operators", "aten::add").find("which a model cannot change") != std::string::npos);
  CHECK(read("max_memorie", "1").find("there is no parameter 'max_memorie'") != std::string::npos);
  CHECK(read("max_steps", "12Q").find("is no size") != std::string::npos);
  uint64_t size = 0;
  CHECK_FALSE(parseSize("3K", size));
  CHECK(size == 3072);
  CHECK(parseSize("99999999999T", size));
}
