package engine

import (
	"cmp"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) describeLimits(body []byte) ([]byte, error) {
	if err := wire.DecodeEmpty(body, "DescribeLimitsInput"); err != nil {
		return nil, err
	}
	out := wire.LimitsOutput{
		AccountRead: int64(capacity.AccountReads), AccountWrite: int64(capacity.AccountWrites),
		TableRead: int64(capacity.TableReads), TableWrite: int64(capacity.TableWrites),
	}
	return out.Append(nil), nil
}

func (e *session) describeEndpoints(body []byte) ([]byte, error) {
	if err := wire.DecodeEmpty(body, "DescribeEndpointsInput"); err != nil {
		return nil, err
	}
	// What clients are told they take (Endpoint discovery of the SDKs): their requests shall go on coming here.
	address := cmp.Or(e.host, "dynamodb."+e.region+".amazonaws.com")
	out := wire.EndpointsOutput{Endpoints: []wire.Endpoint{{Address: address, Minutes: 1440}}}
	return out.Append(nil), nil
}
