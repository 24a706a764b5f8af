// Package gemini asks a model of Google by the Gemini API. The answer is structured by a JSON schema.
//
// It sends one request for a photo and keeps nothing. Package remote evaluates the answer.
package gemini

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

// Name is the provider's name in configuration and attempts.
const Name = "gemini"

// maxTokens limits an answer, with what the model thinks before it answers. An answer has about 200 tokens.
const maxTokens = 4096

// Config has the settings of the client.
type Config struct {
	BaseURL string // of the API, without the version
	Key     string
	Model   string
}

// Client implements remote.Client.
type Client struct {
	models *genai.Models
	model  string
}

var _ remote.Client = (*Client)(nil)

// New returns a client. It makes no request.
func New(ctx context.Context, c Config) (*Client, error) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: c.Key, Backend: genai.BackendGeminiAPI, HTTPClient: remote.HTTPClient(),
		HTTPOptions: genai.HTTPOptions{BaseURL: c.BaseURL},
	})
	if err != nil { // it contains the key
		return nil, errors.New("open Gemini: the settings of Gemini are not valid")
	}
	return &Client{client.Models, c.Model}, nil
}

// Ask implements remote.Client.
func (c *Client) Ask(ctx context.Context, jpeg []byte, h catalog.Hints) ([]remote.Answer, error) {
	photo := []*genai.Content{genai.NewContentFromBytes(jpeg, "image/jpeg", genai.RoleUser)}
	response, err := c.models.GenerateContent(ctx, c.model, photo, &genai.GenerateContentConfig{
		SystemInstruction: genai.NewContentFromText(remote.Prompt(h), genai.RoleUser),
		Temperature:       genai.Ptr[float32](0), CandidateCount: 1, MaxOutputTokens: maxTokens,
		ResponseMIMEType: "application/json", ResponseJsonSchema: remote.Schema(),
	})
	if err != nil {
		return nil, err
	}
	text, err := textOf(response)
	if err != nil {
		return nil, err
	}
	answer, err := remote.ParseAnswer([]byte(text))
	if err != nil {
		return nil, err
	}
	return []remote.Answer{answer}, nil
}

// declined are the reasons for which a model stops because of what it sees.
var declined = []genai.FinishReason{
	genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonBlocklist,
	genai.FinishReasonProhibitedContent, genai.FinishReasonSPII, genai.FinishReasonImageSafety,
}

// textOf returns the text of a response, without the thoughts of the model.
func textOf(r *genai.GenerateContentResponse) (string, error) {
	if r.PromptFeedback != nil && r.PromptFeedback.BlockReason != "" {
		return "", remote.ErrDeclined
	}
	if len(r.Candidates) == 0 || r.Candidates[0] == nil {
		return "", fmt.Errorf("%w: it has no candidate", remote.ErrBadAnswer)
	}
	candidate := r.Candidates[0]
	switch {
	case slices.Contains(declined, candidate.FinishReason):
		return "", remote.ErrDeclined
	case candidate.FinishReason == genai.FinishReasonMaxTokens:
		return "", fmt.Errorf("%w: it is longer than %d tokens", remote.ErrBadAnswer, maxTokens)
	case candidate.Content == nil:
		return "", fmt.Errorf("%w: it has no text", remote.ErrBadAnswer)
	}
	var text strings.Builder
	for _, part := range candidate.Content.Parts {
		if part != nil && !part.Thought {
			text.WriteString(part.Text)
		}
	}
	return text.String(), nil
}
