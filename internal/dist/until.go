package dist

import "math"

// deviates are the middles of sixteen equal parts of the normal distribution.
var deviates = [...]float64{
	-1.8627318674216516, -1.318010897303537, -1.009990169249582, -0.7764217611479275, -0.5791321622555560, -0.4022500653217255, -0.2372021093287884, -0.0784124127331122,
	0.0784124127331122, 0.2372021093287884, 0.4022500653217255, 0.5791321622555560, 0.7764217611479275, 1.009990169249582, 1.318010897303537, 1.8627318674216516,
}

// Tries is the distribution of how many elements are looked at until n are found of which a share passes a test, each by
// chance: the negative binomial one, by sixteen values with about its mean. Of n = 0 it is 0, and n where all pass; share is
// positive.
func Tries(n int, share float64) Dist {
	if n <= 0 {
		return Dist{}
	}
	if share >= 1 {
		return Point(float64(n))
	}
	// A gamma distribution by Wilson and Hilferty's cube of a normal one, narrowed as far as what passes leaves less to chance.
	found, narrow := float64(n), math.Sqrt(1-share)
	x := make([]float64, len(deviates))
	sum := 0.0
	for i, z := range deviates {
		root := math.Max(1-1/float64(9*found)+float64(z/float64(3*math.Sqrt(found))), 0)
		cube := float64(float64(root*root) * root)
		by := float64(found*cube) - found
		x[i] = math.Max(found+float64(by*narrow), float64(found*share))
		sum += x[i]
	}
	scale := float64(found*float64(len(x))) / float64(sum*share)
	c := collect(len(x))
	for _, v := range x {
		c.add(math.Max(math.Round(float64(v*scale)), found), 1)
	}
	return c.dist()
}

// Until reads a whole number of elements from the beginning, in steps of so many, until enough have been looked at or none is
// left: the distribution of what one step looks at, and how many steps there are on average, at least one.
func (d Dist) Until(enough Dist, step int) (each Dist, steps float64) {
	var u until
	u.step = float64(step)
	for _, a := range d.Thinned().all() {
		for _, e := range enough.all() {
			u.add(math.Min(u.whole(e.x), a.x), float64(a.p*e.p))
		}
	}
	return u.each.dist(), u.steps
}

// PagesUntil is Until for what is read in pages, each of which looks at enough, on average at so many as the next page begins
// behind: the last one looks at all that is left. All pages are as likely.
func (d Dist) PagesUntil(enough Dist, step int) (each Dist, steps float64) {
	const near = 4 // pages before the last that may come to the end as well
	var u until
	u.step = float64(step)
	size := math.Max(enough.Mean(), 1)
	for _, a := range d.Thinned().all() {
		pages := math.Max(math.Ceil(a.x/size), 1)
		u.add(a.x-float64((pages-1)*size), a.p/pages)
		full := pages - 1
		for _, e := range enough.all() {
			far := full
			for i := 1.0; i <= full && i <= near; i++ {
				left := a.x - float64((pages-1-i)*size)
				u.add(math.Min(u.whole(e.x), left), float64(a.p*e.p)/pages)
				far--
			}
			if far > 0 {
				u.add(u.whole(e.x), float64(a.p*e.p)*far/pages)
			}
		}
	}
	return u.each.dist(), u.steps
}

// until gathers what is looked at in steps.
type until struct {
	step  float64
	each  collector
	steps float64
}

// whole is a number of elements in whole steps.
func (u *until) whole(x float64) float64 { return float64(math.Ceil(x/u.step) * u.step) }

// add is a reading of so many elements.
func (u *until) add(x, p float64) {
	n := math.Max(math.Ceil(float64(x/u.step)-1e-9), 1)
	u.steps += float64(n * p)
	if n > 1 {
		u.each.add(u.step, float64(p*(n-1)))
	}
	u.each.addWhole(math.Max(x-float64((n-1)*u.step), 0), p)
}

// Share is the distribution of a share of a whole number, rounded at random so that the mean is that share of the mean.
func (d Dist) Share(share float64) Dist {
	c := collect(2 * d.Len())
	for _, a := range d.all() {
		c.addWhole(float64(a.x*share), a.p)
	}
	return c.dist()
}
