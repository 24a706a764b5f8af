package learned

import (
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
)

func (w *world) want(what, got, want string) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// What an account has confirmed is found by it, also upside down, and by no other account.
func TestWorker_LearnsFromConfirmedCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.confirmed("ember-1", picture(1))
	w.want("proposed before", w.proposed(false, picture(1)), "")
	w.work()
	w.want("learned", w.learned(), "ember-1")
	w.want("proposed", w.proposed(false, picture(1)), "ember-1")
	w.want("evident", w.evident(false, picture(1)), "ember-1")
	w.want("proposed for another picture", w.proposed(false, picture(2)), "")
	w.account = w.newAccount()
	w.want("proposed to another account", w.proposed(false, picture(1)), "")
	w.want("evident for another account", w.evident(false, picture(1)), "")
}

// With sharing, one other account proposes and two are evidence.
func TestCatalogue_SharedFingerprints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wrong := w.account
	w.confirmed("ember-2", picture(1)) // a mistake, or a lie
	w.confirmed("ember-2", picture(1))
	w.work()
	w.account = w.newAccount()
	reader := w.account
	w.want("proposed", w.proposed(true, picture(1)), "ember-2?")
	w.want("evident by one account", w.evident(true, picture(1)), "")
	for range 2 {
		w.account = w.newAccount()
		w.confirmed("ember-1", picture(1))
		w.work()
	}
	w.account = reader
	w.want("proposed by all", w.proposed(true, picture(1)), "ember-1 ember-2?")
	w.want("evident by two accounts", w.evident(true, picture(1)), "ember-1")
	w.want("proposed without sharing", w.proposed(false, picture(1)), "")
	w.account = wrong
	w.want("evident for the account that is wrong", w.evident(true, picture(1)), "ember-1 ember-2")
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	got := evidence([]distance{
		{"own", "a", 90}, {"other", "a", 20},
		{"other", "b", 20}, {"third", "b", 60}, {"fourth", "b", 80},
		{"other", "c", 20},
		{"own", "d", 30}, {"other", "d", 60}, {"third", "d", 70},
		{"own", "e", 90}, {"other", "e", 60}, {"third", "e", 70},
	}, "own")
	if diff := cmp.Diff(map[string]int{"a": 90, "b": 60, "d": 30, "e": 70}, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// What was learned from a card does not outlive the confirmation.
func TestWorker_ForgetsWithdrawnConfirmation(t *testing.T) {
	t.Parallel()
	changes := map[string]struct {
		change func(w *world, cardID string)
		then   string // what is learned after the change
	}{
		"another card of the catalogue": {func(w *world, cardID string) {
			w.patch(cardID, cards.Patch{CatalogID: cards.Set("ember-2")})
		}, "ember-2"},
		"a title of another card": {func(w *world, cardID string) {
			w.patch(cardID, cards.Patch{Title: cards.Set("Frost Fox")})
		}, ""},
		"another number": {func(w *world, cardID string) {
			w.patch(cardID, cards.Patch{Number: cards.Set("7")})
		}, ""},
		"another language": {func(w *world, cardID string) {
			w.patch(cardID, cards.Patch{Language: cards.Set("ja")})
		}, ""},
		"no card of the catalogue": {func(w *world, cardID string) {
			w.patch(cardID, cards.Patch{CatalogID: cards.Clear[string]()})
		}, ""},
		"another photo": {func(w *world, cardID string) { w.photographed(cardID, []byte("no picture")) }, ""},
		"no photo": {func(w *world, cardID string) {
			card, err := w.cards.Get(w.t.Context(), w.account, cardID)
			if err == nil {
				_, err = w.cards.DeletePhoto(w.t.Context(), w.account, cardID, card.Photos[0].ID)
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}, ""},
		"no card": {func(w *world, cardID string) {
			if _, err := w.cards.Delete(w.t.Context(), w.account, cardID, nil); err != nil {
				w.t.Fatal(err)
			}
		}, ""},
		"many cards": {func(w *world, cardID string) {
			_, err := w.cards.UpdateMany(w.t.Context(), w.account,
				[]cards.PatchItem{{CardID: cardID, Patch: cards.Patch{CatalogID: cards.Set("ember-3")}}}, true)
			if err != nil {
				w.t.Fatal(err)
			}
		}, "ember-3"},
		"a note": {func(w *world, cardID string) { w.patch(cardID, cards.Patch{Notes: cards.Set("rare")}) }, "ember-1"},
	}
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cardID := w.confirmed("ember-1", picture(1))
			w.work()
			w.want("learned before", w.learned(), "ember-1")
			test.change(w, cardID)
			if test.then != "ember-1" {
				w.want("learned at once", w.learned(), "")
			}
			w.work()
			w.want("learned", w.learned(), test.then)
		})
	}
}

