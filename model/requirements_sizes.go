package model

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// Overheads of DynamoDB's sizes (CapacityUnitCalculations in the developer guide): a list or map has 3 bytes of its own
// and 1 for each element.
const (
	collectionOverhead = 3
	elementOverhead    = 1
)

// Sizes of generated identifiers and of values with one form, in bytes.
var fixedSizes = map[string]float64{"ulid": 26, "uuid": 36, "ksuid": 27}

func exactly(bytes float64) spec.Size { return spec.Size{Average: bytes, Max: bytes} }

// sizes fills in the size of an entity and of each of its attributes. Attributes without a size share what the others
// leave of the entity's; if all have one, what is left is one opaque attribute `rest`.
func (r *requirementsReader) sizes(e *spec.Entity) {
	s := r.entities[e]
	switch s.sized {
	case done:
		return
	case underWay: // two identities point to each other: reported as a circle of types
		return
	}
	s.sized = underWay
	defer func() { s.sized = done }()

	// What points here may ask for the identity before the rest of the entity is sized, if the entity points back.
	told := map[*spec.Attribute]bool{}
	size := func(a *spec.Attribute) {
		d := s.attributes[a]
		a.Bytes, told[a] = r.sizeOf(e, a, d.doc, d.path)
	}
	for _, a := range e.Identity {
		size(a)
	}
	var known spec.Size // names included
	var unknown []*spec.Attribute
	for _, a := range e.Attributes {
		if a.Rest {
			continue
		}
		if _, sized := told[a]; !sized {
			size(a)
		}
		name, size := float64(len(a.Name)), a.Bytes
		if !told[a] {
			unknown = append(unknown, a)
			size = spec.Size{}
		}
		known.Average += (name + size.Average) * a.Present
		known.Max += name + size.Max
	}
	whole, stated := r.bytes(s.doc.Bytes, with(s.path, "bytes"))
	if !stated {
		r.unstatedSizes(e, unknown, known)
		return
	}
	e.Bytes = whole
	defer r.fitsItem(e)
	if known.Max > 1.05*whole.Max && known.Average <= whole.Average {
		r.warnAt(with(s.path, "bytes"), "size-disagrees", "write {average: …, max: …} with at least "+spec.FormatNumber(math.Ceil(known.Max))+" as max",
			"%s is said to have at most %s bytes, but its attributes can have %s", e.Name, spec.FormatNumber(whole.Max), spec.FormatNumber(math.Ceil(known.Max)))
	}
	if len(unknown) > 0 {
		r.shareOut(e, unknown, whole, known)
		return
	}
	if len(e.Attributes) > 0 && e.Attributes[len(e.Attributes)-1].Rest {
		return
	}
	left := spec.Size{Average: whole.Average - known.Average, Max: whole.Max - known.Max}
	if left.Average < -0.05*whole.Average {
		r.errorAt(with(s.path, "bytes"), "size-disagrees", "raise it, or lower the `bytes` or `digits` of attributes",
			"%s is said to have %s bytes, but its attributes and their names have %s", e.Name, spec.FormatNumber(whole.Average), spec.FormatNumber(math.Round(known.Average)))
		return
	}
	// Within a few bytes nobody counts: below the shortest attribute that could fill the gap the sum stands.
	const name = "rest"
	left.Average, left.Max = left.Average-float64(len(name)), max(left.Max, left.Average)-float64(len(name))
	if left.Average < 1 || e.External { // of what another system keeps, more than the identity is nobody's concern here
		e.Bytes = spec.Size{Average: max(known.Average, whole.Average), Max: max(known.Max, whole.Max)}
		return
	}
	if e.Attribute(name) != nil || e.WayThere(name) != nil || e.WayBack(name) != nil {
		r.errorAt(with(s.path, "bytes"), "name-clash", "say with `bytes` how large each attribute is, or rename it",
			"%s bytes of %s belong to no attribute, and the name `rest` for them is taken", spec.FormatNumber(left.Average), e.Name)
		return
	}
	e.Attributes = append(e.Attributes, &spec.Attribute{Name: name, Entity: e, Type: spec.Binary, Present: 1, Bytes: left, Rest: true})
}

// fitsItem reports an entity that no item can hold.
func (r *requirementsReader) fitsItem(e *spec.Entity) {
	if most := float64(capacity.ItemBytes); e.Bytes.Max > most {
		path := with(r.entities[e].path, "bytes")
		remedy := "" // that of the code
		if r.entities[e].doc.Bytes == nil {
			remedy = "say with `bytes: {average: …, max: …}` how large the whole gets, if never all is at its largest; else " + remedyFor("too-large")
		}
		r.errorAt(path, "too-large", remedy, "%s can have %s bytes: an item has at most %s (400 KB)", e.Name, spec.FormatNumber(math.Ceil(e.Bytes.Max)), spec.FormatNumber(most))
	}
}

