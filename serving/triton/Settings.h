//===- Settings.h - What the server's operator and a model's owner may set ===//
#ifndef TSC_SERVING_TRITON_SETTINGS_H
#define TSC_SERVING_TRITON_SETTINGS_H

#include "Json.h"
#include <map>
#include <vector>

namespace tsc::triton {

/// The settings of a model: parameters of its configuration, over those of the server's command line.
class Settings {
public:
  /// Reads what --backend-config=tsc,NAME=VALUE gave: `config` is {"cmdline": {name: text}}. Names may have `-` for
  /// `_`. Names that are no setting are added to `unknown`: Triton puts names of its own there.
  static Status readCommandLine(const Json &config, Settings &settings, std::vector<std::string> &unknown);

  /// Reads the `parameters` of a model's configuration, {name: {"string_value": text}}. Each must be a setting. A limit
  /// may lower that of the command line, and not raise it; what says what programs may do cannot be set again.
  static Status readModel(const Json &config, const Settings &commandLine, Settings &settings);

  /// Returns a setting's text, or `otherwise` where it is not set.
  std::string get(std::string_view name, std::string_view otherwise = "") const;
  /// Applies all that is about loading a program.
  Status apply(tsc_options *options) const;
  /// Applies the limits of calls.
  Status apply(tsc_context *context) const;

private:
  std::map<std::string, std::string, std::less<>> values;
};

/// Reads a number with an optional K, M, G or T for powers of 1024: "64M".
Status parseSize(std::string_view text, uint64_t &size);
/// Reads "true", "false", "1", "0", "on", "off", "yes" or "no".
Status parseSwitch(std::string_view text, bool &isOn);

} // namespace tsc::triton

#endif
