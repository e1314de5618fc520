# Writes a header into FOLDER for each line of the file NAMES, and then STAMP.
file(STRINGS ${NAMES} names)
foreach(name ${names} from_blob tensor)
  file(CONFIGURE OUTPUT ${FOLDER}/${name}.h CONTENT "#include <ATen/Functions.h>\n")
endforeach()
file(WRITE ${STAMP} "")