// unstatedSizes is for an entity whose size is the sum of its attributes: each needs one.
func (r *requirementsReader) unstatedSizes(e *spec.Entity, unknown []*spec.Attribute, known spec.Size) {
	s := r.entities[e]
	e.Bytes = known
	defer r.fitsItem(e)
	if len(unknown) == 0 || r.brokenWithin(with(s.path, "bytes")...) {
		return
	}
	for _, a := range unknown {
		if r.brokenWithin(s.attributes[a].path...) {
			return
		}
	}
	r.errorAt(s.path, "size-missing", "add `bytes: 400` or `bytes: {average: 400, max: 1_500}` to "+e.Name+", or to each of them",
		"the size of %s is not said, nor that of %s", e.Name, attributeNames(unknown))
}

// shareOut gives the attributes without a size equal shares of what is left.
func (r *requirementsReader) shareOut(e *spec.Entity, unknown []*spec.Attribute, whole, known spec.Size) {
	n := float64(len(unknown))
	var present float64
	for _, a := range unknown {
		present += a.Present
	}
	left := spec.Size{Average: (whole.Average - known.Average) / max(present, 0.01), Max: (whole.Max - known.Max) / n}
	if left.Average < 1 {
		r.errorAt(with(r.entities[e].path, "bytes"), "size-disagrees", "raise it, or lower the `bytes` or `digits` of the other attributes",
			"%s is said to have %s bytes; its other attributes and all names have %s, and nothing is left for %s",
			e.Name, spec.FormatNumber(whole.Average), spec.FormatNumber(math.Round(known.Average)), attributeNames(unknown))
		return
	}
	left.Max = max(left.Max, left.Average)
	for _, a := range unknown {
		a.Bytes = left
		r.fields(a, left)
	}
}

// sizeOf is the size of a value of an attribute of an entity, if it can be told from the attribute alone.
func (r *requirementsReader) sizeOf(e *spec.Entity, a *spec.Attribute, d *attributeDoc, path []string) (spec.Size, bool) {
	switch {
	case d.References != "" || d.Parent != "":
		if a.Reference == nil {
			return exactly(26), true // reported elsewhere
		}
		// What it points to may point to something in turn, and back here: sizes of entities that are under way are not known yet.
		for seen := map[*spec.Attribute]bool{}; a != nil && a.Reference != nil && !seen[a]; {
			seen[a] = true
			to := a.Reference.To
			r.sizes(to)
			i := slices.Index(a.Reference.By, a)
			if i < 0 || i >= len(to.Identity) {
				break
			}
			a = to.Identity[i]
			if a.Bytes.Max > 0 {
				return a.Bytes, true
			}
			if s := r.entities[to].attributes[a]; a.Reference == nil && s != nil && r.entities[to].sized == underWay {
				return r.sizeOf(to, a, s.doc, s.path)
			}
		}
		return exactly(26), true // reported elsewhere
	case a.Derived != nil && a.Type != spec.Number:
		return r.sizeOfDerived(e, a)
	case fixedSizes[a.Generated] > 0:
		return exactly(fixedSizes[a.Generated]), true
	}
	return r.sizeOfType(a, d, path)
}

func (r *requirementsReader) sizeOfDerived(e *spec.Entity, a *spec.Attribute) (spec.Size, bool) {
	segments, err := e.Resolve(a.Derived.Path)
	if err != nil || len(segments) == 0 || segments[len(segments)-1].Attribute == nil {
		return exactly(26), true // reported elsewhere
	}
	here := e
	for _, s := range segments {
		if s.Way != nil {
			here = s.Entity()
		}
	}
	if here != e {
		r.sizes(here)
	}
	of := segments[len(segments)-1].Attribute
	if d := r.entities[here].attributes[of]; r.entities[here].sized == underWay && d != nil && of.Bytes.Max == 0 && of.Derived == nil {
		return r.sizeOf(here, of, d.doc, d.path) // the two derive from each other
	}
	return of.Bytes, of.Bytes.Max > 0
}

func (r *requirementsReader) sizeOfType(a *spec.Attribute, d *attributeDoc, path []string) (spec.Size, bool) {
	if values := a.Shares; len(values) > 0 && a.Type != spec.Bool {
		var s spec.Size
		for _, v := range values {
			s.Average += v.Of * float64(len(v.Value))
			s.Max = max(s.Max, float64(len(v.Value)))
		}
		return s, true
	}
	switch a.Type {
	case spec.Number:
		return numberSize(a), true
	case spec.Bool:
		return exactly(1), true
	case spec.Timestamp:
		return exactly(float64(len(spec.TimestampLayout))), true
	case spec.Date:
		return exactly(float64(len(spec.DateLayout))), true
	}
	if d != nil {
		if s, ok := r.bytes(d.Bytes, with(path, "bytes")); ok {
			r.sizeOfContent(a, d, path)
			r.fields(a, s)
			return s, true
		}
	}
	return r.sizeOfContent(a, d, path)
}

