package partition

import "testing"

func TestPartitions(t *testing.T) {
	for region, domain := range map[string]string{
		"eu-north-1": "amazonaws.com", "cn-north-1": "amazonaws.com.cn", "us-gov-west-1": "amazonaws.com", "eusc-de-east-1": "amazonaws.eu",
		"us-iso-east-1": "c2s.ic.gov", "us-isob-east-1": "sc2s.sgov.gov", "local": "amazonaws.com", "": "amazonaws.com",
	} {
		if got := Of(region).Domain; got != domain {
			t.Errorf("%q: %s, want %s", region, got, domain)
		}
	}
	for host, want := range map[string]bool{
		"dynamodb.eu-north-1.amazonaws.com": true, "dynamodb.eu-north-1.api.aws": true, "dynamodb.cn-north-1.amazonaws.com.cn": true,
		"vpce-1a2b-3c4d.dynamodb.us-east-1.vpce.amazonaws.com": true,
		"localhost": false, "127.0.0.1": false, "amazonaws.com": false, "amazonaws.com.example.org": false, "notamazonaws.com": false, "": false,
	} {
		if got := OfAWS(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
