package photos

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestPairPhotos(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		by    Pairing
		names string
		want  [][]int
	}{
		"not paired": {"", "a-front.jpg a-back.jpg", [][]int{{0}, {1}}},
		"none":       {PairNone, "a_f.jpg a_b.jpg", [][]int{{0}, {1}}},
		"order":      {PairByOrder, "x y x y", [][]int{{0, 1}, {2, 3}}},
		"all endings": {
			PairByName, "a-front a-back b_f b_b c-1 c-2 d(1) d(2)", [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}},
		},
		"case of letters":           {PairByName, "IMG-Front.JPG img-BACK.jpg", [][]int{{0, 1}}},
		"other extension":           {PairByName, "a_f.jpg a_b.png", [][]int{{0, 1}}},
		"dots in the name":          {PairByName, "v1.2-1.jpg v1.2-2.jpg v1.3-2.jpg", [][]int{{0, 1}, {2}}},
		"back first":                {PairByName, "x a-back.jpg y a-front.jpg", [][]int{{0}, {3, 1}, {2}}},
		"apart":                     {PairByName, "a_f b_f b_b a_b", [][]int{{0, 3}, {1, 2}}},
		"no partner":                {PairByName, "a-front.jpg b-back.jpg c.jpg", [][]int{{0}, {1}, {2}}},
		"different endings":         {PairByName, "a-front a_b a-2", [][]int{{0}, {1}, {2}}},
		"two fronts and one back":   {PairByName, "a_f.jpg a_f.png a_b.jpg", [][]int{{0, 2}, {1}}},
		"two fronts and two backs":  {PairByName, "a_f a_b a_f a_b", [][]int{{0, 1}, {2, 3}}},
		"the ending alone":          {PairByName, "_f.jpg _b.jpg", [][]int{{0, 1}}},
		"the ending in the middle":  {PairByName, "a-front-x a-back-x", [][]int{{0}, {1}}},
		"the same name":             {PairByName, "image.jpg image.jpg", [][]int{{0}, {1}}},
		"an ending of an extension": {PairByName, "a.jpg-1 a.jpg-2", [][]int{{0}, {1}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pairPhotos(strings.Fields(tc.names), tc.by)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("cards of %s (-want +got):\n%s", tc.names, diff)
			}
		})
	}
}

func TestPairPhotos_OddNumberInOrder(t *testing.T) {
	t.Parallel()
	_, err := pairPhotos([]string{"a", "b", "c"}, PairByOrder)
	f, _ := fault.As(err)
	if f == nil || f.Code != fault.InvalidRequest || !strings.Contains(f.Message, "they are 3") {
		t.Errorf("got %v, want invalid_request with the number of photos", err)
	}
}
