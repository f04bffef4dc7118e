package tablewright

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// Blob is the value of an attribute that may be too large for an item: it lies in the item itself, or in an object store with
// a reference in the item. It is a field of an entity's type; an [Offload] makes and reads it. The zero Blob is absent.
//
// An item has at most 400 KB and is read and paid for as a whole, so that what is large and rarely read lies better beside
// it (docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html).
type Blob struct {
	data   []byte // in the item, as the caller gave it
	key    string // in the store
	size   int    // as the caller gave it
	packed bool   // compressed in the store
}

// Size is the number of bytes of the value.
func (b Blob) Size() int { return b.size }

// Key is the value's key in the store; "" if it lies in the item.
func (b Blob) Key() string { return b.key }

// MarshalValue writes a binary, or a map with the reference; nothing for the zero Blob.
func (b Blob) MarshalValue() (attr.Value, error) {
	switch {
	case b.key != "":
		return attr.Map(attr.ItemOf(attr.Field{Name: "key", Value: attr.Text(b.key)}, attr.Field{Name: "packed", Value: attr.Bool(b.packed)},
			attr.Field{Name: "size", Value: attr.Num(attr.Int(int64(b.size)))})), nil
	case b.data != nil:
		return attr.Binary(b.data), nil
	}
	return attr.Value{}, nil
}

// UnmarshalValue reads what MarshalValue wrote, and a binary or text that was written before there was a store.
func (b *Blob) UnmarshalValue(v attr.Value) error {
	*b = Blob{}
	switch v.Kind() {
	case attr.KindB:
		b.data = v.Bytes()
	case attr.KindS:
		b.data = []byte(v.Str())
	case attr.KindM:
		it := v.Map()
		n, ok := it.Get("size").Number().Int64()
		if b.key = it.Get("key").Str(); b.key == "" || !ok {
			return errors.New("a reference to a store without its key or size")
		}
		b.size, b.packed = int(n), it.Get("packed").Bool()
		return nil
	case attr.KindNULL, 0:
		return nil
	default:
		return fmt.Errorf("%s is no blob", v.Kind())
	}
	b.size = len(b.data)
	return nil
}

// BlobStore keeps values by key: a folder ([Folder]), a bucket, a map in a test. Get of a key that is not there is an error
// that is fs.ErrNotExist; Delete of one is none.
type BlobStore interface {
	Put(ctx context.Context, key string, data []byte) error
	Get(ctx context.Context, key string) ([]byte, error)
	Delete(ctx context.Context, key string) error
	List(ctx context.Context) iter.Seq2[StoredBlob, error]
}

// StoredBlob is an entry of a BlobStore.
type StoredBlob struct {
	Key    string
	Stored time.Time
}

// Offload puts values above a threshold into a store. The order of things is what keeps store and table true to each other:
// a value is stored before the item that refers to it is written, and removed after the last item that does is gone, so that
// whoever fails in between leaves something useless behind, never a reference to nothing. Sweep removes what is useless.
type Offload struct {
	Store     BlobStore
	Threshold int  // bytes that still lie in the item; 0: 64 KB, which is 16 read units of an eventually consistent read
	Compress  bool // what goes into the store, where that makes it smaller
}

const offloadThreshold = 64 << 10

// Save makes a Blob of a value, and stores it if it is large. Write the item then.
func (o Offload) Save(ctx context.Context, data []byte) (Blob, error) {
	threshold := o.Threshold
	if threshold <= 0 {
		threshold = offloadThreshold
	}
	if len(data) <= threshold {
		return Blob{data: append([]byte{}, data...), size: len(data)}, nil
	}
	b := Blob{key: keys.NewIDs(time.Now, rand.Reader).ULID(), size: len(data)}
	if o.Compress {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, err := z.Write(data)
		if err = errors.Join(err, z.Close()); err != nil {
			return Blob{}, fmt.Errorf("tablewright: compressing a blob: %w", err)
		}
		if b.packed = out.Len() < len(data); b.packed {
			data = out.Bytes()
		}
	}
	if err := o.Store.Put(ctx, b.key, data); err != nil {
		return Blob{}, fmt.Errorf("tablewright: storing a blob: %w", err)
	}
	return b, nil
}

