package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// itemsFlags are those of items beside service and model.
type itemsFlags struct {
	index           string
	partition, sort []string
	prefix          string
	descending      bool
	limit           int
	from            string
}

func (a *app) itemsCommand() *cobra.Command {
	var (
		service serviceFlags
		model   modelFlags
		o       itemsFlags
	)
	c := &cobra.Command{
		Use:   "items TABLE",
		Short: "Show items, collection by collection, each kind apart",
		Long: `Prints items as they are stored. With --partition those of one item collection, in its order, narrowed by
--sort and --prefix; without, the first ones of a scan, by collection. --index looks into an index. Where a key
has several attributes, --partition and --sort are given once for each, in their order.

With --model each kind of item is a table of its own, under its name. Without, kinds are told by what their sort keys
begin with, up to the first #.

` + serviceHelp,
		Example: example(`
			tablewright items Books --dir ./data
			tablewright items Books --partition 0201896834 --dir ./data
			tablewright items Books --index by-author --partition Knuth --sort 1997 --dir ./data --output json
			tablewright items Shop --partition 'o#7' --prefix 'shipment#' --endpoint http://127.0.0.1:8000 --model model.yaml
			tablewright items Shop --partition 'o#7' --descending --limit 5 --aws`),
		Args: takes("TABLE"),
		RunE: func(c *cobra.Command, args []string) error {
			var program *plan.Program
			if model.model != "" {
				var err error
				if program, err = model.load(); err != nil {
					return err
				}
			} else if model.requirements != "" {
				return usage("--requirements goes with --model")
			}
			if err := service.check(); err != nil {
				return err
			}
			if o.limit <= 0 {
				return usage("--limit takes a number of items, 1 or more")
			}
			return service.with(c.Context(), false, func(db *tablewright.DB) error {
				return a.items(c.Context(), db, schemaOf(program, args[0]), args[0], service.prefix, &o)
			})
		},
	}
	model.add(c, "")
	flags := c.Flags()
	flags.StringVar(&o.index, "index", "", "look into an `INDEX`")
	flags.StringArrayVar(&o.partition, "partition", nil, "the `VALUE` of the partition key")
	flags.StringArrayVar(&o.sort, "sort", nil, "a `VALUE` that the sort key equals")
	flags.StringVar(&o.prefix, "prefix", "", "`TEXT` that the sort key, or its next attribute, begins with")
	flags.BoolVar(&o.descending, "descending", false, "in the opposite order")
	flags.IntVar(&o.limit, "limit", 100, "`N` items")
	flags.StringVar(&o.from, "from", "", "go on at a `CURSOR`")
	service.add(c)
	return c
}

