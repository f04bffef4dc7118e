package conformance

import "testing"

// TestNames: requests have the target's names, and what is answered the case's, wherever names can be.
func TestNames(t *testing.T) {
	long := make([]byte, 255)
	for i := range long {
		long[i] = byte('a' + i%26)
	}
	for _, c := range []struct{ request, sent string }{
		{`{"TableName":"tbl"}`, `{"TableName":"p_tbl"}`},
		{`{ "TableName" : "tbl", "TableName":"two" }`, `{ "TableName" : "p_tbl", "TableName":"p_two" }`},
		{`{"TableName":"ab"}`, `{"TableName":"ab"}`}, // no name of a table
		{`{"TableName":"a b"}`, `{"TableName":"a b"}`},
		{`{"TableName":"` + string(long) + `"}`, `{"TableName":"p_` + string(long[2:]) + `"}`},
		{`{"TableName":5,"Item":{"TableName":{"S":"tbl"}}}`, `{"TableName":5,"Item":{"TableName":{"S":"tbl"}}}`},
		{`{"RequestItems":{"tbl":{"Keys":[{"pk":{"S":"tbl"}}]}}}`, `{"RequestItems":{"p_tbl":{"Keys":[{"pk":{"S":"tbl"}}]}}}`},
		{`{"TransactItems":[{"Put":{"TableName":"tbl"}}]}`, `{"TransactItems":[{"Put":{"TableName":"p_tbl"}}]}`},
		{`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl"}`, `{"ResourceArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/p_tbl"}`},
		{`{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/tbl/index/gsi"}`, `{"TableName":"arn:aws:dynamodb:eu-west-1:123456789012:table/p_tbl/index/gsi"}`},
		{`{"TableName":"arn:aws:dynamodb:us-west-2:000000000000:table/tbl"}`, `{"TableName":"arn:aws:dynamodb:us-west-2:000000000000:table/p_tbl"}`}, // another Region
		{`{"Statement":"SELECT * FROM \"tbl\".\"gsi\" WHERE pk = 'tbl'"}`, `{"Statement":"SELECT * FROM \"p_tbl\".\"gsi\" WHERE pk = 'tbl'"}`},
		{`{"Statement":"insert into tbl value {'pk': 'a'}"}`, `{"Statement":"insert into p_tbl value {'pk': 'a'}"}`},
		{`{"Limit":"5","TableName":`, `{"Limit":"5","TableName":`}, // no JSON
		{`{"Item":{"a":{"N":"1e2"}, "b\n":{"S":"\u00e4\"TableName\""}},"TableName":"tbl"}`, `{"Item":{"a":{"N":"1e2"}, "b\n":{"S":"\u00e4\"TableName\""}},"TableName":"p_tbl"}`},
	} {
		n := &names{prefix: "p_", arn: "arn:aws:dynamodb:eu-west-1:123456789012:"}
		if got := n.request(c.request); got != c.sent {
			t.Errorf("%s is sent as\n%s, want\n%s", c.request, got, c.sent)
		}
		if got := n.answer(c.sent); got != c.request {
			t.Errorf("%s is read as\n%s, want\n%s", c.sent, got, c.request)
		}
	}
}

// TestTokens: a token is one of the case's alone, and keeps its length where that matters.
func TestTokens(t *testing.T) {
	n := &names{prefix: "conformance_abcdefgh_"}
	for token, want := range map[string]string{
		"": "", "t": "abcdefght", "0123456789012345678901234567": "abcdefgh0123456789012345678901234567",
		"012345678901234567890123456789012345":  "abcdefgh8901234567890123456789012345",
		"0123456789012345678901234567890123456": "0123456789012345678901234567890123456",
	} {
		if got := n.request(`{"ClientRequestToken":"` + token + `"}`); got != `{"ClientRequestToken":"`+want+`"}` {
			t.Errorf("%s is sent as %s, want %s", token, got, want)
		}
	}
}

// TestPlacesInStatements: a message's place in a statement is the one in the case's statement.
func TestPlacesInStatements(t *testing.T) {
	for answer, want := range map[string]string{
		"at 1:8:5":         "at 1:8:5",         // before the name
		"at 1:15:7":        "at 1:15:5",        // the name with its quotes: FROM "tbl"
		"at 1:30:2":        "at 1:28:2",        // behind it
		"no place: 1:2 3.": "no place: 1:2 3.", // nor a place
		"p_tbl at 1:30:2":  "tbl at 1:28:2",    // with the name in it
		"at 1:1:50":        "at 1:1:48",        // around it
	} {
		n := &names{prefix: "p_"}
		n.request(`{"Statement":"SELECT a FROM \"tbl\" WHERE pk = 'x'"}`)
		if got := n.answer(answer); got != want {
			t.Errorf("%s is read as %s, want %s", answer, got, want)
		}
	}
}

// TestReasons: every case says what it rests on.
func TestReasons(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if c.Why == "" {
			t.Errorf("%s: no reason, and %s.txt begins with none", c.Name, c.Subject())
		}
		if seen[c.Name] {
			t.Errorf("%s: there are two of that name", c.Name)
		}
		seen[c.Name] = true
	}
}
