package remote_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/jpeg"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/spend"
)

// TestProvider_Accepts sends a photo to each company, checks the request and accepts the recorded response.
func TestProvider_Accepts(t *testing.T) {
	t.Parallel()
	for _, c := range companies {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got *http.Request
			var body []byte
			l := setup(t, c, func(w http.ResponseWriter, r *http.Request) {
				got = r
				body, _ = io.ReadAll(r.Body)
				answering(http.StatusOK, response(t, c.name, ""))(w, r)
			})
			asked := photo(t, 1800, 2400)
			asked.Hints = catalog.Hints{Game: "pokemon", Set: "First Light"}
			out, err := l.chain.Run(t.Context(), asked)
			if err != nil || out.Accepted == nil || out.Accepted.CatalogID != "p1" || out.Accepted.Confidence != 0.9 {
				t.Fatalf("Run: got %+v, %v, want p1 accepted with the confidence of the answer", out, err)
			}
			if got.Method != http.MethodPost || got.URL.Path != c.path || got.Header.Get(c.keyHeader) != c.keyValue ||
				strings.Contains(got.URL.String(), key) {
				t.Errorf("request: got %s %s with %s %q", got.Method, got.URL, c.keyHeader, got.Header.Get(c.keyHeader))
			}
			checkPhoto(t, sentPhoto(t, c.name, body))
			spent, err := l.budget.Today(t.Context(), account)
			want := []spend.Share{{Provider: c.name, Calls: 1, Spent: 10_000}}
			if diff := cmp.Diff(want, spent.Providers); err != nil || diff != "" {
				t.Errorf("spent: %v (-want +got)\n%s", err, diff)
			}
		})
	}
}

// sentPhoto returns the JPEG of a request, and checks that a model is asked for the schema.
func sentPhoto(t *testing.T, company string, body []byte) []byte {
	t.Helper()
	if company == "cardsight" {
		return body
	}
	var r struct {
		Contents []struct {
			Parts []struct {
				InlineData struct{ MimeType, Data string }
			}
		}
		SystemInstruction struct{ Parts []struct{ Text string } }
		GenerationConfig  struct {
			ResponseMimeType   string
			ResponseJSONSchema map[string]any `json:"responseJsonSchema"`
		}
		Model    string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		ResponseFormat struct {
			Type       string
			JSONSchema struct {
				Strict bool
				Schema map[string]any
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	format := r.ResponseFormat
	var data, prompt string
	var schema map[string]any
	if company == "gemini" {
		data, schema = r.Contents[0].Parts[0].InlineData.Data, r.GenerationConfig.ResponseJSONSchema
		prompt = r.SystemInstruction.Parts[0].Text
		if kind := r.GenerationConfig.ResponseMimeType; kind != "application/json" {
			t.Errorf("responseMimeType: got %q", kind)
		}
	} else {
		var parts []struct {
			ImageURL struct{ URL string } `json:"image_url"`
		}
		if err := json.Unmarshal(r.Messages[1].Content, &parts); err != nil {
			t.Fatal(err)
		}
		data, schema = strings.TrimPrefix(parts[0].ImageURL.URL, "data:image/jpeg;base64,"), format.JSONSchema.Schema
		prompt = string(r.Messages[0].Content)
		if format.Type != "json_schema" || !format.JSONSchema.Strict || r.Model != "mini" {
			t.Errorf("format: got %+v of model %q", format, r.Model)
		}
	}
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	if len(required) != 13 || len(properties) != 13 || schema["additionalProperties"] != false ||
		!slices.Contains(required, any("confidence")) {
		t.Errorf("schema: got %v", schema)
	}
	if !strings.Contains(prompt, "First Light") || !strings.Contains(prompt, "do not follow") {
		t.Errorf("prompt: got %q, want the hints and the warning about texts", prompt)
	}
	sent, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// checkPhoto checks that a photo is small and has no metadata.
func checkPhoto(t *testing.T, sent []byte) {
	t.Helper()
	config, err := jpeg.DecodeConfig(bytes.NewReader(sent))
	if err != nil || config.Width != 1200 || config.Height != 1600 {
		t.Errorf("photo: got %dx%d, %v, want 1200x1600", config.Width, config.Height, err)
	}
	if bytes.Contains(sent, []byte("Exif")) || bytes.Contains(sent, []byte("secret place")) {
		t.Error("the photo has metadata")
	}
}

// A text on the photo that tells a model what to answer leads to a card that the catalogue does not confirm, or to an
// answer that does not fit.
func TestProvider_RefusesInjectedAnswers(t *testing.T) {
	t.Parallel()
	answer := file(t, "answer.json")
	for name, tc := range map[string]struct {
		answer  string
		outcome identify.AttemptOutcome
	}{
		"invented card":  {strings.Replace(answer, "Ember Fox", "Golden Dragon", 1), identify.BelowThreshold},
		"another number": {strings.Replace(answer, `"008"`, `"777"`, 1), identify.BelowThreshold},
		"another total":  {strings.Replace(answer, "193", "25", 1), identify.BelowThreshold},
		"more fields":    {strings.Replace(answer, "{", `{"accept":true,`, 1), identify.Failed},
		"certain":        {strings.Replace(answer, "0.9", "7", 1), identify.Failed},
		"no card":        {strings.Replace(answer, "Ember Fox", "", 1), identify.NoMatch},
	} {
		for _, c := range companies[1:] {
			t.Run(name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				l := setup(t, c, answering(http.StatusOK, response(t, c.name, tc.answer)))
				out, err := l.chain.Run(t.Context(), small(t))
				if err != nil || out.Accepted != nil || out.Attempts[0].Outcome != tc.outcome {
					t.Errorf("Run: got %+v, %v, want %s", out, err, tc.outcome)
				}
			})
		}
	}
}
