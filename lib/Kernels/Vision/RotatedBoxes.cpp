//===- RotatedBoxes.cpp - Overlap of boxes that are turned ----------------===//
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

namespace {
struct Point {
  double x = 0, y = 0;
};
/// A convex polygon, counter-clockwise. Two boxes have at most eight corners in common.
using Polygon = llvm::SmallVector<Point, 8>;
} // namespace

static double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
static Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

/// The corners of a row of x and y of the centre, width, height and an angle in degrees, counter-clockwise, with
/// `origin` as 0: numbers stay small where boxes are far from it.
static Polygon corners(const double *box, Point origin) {
  const double angle = box[4] * 3.14159265358979323846 / 180, c = std::cos(angle) / 2, s = std::sin(angle) / 2;
  const double width = std::abs(box[2]), height = std::abs(box[3]);
  Polygon polygon;
  for (auto [i, j] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
    polygon.push_back(
        {box[0] - origin.x + i * c * width - j * s * height, box[1] - origin.y + i * s * width + j * c * height});
  return polygon;
}

/// What of `polygon` lies left of the line from `a` to `b` (Sutherland and Hodgman, 1974).
static Polygon clip(const Polygon &polygon, Point a, Point b) {
  Polygon kept;
  for (size_t i = 0; i != polygon.size(); ++i) {
    const Point p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const double ofP = cross(b - a, p - a), ofQ = cross(b - a, q - a);
    if (ofP >= 0)
      kept.push_back(p);
    if ((ofP >= 0) != (ofQ >= 0)) {
      const double t = ofP / (ofP - ofQ);
      kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return kept;
}

static double area(const Polygon &polygon) {
  double twice = 0;
  for (size_t i = 1; i + 1 < polygon.size(); ++i)
    twice += cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]);
  return std::abs(twice) / 2;
}

static double overlap(const double *a, const double *b) {
  const double areaA = a[2] * a[3], areaB = b[2] * b[3];
  if (areaA < 1e-14 || areaB < 1e-14)
    return 0;
  const Point origin{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
  Polygon common = corners(a, origin);
  const Polygon window = corners(b, origin);
  for (size_t i = 0; i != window.size() && !common.empty(); ++i)
    common = clip(common, window[i], window[(i + 1) % window.size()]);
  const double both = area(common);
  return both / (areaA + areaB - both);
}

StatusOr<Tensor> cpu::boxIouRotated(const Tensor &boxes1, const Tensor &boxes2) {
  for (const Tensor *boxes : {&boxes1, &boxes2})
    if (boxes->dim() != 2 || boxes->size(1) != 5)
      return invalidArgument("box_iou_rotated: expected boxes with 5 elements in dimension 1");
  if (boxes1.dtype() != boxes2.dtype())
    return invalidArgument("box_iou_rotated: expected boxes of one dtype");
  auto rowsOf = [](const Tensor &boxes) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(Tensor rows, toDType(boxes, DType::Double));
    return contiguous(rows, MemoryFormat::Contiguous);
  };
  TSC_ASSIGN_OR_RETURN(Tensor a, rowsOf(boxes1));
  TSC_ASSIGN_OR_RETURN(Tensor b, rowsOf(boxes2));
  const int64_t rows = a.size(0), columns = b.size(0);
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({rows, columns}, DType::Float));
  float *to = result.mutableData<float>();
  work::LongLoop turns(256);
  for (int64_t i = 0; i != rows; ++i)
    for (int64_t j = 0; j != columns; ++j) {
      if (!turns.goOn())
        return work::stopped();
      *to++ = static_cast<float>(overlap(a.data<double>() + 5 * i, b.data<double>() + 5 * j));
    }
  return result;
}
