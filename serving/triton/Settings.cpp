//===- Settings.cpp - What the server's operator and a model's owner may set =//
#include "Settings.h"
#include <algorithm>
#include <charconv>
#include <iterator>

namespace tsc::triton {

namespace {

/// Who decides a setting that both the command line and a model give.
enum class Authority {
  Model,   ///< The model's value counts.
  Least,   ///< A limit: the model may lower it.
  Operator ///< The command line alone, where it has one: it says what programs may do.
};

struct Setting {
  std::string_view name;
  Authority authority;
  /// Applies the text to what loading or calls use; null for a setting that is read elsewhere.
  Status (*load)(tsc_options *options, const std::string &text);
  Status (*call)(tsc_context *context, const std::string &text);
};

} // namespace

Status parseSize(std::string_view text, uint64_t &size) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  static constexpr std::string_view units = "KMGT";
  size_t index = unit.empty() ? 0 : units.find(unit.front());
  unsigned shift = unit.empty() ? 0 : 10 * static_cast<unsigned>(index + 1);
  if (error != std::errc() || unit.size() > 1 || index == std::string_view::npos || size > UINT64_MAX >> shift)
    return invalid("'" + std::string(text) + "' is no size: write a number, as in 1000, 64K, 512M or 2G");
  size <<= shift;
  return std::nullopt;
}

Status parseSwitch(std::string_view text, bool &isOn) {
  for (std::string_view word : {"true", "1", "on", "yes"})
    if (text == word) {
      isOn = true;
      return std::nullopt;
    }
  for (std::string_view word : {"false", "0", "off", "no"})
    if (text == word) {
      isOn = false;
      return std::nullopt;
    }
  return invalid("'" + std::string(text) + "' is neither true nor false");
}

template <tsc_error *(*set)(tsc_options *, int)>
static Status loadSwitch(tsc_options *options, const std::string &text) {
  bool isOn = false;
  if (Status failure = parseSwitch(text, isOn))
    return failure;
  return take(set(options, isOn));
}

template <tsc_error *(*set)(tsc_options *, int)>
static Status loadNumber(tsc_options *options, const std::string &text) {
  uint64_t number = 0;
  if (Status failure = parseSize(text, number))
    return failure;
  return take(set(options, static_cast<int>(std::min<uint64_t>(number, INT32_MAX))));
}

template <tsc_error *(*set)(tsc_options *, const char *)>
static Status loadText(tsc_options *options, const std::string &text) {
  return take(set(options, text.c_str()));
}

template <tsc_quota quota> static Status loadQuota(tsc_options *options, const std::string &text) {
  uint64_t limit = 0;
  if (Status failure = parseSize(text, limit))
    return failure;
  return take(tsc_options_set_loading_quota(options, quota, limit));
}

template <tsc_quota quota> static Status callQuota(tsc_context *context, const std::string &text) {
  uint64_t limit = 0;
  if (Status failure = parseSize(text, limit))
    return failure;
  return take(tsc_context_set_quota(context, quota, limit));
}

static Status loadCompileMode(tsc_options *options, const std::string &text) {
  if (text == "background")
    return take(tsc_options_set_compile_mode(options, TSC_COMPILE_BACKGROUND));
  if (text == "eager")
    return take(tsc_options_set_compile_mode(options, TSC_COMPILE_EAGER));
  if (text == "off")
    return take(tsc_options_set_compile_mode(options, TSC_COMPILE_OFF));
  return invalid("'" + text + "' is none of background, eager and off");
}

