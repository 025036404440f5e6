#include "croq/cli/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croq::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 360;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 40;
constexpr double kBottom = 44;
constexpr int kTicks = 5;

/// 1, 2 or 5 times a power of ten, so that about kTicks of them make `range`.
double NiceStep(double range) {
  const double raw = range / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

class Canvas {
 public:
  explicit Canvas(const Plot& plot) : plot_(plot) {
    double low = plot.bar > 0 ? plot.bar : plot.points.front().tflops;
    double high = low;
    for (const PlotPoint& point : plot.points) {
      low = std::min(low, point.tflops);
      high = std::max(high, point.tflops);
      first_ = std::min(first_, point.round);
      last_ = std::max(last_, point.round);
    }
    step_ = NiceStep(std::max(high - low, std::max(high, 1e-3) * 0.05));
    low_ = std::max(0.0, std::floor(low / step_) * step_);
    high_ = std::ceil(high / step_) * step_;
    if (high_ <= low_) high_ = low_ + step_;
  }

  std::string Draw() const {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
        "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"white\"/>\n"
        "<text x=\"{2:g}\" y=\"22\" font-size=\"14\">{3}</text>\n",
        kWidth, kHeight, kLeft, EscapeXml(plot_.title));
    return svg + Axes() + Bar() + Steps() + Points() + "</svg>\n";
  }

 private:
  double X(double round) const {
    const double span = std::max(1, last_ - first_);
    return kLeft + (round - first_) / span * (kWidth - kLeft - kRight - 24) + 12;
  }
  double Y(double value) const {
    return kTop + (high_ - value) / (high_ - low_) * (kHeight - kTop - kBottom);
  }

  std::string Axes() const {
    std::string text;
    for (double value = low_; value <= high_ + step_ / 2; value += step_) {
      text += fmt::format("<line x1=\"{:g}\" x2=\"{:g}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
                          "stroke=\"#ddd\"/>\n<text x=\"{:g}\" y=\"{:.1f}\" "
                          "text-anchor=\"end\">{:g}</text>\n",
                          kLeft, kWidth - kRight, Y(value), Y(value), kLeft - 6, Y(value) + 4,
                          value);
    }
    const int every = std::max(1, (last_ - first_ + 1 + 19) / 20);
    for (int round = first_; round <= last_; round += every) {
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
                          X(round), kHeight - kBottom + 18, round);
    }
    text += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">round</text>\n",
                        (kLeft + kWidth) / 2, kHeight - 8);
    return text + fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\">{}</text>\n",
                              kWidth - kRight, 22.0, EscapeXml(plot_.unit));
  }

  std::string Bar() const {
    if (!(plot_.bar > 0)) return "";
    return fmt::format("<line x1=\"{:g}\" x2=\"{:g}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#888\" "
                       "stroke-dasharray=\"6 4\"/>\n<text x=\"{:g}\" y=\"{:.1f}\" "
                       "text-anchor=\"end\" fill=\"#555\">{}</text>\n",
                       kLeft, kWidth - kRight, Y(plot_.bar), Y(plot_.bar), kWidth - kRight - 4,
                       Y(plot_.bar) - 5, EscapeXml(plot_.bar_label));
  }

  std::string Steps() const {
    std::string path;
    double best = 0;
    for (const PlotPoint& point : plot_.points) {
      if (!point.kept) continue;
      if (path.empty()) {
        path = fmt::format("M{:.1f} {:.1f}", X(point.round), Y(point.tflops));
      } else {
        path += fmt::format(" H{:.1f} V{:.1f}", X(point.round), Y(point.tflops));
      }
      best = point.tflops;
    }
    if (path.empty() || !(best > 0)) return "";
    return fmt::format("<path d=\"{} H{:.1f}\" fill=\"none\" stroke=\"#1a7f37\"/>\n", path,
                       X(last_));
  }

  std::string Points() const {
    std::string text;
    for (const PlotPoint& point : plot_.points) {
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" "
                          "stroke=\"#1a7f37\"><title>{}</title></circle>\n",
                          X(point.round), Y(point.tflops), point.kept ? "#1a7f37" : "white",
                          EscapeXml(point.label));
    }
    return text;
  }

  const Plot& plot_;
  int first_ = 1 << 30;
  int last_ = 0;
  double low_ = 0;
  double high_ = 1;
  double step_ = 1;
};

}  // namespace

std::string EscapeXml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string DrawSvg(const Plot& plot) {
  return plot.points.empty() ? "" : Canvas(plot).Draw();
}

}  // namespace croq::cli
