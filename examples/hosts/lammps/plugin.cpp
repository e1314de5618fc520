// Makes a plug-in of LAMMPS of the pair style e3gnn, whose source is SevenNet's.
#include "lammps.h"
#include "pair_e3gnn.h"
#include <stdexcept>

/// What LAMMPS's PLUGIN package takes from a plug-in.
struct LammpsPlugin {
  const char *version, *style, *name, *info, *author;
  void *(*create)(LAMMPS_NS::LAMMPS *);
  void *handle;
};
using RegisterPlugin = void (*)(LammpsPlugin *, void *);

// Belongs to another way of computing the model's products, for processors of graphics.
void pair_e3gnn_oeq_register_autograd() { throw std::runtime_error("the model needs OpenEquivariance"); }

static void *createPair(LAMMPS_NS::LAMMPS *lmp) { return new LAMMPS_NS::PairE3GNN(lmp); }

extern "C" void lammpsplugin_init(void *lmp, void *handle, void *registerPlugin) {
  LammpsPlugin plugin{static_cast<LAMMPS_NS::LAMMPS *>(lmp)->version,
                      "pair",
                      "e3gnn",
                      "pair style of SevenNet",
                      "tsc",
                      createPair,
                      handle};
  reinterpret_cast<RegisterPlugin>(registerPlugin)(&plugin, lmp);
}
