#pragma once

namespace croq::protocol {

// The "type" of each message.
inline constexpr const char* kHelloType = "hello";
inline constexpr const char* kErrorType = "error";
inline constexpr const char* kOpenType = "open";
inline constexpr const char* kPrepareType = "prepare";
inline constexpr const char* kInputsType = "inputs";
inline constexpr const char* kReferencesType = "references";
inline constexpr const char* kTrialType = "trial";
inline constexpr const char* kDuelType = "duel";
inline constexpr const char* kTimeType = "time";
inline constexpr const char* kHeuristicsType = "heuristics";
inline constexpr const char* kOpenReplyType = "open_reply";
inline constexpr const char* kPrepareReplyType = "prepare_reply";
inline constexpr const char* kInputsReplyType = "inputs_reply";
inline constexpr const char* kReferencesReplyType = "references_reply";
inline constexpr const char* kTrialReplyType = "trial_reply";
inline constexpr const char* kDuelReplyType = "duel_reply";
inline constexpr const char* kTimeReplyType = "time_reply";
inline constexpr const char* kHeuristicsReplyType = "heuristics_reply";
inline constexpr const char* kCompileType = "compile";
inline constexpr const char* kCompiledType = "compiled";
inline constexpr const char* kParseType = "parse";
inline constexpr const char* kParsedType = "parsed";
inline constexpr const char* kCaptureType = "capture";
inline constexpr const char* kCapturedType = "captured";
inline constexpr const char* kEvaluateType = "evaluate";
inline constexpr const char* kEvaluatedType = "evaluated";
inline constexpr const char* kReferenceType = "reference";
inline constexpr const char* kReferencedType = "referenced";
inline constexpr const char* kInterpretType = "interpret";
inline constexpr const char* kInterpretedType = "interpreted";

}  // namespace croq::protocol
