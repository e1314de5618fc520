// LAMMPS installs no header of this name, and pair styles include it. All that they take of it is
// Neighbor::add_request(), which LAMMPS declares elsewhere.
