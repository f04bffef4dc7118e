// Package partition knows the groups of AWS's Regions and under which domains each has its endpoints.
package partition

import "strings"

// Partition is a group of Regions with domains of their own.
type Partition struct {
	Prefix   string // of its Regions' names
	Domain   string
	Dual     string // of endpoints that answer over IPv6, too
	Accounts bool   // has endpoints of accounts, though none of them for FIPS
}

// docs.aws.amazon.com/general/latest/gr/ddb.html, and for the partitions that it does not list the SDKs' endpoint rules.
var all = [...]Partition{
	{"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn", true},
	{"us-gov-", "amazonaws.com", "api.aws", true},
	{"us-iso-", "c2s.ic.gov", "api.aws.ic.gov", false},
	{"us-isob-", "sc2s.sgov.gov", "api.aws.scloud", false},
	{"eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", false},
	{"us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov", false},
	{"eusc-", "amazonaws.eu", "api.amazonwebservices.eu", false},
	{"", "amazonaws.com", "api.aws", true},
}

// Of is the partition of a Region; of a name that is of no other, the first of all.
func Of(region string) *Partition {
	for i := range all {
		if strings.HasPrefix(region, all[i].Prefix) {
			return &all[i]
		}
	}
	return nil // the last one's prefix is empty
}

// OfAWS reports whether a host is one of AWS's, an interface endpoint in a network of the caller's among them.
func OfAWS(host string) bool {
	for i := range all {
		if p := &all[i]; strings.HasSuffix(host, "."+p.Domain) || strings.HasSuffix(host, "."+p.Dual) {
			return true
		}
	}
	return false
}
