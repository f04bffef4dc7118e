package plan_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/plan"
)

const coursesRequirements = `
tablewright: 1
application: courses
entities:
  Pool: {identity: [poolId], attributes: {poolId: {type: string, bytes: 4}}, external: true, count: 14, bytes: 40}
  Course:
    identity: [courseId]
    attributes:
      courseId: {type: string, generated: ulid}
      poolId: {references: Pool, inverse: courses, per-parent: {average: 400, max: 900}}
      level: {type: string, bytes: 8, distinct: 5}
      startsOn: date
    bytes: 560
    count: 5_600
patterns:
  plan: {write: {create: Course}, rate: {average: 300/month, peak: 2/s}}
  getCourses:
    read: Course
    given: [poolId]
    where: level = $level and startsOn = $day
    optional: {level: 70%}
    results: {average: 18, max: 90}
    rate: {average: 1/s, peak: 80/s}
`

const coursesModel = `
tablewright: 1
application: courses
tables:
  Courses:
    attributes: {courseId: S, level: S, poolId: S, startsOn: S}
    key: {partition: courseId}
    gsi:
      ByPool: {partition: [poolId, startsOn], sort: level, project: all}
    items:
      Course: {holds: Course}
plans:
  plan: {steps: {write: {put: Course, value: $course, if: absent}}}
  getCourses: {steps: {course: {query: Courses.ByPool, items: [Course], where: {poolId: $poolId, level: $level, startsOn: $day}}}}
`

// TestLeavesOut: what a call may leave out is the last part of a key that a query binds. Whatever stands behind it
// would not be restricted, and no partition key does without.
func TestLeavesOut(t *testing.T) {
	r := requirements(t, "courses.yaml", []byte(coursesRequirements))
	for _, x := range []struct{ key, problem string }{
		{"partition: [poolId, startsOn], sort: level", ""},
		{"partition: poolId, sort: [startsOn, level]", ""},
		{"partition: poolId, sort: [level, startsOn]", "a call that leaves out level finds whatever startsOn there is"},
		{"partition: [poolId, level], sort: startsOn", "a call may leave out level, and it is part of the partition key"},
	} {
		m, _ := document(t, "courses.model.yaml", []byte(strings.Replace(coursesModel, "partition: [poolId, startsOn], sort: level", x.key, 1)))
		_, problems := plan.Compile(m, r)
		switch {
		case x.problem == "" && len(problems) > 0:
			t.Errorf("%s: %v", x.key, problems)
		case x.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), x.problem)):
			t.Errorf("%s: %v, want %q", x.key, problems, x.problem)
		}
	}
}
