package judge

import "testing"

func TestOnLabel(t *testing.T) {
	t.Parallel()
	label := []string{"2023 POKEMON PAL EN #160", "SLAKOTH", "#TG07"}
	for number, want := range map[string]float64{
		"160": labelNumber, "0160": labelNumber, "tg07": labelNumber, "16": 0, "2023": 0, "": 0,
	} {
		if got := onLabel(number, label); got != want {
			t.Errorf("%q: got %v, want %v", number, got, want)
		}
	}
}
