package engine

import (
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// What the service has and this engine does not have yet. It is refused by name: a request that asks for it is no mistake.

// laterOperations are operations by what they belong to.
var laterOperations = map[string]string{
	"CreateBackup":                  "backups",
	"DeleteBackup":                  "backups",
	"DescribeBackup":                "backups",
	"ListBackups":                   "backups",
	"RestoreTableFromBackup":        "restoring backups",
	"RestoreTableToPointInTime":     "restoring to a point in time",
	"ExportTableToPointInTime":      "exports",
	"DescribeExport":                "exports",
	"ListExports":                   "exports",
	"ImportTable":                   "imports",
	"DescribeImport":                "imports",
	"ListImports":                   "imports",
	"StartBulkPutItems":             "bulk puts",
	"DescribeBulkOperation":         "bulk puts",
	"ListBulkOperations":            "bulk puts",
	"CancelBulkOperation":           "bulk puts",
	"CreateGlobalTable":             "global tables",
	"DescribeGlobalTable":           "global tables",
	"DescribeGlobalTableSettings":   "global tables",
	"ListGlobalTables":              "global tables",
	"UpdateGlobalTable":             "global tables",
	"UpdateGlobalTableSettings":     "global tables",
	"UpdateTableReplicaAutoScaling": "global tables",
	"SearchVectors":                 "vector indexes",
}

// laterMembers are members of CreateTable and UpdateTable by what they belong to.
var laterMembers = map[string]string{
	"GlobalTableSettingsReplicationMode": "global tables",
	"GlobalTableSourceArn":               "global tables",
	"GlobalTableWitnessUpdates":          "global tables",
	"MultiRegionConsistency":             "global tables",
	"ReplicaUpdates":                     "global tables",
	"VectorIndexUpdates":                 "vector indexes",
	"VectorIndexes":                      "vector indexes",
}

// notYet is the answer to an operation that the engine does not have: its code is the service's for operations that it does
// not know, so that clients that look for it go on without.
func notYet(operation string) *wire.Error {
	feature := laterOperations[operation]
	if feature == "" {
		return &wire.Error{Code: wire.CodeUnknownOperation}
	}
	return wire.NewError(wire.CodeUnknownOperation, "Not supported by this engine yet: "+feature+" ("+operation+")")
}

// unsupported is the answer to members that the engine does not have.
func unsupported(members []string) *wire.Error {
	named := make([]string, len(members))
	for i, m := range members {
		named[i] = laterMembers[m] + " (" + m + ")"
	}
	return wire.Invalid("Not supported by this engine yet: " + strings.Join(named, ", "))
}
