package photos

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

// crowd is photos that are decoded until they may end.
type crowd struct {
	d   decoding
	end chan struct{}

	mu      sync.Mutex
	running map[string]int // by account
	errs    []error
}

func newCrowd(processors int64) *crowd {
	return &crowd{d: newDecoding(processors), end: make(chan struct{}), running: map[string]int{}}
}

// send sends photos of an account that need cost bytes each, and waits until each of them runs or waits.
func (c *crowd) send(ctx context.Context, account string, photos int, cost int64) {
	for range photos {
		go func() {
			err := c.d.do(ctx, account, cost, func(context.Context) error {
				c.note(account, 1)
				<-c.end
				c.note(account, -1)
				return nil
			})
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil {
				c.errs = append(c.errs, err)
			}
		}()
	}
	synctest.Wait()
}

func (c *crowd) note(account string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[account] += n
}

// An account that sends as many photos as it may, with as many tokens as it has, leaves memory and a processor to a
// photo of another one, which is decoded at once.
func TestDecoding_LeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		cost int64
		want int // of the photos of the hostile account
	}{
		{"largest", maxDecode, 1}, {"larger than allowed", 2 * maxDecode, 1}, {"12 megapixels", 18 << 20, 2},
		{"tiny", 1, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newCrowd(2)
				c.send(t.Context(), "acc_hostile", 50, tc.cost)
				c.send(t.Context(), "acc_other", 1, maxDecode)
				want := map[string]int{"acc_hostile": tc.want, "acc_other": 1}
				if diff := cmp.Diff(want, c.running); diff != "" {
					t.Errorf("photos that are decoded (-want +got):\n%s", diff)
				}
				close(c.end)
			})
		})
	}
}

// A photo that waits for too long is refused with an answer that says whether the account is the cause, and when to try
// again. Others are then decoded.
func TestDecoding_RefusesAfterWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(1)
		c.send(t.Context(), "acc_a", 2, 1)
		c.send(t.Context(), "acc_b", 1, 1)
		c.send(t.Context(), "acc_c", 1, 1) // the two slots are taken by others
		time.Sleep(maxDecodeWait + time.Second)
		synctest.Wait()
		var codes []string
		for _, err := range c.errs {
			refused, _ := fault.As(err)
			if refused == nil || refused.RetryAfter == 0 {
				t.Fatalf("got %v, want an error with Retry-After", err)
			}
			codes = append(codes, fmt.Sprint(refused.Code))
		}
		want := []string{string(fault.RateLimited), string(fault.Unavailable)}
		if codes[0] != want[0] {
			codes[0], codes[1] = codes[1], codes[0]
		}
		if diff := cmp.Diff(want, codes); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
		close(c.end)
	})
}

// The wait ends with the request, and with half of its time.
func TestDecoding_WaitEndsWithContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(1)
		c.send(t.Context(), "acc_a", 1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		c.send(ctx, "acc_a", 1, 1)
		cancel()
		limited, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		c.send(limited, "acc_a", 1, 1)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if len(c.errs) != 2 || !errors.Is(c.errs[0], context.Canceled) || !fault.Is(c.errs[1], fault.RateLimited) {
			t.Errorf("got %v, want a cancelled wait and one that ended after 2 s", c.errs)
		}
		close(c.end)
	})
}

// An account has few photos in memory, however many it sends and however slowly.
func TestRead_BoundsPhotosInMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDecoding(1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		results := make(chan error, 50)
		for range 50 {
			go func() {
				_, err := d.hold(ctx, "acc_hostile")
				results <- err
			}()
		}
		synctest.Wait()
		if len(results) != maxFiles {
			t.Errorf("%d photos of an account are in memory, want %d", len(results), maxFiles)
		}
		if _, err := d.hold(ctx, "acc_other"); err != nil {
			t.Errorf("another account: %v", err)
		}
		for n := range 50 {
			if err := <-results; n >= maxFiles && !fault.Is(err, fault.RateLimited) {
				t.Fatalf("after the wait: got %v, want rate_limited", err)
			}
		}
	})
}

// A photo waits for its own account, whichever way it comes: the account is the key, in requests and in the background.
func TestCheck_WaitsForItsAccount(t *testing.T) {
	t.Parallel()
	held, err := decoder.memory.Acquire(t.Context(), "acc_crowded", maxDecode)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	photos := map[string][]byte{"jpeg": jpegOf(t, 400, 300), "avif": heifFile(t, "plain.avif")}
	for name, photo := range photos {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, _, err := Check(ctx, "acc_crowded", photo); err == nil {
			t.Errorf("%s: a photo of the account was decoded, want it to wait", name)
		}
		cancel()
		if _, _, err := Check(t.Context(), "acc_calm", photo); err != nil {
			t.Errorf("%s: a photo of another account: %v", name, err)
		}
	}
}

// The end of a request ends the decoders too.
func TestDecode_StopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for contentType, photo := range map[string][]byte{
		JPEG: jpegOf(t, 400, 300), PNG: pngOf(t, picture(400, 300)), WebP: plainWebP(400, 300),
	} {
		found, err := walkers[contentType](photo)
		if err != nil {
			t.Fatal(err)
		}
		err = decode(ctx, contentType, found, image.Config{Width: 400, Height: 300})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: decode = %v, want the error of the context", contentType, err)
		}
	}
}

// The tables of a lossless WebP can be far larger than its pixels.
func TestWalkWebP_CountsTables(t *testing.T) {
	t.Parallel()
	found, err := walkWebP(riff(appendRIFF(nil, "VP8L", make([]byte, 4<<20))))
	if err != nil || found.tables != maxTables {
		t.Errorf("4 MiB of VP8L: got tables of %d bytes, %v, want %d", found.tables, err, maxTables)
	}
	if found, err = walkWebP(plainWebP(400, 300)); err != nil || found.tables > 100_000 {
		t.Errorf("a small picture: got tables of %d bytes, %v", found.tables, err)
	}
}
