#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "croq/source/outline_warnings.h"
#include "croq/source/read_mentions.h"
#include "croq/source/triton_names.h"

/// Top-level code that needs a GPU: such a file can't be imported on a machine without one.
namespace croq::source {
namespace {

constexpr int kMaxImportDepth = 5;
/// torch.cuda functions that initialise CUDA.
constexpr std::string_view kCudaFunctions[] = {
    "get_device_properties", "get_device_capability", "get_device_name", "current_device",
    "mem_get_info",          "current_stream",        "synchronize",     "Stream",
    "set_device",            "init",                  "CUDAGraph"};

struct Need {
  const Node* node = nullptr;
  std::string what;
};

class ImportReader {
 public:
  ImportReader(const WarningInput& input, Outline& outline) : input_(input), outline_(outline) {
    for (const LaunchSite& site : outline.launch_sites) launches_.insert(site.call);
  }

  void Read() {
    const SyntaxTree& tree = input_.tree;
    const auto visit = [&](const auto& self, const Node& node) -> void {
      if (IsGuard(node))
        return;
      if (!RunsHere(node))
        return;
      if (node.Is(Kind::kCall) || node.Is(Kind::kAttribute)) {
        if (Report(node))
          return;
      }
      for (const Node* child : node.children) {
        const bool body = child->field == Field::kBody &&
                          (node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef) ||
                           node.Is(Kind::kLambda));
        if (!body && !(child->field == Field::kBody && node.Is(Kind::kTry)))
          self(self, *child);
      }
    };
    visit(visit, tree.root());
  }

 private:
  bool RunsHere(const Node& node) const { return RunsAtImport(input_.tree, node); }

  /// `if torch.cuda.is_available():` and `if __name__ == "__main__":`
  bool IsGuard(const Node& node) const {
    if (!node.Is(Kind::kIf) && !node.Is(Kind::kIfExp))
      return false;
    const std::string_view test = input_.tree.Text(*node.Child(Field::kTest));
    return test.find("is_available") != std::string_view::npos ||
           test.find("__main__") != std::string_view::npos;
  }

  bool Report(const Node& node) {
    if (const auto need = NeedOf(node)) {
      if (lines_.insert(node.span.line).second) {
        Warn(outline_, "needs-gpu", node, "",
             fmt::format("{} runs when the file is imported: without a GPU that fails",
                         need->what));
      }
      return true;
    }
    const auto inner = node.Is(Kind::kCall) ? NeedOfCallee(node, 0) : std::nullopt;
    if (!inner)
      return false;
    if (lines_.insert(node.span.line).second) {
      Warn(outline_, "needs-gpu", node, "",
           fmt::format("{}() runs when the file is imported and reaches {} (line {}): without a "
                       "GPU that fails",
                       input_.tree.Text(*node.Child(Field::kFunc)), inner->what,
                       inner->node->span.line));
    }
    return true;
  }

  /// What in this very node needs a GPU.
  std::optional<Need> NeedOf(const Node& node) const {
    if (node.Is(Kind::kAttribute)) {
      const std::string name = TritonName(input_.names, node);
      const bool driver = name.starts_with("triton.runtime.driver.active.") &&
                          !node.parent->Is(Kind::kAttribute);
      return driver ? std::optional(Need{&node, name}) : std::nullopt;
    }
    if (!node.Is(Kind::kCall))
      return std::nullopt;
    if (launches_.contains(&node))
      return Need{&node, "a launch"};
    const std::string name = CalledName(input_.names, node);
    constexpr std::string_view kCuda = "torch.cuda.";
    if (name.starts_with(kCuda) &&
        std::find(std::begin(kCudaFunctions), std::end(kCudaFunctions),
                  std::string_view(name).substr(kCuda.size())) != std::end(kCudaFunctions))
      return Need{&node, name};
    if (name.starts_with("triton.runtime.driver.active."))
      return Need{&node, name};
    return NeedOfTensor(node, name);
  }

  /// torch.empty(..., device="cuda"), x.cuda(), x.to("cuda").
  static std::optional<Need> NeedOfTensor(const Node& node, const std::string& name) {
    const auto is_cuda = [](const Node* value) {
      return value != nullptr && value->IsString() && value->text.starts_with("cuda");
    };
    if (name.starts_with("torch.") && name != "torch.device" &&
        is_cuda(Argument(node, SIZE_MAX, "device")))
      return Need{&node, name + " on a GPU"};
    const Node& callee = *node.Child(Field::kFunc);
    if (!name.empty() || !callee.Is(Kind::kAttribute))
      return std::nullopt;
    if (callee.text == "cuda" || (callee.text == "to" && is_cuda(Argument(node, 0, "device"))))
      return Need{&node, fmt::format(".{}()", callee.text)};
    return std::nullopt;
  }

  /// What a function of the file needs when it is called.
  std::optional<Need> NeedOfCallee(const Node& call, int depth) {
    const Node& callee = *call.Child(Field::kFunc);
    if (depth > kMaxImportDepth || !callee.Is(Kind::kName))
      return std::nullopt;
    for (const Binding* binding : input_.names.BindingsOf(callee)) {
      const Node& function = *binding->node;
      if (!function.Is(Kind::kFunctionDef) || input_.kernels.IsKernelBody(function))
        continue;
      const auto [known, fresh] = needs_.try_emplace(&function);
      if (fresh) {
        std::optional<Need> need;
        for (const Node* statement : function.Children(Field::kBody)) {
          if (!need)
            need = NeedIn(*statement, depth);
        }
        needs_[&function] = need;
      }
      if (needs_[&function])
        return needs_[&function];
    }
    return std::nullopt;
  }

  std::optional<Need> NeedIn(const Node& node, int depth) {
    if (IsGuard(node) || node.Is(Kind::kTry) || node.Is(Kind::kFunctionDef) ||
        node.Is(Kind::kLambda))
      return std::nullopt;
    if (auto need = NeedOf(node))
      return need;
    if (node.Is(Kind::kCall)) {
      if (auto need = NeedOfCallee(node, depth + 1))
        return need;
    }
    for (const Node* child : node.children) {
      if (auto need = NeedIn(*child, depth))
        return need;
    }
    return std::nullopt;
  }

  const WarningInput& input_;
  Outline& outline_;
  std::set<const Node*> launches_;
  std::map<const Node*, std::optional<Need>> needs_;
  std::set<int> lines_;
};

}  // namespace

void WarnOfImport(const WarningInput& input, Outline& outline) {
  ImportReader(input, outline).Read();
}

}  // namespace croq::source
