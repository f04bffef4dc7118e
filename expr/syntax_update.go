package expr

// projection reads the paths of a projection expression.
func (p *parser) projection() int32 {
	n := p.add(sProjection, p.tok)
	for {
		p.append(n, p.path())
		if !p.accept(tComma) {
			break
		}
	}
	if p.tok.kind != tEOF {
		p.unexpected()
	}
	return n
}

// update reads the sections of an update expression, as children of node 0.
func (p *parser) update() {
	for {
		word := p.tok
		switch word.kind {
		case tSet, tRemove, tAdd, tDelete:
		default:
			p.unexpected()
			return
		}
		p.advance()
		section := p.add(sSection, word)
		p.append(0, section)
		for {
			p.append(section, p.action(word.kind))
			if !p.accept(tComma) {
				break
			}
		}
		if p.tok.kind == tEOF {
			return
		}
	}
}

// action reads one change of an update expression.
func (p *parser) action(section tokenKind) int32 {
	n := p.add(sAction, p.tok)
	p.append(n, p.path())
	switch section {
	case tSet:
		p.expect(tEqual)
		value, _ := p.sum()
		p.append(n, value)
	case tAdd, tDelete:
		value := p.tok
		p.expect(tValueRef)
		p.append(n, p.add(sValue, value))
	}
	return n
}

// sum reads what SET assigns: an operand, or the sum or difference of two.
func (p *parser) sum() (int32, class) {
	var n int32
	var c class
	if left := p.tok; p.accept(tLeftParen) {
		n, c = p.sum()
		p.enclose(left, n)
	} else {
		n, c = p.atom()
	}
	sign := p.tok
	if c == aSum || sign.kind != tPlus && sign.kind != tMinus {
		return n, c
	}
	p.advance()
	right := p.operand()
	p.nodes[n].nested, p.nodes[right].nested = true, true
	kind := sPlus
	if sign.kind == tMinus {
		kind = sMinus
	}
	return p.add(kind, sign, n, right), aSum
}
