package capacity

import "math"

// Sizes is a distribution of sizes in bytes: Expect is the expectation of f over it. The distributions of
// internal/dist are Sizes, so is [Fixed], and a histogram of measured sizes is easily made one.
type Sizes interface {
	Expect(f func(bytes float64) float64) float64
}

// Fixed are sizes that are all the same.
type Fixed Bytes

// Expect is f at the size.
func (s Fixed) Expect(f func(bytes float64) float64) float64 { return f(float64(s)) }

// ExpectGet is the expectation of [Get].
func ExpectGet(item Sizes, c Consistency) ReadUnits {
	return c.units(expectBlocks(item, ReadBlock))
}

// ExpectQuery is the expectation of [Query] over all pages of 1 MB that it takes to read to the end. sum is the
// distribution of the sum of all sizes that one such read evaluates, average the average size of one item in bytes: the
// item that crosses 1 MB ends a page, so pages are larger than 1 MB by half an item.
func ExpectQuery(sum Sizes, average float64, c Consistency) ReadUnits {
	page := fullPage(average)
	perPage := blocks(page, float64(ReadBlock))
	units := sum.Expect(func(bytes float64) float64 {
		full := math.Floor(bytes / page)
		rest := bytes - float64(full*page)
		if full > 0 && rest == 0 { // the last page is full
			return float64(full * perPage)
		}
		return float64(full*perPage) + blocks(rest, float64(ReadBlock))
	})
	return c.units(units)
}

// fullPage is the size of a page of Query that 1 MB ends, for items of one size.
func fullPage(item float64) float64 {
	if !(item >= 1) {
		return float64(PageBytes)
	}
	return float64(math.Ceil(float64(PageBytes)/item) * item)
}

// ExpectWrite is the expectation of [Write]. item is the distribution of the larger of the sizes before and after.
func ExpectWrite(item Sizes) WriteUnits { return WriteUnits(expectBlocks(item, WriteBlock)) }

// ExpectConditionCheck is the expectation of [ConditionCheck].
func ExpectConditionCheck(item Sizes) WriteUnits { return Transact(ExpectWrite(item)) }

// ExpectArm is the expectation of [ArmUnits]. For InPlace, entry is the distribution of the larger of both entries; for
// Enter and Leave that of the one there is; for Move that of either, so that it counts twice.
func ExpectArm(a Arm, entry Sizes) WriteUnits { return ArmOf(a, ExpectWrite(entry)) }

// ArmOf is [ExpectArm] for an entry whose write takes the given units.
func ArmOf(a Arm, write WriteUnits) WriteUnits {
	switch a {
	case None:
		return 0
	case Move:
		return write + write
	}
	return write
}

func expectBlocks(s Sizes, block Bytes) float64 {
	return s.Expect(func(bytes float64) float64 { return blocks(bytes, float64(block)) })
}
