package postgres

import (
	"strings"
	"testing"
	"time"
)

func TestProcess_ClaimsContainIdentity(t *testing.T) {
	t.Parallel()
	for range 100 {
		p := newProcess()
		id := p.ID()
		first, last := id.Claims()
		_, before := (id - 1).Claims()
		if before != first-1 {
			t.Fatalf("the claims of process %d begin at %d, those of the one before end at %d", id, first, before)
		}
		for range 3 {
			claim := p.NewClaim()
			if claim < first || claim > last || ProcessOf(claim) != id {
				t.Fatalf("claim %d of process %d is of process %d, outside %d to %d",
					claim, id, ProcessOf(claim), first, last)
			}
		}
		if name := p.NewClaimName(); len(id.ClaimPrefix()) != 13 || !strings.HasPrefix(name, id.ClaimPrefix()) {
			t.Fatalf("claim %q of process %d does not begin with %q of 13 characters", name, id, id.ClaimPrefix())
		}
		if p.Replace() == id || ProcessOf(p.NewClaim()) == id {
			t.Fatalf("the identity %d was not replaced", id)
		}
	}
}

func TestProcess_LivesUntilAnnouncementEnds(t *testing.T) {
	t.Parallel()
	p, now := newProcess(), time.Now()
	if _, certain := p.Lives(now); !certain {
		t.Error("a process that is never announced is not certain to live")
	}
	p.Announced(now.Add(time.Second))
	if _, certain := p.Lives(now); !certain {
		t.Error("a process is not certain to live after its announcement")
	}
	if _, certain := p.Lives(now.Add(time.Second)); certain {
		t.Error("a process is certain to live when others may take it for dead")
	}
}
