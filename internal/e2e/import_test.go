package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// imported is the response of POST /cards.
type imported struct {
	Data []struct {
		ID         string
		Version    int
		ExternalID *string `json:"external_id"`
		Notes      *string
		Metadata   map[string]string
	}
	Outcomes []string
}

func TestImport_ByExternalID(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var first, second imported
	c.do("POST", "/cards", `{"cards":[
		{"external_id": "shop-1", "metadata": {"consignor": "Ada", "shelf": "3"}},
		{"notes": "a pair", "copies": 2}
	]}`).want(t, http.StatusCreated, &first)
	if diff := cmp.Diff([]string{"created", "created", "created"}, first.Outcomes); diff != "" {
		t.Fatalf("outcomes of the import (-want +got):\n%s", diff)
	}

	again := `{"cards":[{"notes": "new"}, {"external_id": "shop-1", "notes": "n"}]`
	c.do("POST", "/cards", again+`}`).refused(t, "external_id_taken").
		message(t, "cards.1: The card "+first.Data[0].ID+" has this external_id.")
	c.do("POST", "/cards", again+`,"on_conflict":"skip"}`).want(t, http.StatusCreated, &second)
	if diff := cmp.Diff([]string{"created", "skipped"}, second.Outcomes); diff != "" {
		t.Errorf("outcomes of skip (-want +got):\n%s", diff)
	}
	if second.Data[1].ID != first.Data[0].ID || second.Data[1].Version != 1 {
		t.Errorf("skip returned %+v, want the existing card", second.Data[1])
	}
	again = `{"cards":[{"external_id": "shop-1", "notes": "n", "metadata": {"shelf": "4"}}],"on_conflict":"update"}`
	for _, want := range []string{"updated", "skipped"} {
		c.do("POST", "/cards", again).want(t, http.StatusCreated, &second)
		if diff := cmp.Diff([]string{want}, second.Outcomes); diff != "" {
			t.Errorf("outcomes of update (-want +got):\n%s", diff)
		}
	}
	got := second.Data[0]
	want := map[string]string{"consignor": "Ada", "shelf": "4"}
	if diff := cmp.Diff(want, got.Metadata); diff != "" || got.Version != 2 || *got.Notes != "n" {
		t.Errorf("the card is %+v after the update, metadata (-want +got):\n%s", got, diff)
	}

	for body, field := range map[string]string{
		`{"cards":[{"external_id":"a"},{"external_id":"a"}]}`: "cards.1.external_id",
		`{"cards":[{"external_id":"a","copies":2}]}`:          "cards.0.copies",
		`{"cards":[{"notes":"x"},{"copies":500}]}`:            "cards",
		`{"cards":[{"metadata":{"":"x"}}]}`:                   "cards.0.metadata",
	} {
		got := c.do("POST", "/cards", body).refused(t, "invalid_request")
		if !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: got %s, want an error of the field %s", body, got.body, field)
		}
	}
}

func TestPatch_ExternalIDAndMetadata(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	one := c.create(`{"external_id": "shop-1", "metadata": {"a": "1", "b": "2"}}`)
	two := c.create(`{}`)
	c.do("PATCH", "/cards/"+two.ID, `{"external_id":"shop-1"}`).refused(t, "external_id_taken")
	patch := `{"external_id":"shop-2","metadata":{"a":null,"c":"3"}}`
	var got imported
	c.do("PATCH", "/cards/"+one.ID, patch).want(t, http.StatusOK, nil)
	c.do("PATCH", "/cards/"+two.ID, `{"external_id":"shop-1","metadata":null}`).want(t, http.StatusOK, nil)
	c.do("GET", "/cards?external_id=shop-2&ids="+one.ID+","+two.ID, nil).want(t, http.StatusOK, &got)
	if len(got.Data) != 1 || got.Data[0].ID != one.ID {
		t.Fatalf("found %+v, want the first card", got.Data)
	}
	if diff := cmp.Diff(map[string]string{"b": "2", "c": "3"}, got.Data[0].Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	var history listOf[struct{ Changes []struct{ Field string } }]
	c.do("GET", "/cards/"+one.ID+"/history", nil).want(t, http.StatusOK, &history)
	var fields []string
	for _, change := range history.Data[0].Changes {
		fields = append(fields, change.Field)
	}
	if diff := cmp.Diff([]string{"external_id", "metadata.a", "metadata.c"}, fields); diff != "" {
		t.Errorf("fields of the history (-want +got):\n%s", diff)
	}
}
