package prove_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
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

const rechecked = `
tables:
  Courses: {attributes: {courseId: S}, key: {partition: courseId}, stream: new-and-old, items: {Course: {holds: Course}}}
  Marks:
    attributes: {studentId: S, courseId: S}
    key: {partition: studentId, sort: courseId}
    stream: new-and-old
    gsi: {ByCourse: {partition: courseId, sort: studentId, project: keys}}
    items:
      Mark: {holds: Mark, copies: {title: {from: course.title, kept: {by: stream, within: 1min, recheck: true}}}}
plans:
  addCourse: {steps: {write: {put: Course, value: $course, if: absent}}}
  rename: {steps: {write: {update: Course, key: [courseId], set: [title], if: present}}}
  mark:
    steps:
      course: {get: Course, key: {courseId: $mark.courseId}, consistent: true}
      write: {put: Mark, value: $mark, with: {course.title: $course.title}, if: absent}
  getMarks: {steps: {mark: {query: Marks, items: [Mark], where: [studentId]}}}
`

// TestRechecked: a put brings a copy that it has read before, without a transaction, for the consumer of a stream compares it with its
// source when the item comes. Without the consumer, a course that is renamed in between leaves the old title for good.
func TestRechecked(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	r := stated(t, `
entities:
  Course: {identity: [courseId], attributes: {courseId: {type: string, bytes: 8}, title: {type: string, bytes: 40}}, bytes: 400, count: 200}
  Mark:
    identity: [studentId, courseId]
    attributes:
      studentId: {type: string, bytes: 10}
      courseId: {references: Course, inverse: marks, per-parent: {average: 30, max: 90}}
    bytes: 60
    count: 6_000
patterns:
  addCourse: {write: {create: Course}, rate: {average: 0.01/s, peak: 1/s}}
  rename: {write: {update: Course, set: [title]}, rate: {average: 0.01/s, peak: 1/s}}
  mark: {write: {create: Mark, requires: [course]}, rate: {average: 0.1/s, peak: 5/s}}
  getMarks: {read: Mark, given: [studentId], returns: [all, course.title], results: {average: 4, max: 20}, staleness: 1min, rate: {average: 20/s, peak: 90/s}}
`)
	e := proof(t, byHand(t, r, rechecked))
	for _, p := range e.Patterns {
		if p.Failure != nil || !p.Verdicts.Units.Within {
			t.Errorf("%s: failure %v, units %+v", p.Name, p.Failure, p.Verdicts.Units)
		}
	}
	for change, want := range map[string]string{
		", recheck: true":              "read-then-write",
		"by: stream, within: 1min, re": "only the consumer of a stream compares",
	} {
		text := strings.Replace(rechecked, change, map[string]string{"by: stream, within: 1min, re": "by: [rename], re"}[change], 1)
		m, source, found := model.ReadModel("needs.model.yaml", []byte("tablewright: 1\napplication: needs\n"+text))
		if m == nil || found.Errors() > 0 {
			t.Fatal(found)
		}
		if _, found = model.CompileModel(m, source, r); !strings.Contains(fmt.Sprint(found), want) {
			t.Errorf("without %q: want %s, got %s", change, want, found)
		}
	}
}

// TestTurned: classes get other teachers, and teachers other names, and the consumer of a stream writes both into the
// enrolments within the hour that they may lag. What lists show in the meantime was true within that hour.
func TestTurned(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	e := proof(t, byHand(t, stated(t, `
entities:
  Teacher: {identity: [teacherId], attributes: {teacherId: {type: string, bytes: 8}, name: {type: string, bytes: 20}}, bytes: 300, count: 200}
  Class:
    identity: [classId]
    attributes:
      classId: {type: string, bytes: 10}
      teacherId: {references: Teacher, inverse: classes, per-parent: {average: 5, max: 40}}
    bytes: 60
    count: 1_000
  Enrolment:
    identity: [pupilId, classId]
    attributes:
      pupilId: {type: string, bytes: 12, distinct: 2_000}
      classId: {references: Class, inverse: enrolments, per-parent: {average: 24, max: 60}}
      teacherName: {derived: class.teacher.name, within: 1h}
    bytes: 150
    count: 24_000
patterns:
  addTeacher: {write: {create: Teacher}, rate: {average: 0.01/s, peak: 1/s}}
  rename: {write: {update: Teacher, set: [name]}, rate: {average: 0.1/s, peak: 1/s}}
  open: {write: {create: Class, requires: [teacher]}, rate: {average: 0.01/s, peak: 1/s}}
  handOver: {write: {update: Class, set: [teacherId]}, rate: {average: 0.1/s, peak: 1/s}}
  enrol: {write: {create: Enrolment, requires: [class]}, rate: {average: 0.1/s, peak: 5/s}}
  getMine: {read: Enrolment, given: [pupilId], results: {average: 12, max: 90}, rate: {average: 20/s, peak: 90/s}}
`), `
tables:
  Teachers: {attributes: {teacherId: S}, key: {partition: teacherId}, stream: new-and-old, items: {Teacher: {holds: Teacher}}}
  Classes:
    attributes: {classId: S, teacherId: S}
    key: {partition: classId}
    stream: new-and-old
    gsi: {ByTeacher: {partition: teacherId, project: keys}}
    items: {Class: {holds: Class}}
  Enrolments:
    attributes: {pupilId: S, classId: S}
    key: {partition: pupilId, sort: classId}
    stream: new-and-old
    gsi: {ByClass: {partition: classId, project: keys}}
    items: {Enrolment: {stores: [pupilId, classId, rest], copies: {teacherName: {from: class.teacher.name, kept: {by: stream, within: 1h}}}}}
plans:
  addTeacher: {steps: {write: {put: Teacher, value: $teacher, if: absent}}}
  rename: {steps: {write: {update: Teacher, key: [teacherId], set: [name], if: present}}}
  open:
    steps:
      teacher: {get: Teacher, key: {teacherId: $class.teacherId}, consistent: true}
      write: {put: Class, value: $class, if: absent, needs: [teacher]}
  handOver: {steps: {write: {update: Class, key: [classId], set: [teacherId], if: present}}}
  enrol:
    steps:
      class: {get: Class, key: {classId: $enrolment.classId}, consistent: true}
      write: {put: Enrolment, value: $enrolment, if: absent, needs: [class]}
  getMine: {steps: {enrolment: {query: Enrolments, items: [Enrolment], where: [pupilId]}}}
`))
	for _, p := range e.Patterns {
		if p.Failure != nil || !p.Verdicts.Units.Within {
			t.Errorf("%s: failure %v, units %+v", p.Name, p.Failure, p.Verdicts.Units)
		}
	}
}
