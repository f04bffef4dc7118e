package engine

import (
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

func (e *session) executeStatement(body []byte) ([]byte, error) {
	in, err := wire.DecodeExecuteStatement(body)
	if err != nil {
		return nil, err
	}
	s, refused := readStatement(&in.Statement)
	if refused != nil {
		return nil, plain.refuse(refused)
	}
	if s.Verb == expr.VerbExists {
		return nil, wire.Invalid(existsElsewhere)
	}
	if err := s.find(e); err != nil {
		return nil, err
	}
	var out wire.ExecuteStatementOutput
	if s.Verb == expr.VerbSelect {
		err = e.selectPage(s, in, &out)
	} else {
		err = e.executeWrite(s, in.ReturnConsumed, &out)
	}
	if err != nil {
		return nil, err
	}
	return out.Append(make([]byte, 0, out.Items.Size()+256)), nil
}

const existsElsewhere = "EXISTS can only be used in ExecuteTransaction write requests."

// executeWrite carries out a statement that writes.
func (e *session) executeWrite(s *partiql, mode string, out *wire.ExecuteStatementOutput) error {
	if err := s.findKey(); err != nil {
		return err
	}
	return e.writeItem(s.table, s.key, func(w kv.Writer) error {
		c, returned, err := s.change(e, w)
		if err != nil {
			return err
		}
		if err := new(growths).check(w, &c); err != nil {
			return err
		}
		if err := e.admitIndexes(w, &c); err != nil {
			return err
		}
		*out = wire.ExecuteStatementOutput{}
		if returned != nil {
			out.Items.Add(returned)
		}
		c.apply(e.Engine, w)
		m := meter{mode: mode}
		m.write(c.table, &c.units)
		out.ConsumedCapacity = m.one(c.table)
		return nil
	})
}
