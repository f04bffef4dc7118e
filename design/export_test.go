package design

// Refused is what the compiler refused of models that the search took for sound.
func Refused(r *Result) []string { return r.facts.refused }
