package dashboard

// section is a link of the main navigation.
type section struct {
	Label, Path string
	Owner       bool // whether only owners see it
	Rule        bool // whether a line separates it from the section above
}

// sections are in the order of the navigation.
var sections = []section{
	{Label: "Home", Path: "/"},
	{Label: "Cards", Path: "/cards"},
	{Label: "Import", Path: "/import"},
	{Label: "Batches", Path: "/batches"},
	{Label: "Listings", Path: "/listings"},
	{Label: "Sales", Path: "/sales"},
	{Label: "Tokens", Path: "/developers/tokens", Owner: true, Rule: true},
}
