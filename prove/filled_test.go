package prove_test

import (
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// TestUnitsOfWhatIsFilledIn: copies that the consumer of a stream keeps are there in nearly all items, so that reads are measured once
// they are, however much time the model allows.
func TestUnitsOfWhatIsFilledIn(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, byHand(t, stated(t, `
entities:
  Course: {identity: [courseId], attributes: {courseId: {type: string, bytes: 8}, title: {type: string, bytes: 200}}, bytes: 400, count: 2_000}
  Student: {identity: [studentId], attributes: {studentId: {type: string, bytes: 10}}, bytes: 60, count: 10_000}
  Mark:
    identity: [studentId, courseId]
    attributes:
      studentId: {references: Student, inverse: marks, per-parent: {average: 24, max: 30}}
      courseId: {references: Course, inverse: marks, per-parent: {average: 120, max: 900}}
      grade: {type: number, digits: 2}
    bytes: 60
    count: 240_000
patterns:
  addCourse: {write: {create: Course}, rate: {average: 0.01/s, peak: 1/s}}
  enrol: {write: {create: Student}, rate: {average: 0.01/s, peak: 1/s}}
  mark: {write: {create: Mark}, rate: {average: 0.1/s, peak: 5/s}}
  getTranscript: {read: Mark, given: [studentId], returns: [all, course.title], staleness: 1 day, rate: {average: 20/s, peak: 90/s}}
`), `
tables:
  Courses: {attributes: {courseId: S}, key: {partition: courseId}, items: {Course: {holds: Course}}}
  Students: {attributes: {studentId: S}, key: {partition: studentId}, items: {Student: {holds: Student}}}
  Marks:
    attributes: {studentId: S, courseId: S}
    key: {partition: studentId, sort: courseId}
    stream: new-and-old
    items:
      Mark: {holds: Mark, copies: {title: {from: course.title, kept: {by: stream, within: 1 day}}}}
plans:
  addCourse: {steps: {write: {put: Course, value: $course, if: absent}}}
  enrol: {steps: {write: {put: Student, value: $student, if: absent}}}
  mark: {steps: {write: {put: Mark, value: $mark, if: absent}}}
  getTranscript: {steps: {mark: {query: Marks, items: [Mark], where: [studentId]}}}
`))
	p := e.Pattern("getTranscript")
	if !p.Verdicts.Units.Within || p.Verdicts.Units.Consumed < 0.9 {
		t.Errorf("getTranscript consumes %.3f units, and %.3f are estimated: want 1 of each, for 24 marks with their titles",
			p.Verdicts.Units.Consumed, p.Verdicts.Units.Estimated)
	}
}
