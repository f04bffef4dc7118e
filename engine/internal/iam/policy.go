package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Kind is what a policy is attached to.
type Kind uint8

const (
	Identity Kind = iota // a user or role; it names no principal
	Resource             // a table or stream; every statement names principals
)

// Policy is a policy that has been read. It does not change and is safe for concurrent use.
type Policy struct{ statements []statement }

type statement struct {
	deny          bool
	principals    *principals // nil in an identity policy
	notPrincipals bool
	actions       []pattern
	named         []string // the actions as they are written
	notActions    bool
	resources     []pattern // empty in a resource policy without the element: the resource itself
	notResources  bool
	conditions    []condition
}

// principals are those that a statement is about.
type principals struct {
	everyone bool
	arns     []string
	accounts []string
}

// Caller is who asks.
type Caller struct {
	ARN     string // such as arn:aws:iam::123456789012:user/alice
	Account string
}

// Request is what is asked for.
type Request struct {
	Caller   Caller
	Action   string // with its service: "dynamodb:GetItem"
	Resource string // an ARN, or "*" for actions that are about no resource
	// Context has the values of context keys by their names in lower case. A key that is not in it is absent, which differs
	// from one that has no values.
	Context map[string][]string
}

// Decision is what a policy says about a request.
type Decision uint8

const (
	Silent Decision = iota
	Allowed
	Denied
)

// Parse reads a policy. Errors tell what is wrong in the words of a person who writes one.
func Parse(text []byte, kind Kind) (*Policy, error) {
	var document struct {
		Version   string
		ID        string `json:"Id"`
		Statement oneOrMore[rawStatement]
	}
	if err := Once(text); err != nil {
		return nil, err
	}
	if err := spelled(text, "Version", "Id", "Statement"); err != nil {
		return nil, err
	}
	if err := strictly(text, &document); err != nil {
		return nil, err
	}
	variables := false // they are text in the older version
	switch document.Version {
	case "2012-10-17":
		variables = true
	case "2008-10-17", "":
	default:
		return nil, fmt.Errorf("the Version is 2012-10-17, not %q", document.Version)
	}
	if len(document.Statement) == 0 {
		return nil, errors.New("there is no Statement")
	}
	p := &Policy{}
	for i := range document.Statement {
		s, err := document.Statement[i].read(kind, variables)
		if err != nil {
			return nil, fmt.Errorf("statement %d: %w", i+1, err)
		}
		p.statements = append(p.statements, s)
	}
	return p, nil
}

// rawStatement is a statement as it is written.
type rawStatement struct {
	Sid          string
	Effect       string
	Principal    json.RawMessage
	NotPrincipal json.RawMessage
	Action       oneOrMore[string]
	NotAction    oneOrMore[string]
	Resource     oneOrMore[string]
	NotResource  oneOrMore[string]
	Condition    map[string]map[string]oneOrMore[scalar]
}

// UnmarshalJSON is that of the struct, but for names in another case.
func (raw *rawStatement) UnmarshalJSON(text []byte) error {
	names := []string{"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"}
	if err := spelled(text, names...); err != nil {
		return err
	}
	type plain rawStatement
	return strictly(text, (*plain)(raw))
}

