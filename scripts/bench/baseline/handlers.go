package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

type handlers struct{ store *store }

// authenticated looks up the token and passes its account to the handler.
func (h handlers) authenticated(next func(w http.ResponseWriter, r *http.Request, o owner)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		o, err := h.store.authenticate(r.Context(),
			strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		next(w, r, o)
	}
}

func (h handlers) get(w http.ResponseWriter, r *http.Request, o owner) {
	c, err := scan(h.store.get.QueryRowContext(r.Context(), o.accountID, r.PathValue("id")))
	answer(w, &c, err)
}

func (h handlers) list(w http.ResponseWriter, r *http.Request, o owner) {
	query := r.URL.Query()
	statement, value := h.store.listStatus, query.Get("status")
	if value == "" {
		statement, value = h.store.listSet, query.Get("set")
	}
	rows, err := h.store.list(r.Context(), statement, o.accountID, value)
	page := cardPage{Data: rows}
	if len(rows) > pageSize {
		page.Data, page.HasMore = rows[:pageSize], true
		last := &rows[pageSize-1]
		cursor := base64.RawURLEncoding.EncodeToString([]byte(last.CreatedAt.Format(time.RFC3339Nano) + last.ID))
		page.NextCursor = &cursor
	}
	answer(w, &page, err)
}

func (h handlers) patch(w http.ResponseWriter, r *http.Request, o owner) {
	var p pricePatch
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c, err := h.store.setPrice(r.Context(), o, r.PathValue("id"), p.Pricing.AskingPrice)
	answer(w, &c, err)
}

func answer(w http.ResponseWriter, body any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(body)
}
