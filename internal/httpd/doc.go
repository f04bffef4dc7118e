// Package httpd serves HTTP/1.1 for clients that send small requests one after another on connections they keep, as those of
// DynamoDB do, at less than half of what net/http takes for it: such a request costs the server little more than reading it
// from the kernel and writing its answer.
//
//	s := httpd.New(&http.Server{Handler: h, IdleTimeout: time.Minute})
//	go s.Serve(listener)
//	…
//	s.Shutdown(ctx)
//
// Whatever else comes (other methods than POST, bodies without a length, Expect, Upgrade, HTTP/1.0, what does not read at
// once as a request) is given with its connection to net/http, which also decides what is wrong with it.
//
// A Handler sees what it sees from net/http, but for this: requests and their headers are used again for the next ones, so
// that nothing of them may be kept after the handler returns; the request's context does not end when the client goes; a
// response is sent when the handler returns, whole, and its writer is no Flusher and no Hijacker.
package httpd
