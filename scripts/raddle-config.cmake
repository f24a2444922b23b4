# CMake package of raddle: find_package(raddle).
#
#   raddle::raddle   library target: makes <raddle.h> available (nothing to link)
#   raddle::tool     the raddle executable
#   RADDLE_CC, RADDLE_CXX   the compiler drivers, for -DCMAKE_C_COMPILER=…
#   RADDLE_ENABLED   true if this project is being compiled by raddle
#
#   raddle_add_test(NAME name TARGET target [ARGS arg…] [OPTIONS option…]
#                   [EXPECT safe|bug|any] [TIMEOUT seconds])
#
# adds a ctest test that runs `raddle run OPTIONS -- target ARGS`. EXPECT safe (the default) passes if
# all behaviours were explored and none fails, any also if the budget ended first, bug if a bug was
# found.
get_filename_component(_raddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(RADDLE_CC "${_raddle_prefix}/bin/raddle-cc")
set(RADDLE_CXX "${_raddle_prefix}/bin/raddle-c++")

if(NOT TARGET raddle::tool)
  add_executable(raddle::tool IMPORTED GLOBAL)
  set_target_properties(raddle::tool PROPERTIES IMPORTED_LOCATION "${_raddle_prefix}/bin/raddle")
  add_library(raddle::raddle INTERFACE IMPORTED GLOBAL)
  set_target_properties(raddle::raddle PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_raddle_prefix}/include")
endif()

set(RADDLE_ENABLED FALSE)
if("${CMAKE_C_COMPILER}${CMAKE_CXX_COMPILER}" MATCHES "raddle-c")
  set(RADDLE_ENABLED TRUE)
endif()

# Exit statuses of raddle run that pass, as a shell pattern.
set(_raddle_passes_safe "0")
set(_raddle_passes_bug "1")
set(_raddle_passes_any "0|2")

function(raddle_add_test)
  cmake_parse_arguments(T "" "NAME;TARGET;EXPECT;TIMEOUT" "ARGS;OPTIONS" ${ARGN})
  if(NOT T_NAME OR NOT T_TARGET OR T_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "raddle_add_test wants NAME and TARGET; unknown: ${T_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT T_EXPECT)
    set(T_EXPECT safe)
  elseif(NOT DEFINED _raddle_passes_${T_EXPECT})
    message(FATAL_ERROR "raddle_add_test: EXPECT is safe, bug or any, not ${T_EXPECT}")
  endif()
  set(shell "\"$@\"; case $? in ${_raddle_passes_${T_EXPECT}}) exit 0 ;; *) exit 1 ;; esac")
  add_test(NAME ${T_NAME}
    COMMAND sh -c "${shell}" raddle $<TARGET_FILE:raddle::tool> run ${T_OPTIONS} --
            $<TARGET_FILE:${T_TARGET}> ${T_ARGS})
  set_tests_properties(${T_NAME} PROPERTIES LABELS raddle)
  if(T_TIMEOUT)
    set_tests_properties(${T_NAME} PROPERTIES TIMEOUT ${T_TIMEOUT})
  endif()
endfunction()
