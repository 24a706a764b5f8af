package dashboard

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCard_Neighbors(t *testing.T) {
	t.Parallel()
	s := setup(t)
	made := s.add("Fox A", "Fox B", "Owl", "Fox C")
	b := s.logIn(ada)
	link := regexp.MustCompile(`<a href="([^"]*)" rel="(prev|next)"`)
	around := func(path string) []string {
		t.Helper()
		var found []string
		for _, match := range link.FindAllStringSubmatch(b.get(path).body, -1) {
			address, err := url.Parse(strings.ReplaceAll(match[1], "&amp;", "&"))
			if err != nil {
				t.Fatal(err)
			}
			cardID := strings.TrimPrefix(address.Path, "/cards/")
			found = append(found, match[2]+" "+cardID+" "+address.Query().Get("from"))
		}
		return found
	}
	const list = "q=fox&sort=title"
	from := "?from=" + url.QueryEscape(list)
	for i, want := range map[int][]string{
		0: {"next " + made[1].ID + " " + list},
		1: {"prev " + made[0].ID + " " + list, "next " + made[3].ID + " " + list},
		3: {"prev " + made[1].ID + " " + list},
	} {
		if diff := cmp.Diff(want, around("/cards/"+made[i].ID+from)); diff != "" {
			t.Errorf("card %d (-want +got):\n%s", i, diff)
		}
	}
	b.want(b.get("/cards/"+made[0].ID+from), http.StatusOK, `<a href="/cards?q=fox&amp;sort=title" data-key="Escape">`)
	row := regexp.MustCompile(made[1].ID + `\?from=q%3Dfox%26sort%3Dtitle&amp;row=([\w-]+)"`)
	found := row.FindStringSubmatch(b.get("/cards?" + list).body)
	if found == nil {
		t.Fatal("the list does not link to its second card with the place of its row")
	}
	path := "/cards/" + made[1].ID
	b.wantRedirect(b.post(path+from+"&row="+found[1], "version", "1", "title", "Owl"),
		path+from+"&row="+found[1]+"&saved=true")
	want := []string{"prev " + made[0].ID + " " + list, "next " + made[3].ID + " " + list}
	for _, shown := range []string{path, "/cards/" + made[2].ID} {
		if diff := cmp.Diff(want, around(shown+from+"&row="+found[1])); diff != "" {
			t.Errorf("card that left the list (-want +got):\n%s", diff)
		}
	}
	if got := around(path + from + "&row=77"); len(got) != 1 {
		t.Errorf("without its row: %v, want the last fox before the owl", got)
	}
	if got := around(path + "?from="); len(got) != 2 {
		t.Errorf("on the list without filters: %v, want both neighbors", got)
	}
	for _, odd := range []string{"", "?from=%25zz", "?from=status%3Dnone", "?from=sort%3Dcolour"} {
		if got := around(path + odd); got != nil {
			t.Errorf("%s: got %v, want no neighbors", odd, got)
		}
		b.want(b.get(path+odd), http.StatusOK, "Back to the list")
	}
}
