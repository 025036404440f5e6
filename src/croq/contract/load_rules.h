#pragma once

#include "croq/contract/contract.h"
#include "croq/contract/table_reader.h"

/// The parts of a contract file that are lists of rules. `file` is the whole file's reader;
/// mistakes go where it notes them.
namespace croq::contract {

void ReadPurity(TableReader& file, Contract& contract);
void ReadClassify(TableReader& file, Contract& contract);
void ReadLevers(TableReader& file, Contract& contract);
/// After ReadLevers: ideas name levers.
void ReadIdeas(TableReader& file, Contract& contract);
void ReadReadings(TableReader& file, Contract& contract);

}  // namespace croq::contract
