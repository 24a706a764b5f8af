package users

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Client identifies the origin of a log-in.
type Client struct {
	Address netip.Addr
	Devices []string // the tokens of DeviceToken that the browser has
}

// DeviceLifetime is how long a browser counts as a known device after a log-in.
const DeviceLifetime = 180 * 24 * time.Hour

const (
	// maxDevices is how many tokens of a browser are looked at: one for each user who logs in with it.
	maxDevices = 10
	// failuresPerDevice is how many log-ins of a known device may fail within ratelimit.Window. failuresOfDevices is
	// the limit for all devices together that know the same password. Log-ins from other clients count separately.
	failuresPerDevice = 10
	failuresOfDevices = 60
	// logIns is how many log-ins by a password, or at the identity provider, may succeed within ratelimit.Window: per
	// known device, and for all other clients together. Each stores a session.
	logIns = 20
)

// device is a browser with which a user has logged in.
type device struct {
	ID       string    `json:"id"`
	UserID   string    `json:"user"`
	Password string    `json:"password"` // of the log-in: ends when the password is replaced; verified at the provider
	Until    time.Time `json:"until"`
}

// deviceOwner binds the encrypted tokens to their use.
var deviceOwner = keyring.Owner{"device"}

// UseKeys sets the keys that encrypt the tokens of devices. Call it before using the service. Without it, other
// processes do not accept the tokens.
func (s *Service) UseKeys(keys *keyring.Keyring) { s.keys = keys }

// randomKeys returns a keyring of this process only.
func randomKeys() *keyring.Keyring {
	key := make([]byte, keyring.KeySize)
	rand.Read(key) // never fails: crypto/rand aborts the program instead
	keys, err := keyring.New(key)
	if err != nil {
		panic(err) // the size of the key is right
	}
	return keys
}

// DeviceToken returns the token with which a browser proves that the user has logged in with it before. Failures of
// other clients, which try to guess the password, do not lock the user out of this browser.
func (s *Service) DeviceToken(l Login, from Client) string {
	d := device{ID: rand.Text(), UserID: l.ID, Password: verified}
	if len(l.Proof.hashes) > 0 {
		d.Password = l.Proof.hashes[0]
	}
	for _, previous := range s.devices(from) {
		if previous.UserID == l.ID { // so that another log-in gives no more attempts
			d.ID = previous.ID
		}
	}
	d.Until = s.clock.Time().Add(DeviceLifetime)
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // a device has no value that JSON cannot encode
	}
	secret := s.keys.Encrypt(string(text), deviceOwner)
	return secret.KeyID + "." + base64.RawURLEncoding.EncodeToString(secret.Data)
}

// devices returns the devices of valid tokens.
func (s *Service) devices(from Client) (list []device) {
	for _, token := range from.Devices[:min(len(from.Devices), maxDevices)] {
		keyID, data, _ := strings.Cut(token, ".")
		raw, err := base64.RawURLEncoding.DecodeString(data)
		if err != nil {
			continue
		}
		text, err := s.keys.Decrypt(keyring.Sealed{KeyID: keyID, Data: raw}, deviceOwner)
		var d device
		if err == nil && json.Unmarshal(text, &d) == nil && d.Until.After(s.clock.Time()) {
			list = append(list, d)
		}
	}
	return list
}

// knownDevice returns the device of a client with which the user has logged in, if the password of that log-in is still
// valid.
func (s *Service) knownDevice(ctx context.Context, from Client, email string) (device, bool, error) {
	devices := s.devices(from)
	if len(devices) == 0 {
		return device{}, false, nil
	}
	user, err := s.ByEmail(ctx, email)
	if err != nil {
		return device{}, false, ignoreUnknown(err)
	}
	memberships, err := membershipsOf(ctx, s.db, user.ID)
	if err != nil {
		return device{}, false, err
	}
	for _, d := range devices {
		for _, one := range user.passwords(memberships) {
			if d.UserID == user.ID && d.Password == hashID(one.hash) {
				return d, true, nil
			}
		}
	}
	return device{}, false, nil
}

// failuresOf returns the counters of failed log-ins of a client for a user.
func (s *Service) failuresOf(ctx context.Context, from Client, email string) (failures, error) {
	d, known, err := s.knownDevice(ctx, from, email)
	if known {
		return failures{s.limiter, map[string]int{
			"login device " + d.ID: failuresPerDevice, "login devices " + d.Password: failuresOfDevices,
		}}, nil
	}
	return failures{s.limiter, map[string]int{
		"login " + ratelimit.AddressKey(from.Address): failuresPerAddress, "login " + emailKey(email): failuresPerUser,
	}}, err
}

// countLogIn counts a log-in that succeeded. It returns rate_limited after too many.
func (s *Service) countLogIn(ctx context.Context, l Login, from Client) error {
	key := "log-ins " + l.ID + " " + strings.Join(l.Proof.keys(), ",")
	for _, d := range s.devices(from) {
		if d.UserID == l.ID {
			key = "log-ins device " + d.ID
		}
	}
	if d := s.limiter.Take(ctx, key, ratelimit.Write, logIns); !d.Allowed {
		return tooMany(d)
	}
	return nil
}
