//===- Serialization.cpp - Forces of archives as XML ----------------------===//
//
// The XML is that of openmm-torch's TorchForce, so that systems which were written
// with either can be read with the other. The archive is in it, as hexadecimal digits.
//
//===----------------------------------------------------------------------===//
#include "TorchForce.h"
#include <openmm/OpenMMException.h>
#include <openmm/serialization/SerializationNode.h>
#include <openmm/serialization/SerializationProxy.h>
#include <sstream>

using namespace OpenMM;
using namespace OpenMMTsc;

static const int newestVersion = 4;

static std::string toHex(const std::string &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}
static int valueOf(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  if (lower >= 'a' && lower <= 'f')
    return lower - 'a' + 10;
  throw OpenMMException("TorchForce: the archive in the XML has something else than hexadecimal digits");
}
static std::string fromHex(const std::string &text) {
  if (text.size() % 2 != 0)
    throw OpenMMException("TorchForce: the archive in the XML is cut short");
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i != text.size(); i += 2)
    bytes += static_cast<char>(valueOf(text[i]) << 4 | valueOf(text[i + 1]));
  return bytes;
}
static torch::jit::Module moduleIn(const SerializationNode &node) {
  std::istringstream archive(fromHex(node.getStringProperty("encodedFileContents")));
  try {
    return torch::jit::load(archive);
  } catch (const std::exception &error) {
    throw OpenMMException(std::string("TorchForce: cannot load the archive in the XML: ") + error.what());
  }
}

namespace {
/// Writes and reads a TorchForce.
class TorchForceProxy : public SerializationProxy {
public:
  TorchForceProxy() : SerializationProxy("TorchForce") {}
  void serialize(const void *object, SerializationNode &node) const override;
  void *deserialize(const SerializationNode &node) const override;
};
} // namespace

void TorchForceProxy::serialize(const void *object, SerializationNode &node) const {
  const TorchForce &force = *static_cast<const TorchForce *>(object);
  std::ostringstream archive;
  force.getModule().save(archive);
  node.setIntProperty("version", newestVersion);
  node.setStringProperty("file", force.getFile());
  node.setStringProperty("encodedFileContents", toHex(archive.str()));
  node.setIntProperty("forceGroup", force.getForceGroup());
  node.setBoolProperty("usesPeriodic", force.usesPeriodicBoundaryConditions());
  node.setBoolProperty("outputsForces", force.getOutputsForces());
  SerializationNode &parameters = node.createChildNode("GlobalParameters");
  for (const TorchForce::Parameter &parameter : force.getGlobalParameters())
    parameters.createChildNode("Parameter")
        .setStringProperty("name", parameter.name)
        .setDoubleProperty("default", parameter.value);
  SerializationNode &derivatives = node.createChildNode("ParameterDerivatives");
  for (const std::string &name : force.getEnergyParameterDerivatives())
    derivatives.createChildNode("Parameter").setStringProperty("name", name);
  SerializationNode &properties = node.createChildNode("Properties");
  for (const auto &property : force.properties)
    properties.createChildNode("Property")
        .setStringProperty("name", property.first)
        .setStringProperty("value", property.second);
}

void *TorchForceProxy::deserialize(const SerializationNode &node) const {
  const int version = node.getIntProperty("version");
  if (version < 1 || version > newestVersion)
    throw OpenMMException("TorchForce: XML of version " + std::to_string(version) + " is not known");
  std::unique_ptr<TorchForce> force;
  if (version == 1 || !node.hasProperty("encodedFileContents"))
    force.reset(new TorchForce(node.getStringProperty("file")));
  else
    force.reset(new TorchForce(moduleIn(node)));
  force->setForceGroup(node.getIntProperty("forceGroup", 0));
  force->setUsesPeriodicBoundaryConditions(node.getBoolProperty("usesPeriodic", false));
  force->setOutputsForces(node.getBoolProperty("outputsForces", false));
  for (const SerializationNode &child : node.getChildren())
    for (const SerializationNode &entry : child.getChildren()) {
      if (child.getName() == "GlobalParameters")
        force->addGlobalParameter(entry.getStringProperty("name"), entry.getDoubleProperty("default"));
      else if (child.getName() == "ParameterDerivatives")
        force->addEnergyParameterDerivative(entry.getStringProperty("name"));
      else if (child.getName() == "Properties")
        force->properties[entry.getStringProperty("name")] = entry.getStringProperty("value");
    }
  return force.release();
}

void OpenMMTsc::registerSerialization() { SerializationProxy::registerProxy(typeid(TorchForce), new TorchForceProxy); }
