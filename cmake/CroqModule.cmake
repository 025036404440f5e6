# Tests are compiled without optimisation: that takes half as long, and what they test is built as
# it is shipped.
function(croq_test_options target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# Headers that nearly every file includes, parsed once: they are two thirds of a file's compile time.
# A file includes what it uses all the same; builds without CROQ_PRECOMPILE (dev, asan) show it.
if(CROQ_PRECOMPILE)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cc "// Holds the precompiled headers of all modules.\n")
  add_library(croq_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(croq_precompiled PRIVATE croq_options)
  target_precompile_headers(croq_precompiled PRIVATE <algorithm> <chrono> <filesystem> <functional>
    <map> <memory> <optional> <string> <tl/expected.hpp> <variant> <vector> <fmt/format.h>
    <nlohmann/json.hpp>)
  if(CROQ_TESTS)
    add_library(croq_precompiled_tests OBJECT ${PROJECT_BINARY_DIR}/precompiled.cc)
    target_link_libraries(croq_precompiled_tests PRIVATE croq_options GTest::gmock)
    croq_test_options(croq_precompiled_tests)
    target_precompile_headers(croq_precompiled_tests PRIVATE <algorithm> <filesystem> <fstream> <map>
      <memory> <optional> <string> <tl/expected.hpp> <vector> <fmt/format.h> <nlohmann/json.hpp>
      <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()

# croq_module(NAME [HOT] SOURCES ... [DEPS module ...] [LINK target ...])
# One static library a directory, croq_<name>, whose headers are <croq/<name>/...>.
function(croq_module name)
  cmake_parse_arguments(ARG "HOT" "" "SOURCES;DEPS;LINK" ${ARGN})
  add_library(croq_${name} STATIC ${ARG_SOURCES})
  target_include_directories(croq_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  set(deps)
  foreach(dep IN LISTS ARG_DEPS)
    list(APPEND deps croq_${dep})
  endforeach()
  target_link_libraries(croq_${name} PUBLIC ${deps} PRIVATE croq_options ${ARG_LINK})
  if(ARG_HOT)
    target_compile_options(croq_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(CROQ_PRECOMPILE)  # Precompiled headers are of one optimisation level.
    target_precompile_headers(croq_${name} REUSE_FROM croq_precompiled)
  endif()
endfunction()

# croq_test(NAME SOURCES ... [DEPS module ...] [LINK target ...] [LABELS ...])
# One GoogleTest program, one ctest entry a test case.
function(croq_test name)
  if(NOT CROQ_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LINK;LABELS" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  set(deps)
  foreach(dep IN LISTS ARG_DEPS)
    list(APPEND deps croq_${dep})
  endforeach()
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE
    CROQ_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CROQ_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${name}_test PRIVATE ${deps} croq_options GTest::gmock_main ${ARG_LINK})
  croq_test_options(${name}_test)
  if(CROQ_PRECOMPILE)
    target_precompile_headers(${name}_test REUSE_FROM croq_precompiled_tests)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(gpu IN_LIST ARG_LABELS)
    set_property(GLOBAL APPEND PROPERTY CROQ_GPU_TESTS ${name}_test)
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 120)
endfunction()
