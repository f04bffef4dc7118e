package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/sigv4"
	"github.com/tablewright/tablewright/wire"
)

// Options are settings of an Engine. The zero Options, and nil, are what a local stand-in for the service wants.
type Options struct {
	// Region is the Region of Do, and of requests over HTTP that do not tell theirs; Account is the account of all.
	// Both appear in ARNs. Empty: "us-east-1" and "000000000000".
	Region, Account string
	// ShareRegions makes all Regions the one of Region: clients see the same tables whatever they are configured for, by ARNs of
	// any Region too.
	ShareRegions bool
	// Clock tells the time for time to live, streams, tokens, delays and limits. Nil: the system's. With a ManualClock what
	// SweepEvery says is done when that is moved.
	Clock Clock
	// Lag delays entries of global secondary indexes. Nil: an index shows a write at once.
	Lag *Lag
	// Throttle limits what tables and indexes take per second, as the service does. Nil: nothing is ever throttled.
	Throttle *Throttle
	// SweepEvery is how often items whose time to live is over are deleted. 0: every minute; negative: only by Sweep.
	SweepEvery time.Duration
	// SweepLimit is how many items such a sweep deletes at most, so that with SweepEvery it is the pace at which expired
	// items go; the rest stays for the next one, as the service's may for days (howitworks-ttl). 0: any number. Sweep itself
	// deletes all.
	SweepLimit int
	// TimeToLiveRest is how long after a change of its time to live a table takes no other one. 0: an hour, as the service
	// does (API_UpdateTimeToLive); negative: no time.
	TimeToLiveRest time.Duration
	// Streams are settings of tables' streams.
	Streams StreamOptions
	// Credentials are the keys that requests to the Handler have to be signed with. Nil: nobody needs to sign, and whoever
	// reaches the Handler may do everything. Do in this process is not asked who it is.
	Credentials []Credential
	// Origins are the web pages, such as "http://localhost:3000", whose scripts may read the Handler's answers; "*" is any.
	// Nil: any if there are Credentials, as at the service, else none, since a page needs no key.
	Origins []string
	// Logger takes what the engine has to say: a line for each request at the level Debug, and at Warn for one that takes
	// SlowRequest or longer; failures of the disk and of the engine itself at Error. Nil: slog.Default. Nothing that is
	// logged is a value of an item or a key.
	Logger *slog.Logger
	// SlowRequest is from when on a request is slow. 0: a second; negative: never.
	SlowRequest time.Duration
	// StateTime is how long tables, indexes and settings are in a state on the way to another: a table that is CREATING,
	// UPDATING or DELETING, an index that is added or deleted, a setting that is ENABLING. Answers tell these states, and
	// what the service refuses in them is refused, until the time is over by the Clock. 0: only the answer to the request
	// that begins a change tells it, the next request finds it done.
	StateTime time.Duration
	// NoSync answers writes before they are on disk: much faster, for data that can be made again. A process that stops
	// loses nothing; a machine that stops may lose what was written last, or leave data that cannot be opened any more.
	NoSync bool
}

// Clock tells the time; times before 1970 count as 1970 where the engine stores them.
type Clock interface{ Now() time.Time }

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

// Engine is a DynamoDB of its own: tables in memory or in a directory. It is safe for concurrent use.
type Engine struct {
	store    kv.Store
	dir      *directory      // nil in memory
	keys     map[string]*key // nil: nobody has to sign
	metrics  metrics
	options  Options
	catalog  atomic.Pointer[catalog] // as answers have it, and views: of what is on disk
	ahead    atomic.Pointer[catalog] // as updates have it: with what those before have defined that is not on disk yet
	control  sync.Mutex              // held by what changes the catalog, until it is on disk
	lag      *lag                    // nil without delays
	inFlight inFlight
	throttle *throttling                 // nil without limits
	faults   atomic.Pointer[[]*Injected] // nil without faults
	tasks    tasks
	closed   sync.Once

	nextNumber kv.Space // see number; used within updates only

	shardsEnd atomic.Int64 // when a stream's next shard ends, in nanoseconds since 1970: see renewShards
}

// formatVersion numbers the layout of the data: a directory of another one is refused. 1 and 2 were before the first release.
const formatVersion = 3

// Open opens the tables in a directory, which is made if it does not exist, or, if dir is empty, an empty engine in
// memory. One Engine at a time can have a directory open.
func Open(dir string, options *Options) (*Engine, error) {
	if dir == "" {
		return openStore(kv.NewMemory(), options)
	}
	d, err := openDirectory(dir)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	store, err := d.store(options != nil && options.NoSync)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("engine: %w", err), d.close())
	}
	e, err := openStore(store, options)
	if err != nil {
		return nil, errors.Join(unreadable(err), d.close())
	}
	e.dir = d
	return e, nil
}

