package dashboard

import (
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
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
	limit        time.Duration // of the handler
	handle       web.Handler
}

// access is who may use a route, and how its requests are limited.
type access struct {
	Access
	guard func(*web.Frame, web.Handler) web.Handler
}

var (
	anyone      = access{ForAnyone, func(_ *web.Frame, h web.Handler) web.Handler { return h }}
	members     = access{ForMembers, (*web.Frame).SignedIn}
	owners      = access{ForOwners, (*web.Frame).Owner}
	membersFile = access{ForMembers, (*web.Frame).SignedInFile}
	ownersFile  = access{ForOwners, (*web.Frame).OwnerFile}
)

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// The limits of handlers.
const (
	noLimit      = 0
	pageTime     = web.PageTime
	changeTime   = web.ChangeTime
	identifyTime = web.IdentifyTime
)

// routes returns all routes. A path stands before those whose variables match it.
//
// Two of the routes by GET change something: a callback, to which the browser comes from another site. The answer of
// the site is accepted once, and only in the session that asked for it.
func (d *Dashboard) routes() []route {
	return []route{
		{get, "/login", anyone, noLimit, d.showLogin},
		{post, "/login", anyone, noLimit, d.logIn},
		{post, "/login/oidc", anyone, signOnTime, d.ifSignOn(d.beginSignOn)},
		{get, SignOnCallback, anyone, signOnTime, d.ifSignOn(d.finishSignOn)},
		{get, "/password/{secret}", anyone, noLimit, d.showPassword},
		{post, "/password/{secret}", anyone, noLimit, d.setPassword},
		{post, "/logout", members, noLimit, d.logOut},
		{post, "/logout/everywhere", members, noLimit, d.logOutEverywhere},
		{post, "/account", members, noLimit, d.switchAccount},

		{get, "/", members, noLimit, d.home},
		{get, "/search", members, pageTime, d.search},
		{get, "/more", members, noLimit, d.ShowMore},
		{get, "/keys", members, noLimit, d.ShowKeys},

		{get, "/cards", members, noLimit, d.listCards},
		{get, "/cards/export", membersFile, noLimit, d.exportCards},
		{get, "/cards/bulk", members, noLimit, d.confirmBulk},
		{post, "/cards/bulk", members, noLimit, d.startBulk},
		{get, "/cards/labels", members, pageTime, d.printed(d.printLabels)},
		{get, "/cards/pull-sheet", members, pageTime, d.printed(d.printPullSheet)},
		{get, "/cards/views", members, pageTime, d.listViews},
		{post, "/cards/views", members, changeTime, d.saveView},
		{post, "/cards/views/{id}/delete", members, changeTime, d.deleteView},

		{get, "/cards/{id}", members, pageTime, d.showCard},
		{post, "/cards/{id}", members, changeTime, d.changeCard},
		{post, "/cards/{id}/photos", members, uploadTime, d.addPhoto},
		{post, "/cards/{id}/photos/{photo}/remove", members, changeTime, d.onCard(partPhotos, d.removePhoto)},
		{post, "/cards/{id}/photos/{photo}/turn", members, changeTime, d.onCard(partPhotos, d.turnPhoto)},
		{post, "/cards/{id}/take", members, changeTime, d.onCard(partCandidates, d.takeOnCard)},
		{post, "/cards/{id}/take/undo", members, changeTime, d.onCard(partCandidates, d.undoTake)},
		{post, "/cards/{id}/identify", members, identifyTime, d.onCard(partCandidates, d.identifyCard)},
		{post, "/cards/{id}/publish", members, changeTime, d.onCard(partListing, d.publishCard)},
		{post, "/cards/{id}/end", members, changeTime, d.onCard(partListing, d.endListingOfCard)},
		{post, "/cards/{id}/sell", members, changeTime, d.onCard(partSale, d.sellCard)},
		{post, "/cards/{id}/archive", members, changeTime, d.onCard(partEnd, d.archiveCard)},
		{get, "/cards/{id}/delete", members, pageTime, d.showDelete},
		{post, "/cards/{id}/delete", members, changeTime, d.deleteCard},

		{get, "/jobs", members, noLimit, d.listJobs},
		{get, "/jobs/{id}", members, noLimit, d.showJob},
		{post, "/jobs/{id}/cancel", members, noLimit, d.cancelJob},
		{post, "/jobs/{id}/undo", members, noLimit, d.undoJob},

		{get, "/import", members, noLimit, d.showImport},
		{post, csvPath, members, noLimit, d.stageFile},
		{get, csvPath, members, noLimit, d.showFile},
		{post, csvPath + "/accept", members, noLimit, d.acceptFile},
		{post, csvPath + "/discard", members, noLimit, d.discardFile},
		{post, photosPath, members, noLimit, d.importPhotos},
		{get, photosPath, members, noLimit, d.showPhotos},

		{get, "/batches", members, noLimit, d.listBatches},
		{post, "/batches", members, noLimit, d.createBatch},
		{get, "/batches/{id}", members, noLimit, d.showBatch},
		{post, "/batches/{id}", members, noLimit, d.renameBatch},
		{post, "/batches/{id}/complete", members, noLimit, d.completeBatch},
		{post, "/batches/{id}/reopen", members, noLimit, d.reopenBatch},

		{get, "/review", members, pageTime, d.showReview},
		{post, "/review/take", members, changeTime, d.takeCandidate},
		{post, "/review/skip", members, changeTime, d.skipReview},
		{post, "/review/keep", members, changeTime, d.keepChoice},
		{post, "/review/undo", members, changeTime, d.undoReview},

		{get, "/listings", members, noLimit, d.listListings},
		{get, "/listings.csv", membersFile, noLimit, d.exportListings},
		{get, pullSheetPath, members, noLimit, d.printed(d.showPullSheet)},
		{post, pullSheetPath, members, noLimit, d.markShipped},
		{post, pullSheetPath + "/undo", members, noLimit, d.undoShipped},
		{get, "/listings/{id}", members, noLimit, d.showListing},
		{post, "/listings/{id}", members, noLimit, d.changeListing},
		{post, "/listings/{id}/end", members, noLimit, d.endListing},
		{post, "/listings/{id}/publish", members, noLimit, d.publishAgain},
		{get, "/sales", members, noLimit, d.listSales},
		{get, "/sales.csv", membersFile, noLimit, d.exportSales},
		{get, "/sales/report", members, noLimit, d.showSalesReport},
		{get, "/sales/new", members, noLimit, d.newSale},
		{post, "/sales/new", members, noLimit, d.recordSale},
		{get, "/sales/{id}", members, noLimit, d.showSale},
		{post, "/sales/{id}", members, noLimit, d.changeSale},
		{get, "/sales/{id}/refund", members, noLimit, d.showRefund},
		{post, "/sales/{id}/refund", members, noLimit, d.refundSale},
		{get, "/sales/{id}/void", members, noLimit, d.showVoid},
		{post, "/sales/{id}/void", members, noLimit, d.voidSale},

		{get, "/developers/tokens", owners, noLimit, d.listTokens},
		{post, "/developers/tokens", owners, noLimit, d.createToken},
		{post, "/developers/tokens/{id}/rotate", owners, noLimit, d.rotateToken},
		{post, "/developers/tokens/{id}/revoke", owners, noLimit, d.revokeToken},
		{get, webhooksPath, owners, noLimit, d.listWebhooks},
		{post, webhooksPath, owners, noLimit, d.registerWebhook},
		{get, webhooksPath + "/{id}", owners, noLimit, d.showWebhook},
		{post, webhooksPath + "/{id}", owners, noLimit, d.changeWebhook},
		{post, webhooksPath + "/{id}/disable", owners, noLimit, d.disableWebhook},
		{post, webhooksPath + "/{id}/enable", owners, noLimit, d.enableWebhook},
		{post, webhooksPath + "/{id}/rotate", owners, noLimit, d.rotateWebhook},
		{post, webhooksPath + "/{id}/secrets/{secret}/end", owners, noLimit, d.endSecret},
		{post, webhooksPath + "/{id}/test", owners, noLimit, d.testWebhook},
		{post, webhooksPath + "/{id}/resend-dropped", owners, noLimit, d.resendDropped},
		{get, webhooksPath + "/{id}/delete", owners, noLimit, d.confirmDeleteWebhook},
		{post, webhooksPath + "/{id}/delete", owners, noLimit, d.deleteWebhook},
		{get, deliveriesPath, owners, noLimit, d.listDeliveries},
		{get, deliveriesPath + "/{id}", owners, noLimit, d.showDelivery},
		{post, deliveriesPath + "/{id}/resend", owners, noLimit, d.resendDelivery},
		{get, eventsPath, owners, noLimit, d.listEvents},
		{get, eventsPath + "/{id}", owners, noLimit, d.showEvent},

		{get, settingsPath, owners, noLimit, d.showSettings},
		{post, settingsPath, owners, noLimit, d.changeSettings},
		{get, usersPath, owners, noLimit, d.listUsers},
		{post, usersPath, owners, noLimit, d.inviteUser},
		{post, usersPath + "/{id}/role", owners, noLimit, d.changeRole},
		{post, usersPath + "/{id}/link", owners, noLimit, d.newPasswordLink},
		{get, usersPath + "/{id}/remove", owners, noLimit, d.confirmRemoveUser},
		{post, usersPath + "/{id}/remove", owners, noLimit, d.removeUser},
		{post, usersPath + "/{id}/withdraw", owners, noLimit, d.withdrawInvitation},
		{get, marketplacesPath, owners, changeTime, d.showMarketplaces},
		{post, ebayPath, owners, connectTime, d.ifEbay(d.configureEbay)},
		{post, ebayPath + "/connect", owners, changeTime, d.ifEbay(d.connectEbay)},
		{get, ebayPath + "/callback", owners, connectTime, d.ifEbay(d.finishEbay)},
		{post, ebayPath + "/location", owners, connectTime, d.ifEbay(d.createEbayLocation)},
		{get, ebayPath + "/disconnect", owners, noLimit, d.confirmDisconnectEbay},
		{post, ebayPath + "/disconnect", owners, changeTime, d.ifEbay(d.disconnectEbay)},
		{get, ebayPath + "/give-up", owners, changeTime, d.confirmGiveUpEbay},
		{post, ebayPath + "/give-up", owners, connectTime, d.ifEbay(d.giveUpEbay)},
		{get, exportPath, owners, pageTime, d.showExports},
		{post, exportPath, owners, changeTime, d.requestExport},
		{get, exportPath + "/{id}", ownersFile, noLimit, d.downloadExport},
		{get, auditPath, owners, noLimit, d.showAudit},
		{get, deletePath, owners, noLimit, d.showDeleteAccount},
		{post, deletePath, owners, changeTime, d.deleteAccount},
		{post, keepPath, owners, changeTime, d.keepAccount},
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
	router.NotFoundHandler = http.HandlerFunc(d.NotFound)
	router.MethodNotAllowedHandler = http.HandlerFunc(d.MethodNotAllowed)
	router.PathPrefix(web.AssetsPath).Methods(http.MethodGet, http.MethodHead).HandlerFunc(d.Asset)
	for _, r := range d.routes() {
		methods := []string{r.method}
		if r.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		handle := r.handle
		if r.limit != noLimit {
			handle = web.Within(r.limit, handle)
		}
		router.Path(r.path).Methods(methods...).Handler(d.Handle(r.access.guard(d.Frame, handle)))
	}
	return router
}
