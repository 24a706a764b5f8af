package cardvault

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// sent runs call with a service that responds with an empty object. It returns the request and its body.
func sent(t *testing.T, call func(*Client) error) (*http.Request, string) {
	t.Helper()
	var request *http.Request
	var body []byte
	s, _ := inTurn(t, func(r *http.Request) (*http.Response, error) {
		request = r
		if r.Body != nil {
			var err error
			if body, err = io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
		}
		return respond(http.StatusOK, "{}")(r)
	})
	if err := call(s.client(t)); err != nil {
		t.Fatal(err)
	}
	return request, string(body)
}

func TestRequest_Headers(t *testing.T) {
	r, body := sent(t, func(c *Client) error { _, err := c.GetCard(t.Context(), "card_1"); return err })
	if got, want := r.Method+" "+r.URL.String(), "GET https://vault.example/api/cards/card_1"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if got := r.Header.Get("Authorization"); got != "Bearer cv_test_token" {
		t.Errorf("Authorization: %s", got)
	}
	if got := r.Header.Get("User-Agent"); !regexp.MustCompile(`^cardvault-go/1\.\d+\.\d+ go1\.\d+`).MatchString(got) {
		t.Errorf("User-Agent: %s", got)
	}
	if r.Header.Get(idempotencyKey) != "" || r.Header.Get("Content-Type") != "" || body != "" {
		t.Errorf("a GET has the headers %v and the body %q", r.Header, body)
	}
}

func TestRequest_Query(t *testing.T) {
	r, _ := sent(t, func(c *Client) error {
		_, err := c.ListCards(t.Context(), &ListCardsParams{
			Status:       []WorkflowStatus{WorkflowStatusPriced, WorkflowStatusListed},
			Location:     "Room A/Shelf 2",
			MinPrice:     Ptr[int64](0),
			Limit:        200,
			UpdatedSince: time.Date(2026, 5, 11, 17, 32, 1, 120_000_000, time.FixedZone("", 2*60*60)),
		})
		return err
	})
	want := "limit=200&location=Room+A%2FShelf+2&min_price=0&status=priced&status=listed" +
		"&updated_since=2026-05-11T15%3A32%3A01.12Z"
	if r.URL.RawQuery != want {
		t.Errorf("sent %s, want %s", r.URL.RawQuery, want)
	}
	r, _ = sent(t, func(c *Client) error { _, err := c.ListCards(t.Context(), nil); return err })
	if r.URL.RawQuery != "" {
		t.Errorf("sent %s without filters", r.URL.RawQuery)
	}
}

// Without the parameter, an empty list would select all cards.
func TestRequest_QueryWithEmptyLists(t *testing.T) {
	r, _ := sent(t, func(c *Client) error {
		_, err := c.ListCards(t.Context(), &ListCardsParams{IDs: []string{}, Status: []WorkflowStatus{}})
		return err
	})
	if want := "ids=&status="; r.URL.RawQuery != want {
		t.Errorf("sent %q, want %q, which the service refuses", r.URL.RawQuery, want)
	}
}

func TestPatch(t *testing.T) {
	r, body := sent(t, func(c *Client) error {
		_, err := c.UpdateCard(t.Context(), "card_1", CardPatch{
			Location:       Set("Room A"),
			Notes:          Clear[string](),
			Archived:       Set(false),
			Identification: IdentificationPatch{Grade: Clear[Grade](), Year: Set[int32](2026), Game: Set(GameOther)},
			Pricing:        PricingPatch{AskingPrice: Set(Money{Amount: 0, Currency: CurrencyUSD})},
		}, IfMatch(3))
		return err
	})
	want := `{"archived":false,"identification":{"game":"other","grade":null,"year":2026},` +
		`"location":"Room A","notes":null,"pricing":{"asking_price":{"amount":0,"currency":"USD"}}}`
	if body != want {
		t.Errorf("sent %s\nwant %s", body, want)
	}
	if r.Method != http.MethodPatch || r.Header.Get("If-Match") != `"3"` ||
		r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("sent %s with the headers %v", r.Method, r.Header)
	}
	_, body = sent(t, func(c *Client) error { _, err := c.UpdateCard(t.Context(), "card_1", CardPatch{}); return err })
	if body != "{}" {
		t.Errorf("sent %s for an empty patch", body)
	}
}

func TestRequest_OmitsZeroFields(t *testing.T) {
	_, body := sent(t, func(c *Client) error {
		_, err := c.CreateCards(t.Context(), CardsInput{Cards: []CardInput{
			{Identify: Ptr(false), Photos: []PhotoInput{{URL: "https://images.example/1.jpg", Role: PhotoRoleFront}}},
			{Identification: IdentificationInput{Title: "Ember Fox", Grade: &Grade{Company: "PSA", Value: "9.5"}}},
		}})
		return err
	})
	want := `{"cards":[{"identify":false,"photos":[{"url":"https://images.example/1.jpg","role":"front"}]},` +
		`{"identification":{"grade":{"company":"PSA","value":"9.5","cert_number":null},"title":"Ember Fox"}}]}`
	if body != want {
		t.Errorf("sent %s\nwant %s", body, want)
	}
}

func TestRequest_OptionalBody(t *testing.T) {
	for want, input := range map[string]*PublishInput{
		"":                      nil,
		"{}":                    {},
		`{"title":"Ember Fox"}`: {Title: "Ember Fox"},
	} {
		t.Run(want, func(t *testing.T) {
			r, body := sent(t, func(c *Client) error {
				_, err := c.PublishCard(t.Context(), "card_1", input)
				return err
			})
			if body != want || (r.Header.Get("Content-Type") == "") != (want == "") {
				t.Errorf("sent %q as %q, want %q", body, r.Header.Get("Content-Type"), want)
			}
		})
	}
}

