package expr

// sqlStatement is a statement as it is written.
type sqlStatement struct {
	verb sqlToken // its first word
	kind Verb     // 0: something that DynamoDB does not do

	distinct, projection bool // SELECT DISTINCT; SELECT VALUE
	columns              []*sqlNode
	source               *sqlNode
	several, alias       bool // more than one source; AS
	where                *sqlNode
	clause               string    // one that DynamoDB does not have
	clauseAt             *sqlPlace // where it is, if that is told
	order                []sqlOrder

	value       *sqlNode // INSERT
	at          bool
	assignments []sqlAssignment
	returning   Returning
	rejected    *Error // what is wrong with RETURNING
}

type sqlOrder struct {
	by         *sqlNode
	descending bool
}

// sqlAssignment is what SET assigns to a path; REMOVE has no value.
type sqlAssignment struct{ path, value *sqlNode }

// statement reads all of the text.
func (p *sqlParser) statement() *sqlStatement {
	s := new(sqlStatement)
	open := p.tok().is("(") && p.second().keyword("select")
	if open {
		p.take()
	}
	s.verb = p.tok()
	switch {
	case p.acceptWord("select"):
		s.kind = VerbSelect
		p.selection(s)
	case s.verb.keyword("insert"):
		p.insertion(s)
	case p.acceptWord("update"):
		s.kind = VerbUpdate
		p.target(s)
		p.changes(s)
	case s.verb.keyword("delete"):
		p.deletion(s)
	case s.verb.keyword("exists"):
		p.existence(s)
	case p.acceptWord("create"), p.acceptWord("drop"):
		p.definition(s)
	case s.verb.kind == qEOF, s.verb.kind == qUnreadable:
		p.fail("Unexpected term")
	case s.verb.kind == qKeyword && !s.verb.keyword("from") && !s.verb.keyword("null") && !s.verb.keyword("missing"):
		p.fail("Unexpected keyword")
	default: // captured on AWS, 2026
		p.fail("Expected data manipulation")
	}
	if open {
		p.expect(")", "RIGHT_PAREN")
	}
	p.end()
	return s
}

func (p *sqlParser) end() {
	if p.err != nil {
		return
	}
	semicolon := p.accept(";")
	switch {
	case p.tok().kind == qEOF:
	case semicolon:
		p.fail("Unexpected token after semicolon. (Only one query is allowed.)")
	default:
		p.fail("Unexpected token after expression")
	}
}

// query reads what follows SELECT in an expression, where it is refused afterwards.
func (p *sqlParser) query() { p.selection(new(sqlStatement)) }

// selection reads what follows SELECT.
func (p *sqlParser) selection(s *sqlStatement) {
	if s.distinct = p.acceptWord("distinct"); !s.distinct {
		p.acceptWord("all")
	}
	if s.projection = p.acceptWord("value"); s.projection {
		p.expression(0)
	} else if p.accept("*") {
		if p.tok().is(",") {
			p.fail("Other expressions may not be present in the select list when '*' is used without dot notation.")
		}
	} else {
		s.columns = p.list(func() *sqlNode {
			if p.tok().is("*") {
				return p.fail("Other expressions may not be present in the select list when '*' is used without dot notation.")
			}
			n := p.expression(0)
			s.alias = p.asAlias() || s.alias
			return n
		})
	}
	if !p.acceptWord("from") {
		p.fail("Expected FROM after SELECT list")
		return
	}
	p.sources(s)
	p.where(s)
	p.clauses(s)
}

// asAlias reads another name for what stands before, if there is one.
func (p *sqlParser) asAlias() bool {
	as := p.acceptWord("as")
	if p.tok().isName() {
		p.take()
		return true
	}
	if as {
		p.fail("Expected identifier for AS-alias")
	}
	return as
}

// sources reads what follows FROM.
func (p *sqlParser) sources(s *sqlStatement) {
	s.several = p.acceptWord("unpivot")
	s.source = p.expression(0)
	s.alias = p.asAlias() || s.alias
	for p.err == nil {
		cross := false
		switch t := p.tok(); {
		case p.accept(","):
			cross = true
		case t.keyword("join"), t.keyword("inner"), t.keyword("left"), t.keyword("right"), t.keyword("full"), t.keyword("outer"), t.keyword("cross"):
			for p.tok().kind == qKeyword && !p.tok().keyword("join") {
				cross = p.take().text == "cross" || cross
			}
			if !p.acceptWord("join") {
				p.fail("Expected JOIN")
			}
		default:
			return
		}
		s.several = true
		p.expression(0)
		p.asAlias()
		if !cross {
			if !p.acceptWord("on") {
				p.fail("Expected 'ON'")
				return
			}
			p.expression(0)
		}
	}
}

func (p *sqlParser) where(s *sqlStatement) {
	if p.acceptWord("where") {
		s.where = p.expression(0)
	}
}

