# Writes a source that makes a study's digest known: cmake -P digest.cmake <source> <study> <archive>…
# An archive holds no times and no folders (Debian's ar leaves out the former, a release build has none of the latter):
# the same sources give the same digest in any build folder.
cmake_minimum_required(VERSION 3.25)
set(source ${CMAKE_ARGV3})
set(study ${CMAKE_ARGV4})
math(EXPR last "${CMAKE_ARGC} - 1")
set(digests "")
foreach(i RANGE 5 ${last})
  file(SHA256 ${CMAKE_ARGV${i}} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
  "#include \"perp/study/provenance.hpp\"\nstatic const perp::LibrariesDigest digest(\"@study@\", \"@digest@\");\n")