func TestRequest_Picture(t *testing.T) {
	for picture, contentType := range map[string]string{
		"\xff\xd8\xff\xe0":                   "image/jpeg",
		"\x89PNG\x0d\x0a\x1a\x0a":            "image/png",
		"RIFF\x00\x00\x00\x00WEBPVP":         "image/webp",
		ftyp("heic", "mif1", "heic"):         "image/heic",
		ftyp("mif1", "mif1", "miaf", "heix"): "image/heic",
		ftyp("mif1", "mif1", "miaf"):         "image/heif",
		ftyp("avif", "mif1", "avif"):         "image/avif",
		ftyp("isom", "mp41"):                 "video/mp4",
		ftyp("qt  ", "qt  "):                 "application/octet-stream",
	} {
		t.Run(contentType, func(t *testing.T) {
			r, body := sent(t, func(c *Client) error {
				_, err := c.PutCardPhoto(t.Context(), "card_1", PhotoRoleFront, []byte(picture))
				return err
			})
			got := r.Header.Get("Content-Type")
			if got != contentType || body != picture || !strings.HasSuffix(r.URL.Path, "/photos/front") {
				t.Errorf("sent %q as %s to %s", body, got, r.URL.Path)
			}
		})
	}
}

// ftyp returns the beginning of a file of the ISO base media format.
func ftyp(major string, compatible ...string) string {
	brands := major + "\x00\x00\x00\x00" + strings.Join(compatible, "")
	return "\x00\x00\x00" + string(rune(8+len(brands))) + "ftyp" + brands
}

func TestRequest_EscapesIdentifiers(t *testing.T) {
	r, _ := sent(t, func(c *Client) error { _, err := c.GetCard(t.Context(), "a/b?c"); return err })
	if got := r.URL.EscapedPath(); got != "/api/cards/a%2Fb%3Fc" {
		t.Errorf("requested %s", got)
	}
	for _, id := range []string{"", ".", ".."} {
		s, _ := inTurn(t)
		if err := s.client(t).DeleteCardPhoto(t.Context(), "card_1", id); err == nil {
			t.Errorf("the identifier %q gives no error", id)
		}
	}
}

func TestWithResponse(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, aCard, `ETag: "3"`, "X-Request-Id: 01k5", "Idempotent-Replayed: true",
		"X-RateLimit-Limit: 60", "X-RateLimit-Remaining: 59", "X-RateLimit-Reset: 1778513580"))
	var got Response
	if _, err := s.client(t).GetCard(t.Context(), "card_1", WithResponse(&got)); err != nil {
		t.Fatal(err)
	}
	limit := RateLimit{Limit: 60, Remaining: 59, Reset: time.Unix(1778513580, 0)}
	if got.Status != 200 || got.ETag != `"3"` || got.RequestID != "01k5" || !got.Replayed ||
		got.RateLimit != limit || got.Attempts != 1 {
		t.Errorf("got %+v", got)
	}
}

// A condition is a version or an ETag.
func TestConditions(t *testing.T) {
	for name, option := range map[string]RequestOption{
		"If-None-Match": IfNoneMatch(`"3"`), "if-none-match": IfNoneMatch(int64(3)), "IF-NONE-MATCH": IfNoneMatch(3),
		"If-Match": IfMatch(`"3"`), "if-match": IfMatch(int64(3)), "IF-MATCH": IfMatch(3),
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := inTurn(t, func(r *http.Request) (*http.Response, error) {
				if got := r.Header.Get(name); got != `"3"` {
					t.Errorf("%s: %s", name, got)
				}
				return respond(http.StatusNotModified, "", `ETag: "3"`)(r)
			})
			if _, err := s.client(t).GetCard(t.Context(), "card_1", option); !errors.Is(err, ErrNotModified) {
				t.Errorf("got %v, want ErrNotModified", err)
			}
		})
	}
}

func TestCall_NoBody(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusNoContent, ""))
	if err := s.client(t).DeleteCardPhoto(t.Context(), "card_1", "pho_1"); err != nil {
		t.Error(err)
	}
}

func TestCall_Redirect(t *testing.T) {
	const location = "https://vault.example/api/batches"
	s, _ := inTurn(t, respond(http.StatusMovedPermanently, "", "Location: "+location))
	batch, err := s.client(t).CreateBatch(t.Context(), BatchInput{Name: "Spring fair"})
	failed, ok := as[*APIError](err)
	if !ok || failed.Status != http.StatusMovedPermanently || !strings.Contains(failed.Message, location) {
		t.Errorf("got %v, %v, want an error with the new location", batch, err)
	}
}

func TestNew_Errors(t *testing.T) {
	for name, arguments := range map[string][2]string{
		"no scheme":       {"vault.example/api", "cv_1"},
		"other scheme":    {"ftp://vault.example", "cv_1"},
		"no host":         {"https://", "cv_1"},
		"query":           {"https://a/api?x=1", "cv_1"},
		"invalid URL":     {"https://a/%zz", "cv_1"},
		"empty token":     {"https://vault.example/api", ""},
		"malformed token": {"https://vault.example/api", "cv_1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(arguments[0], arguments[1]); err == nil {
				t.Errorf("New(%q, %q) returns no error", arguments[0], arguments[1])
			}
		})
	}
}

// The service may add fields and values of enumerations at any time.
func TestCall_UnknownFieldsAndValues(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK,
		`{"id":"card_1","workflow_status":"lent","lender":{"name":"Ada"},"photos":[{"role":"label"}]}`))
	card, err := s.client(t).GetCard(t.Context(), "card_1")
	if err != nil || card.WorkflowStatus != "lent" || !slices.Equal(card.Photos, []Photo{{Role: "label"}}) {
		t.Errorf("got %+v, %v", card, err)
	}
}
