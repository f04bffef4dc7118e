package cost_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// An album has ninety pictures. An answer shows the marks and the place of each.
const albumRequirements = `
tablewright: 1
application: albums
entities:
  Place:
    identity: [placeId]
    attributes:
      placeId: {type: string, bytes: 10}
      text: {type: string, bytes: 3_000}
    count: 90_000_000
  Picture:
    identity: [albumId, pictureId]
    attributes:
      albumId: {type: string, bytes: 10, distinct: 1_000}
      pictureId: {type: string, generated: ulid}
      placeId: {references: Place, inverse: pictures, per-parent: {average: 0.001, max: 1}}
      stars: {type: number, digits: 1, min: 0}
    count: 90_000
  Mark:
    identity: [albumId, pictureId, no]
    attributes:
      albumId: {references: Picture, by: [albumId, pictureId], as: picture, inverse: marks, per-parent: {average: 2, max: 40}}
      pictureId: {type: string, bytes: 26}
      no: {type: number, digits: 2, min: 0}
    count: 180_000
patterns:
  addPlace: {write: {create: Place}, rate: {average: 1/day, peak: 1/s}}
  addPicture: {write: {create: Picture}, rate: {average: 1/s, peak: 1/s}}
  addMark: {write: {create: Mark}, rate: {average: 1/s, peak: 1/s}}
  getAlbum: {read: Picture, given: [albumId], order: stars, with: [marks], returns: [all, place.text], ASKED, rate: {average: 1/s, peak: 1/s}}
`

const albumModel = `
tablewright: 1
application: albums
tables:
  Places: {attributes: {placeId: S}, key: {partition: placeId}, items: {Place: {}}}
  Pictures: {attributes: {albumId: S, pictureId: S}, key: {partition: albumId, sort: pictureId}, items: {Picture: {}}}
  Marks:
    attributes: {picture: S, no: N}
    key: {partition: picture, sort: no}
    items: {Mark: {key: {picture: "{albumId}#{pictureId}"}}}
plans:
  addPlace: {steps: {w: {put: Place, if: absent}}}
  addPicture: {steps: {w: {put: Picture, if: absent}}}
  addMark: {steps: {w: {put: Mark, if: absent}}}
  getAlbum:
    steps:
      picture: {query: Pictures, items: [Picture], where: [albumId]}
      place: {batch-get: Place, each: $picture, key: [placeId]}
      marks: {query: Marks, items: [Mark], each: $picture, where: {albumId: $each.albumId, pictureId: $each.pictureId}}
    answer: {from: [picture, place, marks] CUT}
`

// TestLate prices what a client reads after it has cut the answer by how many are left: of ninety those of a page of
// forty, where one of three pages has ten, or of a top.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		asked, cut    string
		left, atWorst float64
	}{
		{"results: 90", "", 90, 90},
		{"page: 40, results: 90", ", page: 40, cursor: answer", 30, 40},
		{"page: 100, results: 90", ", page: 100, cursor: answer", 90, 90},
		{"top: 40, results: 90", "", 40, 40},
		{"where: stars > 3, page: 40, results: 45", ", page: 40, cursor: answer, keep: stars > 3", 22.5, 40},
	} {
		p := compileText(t, strings.Replace(albumRequirements, "ASKED", c.asked, 1), strings.Replace(albumModel, " CUT", c.cut, 1))
		x := cost.Price(p, nil).Pattern("getAlbum")
		near(t, c.asked+": pictures", x.Read["Pictures"], 1, 1e-9) // ninety of less than 91 bytes
		near(t, c.asked+": marks", x.Read["Marks"], c.left*0.5, 1e-9)
		near(t, c.asked+": places", x.Read["Places"], c.left*0.5, 1e-4) // hardly two pictures have one place
		near(t, c.asked+": at worst", x.Worst.Units, 1+2*0.5*c.atWorst, 1e-9)
	}
}
