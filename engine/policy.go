package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine/internal/iam"
	"github.com/tablewright/tablewright/wire"
)

// policy is a resource-based policy of a table or of one of its streams, in the form in which the service gives it back.
type policy struct {
	Stream   string `json:",omitempty"` // label; empty: the table itself
	Document string // JSON
	Revision string
}

// readPolicies reads the policies of a definition. They were read when they were put; one that cannot be read any more denies
// everything, as a policy without a principal does.
func readPolicies(def *definition) (policies map[string]*iam.Policy) {
	for _, p := range def.Policies {
		read, err := iam.Parse([]byte(p.Document), iam.Resource)
		if err != nil {
			read = denyAll
		}
		if policies == nil {
			policies = map[string]*iam.Policy{}
		}
		policies[p.Stream] = read
	}
	return policies
}

var denyAll = func() *iam.Policy {
	p, err := iam.Parse([]byte(`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"*","Resource":"*"}]}`), iam.Resource)
	if err != nil {
		panic("engine: " + err.Error())
	}
	return p
}()

func (def *definition) policy(stream string) *policy {
	for i := range def.Policies {
		if def.Policies[i].Stream == stream {
			return &def.Policies[i]
		}
	}
	return nil
}

// newRevision is the id of a policy that is put at a time: the time in milliseconds, as the service's is.
func newRevision(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }

// maxPolicy is the size of a policy in bytes, blanks included (rbac-considerations).
const maxPolicy = 20 * 1024

// Actions that the policy of a table and that of a stream may name (rbac-iam-actions).
var (
	streamActions = []string{"DescribeStream", "GetRecords", "GetShardIterator"}
	tableActions  = []string{
		"BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem", "DeleteResourcePolicy", "DeleteTable", "DescribeContinuousBackups",
		"DescribeContributorInsights", "DescribeExport", "DescribeImport", "DescribeKinesisStreamingDestination", "DescribeTable",
		"DescribeTableReplicaAutoScaling", "DescribeTimeToLive", "DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination",
		"ExportTableToPointInTime", "GetItem", "GetResourcePolicy", "ImportTable", "ListTagsOfResource", "PartiQLDelete", "PartiQLInsert",
		"PartiQLSelect", "PartiQLUpdate", "PutItem", "PutResourcePolicy", "Query", "RestoreTableFromBackup", "RestoreTableToPointInTime", "Scan",
		"SearchVectors", "StartBulkPutItems", "TagResource", "UntagResource", "UpdateContinuousBackups", "UpdateContributorInsights", "UpdateItem",
		"UpdateKinesisStreamingDestination", "UpdateTable", "UpdateTableReplicaAutoScaling", "UpdateTimeToLive", "CreateBackup", "CreateTableReplica",
		"AssociateTableReplica", "ReadDataForReplication", "ReplicateSettings", "WriteDataForReplication",
	}
)

// statement is a statement of a policy; texts of one element and of several are lists.
type statement struct {
	Sid, Effect            string
	principal              json.RawMessage // in its form
	public                 bool            // for everyone
	denies                 bool
	actions                []string
	resource, condition    json.RawMessage
	notPrincipal           bool
	notAction, notResource bool
}

func badPolicy(why string) *wire.Error {
	return wire.Invalid(inv + "Invalid policy document: " + why)
}

// syntaxError tells where a policy is not as the language of policies has it. The service counts to the mistake; here it is
// the end of what is wrong.
func syntaxError(text string, part []byte) *wire.Error {
	at := 1
	if i := strings.Index(text, string(part)); i >= 0 {
		at = i + len(part)
	}
	return badPolicy("Syntax error at position (1," + strconv.Itoa(at+1) + ")")
}

