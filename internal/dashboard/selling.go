package dashboard

import "net/http"

// sellingRoutes adds the pages of listings and sales.
func (d *Dashboard) sellingRoutes(signedIn func(method, path string, handle handler)) {
	signedIn(http.MethodGet, "/listings", d.listListings)
	signedIn(http.MethodGet, pullSheetPath, d.printed(d.showPullSheet))
	signedIn(http.MethodPost, pullSheetPath, d.markShipped)
	signedIn(http.MethodPost, pullSheetPath+"/undo", d.undoShipped)
	signedIn(http.MethodGet, "/listings/{id}", d.showListing)
	signedIn(http.MethodPost, "/listings/{id}", d.changeListing)
	signedIn(http.MethodPost, "/listings/{id}/end", d.endListing)
	signedIn(http.MethodPost, "/listings/{id}/publish", d.publishAgain)
	signedIn(http.MethodGet, "/sales", d.listSales)
	signedIn(http.MethodGet, "/sales/report", d.showSalesReport)
	signedIn(http.MethodGet, "/sales/new", d.newSale)
	signedIn(http.MethodPost, "/sales/new", d.recordSale)
	signedIn(http.MethodGet, "/sales/{id}", d.showSale)
	signedIn(http.MethodPost, "/sales/{id}", d.changeSale)
	signedIn(http.MethodGet, "/sales/{id}/refund", d.showRefund)
	signedIn(http.MethodPost, "/sales/{id}/refund", d.refundSale)
	signedIn(http.MethodGet, "/sales/{id}/void", d.showVoid)
	signedIn(http.MethodPost, "/sales/{id}/void", d.voidSale)
}
