package prove

import (
	"fmt"
	"math"
	"os"
)

func (s *session) debugSizes() {
	if os.Getenv("ZZ") == "" {
		return
	}
	for _, e := range s.req.Entities {
		all := s.oracle.Instances(e)
		fmt.Fprintf(os.Stderr, "%s: n=%d pop=%d bytes=%.0f/%.0f mean=%.1f\n", e.Name, len(all), s.pop.Count[e], e.Bytes.Average, e.Bytes.Max, s.meanBytes(e))
		for _, a := range e.Attributes {
			n, sum, most := 0, 0, 0
			for _, in := range all {
				if in.Item.Has(a.Name) {
					n++
					z := in.Item.Get(a.Name).Size()
					sum += z
					most = max(most, z)
				}
			}
			m := float64(sum) / math.Max(float64(n), 1)
			flag := ""
			if n > 0 && math.Abs(m-a.Bytes.Average) > 0.5+0.02*a.Bytes.Average {
				flag = "  <<<"
			}
			fmt.Fprintf(os.Stderr, "   %-14s stated %.1f/%.0f data %.1f/%d present %.2f %.2f%s\n", a.Name, a.Bytes.Average, a.Bytes.Max, m, most, a.Present, float64(n)/math.Max(float64(len(all)), 1), flag)
		}
		for _, r := range e.There {
			if c, ok := s.pop.Children[r]; ok {
				most := 0
				sum := 0
				for _, p := range s.oracle.Instances(r.To) {
					k := len(s.oracle.children(p, r))
					most = max(most, k)
					sum += k
				}
				fmt.Fprintf(os.Stderr, "   way %s: pop %.2f/%.0f (stated %.2f/%.0f) data %.2f/%d\n", r.Name, c.Average, c.Max, r.PerParent.Average, r.PerParent.Max, float64(sum)/float64(max(len(s.oracle.Instances(r.To)), 1)), most)
			}
		}
	}
}
