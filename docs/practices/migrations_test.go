package practices

import (
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/migrate"
	"github.com/tablewright/tablewright/plan"
)

// OldTrack is a track as the program before this one wrote it.
type OldTrack struct {
	ID     string `ddb:"trackId"`
	Artist string `ddb:"performer"`
	Title  string `ddb:"title"`
}

var OldTracks = tablewright.Declare[tablewright.Entity[string, OldTrack]](
	tablewright.NewTable(plan.Table{Name: "Tracks", Key: plan.Key{Partition: "trackId"}}), plan.Item{Name: "Track"})

// Track has an attribute under another name, a new one, and a new index.
type Track struct {
	ID     string    `ddb:"trackId"`
	Artist string    `ddb:"artist,was=performer"`
	Title  string    `ddb:"title"`
	Genre  string    `ddb:"genre,omitzero" check:"default=unknown"`
	Rest   attr.Item `ddb:",rest"` // what no field names is kept
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

	done, err := migrate.Backfill{Table: TracksTable, ReadRate: 100, WriteRate: 100}.Run(ctx, db)
	fmt.Println(done.Read, "read,", done.Written, "written anew", err)
	for t, err := range Tracks.ByArtist.Of("Miles").All(ctx, db) {
		fmt.Println(t.Title, t.Genre, err)
	}
	// Output:
	// Miles So What unknown <nil>
	// 0 in the index <nil>
	// 2 read, 2 written anew <nil>
	// Blue in Green unknown <nil>
	// So What unknown <nil>
}
