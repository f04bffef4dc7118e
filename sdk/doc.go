// Package sdk stands between this module's client and the AWS SDK's generated one, for programs that have both: those
// that come over step by step, that need an operation the client has no method for, or that handle the SDK's error types.
//
//	db := tablewright.New(sdk.Transport(client), tablewright.Options{})  // this client over an existing one of the SDK's
//	client := sdk.Client(db)                                             // the SDK's client over an existing *tablewright.DB
//	out, err := client.GetItem(sdk.Named(ctx, "accountById"), in)         // a call of an access pattern, for hooks and statistics
//	reader := sdk.Streams(db)                                            // the same of DynamoDB Streams
//	err = sdk.ServiceError(err)                                          // *types.ConditionalCheckFailedException, … for errors.As
//
// Client works on every DB, one on an engine in the same process too: a test of code written for the SDK needs no server.
//
// The client itself does not import this package, and with it the SDK's generated code; only programs that do compile it.
package sdk