// Load is the value of a Blob. One whose stored value is gone is ErrNotFound.
func (o Offload) Load(ctx context.Context, b Blob) ([]byte, error) {
	if b.key == "" {
		return b.data, nil
	}
	data, err := o.Store.Get(ctx, b.key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("tablewright: blob %s: %w: %w", b.key, ErrNotFound, err)
	}
	if err != nil {
		return nil, fmt.Errorf("tablewright: blob %s: %w", b.key, err)
	}
	if b.packed {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("tablewright: blob %s: %w", b.key, err)
		}
		if data, err = io.ReadAll(io.LimitReader(z, int64(b.size)+1)); err != nil {
			return nil, fmt.Errorf("tablewright: blob %s: %w", b.key, err)
		}
	}
	if len(data) != b.size {
		return nil, fmt.Errorf("tablewright: blob %s has %d bytes, and its item says %d", b.key, len(data), b.size)
	}
	return data, nil
}

// Delete removes what a Blob has in the store: once no item refers to it any more.
func (o Offload) Delete(ctx context.Context, b Blob) error {
	if b.key == "" {
		return nil
	}
	if err := o.Store.Delete(ctx, b.key); err != nil {
		return fmt.Errorf("tablewright: blob %s: %w", b.key, err)
	}
	return nil
}

// Write stores a value, calls write with the Blob that is to stand in the item, and cleans up: if write fails the new value
// goes, else that of before, which the item had (the zero Blob of a new item). After ErrUnknownOutcome both stay, and after an
// error about the answer of a write that was done, such as the ErrNotFound of Old where there was no item before: Sweep removes
// the one that is not referred to.
func (o Offload) Write(ctx context.Context, before Blob, data []byte, write func(Blob) error) error {
	b, err := o.Save(ctx, data)
	if err != nil {
		return err
	}
	err = write(b)
	switch {
	case err == nil:
		return o.Delete(ctx, before)
	case errors.Is(err, ErrUnknownOutcome), wasDone(err):
		return err
	}
	return errors.Join(err, o.Delete(context.WithoutCancel(ctx), b))
}

// Sweep removes the stored values that no item refers to: referred yields all Blobs of all items, from a scan most often,
// whose error ends the sweep before anything is removed. What was stored less than grace ago stays, since its item may be about to be
// written; let it be longer than any of these takes. It tells how many were removed.
func (o Offload) Sweep(ctx context.Context, referred iter.Seq2[Blob, error], grace time.Duration) (removed int, err error) {
	// What is stored from now on is not looked at, whatever the clocks of the store and of this machine say.
	before := time.Now().Add(-grace)
	var candidates []string
	for b, err := range o.Store.List(ctx) {
		if err != nil {
			return 0, fmt.Errorf("tablewright: listing blobs: %w", err)
		}
		if b.Stored.Before(before) {
			candidates = append(candidates, b.Key)
		}
	}
	used := map[string]bool{}
	for b, err := range referred {
		if err != nil {
			return 0, err
		}
		used[b.key] = true
	}
	for _, key := range candidates {
		if used[key] {
			continue
		}
		if err := o.Store.Delete(ctx, key); err != nil {
			return removed, fmt.Errorf("tablewright: blob %s: %w", key, err)
		}
		removed++
	}
	return removed, nil
}

// Folder is a BlobStore of files in a folder, which is made with the first one.
type Folder string

// Put writes a file under another name first: what has the key's name is whole.
func (f Folder) Put(ctx context.Context, key string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path, err := f.path(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(string(f), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	if runtime.GOOS == "windows" { // which does not sync folders, nor needs to
		return nil
	}
	dir, err := os.Open(string(f))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close()) // an item that names the file may be stored next
}

// Get reads a file.
func (f Folder) Get(ctx context.Context, key string) ([]byte, error) {
	path, err := f.path(key)
	if err = errors.Join(ctx.Err(), err); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Delete removes a file.
func (f Folder) Delete(ctx context.Context, key string) error {
	path, err := f.path(key)
	if err = errors.Join(ctx.Err(), err); err != nil {
		return err
	}
	if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List lists the files.
func (f Folder) List(ctx context.Context) iter.Seq2[StoredBlob, error] {
	return func(yield func(StoredBlob, error) bool) {
		entries, err := os.ReadDir(string(f))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(StoredBlob{}, err)
			return
		}
		for _, e := range entries {
			if e.IsDir() || e.Name()[0] == '.' {
				continue
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				yield(StoredBlob{}, err)
				return
			}
			if !yield(StoredBlob{e.Name(), info.ModTime()}, nil) {
				return
			}
		}
	}
}

// path is a key's file; a key that leads out of the folder is refused.
func (f Folder) path(key string) (string, error) {
	if key == "" || key[0] == '.' || filepath.Base(key) != key {
		return "", fmt.Errorf("tablewright: %q is no key of a blob", key)
	}
	return filepath.Join(string(f), key), nil
}