// query is the request for the items, and the attributes of the key that was asked.
func (o *itemsFlags) query(t *plan.Table, actual string) (operation string, request []byte, partition, sort []string, err error) {
	partition, sort = []string{t.Key.Partition}, nil
	if t.Key.Sort != "" {
		sort = []string{t.Key.Sort}
	}
	request = append(attr.AppendText([]byte(`{"TableName":`), actual), `,"ReturnConsumedCapacity":"TOTAL"`...)
	if o.index != "" {
		x, global := t.GSI[o.index]
		if !global {
			local, there := t.LSI[o.index]
			if !there {
				return "", nil, nil, nil, usage("%s has no index %s%s", t.Name, o.index, meant(o.index, slices.Concat(keysOf(t.GSI), keysOf(t.LSI))))
			}
			x = local
		}
		partition, sort = x.Partition, x.Sort
		request = attr.AppendText(append(request, `,"IndexName":`...), o.index)
	}
	if len(o.partition) == 0 {
		if len(o.sort) > 0 || o.prefix != "" || o.descending {
			return "", nil, nil, nil, usage("--sort, --prefix and --descending go with --partition: a scan has no order")
		}
		return "Scan", request, partition, sort, nil
	}
	if len(o.partition) != len(partition) {
		return "", nil, nil, nil, usage("the partition key is %s: --partition is wanted %s", strings.Join(partition, " and "), times(len(partition)))
	}
	if len(o.sort) > len(sort) || o.prefix != "" && len(o.sort) == len(sort) {
		return "", nil, nil, nil, usage("the sort key has %s (%s): --sort and --prefix name more", show.Count(len(sort), "attribute", ""), strings.Join(sort, ", "))
	}
	var condition []string
	var names, values attr.Item
	bind := func(name, text, form string) error {
		v, err := keyValue(t.Attributes[name], text)
		if err != nil {
			return usage("%s: %v", name, err)
		}
		n := fmt.Sprint(names.Len())
		names.Set("#k"+n, attr.Text(name))
		values.Set(":k"+n, v)
		condition = append(condition, fmt.Sprintf(form, "#k"+n, ":k"+n))
		return nil
	}
	for i, text := range o.partition {
		if err := bind(partition[i], text, "%s = %s"); err != nil {
			return "", nil, nil, nil, err
		}
	}
	for i, text := range o.sort {
		if err := bind(sort[i], text, "%s = %s"); err != nil {
			return "", nil, nil, nil, err
		}
	}
	if o.prefix != "" {
		name := sort[len(o.sort)]
		if t.Attributes[name] == plan.N {
			return "", nil, nil, nil, usage("%s is a number, and numbers have no --prefix", name)
		}
		if err := bind(name, o.prefix, "begins_with(%s, %s)"); err != nil {
			return "", nil, nil, nil, err
		}
	}
	request = attr.AppendText(append(request, `,"KeyConditionExpression":`...), strings.Join(condition, " AND "))
	request = append(request, `,"ExpressionAttributeNames":`...)
	request = plain.AppendItem(request, names)
	request = append(request, `,"ExpressionAttributeValues":`...)
	request = attr.AppendItem(request, values)
	if o.descending {
		request = append(request, `,"ScanIndexForward":false`...)
	}
	return "Query", request, partition, sort, nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func keysOf[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

// keyValue is a key attribute as it stands on a command line.
func keyValue(t plan.Type, text string) (attr.Value, error) {
	switch t {
	case plan.N:
		n, err := attr.ParseNumber(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is no number", text)
		}
		return attr.Num(n), nil
	case plan.B:
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return attr.Value{}, fmt.Errorf("%q is no base64, which a binary is given as", text)
		}
		return attr.Binary(b), nil
	}
	return attr.Text(text), nil
}

// itemsPage is an answer of Query or Scan.
type itemsPage struct {
	Items            []attr.Item
	LastEvaluatedKey *attr.Item
	ConsumedCapacity struct{ CapacityUnits float64 }
}

// shownItems is what `items --output json` prints.
type shownItems struct {
	Version  int             `json:"tablewright"`
	Table    string          `json:"table"`
	Index    string          `json:"index,omitempty"`
	Items    []shownItem     `json:"items"`
	Cursor   json.RawMessage `json:"cursor,omitempty"`
	Read     float64         `json:"readUnits"`
	Requests int             `json:"requests"`
}

type shownItem struct {
	Kind string    `json:"kind,omitempty"`
	Item attr.Item `json:"item"` // DynamoDB JSON, so that no type is lost
}

func (a *app) items(ctx context.Context, db *tablewright.DB, schema *plan.Schema, table, prefix string, o *itemsFlags) error {
	d, err := tablewright.Describe(ctx, db, table)
	if errors.Is(err, tablewright.ErrNotFound) {
		there, _ := tableNames(ctx, db, prefix)
		return usage("there is no table %s%s", table, meant(table, there))
	}
	if err != nil {
		return err
	}
	operation, request, partition, sort, err := o.query(&d.Table, prefix+table)
	if err != nil {
		return err
	}
	start, err := startKey(o.from)
	if err != nil {
		return err
	}
	out := shownItems{Version: outputVersion, Table: table, Index: o.index, Items: []shownItem{}}
	var items []attr.Item
	for {
		body := fmt.Appendf(request[:len(request):len(request)], `,"Limit":%d`, o.limit-len(items))
		if start.Len() > 0 {
			body = attr.AppendItem(append(body, `,"ExclusiveStartKey":`...), start)
		}
		answer, err := db.Send(ctx, operation, table, append(body, '}'))
		if err != nil {
			return err
		}
		var page itemsPage
		if err := json.Unmarshal(answer, &page); err != nil {
			return fmt.Errorf("%s: the answer is none: %w", operation, err)
		}
		out.Requests++
		out.Read += page.ConsumedCapacity.CapacityUnits
		items = append(items, page.Items...)
		start = attr.Item{}
		if page.LastEvaluatedKey != nil {
			start = *page.LastEvaluatedKey
		}
		if start.Len() == 0 || len(items) >= o.limit {
			break
		}
	}
	if start.Len() > 0 {
		out.Cursor, _ = json.Marshal(start)
	}
	kinds := make([]string, len(items))
	for i, it := range items {
		kinds[i] = kindOf(schema, it, sort)
	}
	if a.output == "json" {
		for i, it := range items {
			out.Items = append(out.Items, shownItem{kinds[i], it})
		}
		return a.json(out)
	}
	a.showCollections(items, kinds, partition, sort)
	fmt.Fprintf(a.stdout, "%s; %s; %s read units\n", show.Count(len(items), "item", ""), show.Count(out.Requests, "request", ""), show.Units(out.Read))
	if out.Cursor != nil {
		fmt.Fprintf(a.stdout, "more follow: --from '%s'\n", strings.ReplaceAll(string(out.Cursor), "'", `'\''`))
	}
	return nil
}

// startKey reads --from: the key after which to go on, in DynamoDB JSON.
func startKey(text string) (attr.Item, error) {
	if text == "" {
		return attr.Item{}, nil
	}
	it, err := attr.ParseItem([]byte(text))
	if err != nil || it.Len() == 0 {
		return it, usage("--from takes a key in DynamoDB JSON, as the last line of an earlier call has it")
	}
	return it, nil
}

// kindOf names what an item is: by the model, else by what its sort key begins with.
func kindOf(schema *plan.Schema, it attr.Item, sort []string) string {
	if schema != nil {
		if k := schema.KindOf(it); k != nil {
			return k.Name
		}
		return "(none of the model's)"
	}
	if len(sort) == 0 {
		return ""
	}
	v := it.Get(sort[0])
	if v.Kind() != attr.KindS {
		return ""
	}
	if head, _, ok := strings.Cut(v.Str(), "#"); ok {
		return head + "#"
	}
	return ""
}

// showCollections prints items by collection, and in it each kind as a table of its own, in the order in which they come.
func (a *app) showCollections(items []attr.Item, kinds, partition, sort []string) {
	keyOf := func(it attr.Item) string {
		var texts []string
		for _, name := range partition {
			texts = append(texts, name+" = "+cell(it.Get(name)))
		}
		return strings.Join(texts, ", ")
	}
	var order []string
	collections := map[string][]int{}
	for i, it := range items {
		key := keyOf(it)
		if collections[key] == nil {
			order = append(order, key)
		}
		collections[key] = append(collections[key], i)
	}
	alone := len(order) > 1 && len(sort) == 0 // each item is a collection: one table shows them better
	if alone {
		order = []string{""}
		collections = map[string][]int{"": allOf(len(items))}
	}
	for _, key := range order {
		if !alone {
			fmt.Fprintln(a.stdout, paint(a.stdout, bold, key))
		}
		var names []string
		byKind := map[string][]attr.Item{}
		for _, i := range collections[key] {
			if byKind[kinds[i]] == nil {
				names = append(names, kinds[i])
			}
			byKind[kinds[i]] = append(byKind[kinds[i]], items[i])
		}
		for n, kind := range names {
			if n > 0 {
				fmt.Fprintln(a.stdout)
			}
			if kind != "" {
				fmt.Fprintln(a.stdout, paint(a.stdout, faint, kind))
			}
			shown := byKind[kind]
			first := slices.Concat(partition, sort)
			if !alone { // the partition is in the heading
				first = sort
				for i := range shown {
					shown[i] = shown[i].Clone()
					for _, name := range partition {
						shown[i].Remove(name)
					}
				}
			}
			itemTable(a.stdout, shown, first...)
		}
		fmt.Fprintln(a.stdout)
	}
}

func allOf(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
