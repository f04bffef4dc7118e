package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
)

// TestSeal: every edit of a model shows, an editor's other ends of lines do not; the model reads as before.
func TestSeal(t *testing.T) {
	const text = "tablewright: 1\napplication: notes\ntables:\n  Notes: {attributes: {noteId: S}, key: {partition: noteId}, items: {Note: {holds: Note}}}\nplans: {}\n"
	whole := string(seal([]byte(text)))
	if !strings.HasPrefix(whole, text) || !sealed([]byte(whole)) || !sealed(bytes.ReplaceAll([]byte(whole), []byte("\n"), []byte("\r\n"))) {
		t.Errorf("not sealed:\n%s", whole)
	}
	if m, _, found := model.ReadModel("model.yaml", []byte(whole)); m == nil || len(found) > 0 {
		t.Errorf("it does not read: %v", found)
	}
	for what, edited := range map[string]string{
		"empty": "", "without the line": text, "a letter": strings.Replace(whole, "noteId: S", "noteId: N", 1),
		"a line below": whole + "# mine\n", "half": whole[:len(whole)-20], "the digest alone": strings.Replace(whole, "sha256 ", "sha256 0", 1),
		"written twice": whole + whole[len(text):],
	} {
		if sealed([]byte(edited)) {
			t.Errorf("%s: taken for what build wrote", what)
		}
	}
}
