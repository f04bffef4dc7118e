package invent

import "slices"

// WithoutRefused takes out of requirements the access patterns that a refusal names, and what hangs on them: most of what
// is invented asks for something that cannot be served, and the rest of it can be looked at all the same. It answers nil
// if the refusal names none, or nothing is left that is read.
func WithoutRefused(text []byte, refusal string) []byte {
	root, err := parse(text)
	r := accepted(text)
	if err != nil || r == nil {
		return nil
	}
	named := nameInText.FindAllString(refusal, -1)
	taken := 0
	for _, p := range r.Patterns {
		if slices.Contains(named, p.Name) {
			drop(get(root, "patterns"), p.Name)
			taken++
		}
	}
	drop(root, "workflows")
	drop(root, "accept")
	if taken == 0 {
		return nil
	}
	if root = repair(root); root == nil {
		return nil
	}
	for _, p := range entries(get(root, "patterns")) {
		if reads(p) {
			return print(root)
		}
	}
	return nil
}
