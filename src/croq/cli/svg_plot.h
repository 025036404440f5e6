#pragma once

#include <string>
#include <vector>

namespace croq::cli {

/// One point of a session's path.
struct PlotPoint {
  int round = 0;
  double tflops = 0;
  bool kept = false;
  std::string label;  ///< shown when the mouse rests on it
};

struct Plot {
  std::string title;
  std::string unit;  ///< of the vertical axis: "TFLOPS (contract)"
  std::vector<PlotPoint> points;
  double bar = 0;          ///< a horizontal line, 0: none
  std::string bar_label;
};

/// An SVG picture of 720 x 360: points by round, the best so far as steps, the bar as a dashed
/// line. Nothing in it is loaded from elsewhere.
std::string DrawSvg(const Plot& plot);

/// Text in an XML element or attribute.
std::string EscapeXml(const std::string& text);

}  // namespace croq::cli
