#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "croq/base/base64.h"
#include "unit/purity/corpus.h"

/// Honest files with an evasion put in are rejected, whatever the file; edits that change nothing
/// change no verdict; nothing crashes the rules.
namespace croq::source {
namespace {

using croq::testing::Check;
using croq::testing::CorpusFile;
using croq::testing::Has;
using croq::testing::Parsed;
using croq::testing::ParsedReply;
using croq::testing::ReadCorpus;
using croq::testing::Text;
using croq::testing::TritonContract;

struct Evasion {
  const char* code;
  const char* text;  ///< statements, each on a line
};

// Put where the launcher's body begins.
constexpr Evasion kHot[] = {
    {"E101", "torch.ones(2, 2) @ torch.ones(2, 2)"},
    {"E101", "x_ = torch.ones(2, 2)\nx_ @= x_"},
    {"E101", "(lambda p, q: p @ q)(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E101", "assert f'{torch.ones(2, 2) @ torch.ones(2, 2)}'"},
    {"E102", "torch.nn.functional.linear(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E102", "from torch import mm as quick\nquick(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E102", "(torch.mm if True else torch.bmm)(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E102", "[each(torch.ones(2, 2)) for each in (torch.exp,)]"},
    {"E102", "t_ = torch\nt_.mm(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E103", "torch.ones(2, 2).matmul(torch.ones(2, 2))"},
    {"E104", "torch.ones(2, 2) + torch.ones(2, 2)"},
    {"E104", "x_ = torch.empty(4)\nx_ *= 2"},
    {"E105", "torch.ops.aten.mm(torch.ones(2, 2), torch.ones(2, 2))"},
    {"E106", "torch.compile(len)"},
    {"E108", "torch.cuda.ipc_collect()"},
    {"E110", "[len][0]()()"},
    {"E111", "torch.ones(2)[0].item()"},
    {"E112", "torch.manual_seed(0)"},
    {"E116", "try:\n    pass\nexcept Exception:\n    pass"},
    {"E201", "triton.autotune"},
    {"E208", "triton.compile('k.ptx')"},
    {"E301", "global last_\nlast_ = 1"},
    {"E307", "id(torch)"},
    {"E308", "class Lazy_:\n    pass"},
    {"E309", "yield"},
    {"E401", "getattr(torch, 'm' + 'm')"},
    {"E401", "vars(torch)['mm']"},
    {"E401", "globals()['answer'] = 1"},
    {"E402", "exec('pass')"},
    {"E403", "__import__('torch')"},
    {"E405", "torch.ones(2).__matmul__(torch.ones(2))"},
    {"E406", "import sys\nsys._getframe(1)"},
    {"E410", "print_ = (torch, 1)"},
    {"E411", "import helper_of_mine"},
    {"E501", "torch.cuda.synchronize = len"},
    {"E502", "torch.cuda.Stream()"},
    {"E503", "torch.cuda.CUDAGraph()"},
    {"E504", "import threading as th_\nth_.Thread(target=len)"},
    {"E505", "import os\nos.environ['TRITON_KERNEL_OVERRIDE'] = '1'"},
    {"E506", "open('/dev/shm/answer')"},
    {"E508", "print('VERIFY: PASS')"},
    {"E509", "import time\ntime.time()"},
    {"E510", "torch.backends.cuda.matmul.allow_tf32 = True"},
    {"E511", "import sys\nsys.argv"},
};

// Put at the end of the file.
constexpr Evasion kModule[] = {
    {"E201", "other_ = triton.autotune([], [])(len)"},
    {"E206", "import triton.knobs as knobs_\nknobs_.runtime.launch_enter_hook = len"},
    {"E402", "exec('pass')"},
    {"E403", "import sys\nsys.modules['torch'] = None"},
    {"E404", "from torch import *"},
    {"E408", "import ctypes\nctypes.CDLL('libcublas.so')"},
    {"E501", "torch.cuda.Event.elapsed_time = len"},
    {"E501", "setattr(torch, 'matmul', len)"},
    {"E505", "import os\nos.environ.update(TRITON_CACHE_DIR='x')"},
    {"E506", "import subprocess as run_\nrun_.run(['true'])"},
    {"E507", "import atexit\natexit.register(len)"},
    {"E508", "print('TFLOPS: 900.00   time_ms: 0.02')"},
    {"E702", "ANSWER_ = torch.ones(2, 2) @ torch.ones(2, 2)"},
    {"E703", "while True:\n    break"},
    {"E507", "def late_():\n    import os\n    os._exit(0)"},
};

// Put where a kernel's body begins.
constexpr Evasion kJit[] = {
    {"E601", "torch.cuda.synchronize()"},
    {"E601", "exec('pass')"},
    {"E601", "(torch.mm)(1, 2)"},
    {"E605", "import torch"},
    {"E605", "global answer_"},
    {"E607", "tl.extra.extern_elementwise('', '', [], {}, is_pure=True)"},
};

/// Every seventh of the pairs, so that the tests stay short: each evasion meets files of every sort.
class Turn {
 public:
  bool Mine() { return ++count_ % 7 == 0; }

