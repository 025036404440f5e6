# The device side of the runner as a library of its own, so that tests can link it without main().
# It needs cuda.h, which comes with Triton's wheel; no CUDA toolkit.
file(GLOB CROQ_CUDA_HINTS ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/triton/backends/nvidia/include)
find_path(CROQ_CUDA_INCLUDE cuda.h HINTS ${CROQ_CUDA_HINTS} $ENV{CUDA_HOME}/include REQUIRED
  DOC "Folder of cuda.h: the Triton wheel's triton/backends/nvidia/include, or a toolkit's")

add_library(croq_runner_device STATIC
  device_objects.cc driver.cc)
target_include_directories(croq_runner_device PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_include_directories(croq_runner_device SYSTEM PUBLIC ${CROQ_CUDA_INCLUDE})
target_link_libraries(croq_runner_device PUBLIC croq_model croq_base ${CMAKE_DL_LIBS} PRIVATE croq_options)
