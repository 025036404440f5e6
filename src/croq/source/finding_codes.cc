#include "croq/source/finding.h"

namespace croq::source {
namespace {

// One line a code: a finding is named, explained and documented from here (docs/purity.md).
constexpr CodeFacts kCodes[] = {
    {"E001", "file that croq does not read",
     "Save it as plain UTF-8 of at most 256 KB that python3 parses, with names in ASCII."},
    // Compute that is not a kernel's.
    {"E101", "matrix product by operator", "Do the product in a @triton.jit kernel with tl.dot."},
    {"E102", "torch computes", "Do it in a @triton.jit kernel; torch may only make memory."},
    {"E103", "method of a tensor computes",
     "Do it in a @triton.jit kernel; shapes, strides and views are what a launcher needs."},
    {"E104", "arithmetic on a tensor by operator",
     "Do it in a @triton.jit kernel; compute with sizes, not with tensors."},
    {"E105", "torch below its interface", "Do the work in a @triton.jit kernel."},
    {"E106", "another compiler does the work", "Do the work in a @triton.jit kernel."},
    {"E107", "another package's kernel", "Write the kernel in this file."},
    {"E108", "call that is on no list",
     "Leave it out, or move it to code that the launcher does not reach."},
    {"E109", "method that is on no list",
     "Leave it out, or move it to code that the launcher does not reach."},
    {"E110", "call that can't be followed", "Call a function of this file by its name."},
    {"E111", "launcher reads a tensor's values",
     "Decide by shapes, strides and types; leave values to the kernel."},
    {"E112", "random numbers", "Make inputs in verify() and bench(), never in the launcher."},
    {"E113", "no kernel is launched", "Launch a @triton.jit kernel of this file: kernel[grid](...)."},
    {"E114", "returns what no kernel wrote", "Return a tensor that was given to a kernel."},
    {"E115", "the launched kernels store nothing", "Store the result with tl.store or an atomic."},
    {"E116", "fallback in the launcher",
     "Let errors through; croq stores a failing candidate as an attempt."},
    // Launches.
    {"E201", "autotune", "Write one configuration into the launch; croq searches."},
    {"E202", "launch keyword", "Pass the kernel's parameters and num_warps, num_stages, num_ctas or "
                               "maxnreg only."},
    {"E203", "a kernel's code from elsewhere", "Leave it out: the kernel is what its source says."},
    {"E204", "launch keywords that can't be read",
     "Write the keywords out, or expand a literal dict of this file."},
    {"E205", "search by hand", "Launch one fixed configuration; croq searches."},
    {"E206", "hook", "Leave the hook out; do what it did in the launcher or in the kernel."},
    {"E207", "launch of what is no kernel of this file",
     "Define the kernel in this file with @triton.jit and launch it by its name."},
    {"E208", "Triton's own machinery", "Launch with kernel[grid](...); leave the rest to Triton."},
    // State that could replay an old answer.
    {"E301", "global variable written", "Keep results in local variables and return them."},
    {"E302", "cached result", "Compute each call's result anew."},
    {"E303", "default that is no plain constant",
     "Default to None or a number, and make the value inside."},
    {"E304", "attribute as memory", "Keep values in local variables."},
    {"E305", "write into what outlives the call", "Make the container inside the call."},
    {"E306", "launcher reads state that may change",
     "Make it a constant of the module, or compute it in each call."},
    {"E307", "tensor known by its identity", "Decide by shapes, strides and types."},
    {"E308", "class with behaviour of its own",
     "Use plain values, a NamedTuple or a dataclass without special methods."},
    {"E309", "generator or coroutine", "Write a plain function."},
    // Python that hides what it does.
    {"E401", "name made while the program runs", "Write the name out."},
    {"E402", "code made while the program runs", "Write the code out."},
    {"E403", "module by name or from elsewhere", "Import it by an import statement."},
    {"E404", "star import", "Import the names that are used."},
    {"E405", "attribute of Python's own machinery", "Write the operation out."},
    {"E406", "look at the stack", "Take what is needed as a parameter."},
    {"E407", "look at the heap", "Take what is needed as a parameter."},
    {"E408", "native code", "Do the work in a @triton.jit kernel."},
    {"E409", "data from a file", "Compute the result from the inputs."},
    {"E410", "module as a value", "Name the function that is meant."},
    {"E411", "code of another file", "Put what the launcher and the kernels need into this file."},
    // The process, its clock and its streams.
    {"E501", "patched object", "Leave other people's objects as they are."},
    {"E502", "stream", "Launch on the current stream."},
    {"E503", "graph", "Launch the kernel; croq decides how launches are timed."},
    {"E504", "thread, process or task", "Do the work in the launcher itself."},
    {"E505", "environment written", "Leave the environment alone; croq sets what is needed."},
    {"E506", "file, network or command", "Leave it out: a kernel needs none."},
    {"E507", "way out of the process", "Return, or raise an error."},
    {"E508", "output", "Print in verify() and bench() only."},
    {"E509", "clock", "Time in bench() only; croq measures the launcher."},
    {"E510", "setting of the process", "Pass what is needed to the kernel as an argument."},
    {"E511", "look at who is calling", "Do the same for every caller."},
    // Kernels.
    {"E601", "Python in a kernel",
     "Use triton.language, parameters, constants and other @triton.jit functions."},
    {"E602", "callable given to a kernel's decorator",
     "Leave it out, or name a plain function of this file."},
    {"E603", "default of a kernel's parameter", "Default to a constant."},
    {"E604", "annotation that runs code", "Annotate with a name, such as tl.constexpr."},
    {"E605", "statement in a kernel", "Move it out of the kernel."},
    {"E606", "decorator", "Use @triton.jit and @triton.heuristics only."},
    {"E607", "device code that is no Triton", "Write it with triton.language."},
    // What runs when the file is imported.
    {"E701", "code that runs at import", "Move it into verify(), bench() or main."},
    {"E702", "compute at import", "Compute inside the launcher's kernels, from the inputs."},
    {"E703", "statement at module level", "Move it into a function."},
    {"E704", "large literal", "Compute the values, or pass them as an input."},
    // Suspicions.
    {"S101", "change of type", "Take inputs in the type that the problem states."},
    {"S102", "address of a tensor", "Pass the tensor itself to the kernel."},
    {"S103", "memory that outlives the call", "Allocate it in each call."},
    {"S104", "import of code that croq does not see", "Import it in the function that uses it."},
    {"S105", "setting of the process at import", "Set it in verify() and bench()."},
    {"S106", "callable given to a kernel's decorator", "Leave it out where no profiler needs it."},
    {"S108", "inline assembly that touches memory", "Use tl.load, tl.store and tl.atomic_*."},
    {"S109", "pointer made of an integer", "Take the pointer as a parameter."},
    {"S110", "cached helper", "Compute the value in each call, or keep it in a constant."},
    {"S111", "copy between tensors", "Let the kernel read and write the tensors themselves."},
    // Notes.
    {"N101", "copy of a tensor", "It is timed with the kernel."},
    {"N102", "memory is cleared or filled", "It is timed with the kernel."},
    {"N103", "precision of a product", "Keep to the precision of the problem's type."},
    {"N105", "no launcher", "Name one with --entry, or in the file's CROQ table."},
    {"N106", "environment read at import", "Keep constants in the file."},
};

}  // namespace

std::span<const CodeFacts> FindingCodes() {
  return kCodes;
}

}  // namespace croq::source