static constexpr Setting settings[] = {
    {"allow_operators", Authority::Operator, loadText<tsc_options_allow_operators>, nullptr},
    {"allow_setstate", Authority::Operator, loadSwitch<tsc_options_set_allow_set_state>, nullptr},
    {"batching", Authority::Model, nullptr, nullptr},
    {"cache_folder", Authority::Operator, loadText<tsc_options_set_cache_folder>, nullptr},
    {"compile", Authority::Model, loadCompileMode, nullptr},
    {"cpu_fuser", Authority::Model, loadSwitch<tsc_options_set_cpu_fuser>, nullptr},
    {"deny_operators", Authority::Operator, loadText<tsc_options_deny_operators>, nullptr},
    {"entry", Authority::Model, nullptr, nullptr},
    {"freeze", Authority::Model, nullptr, nullptr},
    {"max_depth", Authority::Least, nullptr, callQuota<TSC_QUOTA_DEPTH>},
    {"max_loading_memory", Authority::Least, loadQuota<TSC_QUOTA_MEMORY>, nullptr},
    {"max_loading_steps", Authority::Least, loadQuota<TSC_QUOTA_STEPS>, nullptr},
    {"max_memory", Authority::Least, nullptr, callQuota<TSC_QUOTA_MEMORY>},
    {"max_output", Authority::Least, nullptr, callQuota<TSC_QUOTA_OUTPUT>},
    {"max_steps", Authority::Least, nullptr, callQuota<TSC_QUOTA_STEPS>},
    {"optimization", Authority::Model, loadNumber<tsc_options_set_optimization>, nullptr},
    {"state", Authority::Model, nullptr, nullptr},
    {"threads", Authority::Least, loadNumber<tsc_options_set_threads>, nullptr},
};

static const Setting *findSetting(std::string_view name) {
  for (const Setting &setting : settings)
    if (setting.name == name)
      return &setting;
  return nullptr;
}

static std::string settingNames() {
  std::string names;
  for (const Setting &setting : settings)
    names += (names.empty() ? "" : ", ") + std::string(setting.name);
  return names;
}

/// Says which setting a failure is about.
static Status about(std::string_view name, Status failure) {
  if (failure)
    failure->message = "parameter '" + std::string(name) + "': " + failure->message;
  return failure;
}

Status Settings::readCommandLine(const Json &config, Settings &settings, std::vector<std::string> &unknown) {
  for (const auto &[name, value] : config["cmdline"].members()) {
    std::string key = name;
    std::replace(key.begin(), key.end(), '-', '_');
    const Setting *setting = findSetting(key);
    if (!setting) {
      unknown.push_back(name);
      continue;
    }
    if (setting->authority == Authority::Least) {
      uint64_t limit = 0;
      if (Status failure = parseSize(value.text(), limit))
        return about(name, failure);
    }
    settings.values[key] = value.text();
  }
  return std::nullopt;
}

Status Settings::readModel(const Json &config, const Settings &commandLine, Settings &result) {
  result = commandLine;
  for (const auto &[name, value] : config["parameters"].members()) {
    const Setting *setting = findSetting(name);
    if (!setting)
      return invalid("there is no parameter '" + name + "': the backend tsc has " + settingNames());
    const std::string &text = value["string_value"].text();
    auto given = commandLine.values.find(name);
    if (given != commandLine.values.end() && setting->authority == Authority::Operator)
      return invalid("parameter '" + name + "' is set on the server's command line, which a model cannot change");
    if (setting->authority == Authority::Least) {
      uint64_t limit = 0, most = 0;
      if (Status failure = parseSize(text, limit))
        return about(name, failure);
      if (given != commandLine.values.end() && !parseSize(given->second, most) && most != 0 &&
          (limit == 0 || limit > most))
        return invalid("parameter '" + name + "' is " + text +
                       ", more than the server's command line allows: " + given->second);
    }
    result.values[name] = text;
  }
  return std::nullopt;
}

std::string Settings::get(std::string_view name, std::string_view otherwise) const {
  auto found = values.find(name);
  return found == values.end() ? std::string(otherwise) : found->second;
}

Status Settings::apply(tsc_options *options) const {
  for (const auto &[name, text] : values)
    if (const Setting *setting = findSetting(name); setting->load)
      if (Status failure = about(name, setting->load(options, text)))
        return failure;
  return std::nullopt;
}

Status Settings::apply(tsc_context *context) const {
  for (const auto &[name, text] : values)
    if (const Setting *setting = findSetting(name); setting->call)
      if (Status failure = about(name, setting->call(context, text)))
        return failure;
  return std::nullopt;
}

} // namespace tsc::triton
