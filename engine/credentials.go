package engine

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine/internal/iam"
	"github.com/tablewright/tablewright/engine/internal/sigv4"
	"github.com/tablewright/tablewright/wire"
)

// Credential is a key that requests over HTTP are signed with, and the user or role it belongs to. What that may do is as
// in AWS: nothing, unless Policy, Admin or a table's resource policy allows it, and nothing that one of them denies.
type Credential struct {
	// KeyID and Secret are the access key, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of a client.
	KeyID, Secret string
	// SessionToken is that of temporary credentials, which end at Expires; without one there is no end.
	SessionToken string
	Expires      time.Time
	// Principal is the ARN of the user, or of the session of a role, or only the name of a user in the engine's account.
	// Several keys may belong to one. Empty: the name is the KeyID.
	Principal string
	// Admin allows every operation on every table, as AdministratorAccess does.
	Admin bool
	// Policy is the user's identity policy, a document in IAM's JSON; empty: none.
	Policy []byte
}

// principal is who a key belongs to.
type principal struct {
	iam.Caller
	admin    bool
	identity *iam.Policy
}

// key is an access key as requests are checked against it.
type key struct {
	secret, token string
	expires       time.Time
	principal     *principal
}

// caller is who sent a request, and what policies may ask about how it came.
type caller struct {
	*principal
	secure bool   // over TLS
	source string // address, without port
	agent  string
}

// readCredentials makes the keys of Options.Credentials; nil without any.
func readCredentials(l []Credential, account string) (map[string]*key, error) {
	if l == nil {
		return nil, nil
	}
	if len(l) == 0 {
		return nil, errors.New("engine: Credentials without any: nobody could sign a request")
	}
	keys := make(map[string]*key, len(l))
	for i := range l {
		c := &l[i]
		switch {
		case c.KeyID == "" || c.Secret == "":
			return nil, fmt.Errorf("engine: credential %d has no key id or no secret", i+1)
		case strings.ContainsAny(c.KeyID, "/, ="):
			return nil, fmt.Errorf("engine: credential %d: a key id has letters and digits", i+1)
		case keys[c.KeyID] != nil:
			return nil, fmt.Errorf("engine: there are two credentials with the key id %s", c.KeyID)
		}
		p := &principal{Caller: iam.Caller{ARN: c.Principal, Account: account}, admin: c.Admin}
		if p.ARN == "" {
			p.ARN = c.KeyID
		}
		if !strings.HasPrefix(p.ARN, "arn:") {
			p.ARN = "arn:aws:iam::" + account + ":user/" + p.ARN
		} else if parts := strings.Split(p.ARN, ":"); len(parts) < 6 || parts[4] != account {
			return nil, fmt.Errorf("engine: %s is not of the engine's account, %s", p.ARN, account)
		}
		if len(c.Policy) > 0 {
			var err error
			if p.identity, err = iam.Parse(c.Policy, iam.Identity); err != nil {
				return nil, fmt.Errorf("engine: the policy of %s: %w", p.ARN, err)
			}
		}
		keys[c.KeyID] = &key{c.Secret, c.SessionToken, c.Expires, p}
	}
	return keys, nil
}

// The refusals of keys, as captured on AWS.
var (
	errNoKey = &wire.Error{Code: "UnrecognizedClientException", Message: "The security token included in the request is invalid."}
	errEnded = &wire.Error{Code: "ExpiredTokenException", Message: "The security token included in the request is expired"}
)

// claim is what the headers of a request say about who signed it. Nothing of it is proven before prove.
type claim struct {
	signature *sigv4.Signature
	key       *key
}

// claims reads how a request is signed and finds the key: what can be known before its body has come.
func (e *Engine) claims(r *http.Request) (*claim, error) {
	s, err := sigv4.Read(r, "dynamodb", e.now())
	if err != nil {
		return nil, err
	}
	k := e.keys[s.KeyID]
	if k == nil || subtle.ConstantTimeCompare([]byte(k.token), []byte(s.Token)) != 1 {
		return nil, errNoKey
	}
	return &claim{s, k}, nil
}

// prove makes the claim's owner the caller, if the request is signed with the key, and its Region the session's; body is the
// hash of what came.
func (e *session) prove(c *claim, r *http.Request, body [sha256.Size]byte) error {
	if err := c.signature.Verify(r, body, c.key.secret); err != nil {
		return asRefusal(err)
	}
	if ends := c.key.expires; !ends.IsZero() && !e.now().Before(ends) {
		return errEnded
	}
	source, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		source = r.RemoteAddr
	}
	e.caller = &caller{c.key.principal, r.TLS != nil, source, r.UserAgent()}
	if !e.options.ShareRegions {
		e.region = c.signature.Region
	}
	return nil
}

func asRefusal(err error) error {
	if e, ok := sigv4.IsRefusal(err); ok {
		return wire.NewError(e.Code, e.Message)
	}
	return err
}

// context is what policies may ask about a caller and the time (reference_policies_condition-keys).
func (c *caller) context(e *session) map[string][]string {
	now := e.now().UTC()
	m := map[string][]string{
		"aws:principalarn":     {c.ARN},
		"aws:principalaccount": {c.Account},
		"aws:principaltype":    {"User"},
		"aws:resourceaccount":  {e.options.Account},
		"aws:requestedregion":  {e.region},
		"aws:currenttime":      {now.Format(time.RFC3339)},
		"aws:epochtime":        {strconv.FormatInt(now.Unix(), 10)},
		"aws:securetransport":  {strconv.FormatBool(c.secure)},
		"aws:sourceip":         {c.source},
		"aws:useragent":        {c.agent},
	}
	_, resource, _ := strings.Cut(c.ARN, "::"+c.Account+":")
	switch kind, name, _ := strings.Cut(resource, "/"); kind {
	case "user":
		m["aws:username"] = []string{name[strings.LastIndexByte(name, '/')+1:]}
		m["aws:userid"] = m["aws:username"]
	case "assumed-role": // the ARN is that of the role, not of its session (reference_policies_condition-keys)
		role, _, _ := strings.Cut(name, "/")
		m["aws:principalarn"] = []string{"arn:aws:iam::" + c.Account + ":role/" + role}
		m["aws:principaltype"] = []string{"AssumedRole"}
		m["aws:userid"] = []string{strings.ReplaceAll(name, "/", ":")}
	case "root":
		m["aws:principaltype"] = []string{"Account"}
		m["aws:userid"] = []string{c.Account}
	}
	return m
}
