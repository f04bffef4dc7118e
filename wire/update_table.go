package wire

// UpdateTableInput is the request of UpdateTable.
type UpdateTableInput struct {
	TableName          string                `json:"TableName"`
	Attributes         []AttributeDefinition `json:"AttributeDefinitions,omitempty"`
	BillingMode        string                `json:"BillingMode,omitempty"`
	Throughput         *Throughput           `json:"ProvisionedThroughput,omitempty"`
	OnDemand           *OnDemandThroughput   `json:"OnDemandThroughput,omitempty"`
	Warm               *WarmUnits            `json:"WarmThroughput,omitempty"`
	Global             []IndexUpdate         `json:"GlobalSecondaryIndexUpdates,omitempty"`
	Stream             *StreamSpecification  `json:"StreamSpecification,omitempty"`
	SSE                *SSESpecification     `json:"SSESpecification,omitempty"`
	Class              string                `json:"TableClass,omitempty"`
	DeletionProtection *bool                 `json:"DeletionProtectionEnabled,omitempty"`
	Unread             []string              `json:"-"` // names of members that are not read
}

// IndexUpdate creates, changes or deletes a global secondary index: one of the three is set in a proper request.
type IndexUpdate struct {
	Create *Index      `json:"Create,omitempty"`
	Update *Index      `json:"Update,omitempty"` // Name and throughput alone
	Delete *IndexNamed `json:"Delete,omitempty"`
}

// IndexNamed names an index.
type IndexNamed struct {
	Name string `json:"IndexName"`

	empty empties
}

// DecodeUpdateTable reads a request. The error is an *Error.
func DecodeUpdateTable(body []byte) (*UpdateTableInput, error) {
	in := new(UpdateTableInput)
	r := read(body)
	var table, mode, alias, class text
	for name := range r.Fields("UpdateTableInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "AttributeDefinitions":
			in.Attributes = r.definitions()
		case "BillingMode":
			mode = r.text()
		case "TableThroughputMode":
			alias = r.text()
		case "ProvisionedThroughput":
			in.Throughput = r.throughput()
		case "OnDemandThroughput":
			in.OnDemand = r.onDemand()
		case "GlobalSecondaryIndexUpdates":
			if r.Null() {
				continue
			}
			in.Global = []IndexUpdate{}
			for range r.Elems() {
				in.Global = append(in.Global, r.indexUpdate())
			}
		case "StreamSpecification":
			in.Stream = r.stream()
		case "SSESpecification":
			in.SSE = r.encryption()
		case "TableClass":
			class = r.text()
		case "DeletionProtectionEnabled":
			in.DeletionProtection = r.boolPointer()
		case "WarmThroughput":
			in.Warm = r.warm()
		case "ReplicaUpdates", "VectorIndexUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode":
			r.later(&in.Unread, name)
		}
	}
	return in, r.finish(func() {
		in.TableName = r.controlTable(table)
		r.checkDefinitions(in.Attributes)
		r.checkThroughput("provisionedThroughput", in.Throughput)
		in.BillingMode = r.enum("tableThroughputMode", alias, wordsBillingMode)
		if mode.set {
			in.BillingMode = r.enum("billingMode", mode, wordsBillingMode)
		}
		in.Class = r.enum("tableClass", class, wordsTableClass)
		r.checkStream(in.Stream)
		r.checkEncryption(in.SSE)
		for i, u := range in.Global {
			path := "globalSecondaryIndexUpdates." + member(i)
			if x := u.Create; x != nil {
				r.checkIndex(path+".create", x)
			}
			if x := u.Update; x != nil {
				r.indexName(path+".update", x.Name, x.empty)
				r.checkThroughput(path+".update.provisionedThroughput", x.Throughput)
			}
			if x := u.Delete; x != nil {
				r.indexName(path+".delete", x.Name, x.empty)
			}
		}
	})
}

func (r *request) indexUpdate() (u IndexUpdate) {
	for name := range r.Fields("GlobalSecondaryIndexUpdate") {
		if r.Null() {
			continue
		}
		switch string(name) {
		case "Create":
			x := r.indexDefinition("CreateGlobalSecondaryIndexAction")
			u.Create = &x
		case "Update":
			x := r.indexDefinition("UpdateGlobalSecondaryIndexAction")
			u.Update = &x
		case "Delete":
			x := r.indexDefinition("DeleteGlobalSecondaryIndexAction")
			u.Delete = &IndexNamed{x.Name, x.empty}
		}
	}
	return u
}

// later notes the name of a member that is not read, unless it is an empty list.
func (r *request) later(names *[]string, name []byte) {
	n := string(name)
	if raw := r.Raw(); raw != nil && string(raw) != "[]" && string(raw) != "null" {
		*names = append(*names, n)
	}
}

// Append appends the request's JSON to dst.
func (in *UpdateTableInput) Append(dst []byte) []byte { return appendJSON(dst, in) }
