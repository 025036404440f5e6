#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/config.h"
#include "croq/model/measurement.h"
#include "croq/model/outcome.h"
#include "croq/model/problem.h"
#include "croq/model/runner_messages.h"
#include "croq/model/shape_key.h"

/// How structs become JSON objects and back. One function a struct, `Describe(visitor, value)`,
/// names its fields once; FieldWriter and FieldReader walk it. Only the module's .cc files include
/// this header.
///
/// 64-bit unsigned numbers travel as decimal strings (a JSON reader may keep numbers as doubles);
/// numbers that are not finite travel as "nan", "inf", "-inf".
namespace croq::protocol {

// A value that is not a struct: to JSON, and back with an error that says what was expected.
nlohmann::json ToJson(bool value);
nlohmann::json ToJson(int value);
nlohmann::json ToJson(std::int64_t value);
nlohmann::json ToJson(std::uint64_t value);
nlohmann::json ToJson(std::uint8_t value);
nlohmann::json ToJson(double value);
nlohmann::json ToJson(const std::string& value);
nlohmann::json ToJson(Outcome value);
nlohmann::json ToJson(Regime value);
nlohmann::json ToJson(DuelReference value);
nlohmann::json ToJson(ConstexprValue::Kind value);
nlohmann::json ToJson(const ShapeKey& value);
nlohmann::json ToJson(const Problem& value);
nlohmann::json ToJson(const std::array<std::int64_t, 3>& value);
nlohmann::json ToJson(const std::map<std::string, std::int64_t>& value);
nlohmann::json ToJson(const std::map<std::string, LeverValue>& value);
nlohmann::json ToJson(const Argument& value);
nlohmann::json ToJson(const PlanStep& value);
template <std::same_as<nlohmann::json> T>
nlohmann::json ToJson(const T& value) {
  return value;
}

Status FromJson(const nlohmann::json& json, bool& value);
Status FromJson(const nlohmann::json& json, int& value);
Status FromJson(const nlohmann::json& json, std::int64_t& value);
Status FromJson(const nlohmann::json& json, std::uint64_t& value);
Status FromJson(const nlohmann::json& json, std::uint8_t& value);
Status FromJson(const nlohmann::json& json, double& value);
Status FromJson(const nlohmann::json& json, std::string& value);
Status FromJson(const nlohmann::json& json, Outcome& value);
Status FromJson(const nlohmann::json& json, Regime& value);
Status FromJson(const nlohmann::json& json, DuelReference& value);
Status FromJson(const nlohmann::json& json, ConstexprValue::Kind& value);
Status FromJson(const nlohmann::json& json, ShapeKey& value);
Status FromJson(const nlohmann::json& json, Problem& value);
Status FromJson(const nlohmann::json& json, std::array<std::int64_t, 3>& value);
Status FromJson(const nlohmann::json& json, std::map<std::string, std::int64_t>& value);
Status FromJson(const nlohmann::json& json, std::map<std::string, LeverValue>& value);
Status FromJson(const nlohmann::json& json, Argument& value);
Status FromJson(const nlohmann::json& json, PlanStep& value);
template <std::same_as<nlohmann::json> T>
Status FromJson(const nlohmann::json& json, T& value) {
  value = json;
  return {};
}

/// `expected <what>, found <type>`.
[[nodiscard]] tl::unexpected<Error> Expected(std::string_view what, const nlohmann::json& found);

template <typename T>
nlohmann::json ToJson(const std::vector<T>& values);
template <typename T>
Status FromJson(const nlohmann::json& json, std::vector<T>& values);
template <typename T>
nlohmann::json EncodeFields(const T& value);
template <typename T>
Status DecodeFields(const nlohmann::json& json, T& value);

template <typename T>
concept Scalar = requires(const T& value) {
  ToJson(value);
};

/// Visitor of Describe that fills a JSON object.
class FieldWriter {
 public:
  template <typename T>
  using Ref = const T&;
  static constexpr bool kReads = false;

  template <typename T>
  void operator()(const char* name, const T& value) {
    if constexpr (Scalar<T>) {
      json_[name] = ToJson(value);
    } else {
      json_[name] = EncodeFields(value);
    }
  }

