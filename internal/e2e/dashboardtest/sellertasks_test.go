package dashboardtest

// sellerTasks are the tasks of a person who has an invitation and no session, in the order in which they are carried
// out: they set a password, sell on eBay, and log out and in. The account is no sandbox account.
var sellerTasks = []task{
	{name: "password: the address", path: "/password/{invitation}", fill: "password={seller}",
		press: "Set the password", says: "must not be the e-mail address", fails: true},
	{name: "password: set", path: "/password/{invitation}", fill: "password=moth and heron", press: "Set the password",
		says: "Your inventory is empty"},
	{name: "password: a link that was used", path: "/password/{invitation}", first: "was used before or has expired",
		press: "Go to the first page", says: "Your inventory is empty", fails: true},
	{name: "marketplaces: do not consent", path: "/settings/marketplaces", press: "Connect eBay", then: "Cancel",
		says: "The consent was refused", fails: true},
	{name: "marketplaces: connect", path: "/settings/marketplaces", press: "Connect eBay", then: "Agree",
		says: "The account is connected to eBay."},
	{name: "marketplaces: no country", path: "/settings/marketplaces", fill: "name=Shop&country=U1&postal_code=95125",
		press: "Create the place", says: "must be a code of two letters", wrong: "country"},
	{name: "marketplaces: create a place", path: "/settings/marketplaces", first: "not ready to publish",
		fill: "name=Shop&country=US&postal_code=95125", press: "Create the place",
		says: "The place was created at eBay."},
	{name: "marketplaces: choose policies", path: "/settings/marketplaces", press: "Save",
		fill: "fulfillment_policy=fulfillment-EBAY_US-2&payment_policy=payment-EBAY_US-1" +
			"&return_policy=return-EBAY_US-2", hides: "not ready to publish"},
	{name: "marketplaces: another site", path: "/settings/marketplaces", fill: "site=EBAY_DE", press: "Save",
		says: "not ready to publish"},
	{name: "marketplaces: disconnect", path: "/settings/marketplaces/ebay/disconnect", press: "Disconnect",
		says: "The account is not connected to eBay any more."},
	{name: "export: again after one that failed", path: "/settings/export", first: "The archive could not be written.",
		press: "Export everything", says: "Download the archive"},
	{name: "log out everywhere", path: "/more", press: "Log out everywhere", says: "You lost your password?"},
	{name: "log in: another password", path: "/login", fill: "email={seller}&password=moth and crane", press: "Log in",
		says: "The e-mail address or the password is wrong.", wrong: "email"},
	{name: "log in", path: "/login", fill: "email={seller}&password=moth and heron", press: "Log in",
		says: "Your inventory is empty"},
	{name: "join an account", path: "/password/{second invitation}", press: "Join", says: "Needs a hand"},
	{name: "switch to an account", path: "/more", fill: "account={shop}", press: "Switch",
		says: "Your inventory is empty"},
	{name: "log out", path: "/more", press: "Log out", says: "You lost your password?"},
}
