// Package keys builds DynamoDB keys that sort and read back: codecs that write one value as a part of a key,
// composite keys of several parts, time buckets, zero-padded and inverted numbers, shards, identifiers that sort by
// time, and the bounds of a range.
//
// A [Codec] is a value, parsed from text such as "text", "iso:inverted" or "pad10.2". It writes logical values, which
// are attr.Values in the form in which an item stores them: a string is an S, a number an N, a timestamp an S such as
// 2026-11-21T09:04:00.000Z (see [Timestamp]), a date an S such as 2026-11-21. Besides writing and reading back, a codec
// states what can be proven of keys without data: how it keeps order, with which bytes its text can begin and which it
// can hold, and how long it can be.
//
//	codec    writes                                                            order     reads back
//	text     bytes 00 to 24 hex as $ and two upper-case hex digits             same      yes
//	raw      the text as it is                                                 same      yes
//	lower    Unicode lower case, then as text                                  none      no
//	iso      2026-11-21T09:04:00.000Z                                          same      yes
//	ms13     milliseconds since 1970, 13 digits                                same      yes
//	epoch-ms milliseconds since 1970, a number: alone in an N attribute        same      yes
//	epoch-s  seconds since 1970, a number: alone in an N attribute             weakly    no
//	hour     2026-11-21T09                                                     weakly    no
//	minutesN 2026-11-21T09:30: the beginning of N minutes, N divides 60        weakly    no
//	hoursN   2026-11-21T06: the beginning of N hours, N divides 24             weakly    no
//	day      2026-11-21                                                        weakly    no
//	month    2026-11                                                           weakly    no
//	padN     a whole number of N digits, not negative                          same      yes
//	padN.M   N digits, a dot, M decimals, not negative                         same      yes
//	signedN  1 and a whole number of N digits; negative: 0 and 9-d for each    same      yes
//	signedN.M  N digits, a dot, M decimals, behind the sign                    same      yes
//	inverted after iso, ms13, pad, signed, day of a date: digit d becomes 9-d  reversed  yes
//
// # Parts side by side
//
// Strings compare as UTF-8 bytes in DynamoDB. A part written by text holds no byte below $ (24 hex), so a separator
// that begins with such a byte, # by custom, ends it without ambiguity and sorts before everything that could continue
// it: keys of several parts compare as tuples, and no two tuples give the same key. [Composite] and [Split] do this for
// plain strings. Codecs of fixed width need no separator.
//
// # Shards and buckets
//
// [Shards] spreads what would be one hot key over several: its Hash is the same everywhere, its Codec writes the shard
// of a value in a template's {shard}. Minutes, hours, day and month write many moments alike: [Codec.Bucket] and
// [Codec.NextBucket] go from one bucket to the next.
//
// # Ranges
//
// [Successor] is the end of a prefix: the smallest text above everything that begins with it.
//
// # Identifiers
//
// [IDs] makes ULIDs, KSUIDs and UUIDs of versions 4 and 7 from a clock and a source of randomness that are passed in.
// ULID, KSUID and UUID version 7 sort by time; [ULIDFloor] and its like are the smallest of a moment, to be the bounds
// of a range.
package keys