// clauses reads what follows WHERE.
func (p *sqlParser) clauses(s *sqlStatement) {
	if p.acceptWord("order") {
		if !p.acceptWord("by") {
			p.fail("Expected BY")
			return
		}
		p.list(func() *sqlNode {
			o := sqlOrder{by: p.expression(0), descending: p.acceptWord("desc")}
			if !o.descending {
				p.acceptWord("asc")
			}
			s.order = append(s.order, o)
			return o.by
		})
	}
	if p.acceptWord("group") {
		p.acceptWord("partial")
		if !p.acceptWord("by") {
			p.fail("Expected BY")
			return
		}
		p.list(func() *sqlNode { return p.expression(0) })
		s.clause = "GROUP BY"
	}
	for _, word := range []string{"having", "limit"} {
		if p.acceptWord(word) {
			n := p.expression(0)
			if s.clause == "" {
				s.clause, s.clauseAt = upperWords[word], &n.tok.at
			}
		}
	}
}

var upperWords = map[string]string{"having": "HAVING", "limit": "LIMIT"}

// insertion reads INSERT INTO.
func (p *sqlParser) insertion(s *sqlStatement) {
	if !p.second().keyword("into") {
		p.fail("Unexpected keyword")
		return
	}
	p.take()
	p.take()
	s.source = p.simplePath()
	if !p.acceptWord("value") { // a list of items
		if p.acceptWord("values") {
			p.list(func() *sqlNode {
				if !p.tok().is("(") {
					return p.fail("Expected LEFT_PAREN for row value constructor")
				}
				return p.term()
			})
			return
		}
		p.expression(0)
		return
	}
	s.kind = VerbInsert
	s.value = p.expression(0)
	if s.at = p.acceptWord("at"); s.at {
		p.expression(0)
	}
	if p.acceptWord("on") {
		s.clause = "ON CONFLICT"
		for p.err == nil && p.tok().kind == qKeyword && !p.tok().keyword("returning") {
			if p.take().keyword("where") {
				p.expression(0)
			}
		}
	}
	p.returns(s)
}

// target reads what UPDATE and DELETE FROM write to.
func (p *sqlParser) target(s *sqlStatement) {
	s.source = p.simplePath()
	s.alias = p.asAlias()
}

// changes reads the clauses of UPDATE.
func (p *sqlParser) changes(s *sqlStatement) {
	for p.err == nil {
		switch {
		case p.acceptWord("set"):
			p.list(func() *sqlNode {
				a := sqlAssignment{path: p.simplePath()}
				if !p.accept("=") {
					return p.fail("Expected '='")
				}
				a.value = p.expression(0)
				s.assignments = append(s.assignments, a)
				return a.path
			})
			continue
		case p.acceptWord("remove"):
			s.assignments = append(s.assignments, sqlAssignment{path: p.simplePath()})
			continue
		case len(s.assignments) == 0:
			p.fail("Expected data manipulation")
			return
		}
		break
	}
	p.where(s)
	p.returns(s)
}

func (p *sqlParser) deletion(s *sqlStatement) {
	if p.take(); !p.acceptWord("from") {
		p.fail("Expected FROM after DELETE")
		return
	}
	s.kind = VerbDelete
	p.target(s)
	p.where(s)
	p.returns(s)
}

// existence reads EXISTS(SELECT …).
func (p *sqlParser) existence(s *sqlStatement) {
	p.take()
	if !p.tok().is("(") {
		p.fail("Unexpected keyword")
		return
	}
	p.take()
	if !p.acceptWord("select") {
		p.fail("Unexpected term")
		return
	}
	s.kind = VerbExists
	p.selection(s)
	p.expect(")", "RIGHT_PAREN")
}

// definition reads CREATE and DROP as far as it takes to call them by their names.
func (p *sqlParser) definition(s *sqlStatement) {
	if !p.tok().keyword("table") && !p.tok().keyword("index") {
		p.fail("Unexpected token following " + map[string]string{"create": "CREATE", "drop": "DROP"}[s.verb.text])
		return
	}
	p.take()
	for p.tok().kind != qEOF && p.tok().kind != qUnreadable && !p.tok().is(";") {
		p.take()
	}
}

// returns reads RETURNING. What it has that PartiQL allows and DynamoDB does not is told after all else.
func (p *sqlParser) returns(s *sqlStatement) {
	if !p.acceptWord("returning") {
		return
	}
	for n := 0; p.err == nil; n++ {
		r := ReturningAllOld
		if !p.acceptWord("all") {
			if !p.acceptWord("modified") {
				p.fail("Expected ( MODIFIED OLD | MODIFIED NEW | ALL OLD | ALL NEW ) in the returning element.")
				return
			}
			r = ReturningModifiedOld
		}
		if !p.acceptWord("old") {
			if !p.acceptWord("new") {
				p.fail("Expected ( MODIFIED OLD | MODIFIED NEW | ALL OLD | ALL NEW ) in the returning element.")
				return
			}
			r++
		}
		s.returning = r
		if !p.accept("*") {
			p.path()
			s.rejected = RuleStatementReturningStar.fail(PartiQL)
		}
		if n > 0 {
			s.rejected = RuleStatementReturningList.fail(PartiQL)
		}
		if !p.accept(",") {
			return
		}
	}
}
