package design

func DebugBills(d *Result, f func(string, float64)) {
	sum := map[string]float64{}
	for _, s := range d.found {
		for n, m := range s.chosen.bill.patterns {
			sum[n] += m.Dollars()
		}
	}
	for _, p := range d.facts.req.Patterns {
		f(p.Name, sum[p.Name])
	}
}
