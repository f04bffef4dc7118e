package wire

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// The kinds of failure that a caller branches on. An Error answers errors.Is for those that the service itself can tell;
// the others are for clients, which know more about what they asked for.
var (
	ErrNotFound        = errors.New("not found")             // clients: there is no such item
	ErrExists          = errors.New("exists already")        // the item, table or key is there already
	ErrConditionFailed = errors.New("condition failed")      // nothing was written
	ErrStale           = errors.New("changed since read")    // clients: another version is stored
	ErrCancelled       = errors.New("transaction cancelled") // the Error's Reasons say by which action
	ErrConflict        = errors.New("transaction conflict")  // another transaction works on the item: try again
	ErrThrottled       = errors.New("throttled")             // more than the table, index or key may take: try again later
	ErrInvalid         = errors.New("invalid request")       // no retry will help
	ErrTokenUsed       = errors.New("token used before")     // a transaction with other values was done under its token
	ErrLimit           = errors.New("limit exceeded")        // of an item, item collection, account or table
	ErrCursor          = errors.New("invalid cursor")        // clients: a cursor of another query
	ErrSeveral         = errors.New("several found")         // clients: more than the one asked for
	ErrUnknownOutcome  = errors.New("unknown outcome")       // clients: the answer was lost, the write may have been done
	ErrNetwork         = errors.New("network failure")       // clients: no connection, or it broke before there was an answer
)

// Codes of errors, as in the service's API. An Error's Code may be any other, too.
const (
	CodeValidation             = "ValidationException"
	CodeSerialization          = "SerializationException"
	CodeUnknownOperation       = "UnknownOperationException"
	CodeResourceNotFound       = "ResourceNotFoundException"
	CodeResourceInUse          = "ResourceInUseException"
	CodeTableNotFound          = "TableNotFoundException"
	CodePolicyNotFound         = "PolicyNotFoundException"
	CodeAccessDenied           = "AccessDeniedException"
	CodeConditionFailed        = "ConditionalCheckFailedException"
	CodeTransactionCanceled    = "TransactionCanceledException"
	CodeTransactionConflict    = "TransactionConflictException"
	CodeTransactionInProgress  = "TransactionInProgressException"
	CodeIdempotentMismatch     = "IdempotentParameterMismatchException"
	CodeThroughputExceeded     = "ProvisionedThroughputExceededException"
	CodeRequestLimit           = "RequestLimitExceeded"
	CodeThrottling             = "ThrottlingException"
	CodeLimitExceeded          = "LimitExceededException"
	CodeCollectionSizeExceeded = "ItemCollectionSizeLimitExceededException"
	CodeDuplicateItem          = "DuplicateItemException"
	CodeExpiredIterator        = "ExpiredIteratorException"
	CodeTrimmedData            = "TrimmedDataAccessException"
	CodeInternal               = "InternalServerError"
	CodeUnavailable            = "ServiceUnavailable"
)

// Error is an answer of the service that is an error.
type Error struct {
	Code       string               // "ConditionalCheckFailedException", without name space
	Message    string               // the service's own text; may be empty
	Status     int                  // of HTTP; 0 stands for the code's own
	RequestID  string               // the service's id of the request; empty if not known
	Item       Raw                  // the item that failed the condition, if it was asked for
	Reasons    []CancellationReason // of a TransactionCanceledException: one for each action, in order
	Throttling []ThrottlingReason   // what was throttled, and why
}

// CancellationReason says what became of one action of a cancelled transaction. Code is "None" for one that would have
// passed; others are "ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded", "TransactionConflict",
// "ProvisionedThroughputExceeded", "ThrottlingError" and "ValidationError".
type CancellationReason struct {
	Code    string
	Message string
	Item    Raw // the item that failed the condition, if it was asked for
}

// ThrottlingReason names a limit and the ARN of what it limits.
type ThrottlingReason struct{ Reason, Resource string }

// NewError makes an Error of a code and a text.
func NewError(code, message string) *Error { return &Error{Code: code, Message: message} }

// Invalid makes a ValidationException.
func Invalid(message string) *Error { return &Error{Code: CodeValidation, Message: message} }

// Error is the code and the service's text, which is passed on as it is.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Code + ": " + e.Message
}

// Is reports whether the error is of a kind: one of the Err… values of this package. A cancelled transaction is also of
// the kinds of its reasons.
func (e *Error) Is(kind error) bool {
	switch e.Code {
	case CodeValidation, CodeSerialization, CodeUnknownOperation:
		return kind == ErrInvalid
	case CodeIdempotentMismatch:
		return kind == ErrInvalid || kind == ErrTokenUsed
	case CodeConditionFailed:
		return kind == ErrConditionFailed
	case CodeDuplicateItem:
		return kind == ErrExists
	case CodeResourceInUse:
		return kind == ErrExists && strings.HasPrefix(e.Message, "Table already exists")
	case CodeTransactionConflict, CodeTransactionInProgress:
		return kind == ErrConflict
	case CodeThroughputExceeded, CodeRequestLimit, CodeThrottling:
		return kind == ErrThrottled
	case CodeLimitExceeded, CodeCollectionSizeExceeded:
		return kind == ErrLimit
	case CodeTransactionCanceled:
		if kind == ErrCancelled {
			return true
		}
		for _, r := range e.Reasons {
			if r.Is(kind) {
				return true
			}
		}
	}
	return false
}

