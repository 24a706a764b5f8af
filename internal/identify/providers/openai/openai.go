// Package openai asks a model by the Chat Completions API of OpenAI, which other servers offer too, such as vLLM and
// Ollama. The answer is structured by a JSON schema.
//
// It sends one request for a photo and keeps nothing. Package remote evaluates the answer.
package openai

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

// Name is the provider's name in configuration and attempts.
const Name = "openai"

// maxTokens limits an answer, with what the model thinks before it answers. An answer has about 200 tokens.
const maxTokens = 4096

// Config has the settings of the client.
type Config struct {
	BaseURL string // of the API, with the version
	Key     string // may be empty for a server that needs none
	Model   string
}

// Client implements remote.Client.
type Client struct {
	completions openai.ChatCompletionService
	model       string
}

var _ remote.Client = (*Client)(nil)

// New returns a client. It makes no request, and it ignores the variables of OpenAI's library.
func New(c Config) *Client {
	options := []option.RequestOption{
		option.WithBaseURL(c.BaseURL), option.WithHTTPClient(remote.HTTPClient()), option.WithMaxRetries(0),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	return &Client{openai.NewChatCompletionService(options...), c.Model}
}

// Ask implements remote.Client.
func (c *Client) Ask(ctx context.Context, jpeg []byte, h catalog.Hints) ([]remote.Answer, error) {
	response, err := c.completions.New(ctx, openai.ChatCompletionNewParams{
		Model: c.model,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(remote.Prompt(h)),
			openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
					URL: "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(jpeg), Detail: "high",
				}),
			}),
		},
		MaxCompletionTokens: openai.Int(maxTokens),
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{
			OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
					Name: "card", Strict: openai.Bool(true), Schema: remote.Schema(),
				},
			},
		},
	})
	if err != nil {
		return nil, err
	}
	if len(response.Choices) == 0 {
		return nil, fmt.Errorf("%w: it has no choice", remote.ErrBadAnswer)
	}
	choice := response.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.FinishReason == "content_filter":
		return nil, remote.ErrDeclined
	case choice.FinishReason == "length":
		return nil, fmt.Errorf("%w: it is longer than %d tokens", remote.ErrBadAnswer, maxTokens)
	}
	answer, err := remote.ParseAnswer([]byte(choice.Message.Content))
	if err != nil {
		return nil, err
	}
	return []remote.Answer{answer}, nil
}