 private:
  int count_ = 0;
};

/// The text with statements put before a node, at its indentation.
std::string InsertedBefore(const SyntaxTree& tree, const Node& statement, const char* text) {
  std::string lines;
  const std::string indent(static_cast<std::size_t>(statement.span.column), ' ');
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines += indent + line + "\n";
  std::string bytes = tree.bytes();
  return bytes.insert(tree.Offset(statement.span.line, 0), lines);
}

/// The first statements of the launchers' bodies, or of the kernels'.
std::vector<const Node*> Bodies(const SyntaxTree& tree, bool kernels) {
  const Names names(tree);
  std::vector<const Node*> found;
  Walk(tree.root(), [&](const Node& node) {
    if (!node.Is(Kind::kFunctionDef))
      return true;
    const auto decorators = node.Children(Field::kDecorators);
    const bool jit = std::ranges::any_of(decorators, [&](const Node* decorator) {
      return names.Resolve(*decorator) == "triton.jit";
    });
    bool launches = false;
    Walk(node, [&](const Node& inner) {
      const Node* callee = inner.Is(Kind::kCall) ? inner.Child(Field::kFunc) : nullptr;
      launches = launches || (callee != nullptr && callee->Is(Kind::kSubscript) &&
                              callee->Child(Field::kSlice)->field == Field::kSlice);
      return true;
    });
    const Node* body = node.Child(Field::kBody);
    if (body->span.line > node.span.line && (kernels ? jit : launches && !jit))
      found.push_back(body);
    return true;
  });
  return found;
}

void ExpectRejected(const CorpusFile& file, const std::string& bytes, const Evasion& evasion) {
  const PurityReport report = Check(bytes, file.options);
  EXPECT_FALSE(report.accepted()) << evasion.text << "\n" << bytes;
  EXPECT_TRUE(Has(report, evasion.code)) << evasion.code << "\n" << evasion.text << Text(report);
}

std::vector<CorpusFile> HonestKernels() {
  std::vector<CorpusFile> files = ReadCorpus("honest");
  std::erase_if(files, [](const CorpusFile& file) { return file.options.iteration == 0; });
  return files;
}

TEST(Mutation, AnEvasionInAnyLauncherIsFound) {
  Turn turn;
  for (const CorpusFile& file : HonestKernels()) {
    SCOPED_TRACE(file.name);
    const SyntaxTree tree = Parsed(file.bytes);
    const std::vector<const Node*> bodies = Bodies(tree, false);
    ASSERT_FALSE(bodies.empty());
    for (const Evasion& evasion : kHot) {
      if (turn.Mine())
        ExpectRejected(file, InsertedBefore(tree, *bodies.back(), evasion.text), evasion);
    }
  }
}

TEST(Mutation, AnEvasionInAnyKernelIsFound) {
  Turn turn;
  for (const CorpusFile& file : HonestKernels()) {
    SCOPED_TRACE(file.name);
    const SyntaxTree tree = Parsed(file.bytes);
    for (const Node* body : Bodies(tree, true)) {
      for (const Evasion& evasion : kJit) {
        if (turn.Mine())
          ExpectRejected(file, InsertedBefore(tree, *body, evasion.text), evasion);
      }
    }
  }
}

TEST(Mutation, AnEvasionAtModuleLevelIsFound) {
  Turn turn;
  for (const CorpusFile& file : HonestKernels()) {
    SCOPED_TRACE(file.name);
    for (const Evasion& evasion : kModule) {
      if (turn.Mine())
        ExpectRejected(file, file.bytes + "\n\n" + evasion.text + "\n", evasion);
    }
  }
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::set<std::string> CodesOf(const PurityReport& report) {
  std::set<std::string> codes;
  for (const Finding& finding : report.findings) codes.insert(finding.code);
  return codes;
}

/// Edits after which the file does what it did before.
std::vector<std::string> SameMeaning(const std::string& bytes) {
  std::vector<std::string> edited{
      bytes + "\n# exec('a @ b'); torch.matmul(a, b)\n",
      bytes + "\n\"\"\"torch.mm(a, b), os._exit(0)\"\"\"\n",
      bytes + "\n\ndef never_called(n):\n    return n + 1\n",
      Replaced(bytes, "\n", "\r\n"),
      Replaced(bytes, "    ", "\t"),
      Replaced(bytes, "\nimport torch\nimport triton\n",
               "\nimport torch\nTORCH_NAME = 'torch.mm'\nimport triton\n"),
  };
  if (bytes.find("import *") == std::string::npos) {
    edited.push_back(Replaced(Replaced(bytes, "triton.language as tl\n", "triton.language as lang\n"),
                              "tl.", "lang."));
  }
  return edited;
}

TEST(Mutation, EditsThatChangeNothingKeepTheVerdict) {
  Turn turn;
  for (const char* folder : {"honest", "evasions"}) {
    for (const CorpusFile& file : ReadCorpus(folder)) {
      SCOPED_TRACE(file.name);
      const PurityReport before = Check(file.bytes, file.options);
      for (const std::string& bytes : SameMeaning(file.bytes)) {
        if (!turn.Mine())
          continue;
        const PurityReport after = Check(bytes, file.options);
        EXPECT_EQ(CodesOf(after), CodesOf(before)) << Text(before) << "\n" << Text(after) << bytes;
      }
    }
  }
}

RC_GTEST_PROP(Mutation, BytesAnywhereCrashNothing, ()) {
  static const std::vector<CorpusFile> files = [] {
    std::vector<CorpusFile> all = ReadCorpus("evasions");
    for (CorpusFile& file : ReadCorpus("honest")) all.push_back(std::move(file));
    return all;
  }();
  const CorpusFile file = *rc::gen::elementOf(files);
  std::string bytes = file.bytes;
  const auto edits = *rc::gen::inRange(1, 6);
  for (int edit = 0; edit < edits; ++edit) {
    const auto place = [&](int end) { return static_cast<std::size_t>(*rc::gen::inRange(0, end)); };
    const int size = static_cast<int>(bytes.size());
    const std::string piece = bytes.substr(place(size), place(40));
    bytes.replace(place(size), place(20), piece);
  }
  Check(bytes);
}

/// Trees that no Python makes: nodes left out, their classes and fields exchanged.
RC_GTEST_PROP(Mutation, OddTreesCrashNothing, ()) {
  static const std::vector<CorpusFile> files = ReadCorpus("honest");
  static std::map<std::string, std::string> replies;
  const CorpusFile file = *rc::gen::elementOf(files);
  std::string& reply = replies[file.name];
  if (reply.empty())
    reply = ParsedReply(file.bytes);
  auto tree = nlohmann::json::parse(reply).at("tree");
  std::string nodes = DecodeBase64(tree["nodes"].get<std::string>()).value();
  constexpr int kRecordBytes = 28;
  const int records = static_cast<int>(nodes.size()) / kRecordBytes;
  const auto edits = *rc::gen::inRange(1, 8);
  for (int edit = 0; edit < edits; ++edit) {
    const auto one = static_cast<std::size_t>(*rc::gen::inRange(0, records)) * kRecordBytes;
    const auto other = static_cast<std::size_t>(*rc::gen::inRange(0, records)) * kRecordBytes;
    const auto byte = static_cast<std::size_t>(*rc::gen::inRange(0, 4));
    nodes[one + byte] = nodes[other + byte];  // class, field, depth or context
  }
  tree["nodes"] = EncodeBase64(nodes);
  const auto loaded = SyntaxTree::Load(tree, file.bytes, "x.py");
  if (!loaded)
    return;
  CheckPurity(*loaded, Names(*loaded), TritonContract(), {});
}

}  // namespace
}  // namespace croq::source
