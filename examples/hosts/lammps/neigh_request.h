// LAMMPS installs no header of this name, and pair styles include it. Neighbor::add_request(), which neighbor.h declares, is
// all that they take of it.
