# cmake -DINPUT=kernels.ptx -DOUTPUT=kernels_ptx.cc -P embed_ptx.cmake
# The PTX as a string of the program, so that the runner needs no file beside it.
file(READ ${INPUT} ptx)
file(WRITE ${OUTPUT} "#include \"croq_runner/kernels_ptx.h\"\n\nnamespace croq::runner {\n\n"
  "const char kKernelsPtx[] = R\"croq_ptx(${ptx})croq_ptx\";\n\n}  // namespace croq::runner\n")
