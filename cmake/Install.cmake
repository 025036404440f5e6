# Where everything lies once installed, relative to any prefix (croq/cli/install_layout finds it from
# the running program), and the package: the same tree under one folder, with the GPU tests beside.
include(GNUInstallDirs)

if(TARGET croq)
  install(TARGETS croq RUNTIME DESTINATION bin)
endif()
foreach(program croq-runner croq-supervisor)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION libexec/croq)
  endif()
endforeach()
install(DIRECTORY contracts python DESTINATION share/croq
  PATTERN __pycache__ EXCLUDE PATTERN "*.pyc" EXCLUDE PATTERN ".*_cache" EXCLUDE)
foreach(file README.md CHANGELOG.md)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${file})
    install(FILES ${file} DESTINATION share/doc/croq)
  endif()
endforeach()

# Tests for a machine with a GPU: in the package, not in an installation.
get_property(gpu_tests GLOBAL PROPERTY CROQ_GPU_TESTS)
if(gpu_tests)
  install(TARGETS ${gpu_tests} RUNTIME DESTINATION tests/gpu COMPONENT gpu_tests
    EXCLUDE_FROM_ALL OPTIONAL)
endif()
# gpu/run_all.sh runs those in crash and faults too, and uses the kernels in worker.
foreach(folder gpu crash faults support worker)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${folder})
    install(DIRECTORY tests/${folder}/ DESTINATION tests/${folder}
      COMPONENT gpu_tests EXCLUDE_FROM_ALL USE_SOURCE_PERMISSIONS
      FILES_MATCHING PATTERN "*.sh" PATTERN "*.py" PATTERN "*.md"
      PATTERN __pycache__ EXCLUDE PATTERN "fake_*.py" EXCLUDE)
  endif()
endforeach()
install(DIRECTORY bench/compare DESTINATION bench COMPONENT gpu_tests EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME croq)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_FILE_NAME croq-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};croq;ALL;/")
if(gpu_tests)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};croq;gpu_tests;/")
endif()
include(CPack)
