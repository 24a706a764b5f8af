package cards

// Status is a card's workflow status.
type Status string

// The statuses (openapi/v1.yaml, WorkflowStatus): the main path first, then the others.
const (
	Imported     Status = "imported"
	Identified   Status = "identified"
	Priced       Status = "priced"
	Photographed Status = "photographed"
	Listed       Status = "listed"
	Sold         Status = "sold"
	NeedsReview  Status = "needs_review"
	Archived     Status = "archived"
)

// Statuses lists every status.
var Statuses = []Status{Imported, Identified, Priced, Photographed, Listed, Sold, NeedsReview, Archived}

// InStock reports whether cards with the status belong to the stock: they are neither sold nor archived.
func (s Status) InStock() bool { return s != Sold && s != Archived }

// Facts determine a card's status.
type Facts struct {
	Identified   bool // a title was saved
	Failed       bool // both providers failed, and the card was not identified since
	Priced       bool // has an asking price
	ListingPhoto bool // has a photo of role listing
	Live         bool // has a listing that is live or ending
	Sold         bool // was sold, and did not come back
	Archived     bool // its owner archived it
}

// Status returns the status that follows from the facts.
func (f Facts) Status() Status {
	switch {
	case f.Sold:
		return Sold
	case f.Live:
		return Listed
	case f.Archived:
		return Archived
	case !f.Identified && f.Failed:
		return NeedsReview
	case !f.Identified:
		return Imported
	case !f.Priced:
		return Identified
	case !f.ListingPhoto:
		return Priced
	}
	return Photographed
}

// Edge is one transition of the workflow.
type Edge struct{ From, To Status }

// edges are the allowed transitions, in the order in which Path prefers them: the main path first.
var edges = map[Status][]Status{
	Imported:     {Identified, NeedsReview, Archived},
	NeedsReview:  {Identified, Archived},
	Identified:   {Priced, Archived, Sold, NeedsReview}, // NeedsReview: a review that is undone
	Priced:       {Photographed, Identified, Listed, Archived, Sold},
	Photographed: {Priced, Listed, Archived, Sold},
	Listed:       {Priced, Photographed, Sold},
	Sold:         {Identified, Priced, Photographed},
	Archived:     {Imported, NeedsReview, Identified, Priced, Photographed},
}

// Path returns the shortest sequence of transitions from one status to another that does not pass through
// archived, listed or sold. It returns nil if the statuses are equal or there is no path: an identified card,
// for example, cannot become imported.
func Path(from, to Status) []Edge {
	if from == to {
		return nil
	}
	came := map[Status]Status{from: from}
	for queue := []Status{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != from && (at == Archived || at == Listed || at == Sold) {
			continue
		}
		for _, next := range edges[at] {
			if _, seen := came[next]; seen {
				continue
			}
			came[next] = at
			if next == to {
				return walk(came, from, to)
			}
			queue = append(queue, next)
		}
	}
	return nil
}

// walk returns the path to a status. came holds the predecessor of each status.
func walk(came map[Status]Status, from, to Status) []Edge {
	var path []Edge
	for at := to; at != from; at = came[at] {
		path = append([]Edge{{came[at], at}}, path...)
	}
	return path
}
