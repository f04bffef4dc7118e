package plan_test

import (
	"errors"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestGoesWith: steps go over one list of the call. What one takes from another is what that found for the same
// element, also over several steps, and the write is refused where there is nothing for one of them.
func TestGoesWith(t *testing.T) {
	r := requirements(t, "requirements.yaml", []byte(`
tablewright: 1
application: visits
entities:
  Site: {identity: [siteId], attributes: {siteId: {type: string, bytes: 6}, country: {type: string, bytes: 2}}, bytes: 60, count: 100}
  Subject:
    identity: [siteId, subjectNo]
    attributes:
      siteId: {parent: Site, per-parent: {average: 5, max: 20}}
      subjectNo: {type: number, digits: 3, min: 1}
      initials: {type: string, bytes: 3}
    bytes: 60
  Visit:
    identity: [visitId]
    attributes:
      visitId: {type: string, bytes: 6}
      siteId: {references: Subject, by: [siteId, subjectNo], as: subject, inverse: visits, per-parent: {average: 5, max: 20}}
      subjectNo: {type: number, digits: 3, min: 1}
    bytes: 60
    count: 2_500
patterns:
  addSite: {write: {create: Site}, rate: {average: 1/s, peak: 1/s}}
  addSubject: {write: {create: Subject, requires: [site]}, rate: {average: 1/s, peak: 1/s}}
  planVisits:
    write: {create: Visit, each: $visits, requires: [subject]}
    parameters: {visits: {length: {average: 3, max: 10}}}
    rate: {average: 1/s, peak: 1/s}
  getVisit: {read: Visit, given: [visitId], returns: [visitId, subject.initials, subject.site.country], rate: {average: 1/s, peak: 1/s}}
`))
	m, _ := document(t, "model.yaml", []byte(`
tablewright: 1
application: visits
tables:
  Sites: {attributes: {siteId: S}, key: {partition: siteId}, items: {Site: {}}}
  Subjects: {attributes: {siteId: S, subjectNo: N}, key: {partition: siteId, sort: subjectNo}, items: {Subject: {}}}
  Visits:
    attributes: {visitId: S}
    key: {partition: visitId}
    items: {Visit: {copies: {initials: subject.initials, country: subject.site.country}}}
plans:
  addSite: {steps: {w: {put: Site, if: absent}}}
  addSubject:
    steps:
      site: {get: Site, key: {siteId: $subject.siteId}, consistent: true}
      w: {put: Subject, if: absent, needs: [site]}
  planVisits:
    steps:
      subject: {batch-get: Subject, each: $visits, key: [siteId, subjectNo], consistent: true}
      site: {batch-get: Site, each: $visits, key: {siteId: $subject.siteId}, consistent: true}
      w:
        transact:
          - put: Visit
            each: $visits
            with: {subject.initials: $subject.initials, subject.site.country: $site.country}
            if: absent
  getVisit: {steps: {v: {get: Visit, key: [visitId]}}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	f := newFake(p)
	run := func(pattern string, args map[string]any) (*plan.Reply, error) { return f.run(pattern, item(args), nil) }
	do := func(pattern string, args map[string]any) {
		t.Helper()
		if _, err := run(pattern, args); err != nil {
			t.Fatal(pattern, err)
		}
	}
	type fields = map[string]any
	do("addSite", fields{"site": fields{"siteId": "a", "country": "AT"}})
	do("addSite", fields{"site": fields{"siteId": "b", "country": "BE"}})
	do("addSubject", fields{"subject": fields{"siteId": "a", "subjectNo": 1, "initials": "AnA"}})
	do("addSubject", fields{"subject": fields{"siteId": "a", "subjectNo": 2, "initials": "BoB"}})
	do("addSubject", fields{"subject": fields{"siteId": "b", "subjectNo": 1, "initials": "CyC"}})
	visit := func(id, site string, no int) any { return fields{"visitId": id, "siteId": site, "subjectNo": no} }
	do("planVisits", fields{"visits": []any{visit("u", "b", 1), visit("v", "a", 2), visit("w", "a", 1), visit("x", "a", 2)}})
	for id, want := range map[string][2]string{"u": {"CyC", "BE"}, "v": {"BoB", "AT"}, "w": {"AnA", "AT"}, "x": {"BoB", "AT"}} {
		reply, err := run("getVisit", fields{"visitId": id})
		if err != nil || len(reply.Items) != 1 {
			t.Fatal(id, reply, err)
		}
		subject := reply.Items[0].Get("subject").Map()
		if got := [2]string{subject.Get("initials").Str(), subject.Get("site").Map().Get("country").Str()}; got != want {
			t.Errorf("visit %s is of %v, not of %v", id, got, want)
		}
	}
	_, err := run("planVisits", fields{"visits": []any{visit("y", "a", 1), visit("z", "b", 2)}})
	var refusal *plan.Refusal
	if !errors.As(err, &refusal) || refusal.Code != plan.RefusedMissing {
		t.Errorf("a subject is not there: %v", err)
	}
	if reply, err := run("getVisit", fields{"visitId": "y"}); err != nil || len(reply.Items) != 0 {
		t.Errorf("it was refused and is there: %v, %v", reply, err)
	}
	if _, err := f.run("planVisits", attr.ItemOf(attr.Field{Name: "visits", Value: attr.List()}), nil); err != nil {
		t.Errorf("no visits at all: %v", err)
	}
}
