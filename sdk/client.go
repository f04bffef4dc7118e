package sdk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// Client is a client of the AWS SDK that sends over a DB: to the same service with the same credentials, or to the same
// engine in this process, and through the same hooks, which see its calls beside the others. Every operation that the SDK's
// client has can be asked for. It repeats requests as the SDK does (options may say otherwise), and does not know
// Options.TableName: it takes tables' names as they are at the service.
//
// Options that concern the way to the service (Region, Credentials, BaseEndpoint, HTTPClient) have no effect.
func Client(db *tablewright.DB, options ...func(*dynamodb.Options)) *dynamodb.Client {
	all := append(options[:len(options):len(options)], func(o *dynamodb.Options) {
		// Nothing is resolved or signed here: that happens below, on the DB's way.
		o.Region, o.BaseEndpoint = "local", aws.String("http://"+host)
		o.Credentials = aws.AnonymousCredentials{}
		o.HTTPClient = &carrier{db.Transport()}
		o.DisableValidateResponseChecksum = true // was done below, where bytes came from
		o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], tellTarget)
	})
	return dynamodb.New(dynamodb.Options{}, all...)
}

// Named is ctx for calls of the SDK's client that are an access pattern's: hooks see them under its name, as they see those of this module's
// client, so that statistics tell one pattern from another and a model's promises are compared with what is done.
//
//	client.GetItem(sdk.Named(ctx, "accountById"), &dynamodb.GetItemInput{…})
//
// It concerns clients that [Client] made.
func Named(ctx context.Context, pattern string) context.Context {
	return context.WithValue(ctx, patternKey{}, pattern)
}

type patternKey struct{}

// host is of no machine; it only makes the SDK's URLs complete.
const host = "tablewright.invalid"

// target is what a request of the SDK's is sent to, for hooks.
type target struct{ table, index string }

type targetKey struct{}

// tellTarget keeps table and index of an input in the context, so that nobody has to look for them in the bytes.
func tellTarget(s *middleware.Stack) error {
	return s.Initialize.Add(middleware.InitializeMiddlewareFunc("TablewrightTarget", func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		v := reflect.Indirect(reflect.ValueOf(in.Parameters))
		text := func(name string) string {
			if p, ok := v.FieldByName(name).Interface().(*string); ok && p != nil {
				return *p
			}
			return ""
		}
		var to target
		if v.Kind() == reflect.Struct {
			for name, into := range map[string]*string{"TableName": &to.table, "IndexName": &to.index} {
				if v.FieldByName(name).IsValid() {
					*into = text(name)
				}
			}
		}
		return next.HandleInitialize(context.WithValue(ctx, targetKey{}, to), in)
	}), middleware.Before)
}

// carrier hands the requests that the SDK would send to a transport.
type carrier struct{ transport tablewright.Transport }

func (h *carrier) Do(req *http.Request) (*http.Response, error) {
	_, operation, ok := strings.Cut(req.Header.Get("X-Amz-Target"), ".")
	if !ok {
		return nil, fmt.Errorf("tablewright/sdk: a request without an operation to %s", req.URL.Path)
	}
	var body []byte
	if req.Body != nil {
		defer req.Body.Close()
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	to, _ := req.Context().Value(targetKey{}).(target)
	pattern, _ := req.Context().Value(patternKey{}).(string)
	c := &tablewright.Call{Operation: operation, Table: to.table, Index: to.index, Pattern: pattern, Request: body, Attempt: 1}
	err := h.transport.Do(req.Context(), c)
	var answer *wire.Error
	switch {
	case err == nil:
		return response(req, http.StatusOK, c.Response, c.RequestID), nil
	case errors.As(err, &answer):
		id := answer.RequestID
		if id == "" {
			id = c.RequestID
		}
		return response(req, answer.HTTPStatus(), answer.Append(nil), id), nil
	}
	return nil, err
}

func response(req *http.Request, status int, body []byte, requestID string) *http.Response {
	header := http.Header{"Content-Type": {"application/x-amz-json-1.0"}}
	if requestID != "" {
		header.Set("X-Amzn-Requestid", requestID)
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}
