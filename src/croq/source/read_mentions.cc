#include "croq/source/read_mentions.h"

#include <algorithm>

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

constexpr std::string_view kDeviceFunctions[] = {
    "get_device_properties", "get_device_capability", "get_device_name", "current_device",
    "device_count",          "is_available",          "mem_get_info",    "is_bf16_supported",
    "get_arch_list"};

bool IsDescriptor(std::string_view name) {
  for (const std::string_view maker :
       {"TensorDescriptor", "TensorDescriptor.from_tensor", "make_tensor_descriptor",
        "_experimental_make_tensor_descriptor", "create_1d_tma_descriptor",
        "create_2d_tma_descriptor", "fill_1d_tma_descriptor", "fill_2d_tma_descriptor"}) {
    if (name == maker || (name.ends_with(maker) && name.size() > maker.size() &&
                          name[name.size() - maker.size() - 1] == '.'))
      return true;
  }
  return false;
}

bool IsDeviceRead(std::string_view name) {
  for (const std::string_view module : {"torch.cuda.", "torch.xpu.", "torch.accelerator."}) {
    if (name.starts_with(module)) {
      const std::string_view function = name.substr(module.size());
      return std::find(std::begin(kDeviceFunctions), std::end(kDeviceFunctions), function) !=
             std::end(kDeviceFunctions);
    }
  }
  return name == "triton.testing.get_dram_gbps" ||
         name.starts_with("triton.testing.get_max_");
}

/// triton.runtime.driver.active...: the outermost attribute that is not called upon further.
bool IsDriverRead(const Node& node, std::string_view name) {
  return (name.starts_with("triton.runtime.driver.active.") ||
          name.starts_with("triton.runtime.driver.driver.active.")) &&
         !node.parent->Is(Kind::kAttribute);
}

bool IsMainGuard(const SyntaxTree& tree, const Node& node) {
  if (!node.Is(Kind::kIf))
    return false;
  const std::string_view test = tree.Text(*node.Child(Field::kTest));
  return test.find("__name__") != std::string_view::npos &&
         test.find("__main__") != std::string_view::npos;
}

}  // namespace

bool RunsAtImport(const SyntaxTree& tree, const Node& node) {
  const Node* below = &node;
  for (const Node* at = node.parent; at != nullptr; below = at, at = at->parent) {
    if (below->field == Field::kBody &&
        (at->Is(Kind::kFunctionDef) || at->Is(Kind::kAsyncFunctionDef) || at->Is(Kind::kLambda) ||
         IsMainGuard(tree, *at)))
      return false;
  }
  return true;
}

void ReadMentions(const SyntaxTree& tree, const Names& names, const Kernels& kernels,
                  Outline& outline) {
  bool in_kernel = false;
  const auto add = [&](std::vector<Mention>& list, const Node& node, const std::string& what) {
    Mention& mention = list.emplace_back();
    mention.node = &node;
    mention.what = what;
    mention.at_import = RunsAtImport(tree, node);
  };
  const auto visit = [&](const auto& self, const Node& node) -> void {
    const bool was = in_kernel;
    in_kernel = in_kernel || kernels.IsKernelBody(node);
    if (node.Is(Kind::kCall)) {
      const std::string name = CalledName(names, node);
      if (!in_kernel && IsDeviceRead(name)) {
        add(outline.device_reads, node, name);
      } else if (IsDescriptor(name)) {
        add(outline.descriptors, node, name);
      }
    } else if (node.Is(Kind::kAttribute) && !in_kernel) {
      const std::string name = TritonName(names, node);
      if (IsDriverRead(node, name)) {
        add(outline.device_reads, node, name);
      } else if (node.text == "multi_processor_count" && name.empty() &&
                 !node.Child(Field::kValue)->Is(Kind::kCall)) {
        add(outline.device_reads, node, std::string(tree.Text(node)));
      }
    }
    for (const Node* child : node.children) self(self, *child);
    in_kernel = was;
  };
  visit(visit, tree.root());
}

}  // namespace croq::source