// check refuses names that could not stand in an ARN.
func (o *Options) check() error {
	if !sigv4.ValidRegion(o.Region) {
		return fmt.Errorf("engine: Options.Region %q: a Region has letters, digits and hyphens, like us-east-1", o.Region)
	}
	if len(o.Account) != 12 || strings.Trim(o.Account, "0123456789") != "" {
		return fmt.Errorf("engine: Options.Account %q: an account is 12 digits, like 000000000000", o.Account)
	}
	return nil
}

// openStore opens the tables in a store.
func openStore(store kv.Store, options *Options) (*Engine, error) {
	e := &Engine{store: store}
	e.metrics.operations = operationsToCount()
	e.tasks.ctx, e.tasks.end = context.WithCancel(context.Background())
	if options != nil {
		e.options = *options
	}
	o := &e.options
	if o.Region == "" {
		o.Region = "us-east-1"
	}
	if o.Account == "" {
		o.Account = "000000000000"
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Throttle != nil {
		e.throttle = newThrottling(e)
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = time.Minute
	}
	if o.TimeToLiveRest == 0 {
		o.TimeToLiveRest = time.Hour
	}
	if o.Streams.ShardLife == 0 {
		o.Streams.ShardLife = shardLife
	}
	e.shardsEnd.Store(math.MaxInt64)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.SlowRequest == 0 {
		o.SlowRequest = time.Second
	}
	err := o.check()
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if e.keys, err = readCredentials(o.Credentials, o.Account); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.warnOfActions()
	if err := e.load(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if c, ok := o.Clock.(*ManualClock); ok {
		c.attach(e)
	} else if o.SweepEvery > 0 {
		e.tasks.start(e.sweepAlways)
	}
	return e, nil
}

// load checks the format and reads the tables.
func (e *Engine) load() error {
	err := e.store.Update(func(w kv.Writer) error {
		version := w.Get(spaceMeta, keyFormat)
		if version == nil {
			w.Put(spaceMeta, keyFormat, []byte(strconv.Itoa(formatVersion)))
			return nil
		}
		if n, err := strconv.Atoi(string(version)); err != nil || n != formatVersion {
			return fmt.Errorf("engine: the data has format %s, this program reads format %d", version, formatVersion)
		}
		dropUnfinished(w)
		return nil
	})
	if err != nil {
		return err
	}
	err = e.store.View(func(r kv.Reader) error {
		c, err := readCatalog(r)
		e.catalog.Store(c)
		e.ahead.Store(c)
		if err != nil {
			return err
		}
		for _, s := range c.streams {
			if s.def.Disabled == 0 {
				if err := s.loadWriter(r); err != nil {
					return err
				}
				e.streamsDue(s.writer)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := e.startLag(); err != nil {
		return err
	}
	for _, t := range e.catalog.Load().byID {
		e.startFills(nil, t)
	}
	return nil
}

// Close waits for the update that runs and closes the data. Afterwards all operations fail.
func (e *Engine) Close() error {
	var err error
	e.closed.Do(func() {
		if c, ok := e.options.Clock.(*ManualClock); ok {
			c.detach(e)
		}
		e.tasks.stop()
		err = errors.Join(e.store.Close(), e.dir.close())
	})
	return err
}

func (e *Engine) now() time.Time { return e.options.Clock.Now() }

// nanoseconds is now as it is stored, in nanoseconds since 1970.
func (e *Engine) nanoseconds() int64 { return max(e.now().UnixNano(), 0) }

// handlers are the operations by name. A handler answers JSON or an error, a *wire.Error wherever the service would
// answer one.
var handlers map[string]func(e *session, body []byte) ([]byte, error)

func init() {
	handlers = map[string]func(e *session, body []byte) ([]byte, error){
		"BatchExecuteStatement":               (*session).batchExecuteStatement,
		"ExecuteStatement":                    (*session).executeStatement,
		"ExecuteTransaction":                  (*session).executeTransaction,
		"BatchGetItem":                        (*session).batchGetItem,
		"BatchWriteItem":                      (*session).batchWriteItem,
		"CreateTable":                         (*session).createTable,
		"DeleteItem":                          (*session).deleteItem,
		"DeleteResourcePolicy":                (*session).deleteResourcePolicy,
		"DeleteTable":                         (*session).deleteTable,
		"DescribeContinuousBackups":           (*session).describeContinuousBackups,
		"DescribeContributorInsights":         (*session).describeContributorInsights,
		"DescribeEndpoints":                   (*session).describeEndpoints,
		"DescribeKinesisStreamingDestination": (*session).describeKinesisStreamingDestination,
		"DescribeLimits":                      (*session).describeLimits,
		"DescribeStream":                      (*session).describeStream,
		"DescribeTable":                       (*session).describeTable,
		"DescribeTableReplicaAutoScaling":     (*session).describeTableReplicaAutoScaling,
		"DescribeTimeToLive":                  (*session).describeTimeToLive,
		"DisableKinesisStreamingDestination":  (*session).disableKinesisStreamingDestination,
		"EnableKinesisStreamingDestination":   (*session).enableKinesisStreamingDestination,
		"GetItem":                             (*session).getItem,
		"GetRecords":                          (*session).getRecords,
		"GetResourcePolicy":                   (*session).getResourcePolicy,
		"GetShardIterator":                    (*session).getShardIterator,
		"ListContributorInsights":             (*session).listContributorInsights,
		"ListStreams":                         (*session).listStreams,
		"ListTables":                          (*session).listTables,
		"ListTagsOfResource":                  (*session).listTagsOfResource,
		"PutItem":                             (*session).putItem,
		"PutResourcePolicy":                   (*session).putResourcePolicy,
		"Query":                               (*session).query,
		"Scan":                                (*session).scan,
		"TagResource":                         (*session).tagResource,
		"TransactGetItems":                    (*session).transactGetItems,
		"TransactWriteItems":                  (*session).transactWriteItems,
		"UntagResource":                       (*session).untagResource,
		"UpdateContinuousBackups":             (*session).updateContinuousBackups,
		"UpdateContributorInsights":           (*session).updateContributorInsights,
		"UpdateItem":                          (*session).updateItem,
		"UpdateKinesisStreamingDestination":   (*session).updateKinesisStreamingDestination,
		"UpdateTable":                         (*session).updateTable,
		"UpdateTimeToLive":                    (*session).updateTimeToLive,
	}
}

// maxRequest is the size of a request in bytes, unpacked, that is read at all (API_BatchWriteItem).
const maxRequest = int(capacity.BatchBytes)

// Do runs an operation of the service's API, such as "PutItem", on its JSON request and answers its JSON, byte for byte
// what the Handler answers over HTTP. An error is a *wire.Error, or ctx's if it has ended before the operation began; a
// body of more than 16 MB is refused. The answer belongs to the caller; body is not kept.
func (e *Engine) Do(ctx context.Context, operation string, body []byte) (answer []byte, err error) {
	return e.do(ctx, e.options.Region, operation, body)
}

// do is Do in a Region.
func (e *Engine) do(ctx context.Context, region, operation string, body []byte) (answer []byte, err error) {
	return e.session(ctx, region, operation).do(body)
}

// session is for one request.
func (e *Engine) session(ctx context.Context, region, operation string) *session {
	if e.options.ShareRegions {
		region = e.options.Region
	}
	return &session{Engine: e, ctx: ctx, region: region, operation: operation}
}

// do answers the session's request, and counts and logs it.
func (e *session) do(body []byte) (answer []byte, err error) {
	start := time.Now()
	if faults := e.faults.Load(); faults != nil {
		answer, err = e.answerWith(*faults, body)
	} else {
		answer, err = e.answer(body)
	}
	e.observe(time.Since(start), err)
	return answer, err
}

func (e *session) answer(body []byte) (answer []byte, err error) {
	if err := e.ctx.Err(); err != nil {
		return nil, err
	}
	if e.tasks.ctx.Err() != nil { // the store would say so, but some answers need nothing of it
		return nil, e.refusal(kv.ErrClosed)
	}
	handle := handlers[e.operation]
	if handle == nil {
		if !json.Valid(body) { // told first
			return nil, &wire.Error{Code: wire.CodeSerialization}
		}
		return nil, notYet(e.operation)
	}
	if len(body) > maxRequest {
		return nil, errTooLarge
	}
	answer, err = e.run(handle, body)
	if err == nil {
		return answer, nil
	}
	return nil, e.refusal(err)
}

// run is handle, if the caller may, with an error in place of a panic, as updates have it: one request must not take the program with it.
func (e *session) run(handle func(e *session, body []byte) ([]byte, error), body []byte) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, kv.NewPanicError(p)
		}
	}()
	if e.caller != nil {
		if err := e.authorize(body); err != nil {
			return nil, err
		}
	}
	return handle(e, body)
}
