package dashboard

import (
	"net/http"

	"github.com/gorilla/mux"
)

// Access says who may use a route.
type Access string

// The kinds of access.
const (
	ForAnyone  Access = "anyone"  // also without a session
	ForMembers Access = "members" // users of the account
	ForOwners  Access = "owners"  // owners of the account
)

// Route is a route of the dashboard. HEAD is served like GET and not listed.
type Route struct {
	Method, Path string // variables of the path are in braces
	Access       Access
}

// route is a route with its handler.
type route struct {
	method, path string
	access       access
	handle       handler
}

// access is who may use a route, and how its requests are limited.
type access struct {
	Access
	guard func(*Dashboard, handler) handler
}

var (
	anyone  = access{ForAnyone, func(_ *Dashboard, h handler) handler { return h }}
	members = access{ForMembers, (*Dashboard).signedIn}
	owners  = access{ForOwners, (*Dashboard).owner}
	// Files are limited apart from pages.
	membersFile = access{ForMembers, func(d *Dashboard, h handler) handler {
		return d.visited(false, d.limitDownloads(h))
	}}
	ownersFile = access{ForOwners, func(d *Dashboard, h handler) handler {
		return d.visited(true, d.limitDownloads(h))
	}}
)

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// routes returns all routes. A path stands before those whose variables match it.
//
// Two of the routes by GET change something: a callback, to which the browser comes from another site. The answer of
// the site is accepted once, and only in the session that asked for it.
func (d *Dashboard) routes() []route {
	return []route{
		{get, "/login", anyone, d.showLogin},
		{post, "/login", anyone, d.logIn},
		{post, "/login/oidc", anyone, within(signOnTime, d.ifSignOn(d.beginSignOn))},
		{get, SignOnCallback, anyone, within(signOnTime, d.ifSignOn(d.finishSignOn))},
		{get, "/password/{secret}", anyone, d.showPassword},
		{post, "/password/{secret}", anyone, d.setPassword},
		{post, "/logout", members, d.logOut},
		{post, "/logout/everywhere", members, d.logOutEverywhere},
		{post, "/account", members, d.switchAccount},

		{get, "/", members, d.home},
		{get, "/search", members, within(pageTime, d.search)},
		{get, "/more", members, d.showMore},
		{get, "/keys", members, d.showKeys},

		{get, "/cards", members, d.listCards},
		{get, "/cards/export", membersFile, d.exportCards},
		{get, "/cards/bulk", members, d.confirmBulk},
		{post, "/cards/bulk", members, d.startBulk},
		{get, "/cards/labels", members, within(pageTime, d.printed(d.printLabels))},
		{get, "/cards/pull-sheet", members, within(pageTime, d.printed(d.printPullSheet))},
		{get, "/cards/views", members, within(pageTime, d.listViews)},
		{post, "/cards/views", members, within(changeTime, d.saveView)},
		{post, "/cards/views/{id}/delete", members, within(changeTime, d.deleteView)},

		{get, "/cards/{id}", members, within(pageTime, d.showCard)},
		{post, "/cards/{id}", members, within(changeTime, d.changeCard)},
		{post, "/cards/{id}/photos", members, within(uploadTime, d.addPhoto)},
		{post, "/cards/{id}/photos/{photo}/remove", members, within(changeTime, d.onCard(partPhotos, d.removePhoto))},
		{post, "/cards/{id}/photos/{photo}/turn", members, within(changeTime, d.onCard(partPhotos, d.turnPhoto))},
		{post, "/cards/{id}/take", members, within(changeTime, d.onCard(partCandidates, d.takeOnCard))},
		{post, "/cards/{id}/take/undo", members, within(changeTime, d.onCard(partCandidates, d.undoTake))},
		{post, "/cards/{id}/identify", members, within(identifyTime, d.onCard(partCandidates, d.identifyCard))},
		{post, "/cards/{id}/publish", members, within(changeTime, d.onCard(partListing, d.publishCard))},
		{post, "/cards/{id}/end", members, within(changeTime, d.onCard(partListing, d.endListingOfCard))},
		{post, "/cards/{id}/sell", members, within(changeTime, d.onCard(partSale, d.sellCard))},
		{post, "/cards/{id}/archive", members, within(changeTime, d.onCard(partEnd, d.archiveCard))},
		{get, "/cards/{id}/delete", members, within(pageTime, d.showDelete)},
		{post, "/cards/{id}/delete", members, within(changeTime, d.deleteCard)},

		{get, "/jobs", members, d.listJobs},
		{get, "/jobs/{id}", members, d.showJob},
		{post, "/jobs/{id}/cancel", members, d.cancelJob},
		{post, "/jobs/{id}/undo", members, d.undoJob},

		{get, "/import", members, d.showImport},
		{post, csvPath, members, d.stageFile},
		{get, csvPath, members, d.showFile},
		{post, csvPath + "/accept", members, d.acceptFile},
		{post, csvPath + "/discard", members, d.discardFile},
		{post, photosPath, members, d.importPhotos},
		{get, photosPath, members, d.showPhotos},

		{get, "/batches", members, d.listBatches},
		{post, "/batches", members, d.createBatch},
		{get, "/batches/{id}", members, d.showBatch},
		{post, "/batches/{id}", members, d.renameBatch},
		{post, "/batches/{id}/complete", members, d.completeBatch},
		{post, "/batches/{id}/reopen", members, d.reopenBatch},

		{get, "/review", members, within(pageTime, d.showReview)},
		{post, "/review/take", members, within(changeTime, d.takeCandidate)},
		{post, "/review/skip", members, within(changeTime, d.skipReview)},
		{post, "/review/keep", members, within(changeTime, d.keepChoice)},
		{post, "/review/undo", members, within(changeTime, d.undoReview)},

		{get, "/listings", members, d.listListings},
		{get, "/listings.csv", membersFile, d.exportListings},
		{get, pullSheetPath, members, d.printed(d.showPullSheet)},
		{post, pullSheetPath, members, d.markShipped},
		{post, pullSheetPath + "/undo", members, d.undoShipped},
		{get, "/listings/{id}", members, d.showListing},
		{post, "/listings/{id}", members, d.changeListing},
		{post, "/listings/{id}/end", members, d.endListing},
		{post, "/listings/{id}/publish", members, d.publishAgain},
		{get, "/sales", members, d.listSales},
		{get, "/sales.csv", membersFile, d.exportSales},
		{get, "/sales/report", members, d.showSalesReport},
		{get, "/sales/new", members, d.newSale},
		{post, "/sales/new", members, d.recordSale},
		{get, "/sales/{id}", members, d.showSale},
		{post, "/sales/{id}", members, d.changeSale},
		{get, "/sales/{id}/refund", members, d.showRefund},
		{post, "/sales/{id}/refund", members, d.refundSale},
		{get, "/sales/{id}/void", members, d.showVoid},
		{post, "/sales/{id}/void", members, d.voidSale},

		{get, "/developers/tokens", owners, d.listTokens},
		{post, "/developers/tokens", owners, d.createToken},
		{post, "/developers/tokens/{id}/rotate", owners, d.rotateToken},
		{post, "/developers/tokens/{id}/revoke", owners, d.revokeToken},
		{get, webhooksPath, owners, d.listWebhooks},
		{post, webhooksPath, owners, d.registerWebhook},
		{get, webhooksPath + "/{id}", owners, d.showWebhook},
		{post, webhooksPath + "/{id}", owners, d.changeWebhook},
		{post, webhooksPath + "/{id}/disable", owners, d.disableWebhook},
		{post, webhooksPath + "/{id}/enable", owners, d.enableWebhook},
		{post, webhooksPath + "/{id}/rotate", owners, d.rotateWebhook},
		{post, webhooksPath + "/{id}/secrets/{secret}/end", owners, d.endSecret},
		{post, webhooksPath + "/{id}/test", owners, d.testWebhook},
		{post, webhooksPath + "/{id}/resend-dropped", owners, d.resendDropped},
		{get, webhooksPath + "/{id}/delete", owners, d.confirmDeleteWebhook},
		{post, webhooksPath + "/{id}/delete", owners, d.deleteWebhook},
		{get, deliveriesPath, owners, d.listDeliveries},
		{get, deliveriesPath + "/{id}", owners, d.showDelivery},
		{post, deliveriesPath + "/{id}/resend", owners, d.resendDelivery},
		{get, eventsPath, owners, d.listEvents},
		{get, eventsPath + "/{id}", owners, d.showEvent},

		{get, settingsPath, owners, d.showSettings},
		{post, settingsPath, owners, d.changeSettings},
		{get, usersPath, owners, d.listUsers},
		{post, usersPath, owners, d.inviteUser},
		{post, usersPath + "/{id}/role", owners, d.changeRole},
		{post, usersPath + "/{id}/link", owners, d.newPasswordLink},
		{get, usersPath + "/{id}/remove", owners, d.confirmRemoveUser},
		{post, usersPath + "/{id}/remove", owners, d.removeUser},
		{post, usersPath + "/{id}/withdraw", owners, d.withdrawInvitation},
		{get, marketplacesPath, owners, within(changeTime, d.showMarketplaces)},
		{post, ebayPath, owners, within(connectTime, d.ifEbay(d.configureEbay))},
		{post, ebayPath + "/connect", owners, within(changeTime, d.ifEbay(d.connectEbay))},
		{get, ebayPath + "/callback", owners, within(connectTime, d.ifEbay(d.finishEbay))},
		{post, ebayPath + "/location", owners, within(connectTime, d.ifEbay(d.createEbayLocation))},
		{get, ebayPath + "/disconnect", owners, d.confirmDisconnectEbay},
		{post, ebayPath + "/disconnect", owners, within(changeTime, d.ifEbay(d.disconnectEbay))},
		{get, ebayPath + "/give-up", owners, within(changeTime, d.confirmGiveUpEbay)},
		{post, ebayPath + "/give-up", owners, within(connectTime, d.ifEbay(d.giveUpEbay))},
		{get, exportPath, owners, within(pageTime, d.showExports)},
		{post, exportPath, owners, within(changeTime, d.requestExport)},
		{get, exportPath + "/{id}", ownersFile, d.downloadExport},
		{get, auditPath, owners, d.showAudit},
		{get, deletePath, owners, d.showDeleteAccount},
		{post, deletePath, owners, within(changeTime, d.deleteAccount)},
		{post, keepPath, owners, within(changeTime, d.keepAccount)},
	}
}

// Routes returns all routes except that of the files that pages load. Tests use it to check the access to each route.
func Routes() []Route {
	var all []Route
	for _, r := range (&Dashboard{}).routes() {
		all = append(all, Route{r.method, r.path, r.access.Access})
	}
	return all
}

// router returns the router of all routes and of the files that pages load.
func (d *Dashboard) router() *mux.Router {
	router := mux.NewRouter()
	router.NotFoundHandler = http.HandlerFunc(d.notFound)
	router.MethodNotAllowedHandler = http.HandlerFunc(d.methodNotAllowed)
	router.PathPrefix(assetsPath).Methods(http.MethodGet, http.MethodHead).HandlerFunc(d.asset)
	for _, r := range d.routes() {
		methods := []string{r.method}
		if r.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		router.Path(r.path).Methods(methods...).Handler(d.handle(r.access.guard(d, r.handle)))
	}
	return router
}
