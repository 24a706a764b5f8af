package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Keys stores the results of requests under keys, so that a request that is sent again has no second effect. It is the
// storage of the API's Idempotency-Key.
type Keys interface {
	// Begin claims a key, or returns the result that is stored for it.
	Begin(ctx context.Context, k Key) (claim string, stored []byte, err error)
	// Hook marks the claim as carried out in the transaction of the request's change.
	Hook(k Key, claim string) postgres.TxHook
	// Finish stores the result.
	Finish(ctx context.Context, k Key, claim string, result []byte) error
	// Release removes the claim of a request without an effect.
	Release(ctx context.Context, k Key, claim string) error
}

// Key identifies a request of a user.
type Key struct {
	AccountID, UserID string
	Name              string
	Hash              [sha256.Size]byte // of the content
}

const (
	// onceTimeout is how long a request with a key may take. The claim of the key expires later.
	onceTimeout = 50 * time.Second
	// FinishTimeout is how long storing its result may take.
	FinishTimeout = 5 * time.Second
)

// keyName is the form of the keys that pages and scripts make.
var keyName = regexp.MustCompile(`^[0-9A-Za-z-]{8,64}$`)

// NewKey returns a key for a form.
func NewKey() string { return rand.Text() }

// HashForm returns the hash of a form's values.
func HashForm(sent url.Values) [sha256.Size]byte { return sha256.Sum256([]byte(sent.Encode())) }

// Once calls do, unless the user has sent the same content with the same key in the last 24 hours. It returns the
// result that do returned then or returns now. do passes the hook to the service method that makes the change, and runs
// to its end even if the browser disconnects, so that the stored result is that of what it did.
//
// The hash is a part of the key, because browsers keep the key of a form that is changed and sent again.
func (frame *Frame) Once(
	r *http.Request, key string, hash [sha256.Size]byte,
	do func(ctx context.Context, hook postgres.TxHook) ([]byte, error),
) ([]byte, error) {
	if !keyName.MatchString(key) {
		return nil, fault.New(fault.InvalidRequest, "The form is incomplete. Open the page again and repeat it.")
	}
	v := VisitOf(r)
	k := Key{v.Account.ID, v.User.ID, key + "-" + hex.EncodeToString(hash[:]), hash}
	claim, stored, err := frame.Keys.Begin(r.Context(), k)
	switch {
	case fault.Is(err, fault.IdempotencyConflict):
		return nil, fault.New(fault.IdempotencyConflict,
			"The same form is being worked on already. Wait a moment, then look at the result.").WithCause(err)
	case err != nil || stored != nil:
		return stored, err
	}
	whole := context.WithoutCancel(r.Context())
	ctx, cancel := context.WithTimeout(whole, onceTimeout)
	defer cancel()
	result, err := do(ctx, frame.Keys.Hook(k, claim))
	ending, cancel := context.WithTimeout(whole, FinishTimeout)
	defer cancel()
	if err != nil {
		if releaseErr := frame.Keys.Release(ending, k, claim); releaseErr != nil {
			err = errors.Join(err, releaseErr)
		}
		return nil, err
	}
	if err := frame.Keys.Finish(ending, k, claim, result); err != nil {
		// What was asked for is done. Only a repetition would not find the result.
		frame.Logger.WarnContext(r.Context(), "dashboard: result of a request not stored", "error", err)
	}
	return result, nil
}
