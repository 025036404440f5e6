# The device side of the runner as a library of its own, so that tests can link it without main().
# CROQ_CUDA_INCLUDE, the folder of cuda.h, is found by the CMakeLists.txt that includes this file.
set(CROQ_RUNNER_DIR ${PROJECT_SOURCE_DIR}/src/croq_runner)
set(CROQ_PTX_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/kernels_ptx.cc)
add_custom_command(OUTPUT ${CROQ_PTX_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CROQ_RUNNER_DIR}/kernels.ptx -DOUTPUT=${CROQ_PTX_SOURCE}
    -P ${CROQ_RUNNER_DIR}/embed_ptx.cmake
  DEPENDS ${CROQ_RUNNER_DIR}/kernels.ptx ${CROQ_RUNNER_DIR}/embed_ptx.cmake
  COMMENT "Embedding kernels.ptx" VERBATIM)

set(device_sources baseline.cc cublas.cc cublas_lt.cc device_facts.cc device_kernels.cc
  device_objects.cc driver.cc element.cc nvml.cc operands.cc problem_check.cc problem_operands.cc
  problem_reference.cc scale_draw.cc scaled_inputs.cc set_plan.cc)
list(TRANSFORM device_sources PREPEND ${CROQ_RUNNER_DIR}/)
# Its public classes hold types of its own, which g++ warns of in a file that is included.
set_source_files_properties(${CROQ_RUNNER_DIR}/cublas_lt.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
add_library(croq_runner_device STATIC ${device_sources} ${CROQ_PTX_SOURCE})
target_include_directories(croq_runner_device PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_include_directories(croq_runner_device SYSTEM PUBLIC ${CROQ_CUDA_INCLUDE})
target_link_libraries(croq_runner_device PUBLIC croq_model croq_base ${CMAKE_DL_LIBS} PRIVATE croq_options)

# The committed PTX: made by whoever changes the kernels, compared where the same nvcc is at hand.
find_program(CROQ_NVCC nvcc DOC "nvcc, needed only to change the runner's kernels")
if(CROQ_NVCC)
  add_custom_target(regenerate-ptx
    COMMAND ${CMAKE_COMMAND} -DNVCC=${CROQ_NVCC} -DSOURCE=${CROQ_RUNNER_DIR}/kernels.cu
      -DINCLUDE=${PROJECT_SOURCE_DIR}/src -DOUTPUT=${CROQ_RUNNER_DIR}/kernels.ptx
      -P ${CROQ_RUNNER_DIR}/regenerate_ptx.cmake VERBATIM)
endif()
if(CROQ_TESTS)
  add_test(NAME runner.ptx_is_up_to_date
    COMMAND ${CMAKE_COMMAND} -DNVCC=${CROQ_NVCC} -DSOURCE=${CROQ_RUNNER_DIR}/kernels.cu
      -DINCLUDE=${PROJECT_SOURCE_DIR}/src -DCOMMITTED=${CROQ_RUNNER_DIR}/kernels.ptx
      -DWORK=${CMAKE_CURRENT_BINARY_DIR}/ptx_check -P ${CROQ_RUNNER_DIR}/check_ptx.cmake)
  set_tests_properties(runner.ptx_is_up_to_date PROPERTIES LABELS unit TIMEOUT 120
    SKIP_REGULAR_EXPRESSION "SKIPPED:")
endif()
