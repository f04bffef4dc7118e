package streams

import "math/rand/v2"

// claim is a shard that may be read, as the balance of a group sees it.
type claim struct {
	lease
	abandoned bool // the owner has not moved for as long as a lease lasts
}

// balance says which leases a worker should take, and which one it should ask for, so that the shards come to be divided
// evenly: those that nobody has are taken up to a fair share; where there are none left, one is asked for of the worker that
// has the most, if that is at least two more. Several workers that do so at once agree in the end, since a lease is taken on
// condition.
func balance(me string, claims []claim) (take []lease, ask *lease) {
	count := map[string]int{me: 0} // by worker that lives; what is asked for counts for who asks
	var free []lease
	for _, c := range claims {
		switch {
		case c.Owner == "" || c.abandoned:
			free = append(free, c.lease)
		case c.Wanted != "" && c.Wanted != c.Owner:
			count[c.Owner] += 0
			count[c.Wanted]++
		default:
			count[c.Owner]++
		}
	}
	share := (len(claims) + len(count) - 1) / len(count)
	rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for len(free) > 0 && count[me] < share {
		take, free = append(take, free[0]), free[1:]
		count[me]++
	}
	if len(free) > 0 || len(take) > 0 {
		return take, nil
	}
	var from *lease
	for i, c := range claims {
		if c.Owner == me || c.Wanted != "" || count[c.Owner] < count[me]+2 {
			continue
		}
		if from == nil || count[c.Owner] > count[from.Owner] {
			from = &claims[i].lease
		}
	}
	return take, from
}