// Is reports whether the reason is of a kind: one of the Err… values of this package.
func (r CancellationReason) Is(kind error) bool {
	switch r.Code {
	case "ConditionalCheckFailed":
		return kind == ErrConditionFailed
	case "TransactionConflict":
		return kind == ErrConflict
	case "ProvisionedThroughputExceeded", "ThrottlingError":
		return kind == ErrThrottled
	case "ItemCollectionSizeLimitExceeded":
		return kind == ErrLimit
	case "ValidationError":
		return kind == ErrInvalid
	case "DuplicateItem":
		return kind == ErrExists
	}
	return false
}

// Retryable reports whether the same request may pass later: the service is busy, or another transaction was. A
// cancelled transaction is worth repeating if nothing else than that cancelled it.
func (e *Error) Retryable() bool {
	switch e.Code {
	case CodeThroughputExceeded, CodeRequestLimit, CodeThrottling, CodeTransactionConflict, CodeTransactionInProgress,
		CodeInternal, CodeUnavailable:
		return true
	case CodeTransactionCanceled:
		busy := false
		for _, r := range e.Reasons {
			switch {
			case r.Code == "None":
			case r.Is(ErrConflict), r.Is(ErrThrottled):
				busy = true
			default:
				return false
			}
		}
		return busy
	}
	return e.Status >= 500
}

// HTTPStatus is the status of the answer: 400 for all but the service's own failures.
func (e *Error) HTTPStatus() int {
	switch {
	case e.Status != 0:
		return e.Status
	case e.Code == CodeInternal:
		return 500
	case e.Code == CodeUnavailable:
		return 503
	}
	return 400
}

// nameSpace is what stands before the code in __type, as captured on AWS.
func nameSpace(code string) string {
	switch code {
	case CodeValidation:
		return "com.amazon.coral.validate#"
	case CodeSerialization, CodeUnknownOperation, CodeAccessDenied, "MissingAuthenticationTokenException",
		"InvalidSignatureException", "IncompleteSignatureException", "UnrecognizedClientException", "ExpiredTokenException":
		return "com.amazon.coral.service#"
	}
	return "com.amazonaws.dynamodb.v20120810#"
}

// Append appends the error's JSON to dst.
func (e *Error) Append(dst []byte) []byte {
	dst = attr.AppendText(append(dst, `{"__type":`...), nameSpace(e.Code)+e.Code) // which another service may have made up
	if e.Message != "" {
		// The member's case differs, as captured on AWS (2026-08; of AccessDeniedException in public issue threads).
		if e.Code == CodeSerialization || e.Code == CodeTransactionCanceled || e.Code == "AccessDeniedException" {
			dst = append(dst, `,"Message":`...)
		} else {
			dst = append(dst, `,"message":`...)
		}
		dst = attr.AppendText(dst, e.Message)
	}
	if e.Item != nil {
		dst = append(append(dst, `,"Item":`...), e.Item...)
	}
	if e.Reasons != nil {
		dst = append(dst, `,"CancellationReasons":[`...)
		for i, r := range e.Reasons {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = r.append(dst)
		}
		dst = append(dst, ']')
	}
	if e.Throttling != nil {
		if e.Code == CodeThrottling { // in the service's model its member alone begins in lower case, and SDKs know no other
			dst = append(dst, `,"throttlingReasons":[`...)
		} else {
			dst = append(dst, `,"ThrottlingReasons":[`...)
		}
		for i, r := range e.Throttling {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = attr.AppendText(append(dst, `{"reason":`...), r.Reason)
			dst = attr.AppendText(append(dst, `,"resource":`...), r.Resource)
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (r CancellationReason) append(dst []byte) []byte {
	dst = attr.AppendText(append(dst, `{"Code":`...), r.Code)
	if r.Item != nil {
		dst = append(append(dst, `,"Item":`...), r.Item...)
	}
	if r.Message != "" {
		dst = attr.AppendText(append(dst, `,"Message":`...), r.Message)
	}
	return append(dst, '}')
}

// DecodeError reads the answer of a service that is an error. It always makes something of it: where the body is not
// DynamoDB's (a proxy's page), the Code is "HTTP 502" or so.
func DecodeError(status int, body []byte) *Error {
	e := &Error{Status: status}
	d := attr.NewDecoder(body)
	for key := range d.Fields("Error") {
		switch string(key) {
		case "__type":
			t := d.Text()
			e.Code = t[strings.LastIndexByte(t, '#')+1:]
		case "message", "Message":
			e.Message = d.Text()
		case "Item":
			e.Item = cloneRaw(d.Raw())
		case "CancellationReasons":
			e.Reasons = []CancellationReason{}
			for range d.Elems() {
				e.Reasons = append(e.Reasons, decodeReason(d))
			}
		case "ThrottlingReasons", "throttlingReasons":
			for range d.Elems() {
				var r ThrottlingReason
				for key := range d.Fields("ThrottlingReason") {
					switch string(key) {
					case "reason":
						r.Reason = d.Text()
					case "resource":
						r.Resource = d.Text()
					}
				}
				e.Throttling = append(e.Throttling, r)
			}
		}
	}
	if d.End() != nil || e.Code == "" {
		return &Error{Status: status, Code: "HTTP " + strconv.Itoa(status), Message: "the answer is not DynamoDB's"}
	}
	return e
}

func decodeReason(d *attr.Decoder) (r CancellationReason) {
	for key := range d.Fields("CancellationReason") {
		switch string(key) {
		case "Code":
			r.Code = d.Text()
		case "Message":
			r.Message = d.Text()
		case "Item":
			r.Item = cloneRaw(d.Raw())
		}
	}
	return r
}