// parsePolicy checks a policy and brings it into the form in which the service gives it back: no blanks, members in an order,
// lists of one text as that text, accounts by their ARN (texts captured on AWS, 2026-10). actions are those it may name.
func (e *session) parsePolicy(text string, actions []string) (string, *wire.Error) {
	if len(text) > maxPolicy {
		return "", wire.Invalid(inv + "Maximum policy size of " + strconv.Itoa(maxPolicy) + " bytes exceeded")
	}
	body := bytes.TrimSpace([]byte(text))
	switch {
	case string(body) == "null":
		return "", badPolicy("This text appears not to be a policy")
	case len(body) == 0 || body[0] != '{' || !json.Valid(body) || iam.Once(body) != nil:
		return "", badPolicy("This policy contains invalid Json")
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return "", badPolicy("This policy contains invalid Json")
	}
	if len(members) == 0 {
		return "", badPolicy("Syntax error at position (1,3)")
	}
	for name, value := range members {
		if !slices.Contains([]string{"Version", "Id", "Statement"}, name) {
			return "", syntaxError(text, value)
		}
	}
	version := "2008-10-17"
	if v := members["Version"]; v != nil && (json.Unmarshal(v, &version) != nil || version != "2008-10-17" && version != "2012-10-17") {
		return "", syntaxError(text, v)
	}
	list, ok := listOf(members["Statement"])
	switch {
	case members["Statement"] == nil:
		return "", badPolicy("Missing required field Statement")
	case !ok:
		return "", syntaxError(text, members["Statement"])
	case len(list) == 0:
		return "", badPolicy("Could not parse the policy: Statement is empty!")
	}
	out := []byte(`{"Version":"` + version + `"`)
	if id := members["Id"]; id != nil {
		out = append(append(out, `,"Id":`...), compact(id)...)
	}
	out = append(out, `,"Statement":[`...)
	seen := map[string]bool{}
	for i, raw := range list {
		s, err := e.parseStatement(text, raw, actions)
		if err != nil {
			return "", err
		}
		if s.Sid != "" && seen[s.Sid] {
			return "", badPolicy("The Statement Ids in the policy are not unique")
		}
		seen[s.Sid] = true
		if i > 0 {
			out = append(out, ',')
		}
		out = s.append(out)
	}
	out = append(out, "]}"...)
	if _, err := iam.Parse(out, iam.Resource); err != nil { // what is left: operators of conditions, and the like
		return "", badPolicy(err.Error())
	}
	return string(out), nil
}

// parseStatement reads one statement.
func (e *session) parseStatement(text string, raw json.RawMessage, actions []string) (*statement, *wire.Error) {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &members) != nil {
		return nil, syntaxError(text, raw)
	}
	s := &statement{}
	for name, value := range members {
		switch name {
		case "Sid":
			if json.Unmarshal(value, &s.Sid) != nil {
				return nil, syntaxError(text, value)
			}
		case "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource":
		case "Condition":
			s.condition = compact(value)
		default:
			return nil, syntaxError(text, value)
		}
	}
	if members["Effect"] == nil {
		return nil, badPolicy("Missing required field Effect")
	}
	switch json.Unmarshal(members["Effect"], &s.Effect); strings.ToLower(s.Effect) {
	case "allow":
		s.Effect = "Allow"
	case "deny":
		s.Effect, s.denies = "Deny", true
	default:
		return nil, syntaxError(text, members["Effect"])
	}
	for _, name := range []string{"Principal", "Action", "Resource"} { // each as it is or with Not (reference_policies_grammar)
		if both := members["Not"+name]; members[name] != nil && both != nil {
			return nil, syntaxError(text, both)
		}
	}
	pick := func(name string) (value json.RawMessage, not bool) {
		if v := members["Not"+name]; v != nil {
			return v, true
		}
		return members[name], false
	}
	var value json.RawMessage
	if value, s.notPrincipal = pick("Principal"); value == nil {
		return nil, badPolicy("Missing required field Principal")
	}
	if err := e.parsePrincipal(s, text, value); err != nil {
		return nil, err
	}
	if value, s.notAction = pick("Action"); value == nil {
		return nil, badPolicy("Missing required field Action")
	}
	if s.actions = textsOf(value); s.actions == nil {
		return nil, syntaxError(text, value)
	}
	if err := checkActions(s.actions, actions); err != nil {
		return nil, err
	}
	if value, s.notResource = pick("Resource"); value == nil {
		return nil, badPolicy("Missing required field Resource")
	}
	resources := textsOf(value)
	if resources == nil {
		return nil, syntaxError(text, value)
	}
	if err := checkResources(resources, text, value); err != nil {
		return nil, err
	}
	s.resource = appendTexts(nil, resources)
	if s.public && !s.denies && !s.notPrincipal && s.condition == nil {
		return nil, wire.Invalid("Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access")
	}
	return s, nil
}

var (
	accountID    = regexp.MustCompile(`^[0-9]{12}$`)
	principalARN = regexp.MustCompile(`^arn:[a-z-]+:(iam|sts)::[0-9]{12}:.+$`)
	resourceARN  = regexp.MustCompile(`^arn:[a-z*-]+:dynamodb:[^:]*:[^:]*:.+$`)
)