// A photo that does not resemble the catalogue's picture teaches nothing, and neither do those without a card.
func TestWorker_LearnsOnlyFromPicturesOfCards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pictured("ember-1", picture(1))
	w.confirmed("ember-1", picture(2))
	w.work()
	w.want("learned from a picture of another card", w.learned(), "")
	w.confirmed("ember-1", vision.HalfTurn(picture(1)))
	w.work()
	w.want("learned from a picture of the card", w.learned(), "ember-1")
	w.want("proposed", w.proposed(false, vision.HalfTurn(picture(1))), "")
	w.want("proposed upright", w.proposed(false, picture(1)), "ember-1")

	plain := picture(3)
	clear(plain.Pix)
	w.confirmed("ember-2", plain)
	table := vision.Part(picture(4), image.Rect(0, 0, 500, 500))
	w.confirmed("ember-2", table)
	cardID := w.confirmed("ember-3", picture(5))
	w.photographed(cardID, []byte("no picture"))
	w.work()
	w.want("learned from no pictures of cards", w.learned(), "ember-1")
}

func TestWorker_KeepsNewestOfPrinting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for seed := range uint64(maxPerPrinting + 1) {
		w.confirmed("ember-1", picture(seed))
		w.work()
	}
	w.want("learned", w.learned(), "ember-1 ember-1 ember-1 ember-1 ember-1")
	w.want("proposed for the oldest photo", w.proposed(false, picture(0)), "")
	w.want("proposed for the newest photo", w.proposed(false, picture(maxPerPrinting)), "ember-1")
}

// The card changes while a worker reads its photo. The worker stores nothing.
func TestWorker_CardChangesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world, cardID string) error{
		"photo removed": func(w *world, cardID string) error {
			card, err := w.cards.Get(w.t.Context(), w.account, cardID)
			if err != nil {
				return err
			}
			_, err = w.cards.DeletePhoto(w.t.Context(), w.account, cardID, card.Photos[0].ID)
			return err
		},
		"card deleted": func(w *world, cardID string) error {
			_, err := w.cards.Delete(w.t.Context(), w.account, cardID, nil)
			return err
		},
		"identified as another card": func(w *world, cardID string) error {
			_, err := w.cards.Update(w.t.Context(), w.account, cardID,
				cards.Patch{Title: cards.Set("Frost Fox")}, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cardID := w.confirmed("ember-1", picture(1))
			var failed error
			w.onLoad = func() { failed = change(w, cardID) }
			claims, err := w.queues.Learning.Claim(t.Context(), w.db, w.account, 1, time.Hour)
			if err != nil || len(claims) != 1 {
				t.Fatalf("claims: %v, %v", claims, err)
			}
			if err := w.worker.handle(t.Context(), claims[0]); err != nil || failed != nil {
				t.Fatal(err, failed)
			}
			w.want("learned", w.learned(), "")
			w.work()
			w.want("learned afterwards", w.learned(), "")
		})
	}
}

// A worker that was killed has leased the card. Another one learns from it after the lease.
func TestWorker_ContinuesAfterKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.confirmed("ember-1", picture(1))
	if _, err := w.queues.Learning.Claim(t.Context(), w.db, w.account, 1, lease); err != nil {
		t.Fatal(err)
	}
	queuetest.Pass(t, w.db, 2*lease)
	w.work()
	w.want("learned", w.learned(), "ember-1")
}

// The account is deleted while a worker reads its photo. No row of it remains.
func TestWorker_AccountDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.confirmed("ember-1", picture(1))
	w.work()
	w.confirmed("ember-2", picture(2))
	tables := []string{"account_clock", "cards", "fingerprint_work", "learned_fingerprints", "queue_accounts"}
	var failed error
	w.onLoad = func() {
		for _, table := range tables {
			_, err := w.db.Exec(t.Context(), `DELETE FROM `+table+` WHERE account_id = $1`, w.account)
			failed = errors.Join(failed, err)
		}
	}
	claims, err := w.queues.Learning.Claim(t.Context(), w.db, w.account, 1, time.Hour)
	if err != nil || len(claims) != 1 {
		t.Fatalf("claims: %v, %v", claims, err)
	}
	if err := w.worker.handle(t.Context(), claims[0]); err == nil || failed != nil {
		t.Errorf("handle: %v, %v, want the error of the missing account", err, failed)
	}
	for _, table := range tables {
		var n int
		err := w.db.Get(t.Context(), &n, `SELECT count(*) FROM `+table+` WHERE account_id = $1`, w.account)
		if err != nil || n != 0 {
			t.Errorf("%s has %d rows of the account, %v", table, n, err)
		}
	}
}

