package cards

// Status is a card's workflow status.
type Status string

// The statuses (openapi/v1.yaml, WorkflowStatus): the main line, then those beside it.
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

// Facts are all that a card's status follows from.
type Facts struct {
	Identified   bool // a title was saved
	Failed       bool // both providers failed, and nobody has identified the card since
	Priced       bool // it has an asking price
	ListingPhoto bool // it has a photo of role listing
	Live         bool // a listing of it is live (or being ended)
	Sold         bool // a listing of it was sold
	Archived     bool // its owner put it away
}

// Status returns where the facts put the card.
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

// Edge is one step of the workflow.
type Edge struct{ From, To Status }

// edges are the steps that are allowed, in the order in which a path prefers them: the main
// line before what lies beside it.
var edges = map[Status][]Status{
	Imported:     {Identified, NeedsReview, Archived},
	NeedsReview:  {Identified, Archived},
	Identified:   {Priced, Archived},
	Priced:       {Photographed, Identified, Listed, Archived},
	Photographed: {Priced, Listed, Archived},
	Listed:       {Priced, Photographed, Sold},
	Archived:     {Imported, NeedsReview, Identified, Priced, Photographed},
}

// Path returns the edges from one status to another, one at a time: the shortest way that passes
// through neither archived nor listed, which are places to be, not to pass. It is nil if there is
// no way (an identified card cannot become imported) or none is needed.
func Path(from, to Status) []Edge {
	if from == to {
		return nil
	}
	came := map[Status]Status{from: from}
	for queue := []Status{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != from && (at == Archived || at == Listed) {
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

// walk reads the way back from where each status was come from.
func walk(came map[Status]Status, from, to Status) []Edge {
	var path []Edge
	for at := to; at != from; at = came[at] {
		path = append([]Edge{{came[at], at}}, path...)
	}
	return path
}
