package quota

// Usage is an account's use of the quotas that every change counts, or the amount that a change adds.
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

// CheckUsage returns quota_exceeded if use and more exceed a quota together.
func (l Limits) CheckUsage(use, more Usage) error {
	for _, kind := range Kinds[:counted] {
		if err := l.Check(kind, use.Of(kind), more.Of(kind)); err != nil {
			return err
		}
	}
	return nil
}
