package practices

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// OldTrack is a track as the program before this one wrote it.
type OldTrack struct {
	ID      string `ddb:"trackId"`
	Artist  string `ddb:"performer"`
	Title   string `ddb:"title"`
	Version int    `ddb:"version,version"`
}

var OldTracks = tablewright.Declare[tablewright.Entity[string, OldTrack]](
	tablewright.NewTable(plan.Table{Name: "Tracks", Key: plan.Key{Partition: "trackId"}}), plan.Item{Name: "Track"})

// Track has an attribute under another name, a new one, and a new index.
type Track struct {
	ID      string    `ddb:"trackId"`
	Artist  string    `ddb:"artist,was=performer"`
	Title   string    `ddb:"title"`
	Genre   string    `ddb:"genre,omitzero" check:"default=unknown"`
	Version int       `ddb:"version,version"`
	Rest    attr.Item `ddb:",rest"` // what no field names is kept
}

var TracksTable = tablewright.NewTable(plan.Table{
	Name: "Tracks", Key: plan.Key{Partition: "trackId"},
	GSI: map[string]plan.Index{"ByArtist": {Partition: []string{"artistKey"}, Sort: []string{"title"}}},
})

type tracks struct {
	tablewright.Entity[string, Track]
	ByArtist tablewright.Index1[Track, string, string]
}

var Tracks = tablewright.Declare[tracks](TracksTable, plan.Item{
	Name: "Track", Set: map[string]plan.Template{"artistKey": {Value: "{artist:raw}"}},
})

// backfill writes every track anew, as it is: under its new names, with its new index attributes.
func backfill(ctx context.Context, db *tablewright.DB, from tablewright.Cursor, save func(tablewright.Cursor)) error {
	for page, err := range Tracks.Scan().Intended().Rate(100).Resume(from).Pages(ctx, db) {
		if err != nil {
			return err
		}
		for _, t := range page.Items {
			err := Tracks.Put(t).Run(ctx, db)
			if err != nil && !errors.Is(err, tablewright.ErrStale) { // stale: written or deleted meanwhile
				return err
			}
		}
		save(page.Next)
	}
	return nil
}

func Example_migrations() {
	ctx, db := open(TracksTable)
	for i, title := range []string{"So What", "Blue in Green"} {
		if err := OldTracks.Create(OldTrack{ID: fmt.Sprint("t", i+1), Artist: "Miles", Title: title}).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	t, err := Tracks.Get("t1").Run(ctx, db) // both spellings are read
	fmt.Println(t.Artist, t.Title, t.Genre, err)
	n, err := Tracks.ByArtist.Of("Miles").Count(ctx, db)
	fmt.Println(n, "in the index", err)

	fmt.Println(backfill(ctx, db, "", func(tablewright.Cursor) {}))
	for t, err := range Tracks.ByArtist.Of("Miles").All(ctx, db) {
		fmt.Println(t.Title, t.Genre, t.Version, err)
	}
	// Output:
	// Miles So What unknown <nil>
	// 0 in the index <nil>
	// <nil>
	// Blue in Green unknown 2 <nil>
	// So What unknown 2 <nil>
}
