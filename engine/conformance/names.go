package conformance

import (
	"regexp"
	"strconv"
	"strings"
)

// The Region and account in the ARNs of cases, whatever the target's are.
const (
	caseRegion  = "us-east-1"
	caseAccount = "000000000000"
)

// maxName is the longest name of a table (Constraints, Table names).
const maxName = 255

// names gives a case's tables names of their own at the target, so that cases can run side by side and no table of
// somebody else's is ever touched: every request is rewritten before it is sent, and answers are rewritten back. Case and
// target never see each other's names.
type names struct {
	prefix string            // of all tables at the target; "": names are as in the case
	cut    map[string]string // tables whose names had to be cut to make room for the prefix, by their names at the target
	arn    string            // the target's "arn:aws:dynamodb:REGION:ACCOUNT:"; "": not known yet
	insert []insertion       // of the request that was rewritten last: where a statement became longer
}

// insertion is where a PartiQL statement has a longer name of a table than the case.
type insertion struct{ at, n int }

var (
	wellFormed = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)
	arnParts   = regexp.MustCompile(`^(arn:[a-z0-9-]+:dynamodb:[^:]*:[^:]*:)(table/)([^/]+)(.*)$`)
	anyArn     = regexp.MustCompile(`arn:[a-z0-9-]+:dynamodb:[a-z0-9-]+:[0-9]+:`)
	statement  = regexp.MustCompile(`(?i)\b(?:FROM|INTO|UPDATE)\s+(?:"([a-zA-Z0-9_.-]{3,255})"|([a-zA-Z_][a-zA-Z0-9_]{2,254}))`)
	position   = regexp.MustCompile(`\b1:(\d+):(\d+)`)
)

// caseArn is what ARNs of cases begin with.
const caseArn = "arn:aws:dynamodb:" + caseRegion + ":" + caseAccount + ":"

// table is a table's name at the target. Names that no table can have are sent as they are.
func (n *names) table(name string) string {
	if m := arnParts.FindStringSubmatch(name); m != nil {
		head := m[1]
		if head == caseArn && n.arn != "" {
			head = n.arn
		}
		return head + m[2] + n.table(m[3]) + m[4]
	}
	if n.prefix == "" || !wellFormed.MatchString(name) {
		return name
	}
	if len(n.prefix)+len(name) <= maxName {
		return n.prefix + name
	}
	long := n.prefix + name[len(name)-(maxName-len(n.prefix)):]
	if n.cut == nil {
		n.cut = map[string]string{}
	}
	n.cut[long] = name
	return long
}

// maxToken is the longest client request token (API_TransactWriteItems).
const maxToken = 36

// token is a client request token that no other case has: the target remembers tokens for ten minutes.
func (n *names) token(text string) string {
	if n.prefix == "" || text == "" || len(text) > maxToken {
		return text
	}
	unique := strings.TrimSuffix(strings.TrimPrefix(n.prefix, prefixStart), "_")
	return unique + text[max(len(unique)+len(text)-maxToken, 0):]
}

// statement is a PartiQL statement with the target's names.
func (n *names) statement(text string) string {
	var b strings.Builder
	end := 0
	for _, m := range statement.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		b.WriteString(text[end:from])
		at, name := b.Len(), n.table(text[from:to])
		b.WriteString(name)
		n.insert = append(n.insert, insertion{at, len(name) - (to - from)})
		end = to
	}
	b.WriteString(text[end:])
	return b.String()
}

// request is a request with the target's names. What is no JSON stays as it is.
func (n *names) request(body string) string {
	n.insert = nil
	return rewriteStrings(body, func(member, parent, text string, isName bool) string {
		switch {
		case isName:
			if parent == "RequestItems" {
				return n.table(text)
			}
		case member == "TableName", member == "ExclusiveStartTableName", member == "TableArn", member == "ResourceArn", member == "StreamArn":
			return n.table(text)
		case member == "Statement":
			return n.statement(text)
		case member == "ClientRequestToken":
			return n.token(text)
		}
		return text
	})
}

// answer is the target's answer with the case's names.
func (n *names) answer(body string) string {
	if n.arn == "" {
		n.arn = anyArn.FindString(body)
	}
	if n.arn != "" {
		body = strings.ReplaceAll(body, n.arn, caseArn)
	}
	for long, name := range n.cut {
		body = strings.ReplaceAll(body, long, name)
	}
	if n.prefix != "" {
		body = strings.ReplaceAll(body, n.prefix, "")
	}
	if len(n.insert) > 0 {
		body = position.ReplaceAllStringFunc(body, n.moveBack)
	}
	return body
}

// moveBack turns a place in a statement, "1:COLUMN:LENGTH", into the one that it has in the case's statement.
func (n *names) moveBack(place string) string {
	m := position.FindStringSubmatch(place)
	column, _ := strconv.Atoi(m[1])
	length, _ := strconv.Atoi(m[2])
	from, to := n.before(column-1), n.before(column-1+length)
	return "1:" + strconv.Itoa(from+1) + ":" + strconv.Itoa(to-from)
}

// before is an offset into the case's statement for one into the target's.
func (n *names) before(at int) int {
	was := at
	for _, i := range n.insert {
		was -= min(max(at-i.at, 0), i.n)
	}
	return was
}
