package connections

import (
	"encoding/json"
	"testing"
)

// A process of the version before stores eBay's settings in four columns. It and this version see each other's values.
func TestService_SettingsOfOldProcesses(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.exec("location_key = 'home', return_policy_id = '7'")
	if c := e.wantState(Connected); string(c.Settings) != `{"location": "home", "return_policy_id": "7"}` {
		t.Errorf("settings that an old process stored: %s", c.Settings)
	}
	settings := json.RawMessage(`{"location":"shop","payment_policy_id":"3"}`)
	if err := e.Configure(e.as(ada), account, "US", settings); err != nil {
		t.Fatal(err)
	}
	const stored = `location_key || ' ' || fulfillment_policy_id || ' ' || payment_policy_id || ' ' || return_policy_id`
	var got string
	if err := e.db.Get(t.Context(), &got, `SELECT `+stored+` FROM marketplace_connections`); err != nil {
		t.Fatal(err)
	}
	if got != "shop  3 " {
		t.Errorf("settings as an old process reads them: %q, want those of this version", got)
	}
	e.exec("location_key = '', payment_policy_id = ''") // an old process connects the account to another site
	if c := e.wantState(Connected); string(c.Settings) != "{}" {
		t.Errorf("settings that an old process removed: %s", c.Settings)
	}
}
