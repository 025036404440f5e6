#include "croq/cli/profile_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "croq/backend/script_host.h"
#include "croq/base/files.h"
#include "croq/cli/doctor_checks.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"
#include "croq/cli/source_file.h"
#include "croq/contract/scripts.h"
#include "croq/model/config.h"
#include "croq/profile/floor.h"
#include "croq/source/outline.h"

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// The kernels that the file launches, in the order of its launches.
std::vector<std::string> LaunchedKernels(const source::Outline& outline) {
  std::vector<std::string> names;
  for (const source::LaunchSite& site : outline.launch_sites) {
    for (const source::KernelInfo* kernel : site.kernels) {
      if (std::ranges::find(names, kernel->name) == names.end())
        names.push_back(kernel->name);
    }
  }
  return names;
}

Result<std::vector<std::string>> ReadKernels(const ProfileSubject& subject, const fs::path& source,
                                             const std::string& dsl) {
  CROQ_ASSIGN(SourceFiles files, SourceFiles::Open(dsl));
  CROQ_ASSIGN(const source::SyntaxTree tree, files.Read(source));
  const source::Names names(tree);
  const source::Outline outline = source::MakeOutline(tree, names);
  for (const source::KernelInfo& kernel : outline.kernels) {
    if (kernel.autotune == nullptr)
      continue;
    const source::Node* call = kernel.autotune->call;
    return UsageFailure(fmt::format(
        "{}: {} is autotuned, so that each of its configurations would run under the profiler; pin "
        "one first (croq pin): {}",
        source::PlaceOf(tree, call != nullptr ? *call : *kernel.definition), kernel.name,
        subject.contract.profile.pin));
  }
  return LaunchedKernels(outline);
}

double Number(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

int CapabilityOf(const std::string& gpu_key) {
  int capability = 0;
  if (gpu_key.starts_with("sm"))
    std::from_chars(gpu_key.data() + 2, gpu_key.data() + gpu_key.size(), capability);
  return capability;
}

}  // namespace

Status ReadSession(const journal::Queries& read, ProfileSubject& subject) {
  const auto fact = [&](const char* key) {
    const auto text = read.FactText(key);
    return text && *text ? json::parse(**text, nullptr, false) : json();
  };
  CROQ_ASSIGN(subject.shape, ParseAnyShapeKey(subject.paths.shape_key));
  if (subject.shape.op == Operator::kBrought) {
    const json file = fact("file");
    subject.shape.stated_flops = Number(file, "flops");
    subject.shape.stated_bytes = Number(file, "bytes");
  }
  profile::Ceilings& ceilings = subject.ceilings;
  const json bars = fact("bars");
  const double matmul = std::max(Number(bars, "cublas_tflops_cold"),
                                 Number(bars, "cublas_lt_best_tflops_cold"));
  if (matmul > 0)
    ceilings.matmul_tflops = matmul;
  if (const json copy = fact("copy_gbps"); copy.is_number() && copy.get<double>() > 0)
    ceilings.copy_gb_per_s = copy.get<double>();
  if (subject.shape.Flops() > 0)
    ceilings.operations = subject.shape.Flops();
  return {};
}

std::optional<double> WallMillis(const ProfileSubject& subject) {
  constexpr double kFlopsPerTflopsMs = 1e9;
  const double flops = subject.shape.Flops();
  if (flops <= 0 || subject.iteration.script_tflops <= 0)
    return std::nullopt;
  return flops / subject.iteration.script_tflops / kFlopsPerTflopsMs;
}

Result<backend::ProfileOutcome> ProfileScript(const ProfileSubject& subject,
                                              const ProfileArguments& arguments) {
  const int number = subject.iteration.number;
  const SessionPaths& paths = subject.paths;
  const fs::path source = paths.Source(subject.iteration.Name());
  CROQ_ASSIGN(const std::vector<std::string> kernels, ReadKernels(subject, source, arguments.dsl));
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const PythonChoice python, LocatePython(layout, subject.contract.environment));
  CROQ_ASSIGN(
      const fs::path folder,
      PythonFolder(python.path, subject.contract.environment.interpreter, paths.Work() / "bin"));
  contract::ScriptContext context{paths, number, subject.iteration.tag, {folder}, ""};
  if (const fs::path ncu = FindProfiler(subject.contract.profile.tool); !ncu.empty())
    context.path_folders.push_back(ncu.parent_path());
  // A plan launches the first of several; the others (a reduction after it) are small.
  const std::vector<std::string> first(kernels.begin(),
                                       kernels.begin() + (kernels.empty() ? 0 : 1));
  if (!first.empty())
    context.kernel_filter = contract::KernelFilter(first);
  CROQ_ASSIGN(const contract::RenderedScripts scripts,
              contract::RenderScripts(subject.contract, context));
  CROQ_TRY(MakeDirectories(paths.Commands()));
  CROQ_TRY(MakeDirectories(paths.Performance()));
  CROQ_TRY(WriteFileAtomic(paths.ProfileScript(number), scripts.profile, true));
  backend::ScriptHostOptions host_options;
  host_options.supervisor = layout.supervisor;
  host_options.directory = paths.out;
  backend::SupervisedScriptHost host(std::move(host_options));
  backend::NcuProfiler profiler(host, subject.contract);
  backend::ProfileRequest request;
  request.script = paths.ProfileScript(number);
  request.files = backend::ProfileFilesOf(paths, number);
  request.kernels = first;
  request.wall_ms = WallMillis(subject);
  request.ceilings = subject.ceilings;
  return profiler.Profile(request, arguments.deadline_seconds);
}

Result<profile::KernelProfile> ProfileStatically(const ProfileSubject& subject) {
  const Iteration& iteration = subject.iteration;
  if (iteration.KernelMillis() <= 0) {
    return UsageFailure(fmt::format("{} has no verdict: no time of it was measured or predicted",
                                    iteration.Name()));
  }
  CROQ_ASSIGN(DeviceFacts device, OfflineDevice(CapabilityOf(subject.paths.gpu_key)));
  if (subject.ceilings.copy_gb_per_s)
    device.memory_gb_per_s = *subject.ceilings.copy_gb_per_s;
  // iter000 has no configuration of croq's.
  const Config config = ParseConfig(iteration.config).value_or(Config());
  const profile::BaseFacts facts{subject.shape,
                                 device,
                                 config,
                                 iteration.build,
                                 iteration.KernelMillis(),
                                 profile::FloorMillis(device, subject.shape, 0)};
  return profile::StaticProfile(facts, iteration.predicted);
}

}  // namespace croq::cli