func (raw *rawStatement) read(kind Kind, variables bool) (s statement, err error) {
	switch raw.Effect {
	case "Allow":
	case "Deny":
		s.deny = true
	default:
		return s, fmt.Errorf("the Effect is Allow or Deny, not %q", raw.Effect)
	}
	named := raw.Principal != nil || raw.NotPrincipal != nil
	switch {
	case kind == Identity && named:
		return s, errors.New("an identity policy names no Principal: it is its user's")
	case kind == Resource && !named:
		return s, errors.New("a resource policy names a Principal in every statement")
	case raw.Principal != nil && raw.NotPrincipal != nil:
		return s, errors.New("either Principal or NotPrincipal")
	case raw.NotPrincipal != nil:
		s.notPrincipals = true
		s.principals, err = readPrincipals(raw.NotPrincipal)
	case raw.Principal != nil:
		s.principals, err = readPrincipals(raw.Principal)
	}
	if err != nil {
		return s, err
	}
	if (raw.Action == nil) == (raw.NotAction == nil) {
		return s, errors.New("either Action or NotAction")
	}
	s.notActions = raw.NotAction != nil
	for _, a := range append(raw.Action, raw.NotAction...) {
		if service, _, ok := strings.Cut(a, ":"); a != "*" && (!ok || service == "") {
			return s, fmt.Errorf("an action has its service before a colon, as in dynamodb:GetItem, not %q", a)
		}
		s.actions, s.named = append(s.actions, compile(strings.ToLower(a), false)), append(s.named, a)
	}
	switch {
	case raw.Resource != nil && raw.NotResource != nil:
		return s, errors.New("either Resource or NotResource")
	case kind == Identity && raw.Resource == nil && raw.NotResource == nil:
		return s, errors.New("either Resource or NotResource")
	}
	s.notResources = raw.NotResource != nil
	for _, r := range append(raw.Resource, raw.NotResource...) {
		if r != "*" && !strings.HasPrefix(r, "arn:") {
			return s, fmt.Errorf("a resource is an ARN or *, not %q", r)
		}
		p := compile(r, variables)
		if r != "*" && p.colons() < 5 { // it would match nothing: wildcards do not reach across colons
			return s, fmt.Errorf("an ARN has six parts, as in arn:aws:dynamodb:*:*:table/*, not %q", r)
		}
		s.resources = append(s.resources, p)
	}
	for operator, keys := range raw.Condition {
		for key, values := range keys {
			c, err := newCondition(operator, key, values, variables)
			if err != nil {
				return s, err
			}
			s.conditions = append(s.conditions, c)
		}
	}
	return s, nil
}

// readPrincipals reads "*" or {"AWS": …}. Principals of other types (services, federated users) never call an engine.
func readPrincipals(text json.RawMessage) (*principals, error) {
	if bytes.Equal(text, []byte(`"*"`)) {
		return &principals{everyone: true}, nil
	}
	var types map[string]oneOrMore[string]
	if err := strictly(text, &types); err != nil {
		return nil, errors.New(`a Principal is "*" or {"AWS": …}`)
	}
	p := &principals{}
	for kind, names := range types {
		switch kind {
		case "AWS":
		case "Service", "Federated", "CanonicalUser":
			continue
		default:
			return nil, fmt.Errorf("principals are of the types AWS, Service and Federated, not %q", kind)
		}
		for _, name := range names {
			switch {
			case name == "*":
				p.everyone = true
			case len(name) == 12 && strings.Trim(name, "0123456789") == "":
				p.accounts = append(p.accounts, name)
			case strings.HasPrefix(name, "arn:") && strings.Count(name, ":") >= 5:
				if account, ok := strings.CutSuffix(name, ":root"); ok {
					p.accounts = append(p.accounts, account[strings.LastIndexByte(account, ':')+1:])
				} else {
					p.arns = append(p.arns, name)
				}
			default:
				return nil, fmt.Errorf("a principal is *, an account or an ARN, not %q", name)
			}
		}
	}
	return p, nil
}

// Decide is what the policy says: Denied if any statement denies, else Allowed if any allows.
func (p *Policy) Decide(r *Request) Decision {
	if p == nil {
		return Silent
	}
	d := Silent
	for i := range p.statements {
		s := &p.statements[i]
		if (d != Allowed || s.deny) && s.applies(r) {
			if s.deny {
				return Denied
			}
			d = Allowed
		}
	}
	return d
}

// Unmatched are the actions of a service, as the policy has them, that match none of its known actions, which are given
// without the service.
func (p *Policy) Unmatched(service string, known []string) (names []string) {
	if p == nil {
		return nil
	}
	for i := range p.statements {
		s := &p.statements[i]
		for j, a := range s.actions {
			of, _, _ := strings.Cut(s.named[j], ":")
			if strings.EqualFold(of, service) && !slices.ContainsFunc(known, func(k string) bool { return a.match(strings.ToLower(service+":"+k), nil) }) {
				names = append(names, s.named[j])
			}
		}
	}
	return names
}

