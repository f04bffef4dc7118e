package engine

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Contributor insights are described as they were asked for; nothing is counted.

// insights are those of a table or, if Index says which, of a global index. Changed is in nanoseconds since 1970.
type insights struct {
	Index   string `json:",omitempty"`
	Enabled bool
	Mode    string
	Changed int64
	State   state
}

const modeAll, modeThrottled = "ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"

// observed finds the table of a request, and checks that it has the index.
func (e *session) observed(in *wire.InsightsInput) (*table, error) {
	t, err := e.settled(in.TableName)
	if err != nil {
		return nil, err
	}
	if in.IndexName != "" {
		if x := t.index(in.IndexName); x == nil || x.kind != globalIndex || t.def.index(x.name).State.at(e.nanoseconds()) == creating {
			return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Index: "+in.IndexName+" not found for table: "+t.name)
		}
	}
	return t, nil
}

// insightsOf are those of a table or index; the zero ones if nothing was ever asked for.
func (def *definition) insightsOf(index string) insights {
	for _, x := range def.Insights {
		if x.Index == index {
			return x
		}
	}
	return insights{Index: index}
}

func (e *session) updateContributorInsights(body []byte) ([]byte, error) {
	in, err := wire.DecodeInsights(body, "UpdateContributorInsightsInput")
	if err != nil {
		return nil, err
	}
	var out wire.Insights
	err = e.define(e.id(e.nameOf(in.TableName)), func(kv.Writer) (*definition, error) {
		t, err := e.observed(in)
		if err != nil {
			return nil, err
		}
		def := *t.def
		def.Insights = slices.Clone(def.Insights)
		is := def.insightsOf(in.IndexName)
		if in.IndexName != "" && in.Action == "ENABLE" && t.index(in.IndexName).filling {
			return nil, wire.Invalid("Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to enable ContributorInsights.")
		}
		to := is
		to.Enabled = in.Action == "ENABLE"
		if to.Enabled {
			to.Mode = cmp.Or(in.Mode, modeAll)
		}
		if to.Enabled != is.Enabled || to.Mode != is.Mode { // else it is so already, and told as it is (captured on AWS, 2026-10)
			to.Changed, to.State = e.now().UnixNano(), e.entering(disabling)
			if to.Enabled {
				to.State.Name = enabling
			}
			def.Insights = slices.DeleteFunc(def.Insights, func(x insights) bool { return x.Index == in.IndexName })
			def.Insights = append(def.Insights, to)
		}
		out = e.describeInsights(t, to)
		out.Rules, out.Updated = nil, 0
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

func (e *session) describeContributorInsights(body []byte) ([]byte, error) {
	in, err := wire.DecodeInsights(body, "DescribeContributorInsightsInput")
	if err != nil {
		return nil, err
	}
	t, err := e.observed(in)
	if err != nil {
		return nil, err
	}
	out := e.describeInsights(t, t.def.insightsOf(in.IndexName))
	return out.Append(nil), nil
}

// describeInsights tells them as they are now.
func (e *session) describeInsights(t *table, x insights) wire.Insights {
	d := wire.Insights{TableName: t.name, IndexName: x.Index, Status: disabled, Mode: x.Mode, Updated: seconds(x.Changed)}
	if x.Enabled {
		d.Status = enabled
	}
	if is := x.State.at(e.nanoseconds()); is != "" {
		d.Status = is
	}
	if d.Status != enabled {
		return d
	}
	key := t.key
	if x.Index != "" {
		key = t.index(x.Index).key
	}
	kinds := []string{"PKC", "PKT"}
	if len(key.Range) > 0 {
		kinds = append(kinds, "SKC", "SKT")
	}
	name := t.name
	if x.Index != "" {
		name += "-" + x.Index
	}
	for _, kind := range kinds {
		if x.Mode == modeThrottled && strings.HasSuffix(kind, "C") {
			continue // counts of all accesses, not of throttled ones
		}
		d.Rules = append(d.Rules, "DynamoDBContributorInsights-"+kind+"-"+name+"-"+strconv.FormatInt(x.Changed/1e6, 10))
	}
	return d
}

// listContributorInsights answers those that are not disabled, by table, the table itself before its indexes.
func (e *session) listContributorInsights(body []byte) ([]byte, error) {
	in, err := wire.DecodeInsights(body, "ListContributorInsightsInput")
	if err != nil {
		return nil, err
	}
	var tables []*table
	if in.TableName != "" {
		t, err := e.settled(in.TableName)
		if err != nil {
			return nil, err
		}
		tables = []*table{t}
	} else {
		for id, t := range e.catalog.Load().byID {
			if id.region == e.region && e.usable(t) {
				tables = append(tables, t)
			}
		}
	}
	after, err := base64.StdEncoding.DecodeString(in.NextToken)
	if err != nil {
		return nil, wire.Invalid("Invalid NextToken")
	}
	var l []wire.Insights
	for _, t := range tables {
		for _, x := range t.def.Insights {
			d := e.describeInsights(t, x)
			d.Rules, d.Updated = nil, 0
			if d.Status != disabled && placeOf(&d) > string(after) {
				l = append(l, d)
			}
		}
	}
	slices.SortFunc(l, func(a, b wire.Insights) int { return cmp.Compare(placeOf(&a), placeOf(&b)) })
	out := wire.ListInsightsOutput{Summaries: []wire.Insights{}}
	most := wire.MaxInsights
	if in.MaxResults != nil && *in.MaxResults > 0 {
		most = *in.MaxResults
	}
	if len(l) > most {
		l = l[:most]
		out.NextToken = base64.StdEncoding.EncodeToString([]byte(placeOf(&l[most-1])))
	}
	out.Summaries = append(out.Summaries, l...)
	return out.Append(nil), nil
}

// placeOf is where insights stand in a list.
func placeOf(d *wire.Insights) string { return d.TableName + "/" + d.IndexName }

// describeTableReplicaAutoScaling has nothing to describe: it is for global tables, and is told so by the service of all
// others (captured on AWS, 2026-10).
func (e *session) describeTableReplicaAutoScaling(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeTableReplicaAutoScalingInput")
	if err != nil {
		return nil, err
	}
	return nil, wire.NewError(wire.CodeResourceNotFound, "Global table with name: '"+e.nameOf(in.TableName)+"' does not exist.")
}
