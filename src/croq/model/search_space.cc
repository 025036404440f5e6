#include "croq/model/search_space.h"

namespace croq {

double SearchSpace::Size() const {
  double total = 0;
  for (const VariantSpace& variant : variants) {
    double product = 1;
    for (const Lever& lever : variant.levers) product *= static_cast<double>(lever.values.size());
    total += product;
  }
  return total;
}

}  // namespace croq
