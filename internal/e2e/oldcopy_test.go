package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

// oldCopy is a program that keeps a copy of the inventory with a client of 1.0.0.
type oldCopy struct {
	commands io.Writer
	output   *bufio.Scanner
}

// startOldCopy starts a program, which is stopped at the end of the test.
func startOldCopy(t *testing.T, api, token string, program ...string) oldCopy {
	t.Helper()
	command := exec.CommandContext(t.Context(), program[0], program[1:]...)
	command.Env, command.Stderr = append(os.Environ(), "API="+api, "TOKEN="+token), os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait() // also of a program that was killed with the context
	})
	return oldCopy{input, bufio.NewScanner(output)}
}

// do has the program carry out a command, and returns the versions of the cards in its copy.
func (c oldCopy) do(t *testing.T, command string) (copied map[string]int64) {
	t.Helper()
	if _, err := io.WriteString(c.commands, command+"\n"); err != nil {
		t.Fatal(err)
	}
	if !c.output.Scan() {
		t.Fatalf("the program ended: %v", c.output.Err())
	}
	if err := json.Unmarshal(c.output.Bytes(), &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// TestOldClients_KeepRestoredCards has a job delete a card and its undo restore it between any two reads of a program
// that follows the guide with a client of 1.0.0. After a whole round, the copy has each card, in the version that the
// service has.
func TestOldClients_KeepRestoredCards(t *testing.T) {
	t.Parallel()
	s := start(t)
	for folder, program := range map[string][]string{
		"go-1.0.0":         {buildModule(t, release+"/sdk/go-1.0.0/copy")},
		"typescript-1.0.0": {"node", release + "/sdk/typescript-1.0.0/copy.mjs"},
		"python-1.0.0":     {python(t), release + "/sdk/python-1.0.0/copy_cards.py"},
	} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			c := s.client(t, false)
			follower := startOldCopy(t, s.url, c.token, program...)
			reads := []string{"cards", "deletions", "cards", "deletions", "cards", "deletions"}
			type span struct{ deleted, restored int } // before which reads
			cards, jobs := map[span]string{}, map[span]string{}
			for deleted := range reads {
				for restored := deleted; restored < len(reads); restored++ {
					cards[span{deleted, restored}] = c.create(`{"notes":"x"}`).ID
				}
			}
			for i, read := range reads {
				for at, cardID := range cards {
					if at.deleted == i {
						done, _ := c.run(`{"kind":"delete","card_ids":["` + cardID + `"]}`)
						jobs[at] = done.ID
					}
				}
				for at := range cards {
					if at.restored == i {
						c.undo(jobs[at])
					}
				}
				follower.do(t, read)
			}
			follower.do(t, "cards")
			copied := follower.do(t, "deletions")
			for at, cardID := range cards {
				if want := int64(c.get(cardID).Version); copied[cardID] != want {
					t.Errorf("deleted before read %d and restored before read %d: the copy has version %d, want %d",
						at.deleted, at.restored, copied[cardID], want)
				}
			}
		})
	}
}
