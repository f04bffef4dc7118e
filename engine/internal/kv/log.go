package kv

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// The log holds what the file of tables does not yet have. It is a row of files, "log-" and a number; a file is a row of
// frames, each what one commit changed:
//
//	magic      4 bytes
//	file       8 bytes  the file's number
//	frame      8 bytes  the frame's number in the file, from 0 on
//	length     4 bytes  of the changes
//	checksum   4 bytes  CRC-32C of the changes
//	checksum   4 bytes  CRC-32C of what stands before
//	changes
//
// A change is the space (uvarint), what is done (one byte) and, for a put or delete, the key with its length before it
// (uvarint), for a put also the value with its length. All numbers of fixed length are big endian.
//
// A commit is synced before the next one is written, so that only the last frame of the last file can be torn: it was not
// answered, and is cut off when the log is opened. Anything else that does not read is damage.

const (
	logMagic    = 0x746c6f67
	frameHeader = 4 + 8 + 8 + 4 + 4 + 4
)

// What a change does.
const (
	changePut byte = iota
	changeDelete
	changeDrop
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const logPrefix = "log-"

func logName(number uint64) string { return fmt.Sprintf("%s%08d", logPrefix, number) }

// logs are the numbers of the log files in a folder, in order.
func logs(d Files) (numbers []uint64, err error) {
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, logPrefix); ok {
			if n, err := strconv.ParseUint(digits, 10, 64); err == nil && logName(n) == name {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// log is the file that is written to.
type log struct {
	number uint64
	file   File
	size   int64  // of the frames that are written whole
	frames uint64 // their number
	noSync bool
	buffer []byte
}

// append writes the changes of a level as one frame and syncs it. After an error nothing of it is in the file, or, if that
// cannot be had either, broken is true: nothing may follow.
func (l *log) append(changes *level) (broken bool, err error) {
	b := append(l.buffer[:0], make([]byte, frameHeader)...)
	b = appendChanges(b, changes)
	if cap(b) <= maxKeptFrame {
		l.buffer = b
	}
	putHeader(b, l.number, l.frames)
	_, err = l.file.Write(b)
	if err == nil && !l.noSync {
		err = l.file.Sync()
	}
	if err == nil {
		l.size += int64(len(b))
		l.frames++
		return false, nil
	}
	// After a failed sync it is unknown what is on disk: the frame must be gone for certain before another follows it.
	if undo := l.file.Truncate(l.size); undo != nil {
		return true, fmt.Errorf("%w (and it cannot be taken back: %w)", err, undo)
	}
	if undo := l.file.Sync(); undo != nil {
		return true, fmt.Errorf("%w (and it cannot be taken back: %w)", err, undo)
	}
	return false, err
}

// maxKeptFrame is the size of the buffer that is kept for the next frame.
const maxKeptFrame = 4 << 20

func putHeader(frame []byte, number, n uint64) {
	h, changes := frame[:frameHeader], frame[frameHeader:]
	binary.BigEndian.PutUint32(h, logMagic)
	binary.BigEndian.PutUint64(h[4:], number)
	binary.BigEndian.PutUint64(h[12:], n)
	binary.BigEndian.PutUint32(h[20:], uint32(len(changes)))
	binary.BigEndian.PutUint32(h[24:], crc32.Checksum(changes, castagnoli))
	binary.BigEndian.PutUint32(h[28:], crc32.Checksum(h[:28], castagnoli))
}

// appendChanges appends all changes of a level.
func appendChanges(b []byte, l *level) []byte {
	for s, y := range l.layers {
		if y.dropped {
			b = append(binary.AppendUvarint(b, uint64(s)), changeDrop)
		}
		y.tree.Scan(func(p pair) bool {
			b = binary.AppendUvarint(b, uint64(s))
			if p.value == nil {
				b = append(b, changeDelete)
				b = append(binary.AppendUvarint(b, uint64(len(p.key))), p.key...)
				return true
			}
			b = append(b, changePut)
			b = append(binary.AppendUvarint(b, uint64(len(p.key))), p.key...)
			b = append(binary.AppendUvarint(b, uint64(len(p.value))), p.value...)
			return true
		})
	}
	return b
}

// readLog makes the changes of a log file in a level. The size is that of its frames that are whole. A file that is not the
// last one must be whole.
func readLog(text []byte, number uint64, last bool, into *level) (size int64, frames uint64, err error) {
	for rest := text; len(rest) > 0; {
		at := len(text) - len(rest)
		changes, ok := readFrame(rest, number, frames)
		if !ok {
			if !last || laterFrame(rest, number, frames) {
				return 0, 0, fmt.Errorf("%s is damaged at byte %d", logName(number), at)
			}
			break
		}
		if err := readChanges(changes, into); err != nil {
			return 0, 0, fmt.Errorf("%s is damaged at byte %d: %w", logName(number), at, err)
		}
		frames++
		rest = rest[frameHeader+len(changes):]
		size = int64(len(text) - len(rest))
	}
	into.forget(0)
	return size, frames, nil
}

// readFrame reads the frame of a number at the beginning of text.
func readFrame(text []byte, number, n uint64) (changes []byte, ok bool) {
	if len(text) < frameHeader {
		return nil, false
	}
	h := text[:frameHeader]
	length := int(binary.BigEndian.Uint32(h[20:]))
	switch {
	case binary.BigEndian.Uint32(h) != logMagic, binary.BigEndian.Uint64(h[4:]) != number, binary.BigEndian.Uint64(h[12:]) != n,
		binary.BigEndian.Uint32(h[28:]) != crc32.Checksum(h[:28], castagnoli), length > len(text)-frameHeader:
		return nil, false
	}
	changes = text[frameHeader : frameHeader+length]
	return changes, binary.BigEndian.Uint32(h[24:]) == crc32.Checksum(changes, castagnoli)
}

// laterFrame reports whether a frame that follows the n-th is in text: then the n-th was synced, and is damaged.
func laterFrame(text []byte, number, n uint64) bool {
	mark := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, logMagic), number)
	for {
		i := bytes.Index(text, mark)
		if i < 0 {
			return false
		}
		text = text[i:]
		if len(text) >= frameHeader && cmp.Compare(binary.BigEndian.Uint64(text[12:]), n) > 0 &&
			binary.BigEndian.Uint32(text[28:]) == crc32.Checksum(text[:28], castagnoli) {
			return true
		}
		text = text[1:]
	}
}

func readChanges(b []byte, into *level) error {
	damaged := fmt.Errorf("a change does not read")
	number := func() uint64 {
		n, k := binary.Uvarint(b)
		if k <= 0 {
			b = nil
			return 0
		}
		b = b[k:]
		return n
	}
	for len(b) > 0 {
		s := Space(number())
		if len(b) == 0 {
			return damaged
		}
		what := b[0]
		b = b[1:]
		if what == changeDrop {
			into.drop(s)
			continue
		}
		n := number()
		if n > uint64(len(b)) {
			return damaged
		}
		key := string(b[:n])
		b = b[n:]
		switch what {
		case changeDelete:
			into.remove(s, key)
		case changePut:
			n := number()
			if n > uint64(len(b)) {
				return damaged
			}
			value := append(make([]byte, 0, n), b[:n]...)
			b = b[n:]
			into.set(s, pair{key, value})
		default:
			return damaged
		}
	}
	return nil
}
