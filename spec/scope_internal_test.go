package spec

import "testing"

func TestUnlike(t *testing.T) {
	state := &Attribute{Name: "state", Type: String, States: &States{Names: []string{"draft", "sent", "paid"}}}
	for _, x := range []struct {
		values []string
		want   string
	}{
		{[]string{"sent", "paid"}, "became is an enum value, but state is a state: became cannot be draft"},
		{[]string{"draft", "sent", "lost", "paid"}, "became is an enum value, but state is a state: state cannot be lost"},
		{[]string{"paid", "sent", "draft"}, "became is an enum value, but state is a state: the same values in another order"},
		{nil, "became is a string, but state is a state"},
	} {
		if got := Unlike("became", &Attribute{Name: "became", Type: String, Enum: x.values}, "state", state); got != x.want {
			t.Errorf("%v: %s", x.values, got)
		}
	}
}