func (s *statement) applies(r *Request) bool {
	if s.principals != nil && s.principals.include(r.Caller, s.deny || s.notPrincipals) == s.notPrincipals {
		return false
	}
	action := strings.ToLower(r.Action)
	if slices.ContainsFunc(s.actions, func(p pattern) bool { return p.match(action, nil) }) == s.notActions {
		return false
	}
	if len(s.resources) > 0 &&
		slices.ContainsFunc(s.resources, func(p pattern) bool { return p.matchARN(r.Resource, r.Context) }) == s.notResources {
		return false
	}
	return !slices.ContainsFunc(s.conditions, func(c condition) bool { return !c.holds(r.Context) })
}

// include reports whether the caller is one of the principals. An account stands for all its users where whole is set; where
// something is allowed it does not: it leaves the decision to the policies of the account's users
// (reference_policies_elements_principal).
func (p *principals) include(c Caller, whole bool) bool {
	switch {
	case p.everyone, slices.ContainsFunc(p.arns, func(arn string) bool { return arn == c.ARN || isRoleOf(arn, c.ARN) }):
		return true
	case whole || strings.HasSuffix(c.ARN, ":root"):
		return slices.Contains(p.accounts, c.Account)
	}
	return false
}

// isRoleOf reports whether an ARN is that of the role of a session. The session's does not have the role's path; names of
// roles are unique in their account without it (reference_identifiers).
func isRoleOf(arn, session string) bool {
	role, s := strings.SplitN(arn, ":", 6), strings.SplitN(session, ":", 6)
	if len(role) < 6 || len(s) < 6 || role[1] != s[1] || role[2] != "iam" || s[2] != "sts" || role[4] != s[4] || !strings.HasPrefix(role[5], "role/") {
		return false
	}
	parts := strings.Split(s[5], "/")
	return len(parts) == 3 && parts[0] == "assumed-role" && parts[1] == role[5][strings.LastIndexByte(role[5], '/')+1:]
}

// oneOrMore is a value of JSON that may be given alone or in a list.
type oneOrMore[T any] []T

func (l *oneOrMore[T]) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		*l = oneOrMore[T]{}
		return strictly(text, (*[]T)(l))
	}
	var one T
	if err := strictly(text, &one); err != nil {
		return err
	}
	*l = oneOrMore[T]{one}
	return nil
}

// scalar is a string, number or truth value as a text.
type scalar string

func (s *scalar) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(s))
	}
	if text[0] == '{' || text[0] == '[' || text[0] == 'n' {
		return errors.New("the value of a condition is a string, number or truth value")
	}
	*s = scalar(text)
	return nil
}

// Once is an error if an object in a JSON text has a member twice: one of the two would not count, and nobody could tell
// which (reference_policies_grammar forbids it).
func Once(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	type object struct {
		names map[string]bool // nil: an array
		value bool            // what comes is the value of a member
	}
	var open []object
	for {
		token, err := d.Token()
		if err == io.EOF && len(open) == 0 {
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		top := len(open) - 1
		if name, is := token.(string); is && top >= 0 && open[top].names != nil && !open[top].value {
			if open[top].names[name] {
				return fmt.Errorf("there is more than one %q in the same place", name)
			}
			open[top].names[name], open[top].value = true, true
			continue
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{names: map[string]bool{}})
			continue
		case json.Delim('['):
			open = append(open, object{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
		}
		if top := len(open) - 1; top >= 0 {
			open[top].value = false
		}
	}
}

// spelled is an error if a member of an object differs from one of these names in case only: names of elements are as they
// are, which package json does not mind.
func spelled(text []byte, names ...string) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return nil // which is told by who reads it
	}
	for _, given := range slices.Sorted(maps.Keys(members)) {
		for _, name := range names {
			if given != name && strings.EqualFold(given, name) {
				return fmt.Errorf("the element is %s, not %q", name, given)
			}
		}
	}
	return nil
}

// strictly decodes JSON without members that nobody knows.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one JSON value")
	}
	return nil
}
