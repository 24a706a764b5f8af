package sandboxmarket

// Operation is a call of the marketplace, for the test that compares it with eBay's contracts.
type Operation struct {
	Name, Method, Path string
	Scopes             []string
}

// Operations returns the calls that the marketplace implements.
func Operations() []Operation {
	all := make([]Operation, len(calls))
	for i, c := range calls {
		all[i] = Operation{c.name, c.method, c.path, c.scopes}
	}
	return all
}
