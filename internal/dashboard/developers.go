package dashboard

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
)

// developerRoutes adds the pages of webhooks, their deliveries and events.
func (d *Dashboard) developerRoutes(owner func(method, path string, handle handler)) {
	owner(http.MethodGet, "/developers/webhooks", d.listWebhooks)
	owner(http.MethodPost, "/developers/webhooks", d.registerWebhook)
	owner(http.MethodGet, "/developers/webhooks/{id}", d.showWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}", d.changeWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/disable", d.disableWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/enable", d.enableWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/rotate", d.rotateWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/secrets/{secret}/end", d.endSecret)
	owner(http.MethodPost, "/developers/webhooks/{id}/test", d.testWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/resend-dropped", d.resendDropped)
	owner(http.MethodGet, "/developers/webhooks/{id}/delete", d.confirmDeleteWebhook)
	owner(http.MethodPost, "/developers/webhooks/{id}/delete", d.deleteWebhook)
	owner(http.MethodGet, "/developers/deliveries", d.listDeliveries)
	owner(http.MethodGet, "/developers/deliveries/{id}", d.showDelivery)
	owner(http.MethodPost, "/developers/deliveries/{id}/resend", d.resendDelivery)
	owner(http.MethodGet, "/developers/events", d.listEvents)
	owner(http.MethodGet, "/developers/events/{id}", d.showEvent)
}

// rowsPerPage is the number of rows of the lists for developers.
const rowsPerPage = 50

// logAddress returns the address of a list: path with those of the query's parameters that are in names and not empty,
// and with the cursor of a page unless it is "".
func logAddress(path string, query url.Values, cursor string, names ...string) string {
	kept := url.Values{}
	for _, name := range names {
		if value := query.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	if cursor != "" {
		kept.Set("cursor", cursor)
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + kept.Encode()
}

// pager has the links to other pages of a list.
type pager struct{ First, Next string } // "" if there is none

// newPager returns the links of a page of a list. next is the cursor of the next page, or nil.
func newPager(path string, query url.Values, next *string, names ...string) pager {
	var p pager
	if query.Get("cursor") != "" {
		p.First = logAddress(path, query, "", names...)
	}
	if next != nil {
		p.Next = logAddress(path, query, *next, names...)
	}
	return p
}

// formatJSON indents JSON, or returns it as it is if it is not valid.
func formatJSON(text []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return string(text)
	}
	return out.String()
}
