package quota

// Usage is what an account has, or what a change adds, of the things that are counted with every change.
type Usage struct {
	Cards      int64 `db:"cards"`
	CardBytes  int64 `db:"card_bytes"`
	Photos     int64 `db:"photos"`
	PhotoBytes int64 `db:"photo_bytes"`
}

// Plus returns the sum.
func (u Usage) Plus(more Usage) Usage {
	return Usage{
		u.Cards + more.Cards, u.CardBytes + more.CardBytes, u.Photos + more.Photos, u.PhotoBytes + more.PhotoBytes,
	}
}

// Minus returns the difference.
func (u Usage) Minus(less Usage) Usage {
	return Usage{
		u.Cards - less.Cards, u.CardBytes - less.CardBytes, u.Photos - less.Photos, u.PhotoBytes - less.PhotoBytes,
	}
}

// Of returns the amount of a kind; 0 for kinds that are not counted with every change.
func (u Usage) Of(kind Kind) int64 {
	switch kind {
	case Cards:
		return u.Cards
	case CardBytes:
		return u.CardBytes
	case Photos:
		return u.Photos
	case PhotoBytes:
		return u.PhotoBytes
	}
	return 0
}

// Counted reports whether a kind is counted with every change.
func Counted(kind Kind) bool { return kind.Index() < counted }

// counted is the number of kinds that are counted with every change. They are the first ones.
const counted = 4

// CheckUsage returns quota_exceeded if an account that has used may not have more of one of the kinds.
func (l Limits) CheckUsage(used, more Usage) error {
	for _, kind := range Kinds[:counted] {
		if err := l.Check(kind, used.Of(kind), more.Of(kind)); err != nil {
			return err
		}
	}
	return nil
}
