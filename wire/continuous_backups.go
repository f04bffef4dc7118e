package wire

// UpdateContinuousBackupsInput is the request of UpdateContinuousBackups.
type UpdateContinuousBackupsInput struct {
	TableName string      `json:"TableName"`
	Recovery  PointInTime `json:"PointInTimeRecoverySpecification"`
}

// PointInTime says whether a table can be restored to a point in time, and to how many days ago at most.
type PointInTime struct {
	Enabled bool `json:"PointInTimeRecoveryEnabled"`
	Days    *int `json:"RecoveryPeriodInDays,omitempty"` // 1 to LongestRecovery; nil: that
}

// LongestRecovery is the longest recovery period in days, and the default (API_PointInTimeRecoverySpecification).
const LongestRecovery = 35

// DecodeUpdateContinuousBackups reads a request. The error is an *Error.
func DecodeUpdateContinuousBackups(body []byte) (*UpdateContinuousBackupsInput, error) {
	in := new(UpdateContinuousBackupsInput)
	r := read(body)
	var table text
	var enabled *bool
	var specification bool
	for name := range r.Fields("UpdateContinuousBackupsInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "PointInTimeRecoverySpecification":
			if r.Null() {
				continue
			}
			specification = true
			for name := range r.Fields("PointInTimeRecoverySpecification") {
				switch string(name) {
				case "PointInTimeRecoveryEnabled":
					enabled = r.boolPointer()
				case "RecoveryPeriodInDays":
					in.Recovery.Days = r.intPointer()
				}
			}
		}
	}
	return in, r.finish(func() {
		in.TableName = r.controlTable(table)
		const path = "pointInTimeRecoverySpecification"
		r.require(path, specification)
		if specification {
			r.require(path+".pointInTimeRecoveryEnabled", enabled != nil)
			r.within(path+".recoveryPeriodInDays", in.Recovery.Days, 1, LongestRecovery)
		}
		in.Recovery.Enabled = enabled != nil && *enabled
	})
}

// Append appends the request's JSON to dst.
func (in *UpdateContinuousBackupsInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ContinuousBackupsOutput is the answer of UpdateContinuousBackups and DescribeContinuousBackups, whose request is a
// NamedTable.
type ContinuousBackupsOutput struct {
	Description ContinuousBackups `json:"ContinuousBackupsDescription"`
}

// ContinuousBackups tells whether a table has continuous backups, which all have, and what it can be restored to.
type ContinuousBackups struct {
	Status   string                 `json:"ContinuousBackupsStatus"`
	Recovery PointInTimeDescription `json:"PointInTimeRecoveryDescription"`
}

// PointInTimeDescription tells the times that a table can be restored to, in seconds since 1970; the status alone where it
// cannot.
type PointInTimeDescription struct {
	Status   string  `json:"PointInTimeRecoveryStatus"` // "ENABLED", "DISABLED"
	Days     int     `json:"RecoveryPeriodInDays,omitempty"`
	Earliest float64 `json:"EarliestRestorableDateTime,omitempty"`
	Latest   float64 `json:"LatestRestorableDateTime,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *ContinuousBackupsOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }
