#include "croq/cli/app.h"

int main(int argc, char** argv) {
  return croq::cli::RunApp(argc, argv);
}
