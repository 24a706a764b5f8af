package dashboard

import "testing"

func TestByteCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0\u00a0B", 999: "999\u00a0B", 1000: "1.0\u00a0kB", 999_949: "999.9\u00a0kB", 999_950: "1.0\u00a0MB",
		12_345_678: "12.3\u00a0MB", 5_000_000_000: "5.0\u00a0GB", 1_500_000_000_000_000: "1500.0\u00a0TB",
	} {
		if got := byteCount(n); got != want {
			t.Errorf("byteCount(%d) = %q, want %q", n, got, want)
		}
	}
}