  /// An absent value is written as null.
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) {
      (*this)(name, *value);
    } else {
      json_[name] = nullptr;
    }
  }

  template <typename T>
  void Optional(const char* name, const T& value) {
    (*this)(name, value);
  }

  nlohmann::json Take() { return std::move(json_); }

 private:
  nlohmann::json json_ = nlohmann::json::object();
};

/// Visitor of Describe that reads a JSON object. The first error stays and names the field.
class FieldReader {
 public:
  template <typename T>
  using Ref = T&;
  static constexpr bool kReads = true;

  explicit FieldReader(const nlohmann::json& json) : json_(json) {
    if (!json.is_object())
      status_ = Expected("an object", json);
  }

  /// A field that must be there.
  template <typename T>
  void operator()(const char* name, T& value) {
    if (!status_)
      return;
    const auto found = json_.find(name);
    if (found == json_.end()) {
      status_ = Failure(std::string("field '") + name + "' is missing");
      return;
    }
    Take(name, *found, value);
  }

  /// null or no field at all: no value.
  template <typename T>
  void operator()(const char* name, std::optional<T>& value) {
    value.reset();
    if (!status_)
      return;
    const auto found = json_.find(name);
    if (found == json_.end() || found->is_null())
      return;
    Take(name, *found, value.emplace());
  }

  /// A field whose absence leaves the value as it is.
  template <typename T>
  void Optional(const char* name, T& value) {
    if (status_ && json_.contains(name))
      (*this)(name, value);
  }

  void Fail(const std::string& message) {
    if (status_)
      status_ = Failure(message);
  }

  Status status() const { return status_; }

 private:
  template <typename T>
  void Take(const char* name, const nlohmann::json& json, T& value) {
    Status read;
    if constexpr (Scalar<T>) {
      read = FromJson(json, value);
    } else {
      read = DecodeFields(json, value);
    }
    if (!read)
      status_ = Wrap(read.error(), std::string("field '") + name + "'");
  }

  const nlohmann::json& json_;
  Status status_;
};

template <typename T>
nlohmann::json EncodeFields(const T& value) {
  FieldWriter writer;
  Describe(writer, value);
  return writer.Take();
}

template <typename T>
Status DecodeFields(const nlohmann::json& json, T& value) {
  FieldReader reader(json);
  if (reader.status())
    Describe(reader, value);
  return reader.status();
}

template <typename T>
Result<T> Decode(const nlohmann::json& json) {
  T value;
  CROQ_TRY(DecodeFields(json, value));
  return value;
}

/// EncodeFields with the message's "type".
template <typename T>
nlohmann::json EncodeMessage(const char* type, const T& value) {
  nlohmann::json message = EncodeFields(value);
  message["type"] = type;
  return message;
}

/// Decode where the message's "type" is `type`; an error otherwise.
template <typename T>
Result<T> DecodeMessage(const char* type, const nlohmann::json& message) {
  std::string found;
  FieldReader reader(message);
  reader("type", found);
  CROQ_TRY(reader.status());
  if (found != type) {
    return Failure(std::string("expected a message of type '") + type + "', found '" + found + "'");
  }
  auto value = Decode<T>(message);
  if (!value)
    return Wrap(value.error(), std::string("message '") + type + "'");
  return value;
}

template <typename T>
nlohmann::json ToJson(const std::vector<T>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const T& value : values) {
    if constexpr (Scalar<T>) {
      list.push_back(ToJson(value));
    } else {
      list.push_back(EncodeFields(value));
    }
  }
  return list;
}

template <typename T>
Status FromJson(const nlohmann::json& json, std::vector<T>& values) {
  if (!json.is_array())
    return Expected("a list", json);
  values.clear();
  values.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    T value{};
    Status read;
    if constexpr (Scalar<T>) {
      read = FromJson(json[i], value);
    } else {
      read = DecodeFields(json[i], value);
    }
    if (!read)
      return Wrap(read.error(), std::string("[").append(std::to_string(i)).append("]"));
    values.push_back(std::move(value));
  }
  return {};
}

}  // namespace croq::protocol