// parsePrincipal reads who a statement is for: "*", or lists of AWS principals, services or federations.
func (e *session) parsePrincipal(s *statement, text string, value json.RawMessage) *wire.Error {
	if string(value) == `"*"` {
		s.principal, s.public = value, true
		return nil
	}
	kinds := map[string]json.RawMessage{}
	if json.Unmarshal(value, &kinds) != nil || len(kinds) == 0 {
		return syntaxError(text, value)
	}
	out := []byte{'{'}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		names := textsOf(kinds[kind])
		if names == nil || !slices.Contains([]string{"AWS", "CanonicalUser", "Federated", "Service"}, kind) {
			return syntaxError(text, value)
		}
		var kept []string
		for _, name := range names {
			if kind == "AWS" {
				switch {
				case name == "*":
					s.public = true
				case accountID.MatchString(name):
					name = "arn:aws:iam::" + name + ":root"
				case !principalARN.MatchString(name):
					return wire.Invalid(inv + "Invalid principal in policy document.")
				}
			}
			if !slices.Contains(kept, name) {
				kept = append(kept, name)
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = appendTexts(append(out, `"`+kind+`":`...), kept)
	}
	s.principal = append(out, '}')
	return nil
}

// checkActions holds the actions of a statement to those that a policy may name; "*" stands for any characters in them.
func checkActions(names, known []string) *wire.Error {
	var bad []string
	for _, name := range names {
		service, action, ok := strings.Cut(name, ":")
		if name == "*" || ok && strings.EqualFold(service, "dynamodb") && slices.ContainsFunc(known, func(k string) bool { return matches(action, k) }) {
			continue
		}
		bad = append(bad, `"`+name+`"`)
	}
	if bad != nil {
		return badPolicy("The following action names are invalid: " + strings.Join(bad, ", "))
	}
	return nil
}

// matches reports whether a pattern with "*" and "?" is of a name, whatever their case.
func matches(pattern, name string) bool {
	p := regexp.QuoteMeta(strings.ToLower(pattern))
	p = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(p)
	ok, err := regexp.MatchString("^"+p+"$", strings.ToLower(name))
	return err == nil && ok
}

// checkResources holds the resources of a statement to the form of what DynamoDB has.
func checkResources(names []string, text string, value json.RawMessage) *wire.Error {
	for _, name := range names {
		if name != "*" && !resourceARN.MatchString(name) {
			if !strings.HasPrefix(name, "arn:") {
				return syntaxError(text, value)
			}
			return badPolicy(`Resource "` + name + `" is invalid`)
		}
	}
	return nil
}

// locksOut reports whether a policy denies who puts it to put another one. Without credentials that is the account.
func (e *session) locksOut(document, arn string) bool {
	p, err := iam.Parse([]byte(document), iam.Resource)
	if err != nil {
		return false
	}
	r := &iam.Request{Action: "dynamodb:PutResourcePolicy", Resource: arn}
	r.Caller = iam.Caller{ARN: "arn:aws:iam::" + e.options.Account + ":root", Account: e.options.Account}
	if e.caller != nil {
		r.Caller, r.Context = e.caller.Caller, e.caller.context(e)
	}
	return p.Decide(r) == iam.Denied
}

// append writes the statement in the service's order of members.
func (s *statement) append(out []byte) []byte {
	not := func(is bool) string {
		if is {
			return "Not"
		}
		return ""
	}
	out = append(out, '{')
	if s.Sid != "" {
		out = append(appendTexts(append(out, `"Sid":`...), []string{s.Sid}), ',')
	}
	out = append(out, `"Effect":"`+s.Effect+`","`+not(s.notPrincipal)+`Principal":`...)
	out = append(out, s.principal...)
	out = appendTexts(append(out, `,"`+not(s.notAction)+`Action":`...), s.actions)
	out = append(append(out, `,"`+not(s.notResource)+`Resource":`...), s.resource...)
	if s.condition != nil {
		out = append(append(out, `,"Condition":`...), s.condition...)
	}
	return append(out, '}')
}

// listOf are the elements of a JSON array, or the one of anything else; ok is whether there is something.
func listOf(raw json.RawMessage) (l []json.RawMessage, ok bool) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return nil, false
	case raw[0] == '[':
		return l, json.Unmarshal(raw, &l) == nil
	}
	return []json.RawMessage{raw}, raw[0] == '{'
}

// textsOf are the texts of a JSON string or of an array of strings; nil if it is neither.
func textsOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var l []string
	if json.Unmarshal(raw, &l) != nil || len(l) == 0 {
		return nil
	}
	return l
}

// appendTexts writes one text as that, several as an array.
func appendTexts(out []byte, l []string) []byte {
	var v any = l
	if len(l) == 1 {
		v = l[0]
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("engine: " + err.Error()) // texts always can be written
	}
	return append(out, bytes.TrimSpace(b.Bytes())...)
}

// compact is JSON without blanks.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