// A worker waits until no photo is being identified, and puts the card off otherwise.
func TestWorker_WaitsForIdentifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.worker.Slots = busy{}
	w.confirmed("ember-1", picture(1))
	claims, err := w.queues.Learning.Claim(t.Context(), w.db, w.account, 1, time.Hour)
	if err != nil || len(claims) != 1 {
		t.Fatalf("claims: %v, %v", claims, err)
	}
	if err := w.worker.handle(t.Context(), claims[0]); err != nil {
		t.Fatal(err)
	}
	w.want("learned", w.learned(), "")
	w.worker.Slots = free{}
	queuetest.Pass(t, w.db, busyDelay)
	w.work()
	w.want("learned afterwards", w.learned(), "ember-1")
}

// A photo whose survey takes too long or panics gives its slot back. The first is tried again.
func TestWorker_SurveyFails(t *testing.T) {
	t.Parallel()
	for name, survey := range map[string]func() (vision.Survey, error){
		"takes too long": func() (vision.Survey, error) { return vision.Survey{}, context.DeadlineExceeded },
		"panics":         func() (vision.Survey, error) { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, slots := newWorld(t), &counted{}
			w.worker.Slots = slots
			w.worker.Survey = func(context.Context, []byte) (vision.Survey, error) { return survey() }
			w.confirmed("ember-1", picture(1))
			claims, err := w.queues.Learning.Claim(t.Context(), w.db, w.account, 1, time.Hour)
			if err != nil || len(claims) != 1 {
				t.Fatalf("claims: %v, %v", claims, err)
			}
			failed := func() (err error) {
				defer func() {
					if recover() != nil {
						err = context.DeadlineExceeded
					}
				}()
				return w.worker.handle(t.Context(), claims[0])
			}()
			if !errors.Is(failed, context.DeadlineExceeded) || slots.taken != 0 || slots.all != 1 {
				t.Errorf("got %v and %d of %d slots taken, want the error and none", failed, slots.taken, slots.all)
			}
		})
	}
}

// counted are slots that count those that were taken in all, and those that are taken now.
type counted struct{ all, taken int }

// AcquireIdle implements Slots.
func (c *counted) AcquireIdle(context.Context, string) (func(), error) {
	c.all++
	c.taken++
	return func() { c.taken-- }, nil
}

// free are slots that are always free.
type free struct{}

// AcquireIdle implements Slots.
func (free) AcquireIdle(context.Context, string) (func(), error) { return func() {}, nil }

// busy are slots that are never free.
type busy struct{}

// AcquireIdle implements Slots.
func (busy) AcquireIdle(context.Context, string) (func(), error) {
	return nil, context.DeadlineExceeded
}

// BenchmarkCatalogue_ByFingerprint searches 20,000 fingerprints of the catalogue and 20,000 learned ones.
func BenchmarkCatalogue_ByFingerprint(b *testing.B) {
	w := newWorld(b)
	const count = 20_000
	for _, statement := range []string{
		`INSERT INTO catalog_cards (id, game, name, set, set_code, number, printed_total, year, illustrator, hp,
			language, rarity, variant, text, name_key, set_key, set_code_key, number_key, words)
		SELECT 'c' || n, 'pokemon', 'Card', 'Set', 'S', '1', 0, 0, '', 0, '', '', '', '', 'card', 'set', 's', '1', '{}'
		FROM generate_series(1, $1::int) n`,
		`INSERT INTO catalog_fingerprints (card_id, hash) SELECT 'c' || n, ` + randomHash + `
		FROM generate_series(1, $1::int) n`,
		`INSERT INTO learned_fingerprints
		SELECT '` + w.account + `', 'card_' || n, 'c' || n, 'pho_1', ` + randomHash + `, now()
		FROM generate_series(1, $1::int) n`,
		`UPDATE catalog_version SET version = version + $1`,
	} {
		if _, err := w.db.Exec(b.Context(), statement, count); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.db.Exec(b.Context(), `ANALYZE`); err != nil {
		b.Fatal(err)
	}
	hash := vision.Fingerprint(picture(1))
	ctx := For(b.Context(), w.account)
	search := func(name string, by func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := by(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	own, all := NewCatalogue(w.catalog, w.db, false), NewCatalogue(w.catalog, w.db, true)
	ids := []string{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10"}
	search("catalogue", func() error {
		_, err := w.catalog.ByFingerprint(ctx, catalog.Hints{}, hash, 12)
		return err
	})
	search("own", func() error { _, err := own.ByFingerprint(ctx, catalog.Hints{}, hash, 12); return err })
	search("shared", func() error { _, err := all.ByFingerprint(ctx, catalog.Hints{}, hash, 12); return err })
	search("none", func() error {
		_, err := own.ByFingerprint(For(ctx, "acc_none"), catalog.Hints{}, hash, 12)
		return err
	})
	search("distances-own", func() error { _, err := own.Distances(ctx, hash, ids); return err })
	search("distances-shared", func() error { _, err := all.Distances(ctx, hash, ids); return err })
}

// randomHash is a fingerprint that differs for each n.
const randomHash = `('x' || md5(n::text) || md5('a' || n) || md5('b' || n) || md5('c' || n))::bit(512)`
