# cmake -DNVCC=... -DSOURCE=kernels.cu -DINCLUDE=src -DOUTPUT=kernels.ptx -P regenerate_ptx.cmake
# Compiles the kernels to PTX and makes it loadable by every driver of CUDA 12.
execute_process(COMMAND ${NVCC} -arch=compute_80 -ptx -O3 -std=c++17 -I${INCLUDE} ${SOURCE} -o ${OUTPUT}.new
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "nvcc could not compile ${SOURCE}")
endif()
file(READ ${OUTPUT}.new ptx)
file(REMOVE ${OUTPUT}.new)
# nvcc stamps the newest PTX version it knows (9.0 for CUDA 13.0) whatever the code uses, and a
# driver refuses a version newer than itself. Nothing in the kernels is younger than PTX 7.0, so 8.0
# (CUDA 12.0) is claimed; ptxas checks it, as it rejects an instruction its version does not have.
string(REGEX REPLACE "\n\\.version [0-9.]+\n" "\n.version 8.0\n" ptx "${ptx}")
file(WRITE ${OUTPUT} "${ptx}")
