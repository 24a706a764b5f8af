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

// rule is what the workflow says about a status.
type rule struct {
	status Status
	// next are the allowed transitions, in the order in which Path prefers them: the main path first.
	next []Status
	// passes says that Path goes through the status. A card is listed, sold or archived only by a fact of its own.
	passes bool
	// stock says that the cards belong to the stock: they are neither sold nor archived.
	stock bool
	// identified says that the cards have a title. Archived cards count too.
	identified bool
	// sellable says that the cards can be sold without another step.
	sellable bool
}

// workflow declares every status. The contract (WorkflowStatus), the style sheet of the dashboard and Facts.Status
// name the same ones; tests compare them.
var workflow = []rule{
	{status: Imported, passes: true, stock: true, next: []Status{Identified, NeedsReview, Archived}},
	{
		status: Identified, passes: true, stock: true, identified: true, sellable: true,
		next: []Status{Priced, Archived, Sold, NeedsReview}, // NeedsReview: a review that is undone
	},
	{
		status: Priced, passes: true, stock: true, identified: true, sellable: true,
		next: []Status{Photographed, Identified, Listed, Archived, Sold},
	},
	{
		status: Photographed, passes: true, stock: true, identified: true, sellable: true,
		next: []Status{Priced, Listed, Archived, Sold},
	},
	{
		status: Listed, stock: true, identified: true, sellable: true,
		next: []Status{Priced, Photographed, Sold},
	},
	{status: Sold, identified: true, next: []Status{Identified, Priced, Photographed}},
	{status: NeedsReview, passes: true, stock: true, next: []Status{Identified, Archived}},
	{status: Archived, identified: true, next: []Status{Imported, NeedsReview, Identified, Priced, Photographed}},
}

// Statuses lists every status. SellableStatuses lists the statuses of cards that can be sold.
var (
	Statuses         = statusesWith(func(rule) bool { return true })
	SellableStatuses = statusesWith(func(r rule) bool { return r.sellable })
)

func statusesWith(property func(rule) bool) (list []Status) {
	for _, r := range workflow {
		if property(r) {
			list = append(list, r.status)
		}
	}
	return list
}

// rule returns the declaration of the status. An unknown status has none.
func (s Status) rule() rule {
	for _, r := range workflow {
		if r.status == s {
			return r
		}
	}
	return rule{}
}

// Identified reports whether cards with the status have a title, or had one when they were archived.
func (s Status) Identified() bool { return s.rule().identified }

// InStock reports whether cards with the status belong to the stock: they are neither sold nor archived.
func (s Status) InStock() bool { return s.rule().stock }

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
		if at != from && !at.rule().passes {
			continue
		}
		for _, next := range at.rule().next {
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

// walk returns the path to a status. came maps a status to its predecessor.
func walk(came map[Status]Status, from, to Status) []Edge {
	var path []Edge
	for at := to; at != from; at = came[at] {
		path = append([]Edge{{came[at], at}}, path...)
	}
	return path
}
