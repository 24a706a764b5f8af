package wire

// Site is one of eBay's sites. The Sell APIs name it by a marketplaceId.
type Site struct {
	ID       string // MarketplaceEnum: "EBAY_US"
	Name     string // as sellers know it: "eBay United States"
	Language string // of its Content-Language header
	Currency string // the only one of its fixed prices
	Domain   string // of its pages, after "www." or "www.sandbox."
}

// Sites returns the sites that CardVault supports.
func Sites() []Site {
	return []Site{
		{"EBAY_US", "eBay United States", "en-US", "USD", "ebay.com"},
		{"EBAY_GB", "eBay United Kingdom", "en-GB", "GBP", "ebay.co.uk"},
		{"EBAY_DE", "eBay Germany", "de-DE", "EUR", "ebay.de"},
		{"EBAY_AU", "eBay Australia", "en-AU", "AUD", "ebay.com.au"},
		{"EBAY_CA", "eBay Canada", "en-CA", "CAD", "ebay.ca"},
	}
}

// SiteOf returns the first site with this currency, or the first of all if none has it.
func SiteOf(currency string) Site {
	for _, site := range Sites() {
		if site.Currency == currency {
			return site
		}
	}
	return Sites()[0]
}

// FindSite returns the site with this identifier.
func FindSite(id string) (Site, bool) {
	for _, site := range Sites() {
		if site.ID == id {
			return site, true
		}
	}
	return Site{}, false
}