// sizeOfContent is the size of a map by its fields, or of a list or set by its elements.
func (r *requirementsReader) sizeOfContent(a *spec.Attribute, d *attributeDoc, path []string) (spec.Size, bool) {
	switch {
	case a.Type == spec.MapType && len(a.Fields) > 0:
		s, ok := exactly(collectionOverhead), true
		for _, f := range a.Fields {
			field, known := r.sizeOfType(f, r.fieldDoc(d, f.Name), with(path, "attributes", f.Name))
			if ok = ok && known; known {
				f.Bytes = field
			}
			s.Average += (field.Average + float64(len(f.Name)) + elementOverhead) * f.Present
			s.Max += field.Max + float64(len(f.Name)) + elementOverhead
		}
		return s, ok
	case (a.Type == spec.ListType || a.Type == spec.SetType) && a.Of != nil && a.Length.Max > 0:
		var of *attributeDoc
		if d != nil {
			of = d.Of
		}
		element, ok := r.sizeOfType(a.Of, of, with(path, "of"))
		if ok {
			a.Of.Bytes = element
		}
		if a.Type == spec.SetType {
			return spec.Size{Average: a.Length.Average * element.Average, Max: a.Length.Max * element.Max}, ok
		}
		return spec.Size{
			Average: collectionOverhead + a.Length.Average*(element.Average+elementOverhead),
			Max:     collectionOverhead + a.Length.Max*(element.Max+elementOverhead),
		}, ok
	}
	return spec.Size{}, false
}

// fieldDoc is how a field of a map is written, in place or in a named type.
func (r *requirementsReader) fieldDoc(d *attributeDoc, name string) *attributeDoc {
	if d == nil {
		return nil
	}
	for i := range d.Attributes {
		if d.Attributes[i].Key == name {
			return &d.Attributes[i].Value
		}
	}
	for i := range r.doc.Types {
		if r.doc.Types[i].Key != d.Type {
			continue
		}
		for j := range r.doc.Types[i].Value {
			if f := &r.doc.Types[i].Value[j]; f.Key == name {
				return &f.Value
			}
		}
	}
	return nil
}

// fields shares the size of a map out among its fields that have none of their own, and that of a list or set among its
// elements.
func (r *requirementsReader) fields(a *spec.Attribute, whole spec.Size) {
	if a.Of != nil && a.Of.Bytes.Max == 0 {
		n := max(a.Length.Average, 1)
		each := (whole.Average-collectionOverhead)/n - elementOverhead
		if a.Type == spec.SetType {
			each = whole.Average / n
		}
		a.Of.Bytes = exactly(max(1, each))
		r.fields(a.Of, a.Of.Bytes)
	}
	known := exactly(collectionOverhead)
	var unknown []*spec.Attribute
	for _, f := range a.Fields {
		name := float64(len(f.Name)) + elementOverhead
		known.Average += (f.Bytes.Average + name) * f.Present
		known.Max += f.Bytes.Max + name
		if f.Bytes.Max == 0 {
			unknown = append(unknown, f)
		}
	}
	for _, f := range unknown {
		n := float64(len(unknown))
		f.Bytes.Average = max(1, (whole.Average-known.Average)/n)
		f.Bytes.Max = max(f.Bytes.Average, (whole.Max-known.Max)/n)
		r.fields(f, f.Bytes)
	}
}

// numberSize is the size of numbers that are spread evenly over what the attribute's digits, scale and range allow.
// Without a smallest number they begin at 0.
func numberSize(a *spec.Attribute) spec.Size {
	low, high := 0.0, math.Pow10(a.Digits)-1 // in units of the last decimal
	unit := math.Pow10(a.Scale)
	if a.Min != nil {
		low = a.Min.Float64() * unit
	}
	if a.Max != nil {
		high = min(high, a.Max.Float64()*unit)
	}
	high = max(high, low)
	const samples = 499 // a prime, so that the samples have all last digits
	var s spec.Size
	for i := range samples {
		v := math.Round(low + (high-low)*(float64(i)+0.5)/samples)
		n, err := attr.Float(v / unit)
		if err != nil {
			continue
		}
		if a.Digits <= 15 { // beyond that a float has no exact decimals, and nobody needs them here
			if exact, err := attr.ParseNumber(decimal(v, a.Scale)); err == nil {
				n = exact
			}
		}
		size := float64(n.Size())
		s.Average += size
		s.Max = max(s.Max, size)
	}
	s.Average /= samples
	return s
}

// decimal writes v, a whole number, with the last scale digits as decimals.
func decimal(v float64, scale int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	if pad := scale + 1 - len(text); pad > 0 {
		text = strings.Repeat("0", pad) + text
	}
	text = text[:len(text)-scale] + "." + text[len(text)-scale:]
	if v < 0 {
		text = "-" + text
	}
	return text
}
