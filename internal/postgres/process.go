package postgres

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"time"
)

// ProcessID identifies a process in the claims under which it leases rows. It has 31 bits and is never 0.
type ProcessID int64

// Claims returns the range of the numbers that NewClaim returns for the process.
func (id ProcessID) Claims() (first, last int64) { return int64(id) << 32, int64(id+1)<<32 - 1 }

// ClaimPrefix returns the first 13 characters of the names that NewClaimName returns for the process. The indexes of
// leased rows contain them (migration 0054).
func (id ProcessID) ClaimPrefix() string { return fmt.Sprintf("clm_%08x_", int64(id)) }

// ProcessOf returns the process that made a claim.
func ProcessOf(claim int64) ProcessID { return ProcessID(claim >> 32) }

// Process is the identity under which this process leases rows. Package heartbeat announces it in the database, so that
// other processes take the leases over if this one dies. A process that they took for dead continues under another
// identity. Without package heartbeat, leases simply last until they expire.
type Process struct {
	mu        sync.Mutex
	id        ProcessID
	claims    uint32
	announced bool
	certainBy time.Time // until when no other process takes this one for dead, if announced is set
}

func newProcess() *Process { return &Process{id: newProcessID()} }

func newProcessID() ProcessID {
	var raw [4]byte
	for {
		rand.Read(raw[:])
		if id := ProcessID(binary.BigEndian.Uint32(raw[:]) >> 1); id != 0 {
			return id
		}
	}
}

// ID returns the current identity.
func (p *Process) ID() ProcessID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.id
}

// NewClaim returns a number for a new claim. It contains the identity.
func (p *Process) NewClaim() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claims++
	return int64(p.id)<<32 | int64(p.claims)
}

// NewClaimName returns a name for a new claim. It contains the identity.
func (p *Process) NewClaimName() string { return p.ID().ClaimPrefix() + rand.Text() }

// Lives returns the current identity, and whether it is certain that no other process takes this one for dead.
func (p *Process) Lives(now time.Time) (id ProcessID, certain bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.id, !p.announced || now.Before(p.certainBy)
}

// Announced records that no other process takes this one for dead before the time.
func (p *Process) Announced(certainBy time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.announced, p.certainBy = true, certainBy
}

// Replace replaces the identity. The leases of the previous one are lost.
func (p *Process) Replace() ProcessID {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.id = newProcessID()
	return p.id
}

// Process returns the identity under which the users of this pool lease rows.
func (db *DB) Process() *Process { return db.process }
