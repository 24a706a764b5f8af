package dashboard

import (
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/cardpage"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/login"
	"github.com/cardvault/cardvault/internal/dashboard/settings"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
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
	uploadTime   = cardpage.UploadTime
	signOnTime   = login.SignOnTime
	connectTime  = settings.ConnectTime
)

// routes returns all routes. A path stands before those whose variables match it.
//
// Two of the routes by GET change something: a callback, to which the browser comes from another site. The answer of
// the site is accepted once, and only in the session that asked for it.
func (d *Dashboard) routes() []route {
	onCard := d.cardpage.OnCard
	return append([]route{
		{get, "/login", anyone, noLimit, d.login.ShowLogin},
		{post, "/login", anyone, noLimit, d.login.LogIn},
		{post, "/login/oidc", anyone, signOnTime, d.login.IfSignOn(d.login.BeginSignOn)},
		{get, "/login/oidc/callback", anyone, signOnTime, d.login.IfSignOn(d.login.FinishSignOn)},
		{get, "/password/{secret}", anyone, noLimit, d.login.ShowPassword},
		{post, "/password/{secret}", anyone, noLimit, d.login.SetPassword},
		{post, "/logout", members, noLimit, d.login.LogOut},
		{post, "/logout/everywhere", members, noLimit, d.login.LogOutEverywhere},
		{post, "/account", members, noLimit, d.login.SwitchAccount},

		{get, "/", members, noLimit, d.home.Home},
		{get, "/search", members, pageTime, d.cardlist.Search},
		{get, "/more", members, noLimit, d.ShowMore},
		{get, "/keys", members, noLimit, d.ShowKeys},

		{get, "/cards", members, noLimit, d.cardlist.ListCards},
		{get, "/cards/export", membersFile, noLimit, d.cardlist.ExportCards},
		{get, "/cards/bulk", members, noLimit, d.bulk.ConfirmBulk},
		{post, "/cards/bulk", members, noLimit, d.bulk.StartBulk},
		{get, "/cards/labels", members, pageTime, cardquery.Printed(d.printing.PrintLabels)},
		{get, "/cards/pull-sheet", members, pageTime, cardquery.Printed(d.printing.PrintPullSheet)},
		{get, "/cards/views", members, pageTime, d.cardlist.ListViews},
		{post, "/cards/views", members, changeTime, d.cardlist.SaveView},
		{post, "/cards/views/{id}/delete", members, changeTime, d.cardlist.DeleteView},

		{get, "/cards/{id}", members, pageTime, d.cardpage.ShowCard},
		{post, "/cards/{id}", members, changeTime, d.cardpage.ChangeCard},
		{post, "/cards/{id}/photos", members, uploadTime, d.cardpage.AddPhoto},
		{
			post, "/cards/{id}/photos/{photo}/remove", members, changeTime,
			onCard(cardpage.PartPhotos, d.cardpage.RemovePhoto),
		},
		{
			post, "/cards/{id}/photos/{photo}/turn", members, changeTime,
			onCard(cardpage.PartPhotos, d.cardpage.TurnPhoto),
		},
		{post, "/cards/{id}/take", members, changeTime, onCard(cardpage.PartCandidates, d.cardpage.TakeOnCard)},
		{post, "/cards/{id}/take/undo", members, changeTime, onCard(cardpage.PartCandidates, d.cardpage.UndoTake)},
		{post, "/cards/{id}/identify", members, identifyTime, onCard(cardpage.PartCandidates, d.cardpage.IdentifyCard)},
		{post, "/cards/{id}/publish", members, changeTime, onCard(cardpage.PartListing, d.cardpage.PublishCard)},
		{post, "/cards/{id}/end", members, changeTime, onCard(cardpage.PartListing, d.cardpage.EndListingOfCard)},
		{post, "/cards/{id}/sell", members, changeTime, onCard(cardpage.PartSale, d.cardpage.SellCard)},
		{post, "/cards/{id}/archive", members, changeTime, onCard(cardpage.PartEnd, d.cardpage.ArchiveCard)},
		{get, "/cards/{id}/delete", members, pageTime, d.cardpage.ShowDelete},
		{post, "/cards/{id}/delete", members, changeTime, d.cardpage.DeleteCard},

		{get, "/jobs", members, noLimit, d.bulk.ListJobs},
		{get, "/jobs/{id}", members, noLimit, d.bulk.ShowJob},
		{post, "/jobs/{id}/cancel", members, noLimit, d.bulk.CancelJob},
		{post, "/jobs/{id}/undo", members, noLimit, d.bulk.UndoJob},

		{get, "/import", members, noLimit, d.imports.ShowImport},
		{post, "/import/csv", members, noLimit, d.imports.StageFile},
		{get, "/import/csv", members, noLimit, d.imports.ShowFile},
		{post, "/import/csv/accept", members, noLimit, d.imports.AcceptFile},
		{post, "/import/csv/discard", members, noLimit, d.imports.DiscardFile},
		{post, "/import/photos", members, noLimit, d.imports.ImportPhotos},
		{get, "/import/photos", members, noLimit, d.imports.ShowPhotos},

		{get, "/batches", members, noLimit, d.imports.ListBatches},
		{post, "/batches", members, noLimit, d.imports.CreateBatch},
		{get, "/batches/{id}", members, noLimit, d.imports.ShowBatch},
		{post, "/batches/{id}", members, noLimit, d.imports.RenameBatch},
		{post, "/batches/{id}/complete", members, noLimit, d.imports.CompleteBatch},
		{post, "/batches/{id}/reopen", members, noLimit, d.imports.ReopenBatch},

		{get, "/review", members, pageTime, d.cardpage.ShowReview},
		{post, "/review/take", members, changeTime, d.cardpage.TakeCandidate},
		{post, "/review/skip", members, changeTime, d.cardpage.SkipReview},
		{post, "/review/keep", members, changeTime, d.cardpage.KeepChoice},
		{post, "/review/undo", members, changeTime, d.cardpage.UndoReview},

		{get, "/listings", members, noLimit, d.selling.ListListings},
		{get, "/listings.csv", membersFile, noLimit, d.selling.ExportListings},
		{get, "/listings/pull-sheet", members, noLimit, cardquery.Printed(d.selling.ShowPullSheet)},
		{post, "/listings/pull-sheet", members, noLimit, d.selling.MarkShipped},
		{post, "/listings/pull-sheet/undo", members, noLimit, d.selling.UndoShipped},
		{get, "/listings/{id}", members, noLimit, d.selling.ShowListing},
		{post, "/listings/{id}", members, noLimit, d.selling.ChangeListing},
		{post, "/listings/{id}/end", members, noLimit, d.selling.EndListing},
		{post, "/listings/{id}/publish", members, noLimit, d.selling.PublishAgain},
		{get, "/sales", members, noLimit, d.selling.ListSales},
		{get, "/sales.csv", membersFile, noLimit, d.selling.ExportSales},
		{get, "/sales/report", members, noLimit, d.selling.ShowSalesReport},
		{get, "/sales/new", members, noLimit, d.selling.NewSale},
		{post, "/sales/new", members, noLimit, d.selling.RecordSale},
		{get, "/sales/{id}", members, noLimit, d.selling.ShowSale},
		{post, "/sales/{id}", members, noLimit, d.selling.ChangeSale},
		{get, "/sales/{id}/refund", members, noLimit, d.selling.ShowRefund},
		{post, "/sales/{id}/refund", members, noLimit, d.selling.RefundSale},
		{get, "/sales/{id}/void", members, noLimit, d.selling.ShowVoid},
		{post, "/sales/{id}/void", members, noLimit, d.selling.VoidSale},

		{get, "/developers/tokens", owners, noLimit, d.developers.ListTokens},
		{post, "/developers/tokens", owners, noLimit, d.developers.CreateToken},
		{post, "/developers/tokens/{id}/rotate", owners, noLimit, d.developers.RotateToken},
		{post, "/developers/tokens/{id}/revoke", owners, noLimit, d.developers.RevokeToken},
		{get, "/developers/webhooks", owners, noLimit, d.developers.ListWebhooks},
		{post, "/developers/webhooks", owners, noLimit, d.developers.RegisterWebhook},
		{get, "/developers/webhooks/{id}", owners, noLimit, d.developers.ShowWebhook},
		{post, "/developers/webhooks/{id}", owners, noLimit, d.developers.ChangeWebhook},
		{post, "/developers/webhooks/{id}/disable", owners, noLimit, d.developers.DisableWebhook},
		{post, "/developers/webhooks/{id}/enable", owners, noLimit, d.developers.EnableWebhook},
		{post, "/developers/webhooks/{id}/rotate", owners, noLimit, d.developers.RotateWebhook},
		{post, "/developers/webhooks/{id}/secrets/{secret}/end", owners, noLimit, d.developers.EndSecret},
		{post, "/developers/webhooks/{id}/test", owners, noLimit, d.developers.TestWebhook},
		{post, "/developers/webhooks/{id}/resend-dropped", owners, noLimit, d.developers.ResendDropped},
		{get, "/developers/webhooks/{id}/delete", owners, noLimit, d.developers.ConfirmDeleteWebhook},
		{post, "/developers/webhooks/{id}/delete", owners, noLimit, d.developers.DeleteWebhook},
		{get, "/developers/deliveries", owners, noLimit, d.developers.ListDeliveries},
		{get, "/developers/deliveries/{id}", owners, noLimit, d.developers.ShowDelivery},
		{post, "/developers/deliveries/{id}/resend", owners, noLimit, d.developers.ResendDelivery},
		{get, "/developers/events", owners, noLimit, d.developers.ListEvents},
		{get, "/developers/events/{id}", owners, noLimit, d.developers.ShowEvent},

		{get, "/settings", owners, noLimit, d.settings.ShowSettings},
		{post, "/settings", owners, noLimit, d.settings.ChangeSettings},
		{get, "/settings/users", owners, noLimit, d.settings.ListUsers},
		{post, "/settings/users", owners, noLimit, d.settings.InviteUser},
		{post, "/settings/users/{id}/role", owners, noLimit, d.settings.ChangeRole},
		{post, "/settings/users/{id}/link", owners, noLimit, d.settings.NewPasswordLink},
		{get, "/settings/users/{id}/remove", owners, noLimit, d.settings.ConfirmRemoveUser},
		{post, "/settings/users/{id}/remove", owners, noLimit, d.settings.RemoveUser},
		{post, "/settings/users/{id}/withdraw", owners, noLimit, d.settings.WithdrawInvitation},
		{get, "/settings/marketplaces", owners, changeTime, d.settings.ShowMarketplaces},
		{get, "/settings/export", owners, pageTime, d.settings.ShowExports},
		{post, "/settings/export", owners, changeTime, d.settings.RequestExport},
		{get, "/settings/export/{id}", ownersFile, noLimit, d.settings.DownloadExport},
		{get, "/settings/audit", owners, noLimit, d.settings.ShowAudit},
		{get, "/settings/delete", owners, noLimit, d.settings.ShowDeleteAccount},
		{post, "/settings/delete", owners, changeTime, d.settings.DeleteAccount},
		{post, "/settings/keep", owners, changeTime, d.settings.KeepAccount},
	}, d.marketRoutes()...)
}

// Routes returns all routes of a dashboard with these marketplaces, except that of the files that pages load. Tests use
// it to check the access to each route.
func Routes(kinds ...registry.Kind) []Route {
	d := &Dashboard{}
	for _, kind := range kinds {
		d.Markets = append(d.Markets, registry.Market{Kind: kind})
	}
	var all []Route
	for _, r := range d.routes() {
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
