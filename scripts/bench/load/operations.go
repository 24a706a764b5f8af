package main

import (
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"
)

// operation is one kind of request, sent to service and baseline.
type operation struct {
	name string
	aim  float64 // the least ratio of the service's rate to the baseline's
	// leastBefore is the least ratio of the service's rate to the rate of the build before.
	leastBefore float64
	// check is a GET whose answers of both programs must be alike.
	check string
	// next has one source of requests for each connection; they go on from round to round.
	next []func() []byte
}

// requestsPerConnection is the number of different requests of a connection. It repeats them.
const requestsPerConnection = 1000

// The least rates relative to the earlier build: at most 5 % slower, and faster for changes of prices.
const (
	notSlower   = 0.95
	patchFaster = 1.15
)

// operations draws the requests from a fixed seed: every run of the same stock sends the same.
func operations(s *stock, c settings, token string) []operation {
	random := rand.New(rand.NewPCG(3, 4))
	get := operation{name: "GET one card", aim: 1.0, leastBefore: notSlower, check: "/cards/" + s.cards[0]}
	list := operation{name: "GET 50 cards by a filter", aim: 1.0, leastBefore: notSlower,
		check: "/cards?limit=50&status=" + s.statuses[0]}
	patch := operation{name: "PATCH a price, with its event and its history", aim: 2.0, leastBefore: patchFaster,
		check: "/cards/" + s.unpriced[0]}
	filters := listTargets(s)
	patches := toggles(s, random, c.connections, token)
	for i := range c.connections {
		get.next = append(get.next, cycle(draw(random, token, func() string {
			return "/cards/" + s.cards[random.IntN(len(s.cards))]
		})))
		list.next = append(list.next, cycle(draw(random, token, func() string {
			return filters[random.IntN(len(filters))]
		})))
		patch.next = append(patch.next, patches[i])
	}
	return []operation{get, list, patch}
}

// listTargets are lists by every status and by every set.
func listTargets(s *stock) []string {
	var targets []string
	for _, status := range s.statuses {
		targets = append(targets, "/cards?limit="+strconv.Itoa(pageSize)+"&status="+url.QueryEscape(status))
	}
	for _, set := range s.sets {
		targets = append(targets, "/cards?limit="+strconv.Itoa(pageSize)+"&set="+url.QueryEscape(set))
	}
	return targets
}

func draw(random *rand.Rand, token string, target func() string) [][]byte {
	drawn := make([][]byte, requestsPerConnection)
	for i := range drawn {
		drawn[i] = request("GET", target(), token, "")
	}
	return drawn
}

func cycle(requests [][]byte) func() []byte {
	i := -1
	return func() []byte {
		i = (i + 1) % len(requests)
		return requests[i]
	}
}

// toggles returns PATCHes by connection. Each connection has its own cards. A missing price is set, an existing one is
// cleared, so that each request changes its card and records an event.
func toggles(s *stock, random *rand.Rand, connections int, token string) []func() []byte {
	type change struct{ set, clear []byte }
	type card struct {
		id     string
		priced bool
	}
	var pool []card
	for _, id := range s.unpriced {
		pool = append(pool, card{id, false})
	}
	for _, id := range s.priced {
		pool = append(pool, card{id, true})
	}
	random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	share := min(requestsPerConnection, len(pool)/connections)
	sources := make([]func() []byte, connections)
	for n := range sources {
		mine := pool[n*share : (n+1)*share]
		changes := make([]change, share)
		for i, card := range mine {
			changes[i] = change{
				set: request("PATCH", "/cards/"+card.id, token,
					`{"pricing":{"asking_price":{"amount":`+strconv.Itoa(100+random.IntN(10_000))+
						`,"currency":"USD"}}}`),
				clear: request("PATCH", "/cards/"+card.id, token, `{"pricing":{"asking_price":null}}`),
			}
		}
		i := -1
		sources[n] = func() []byte {
			i = (i + 1) % share
			mine[i].priced = !mine[i].priced
			if mine[i].priced {
				return changes[i].set
			}
			return changes[i].clear
		}
	}
	return sources
}

// reprices returns PATCHes by connection. Each connection changes the prices of its own priced cards. The workflow
// status, which lists are filtered by, does not change.
func reprices(s *stock, connections int, token string) []func() []byte {
	share := min(requestsPerConnection, len(s.priced)/connections)
	sources := make([]func() []byte, connections)
	for n := range sources {
		mine := s.priced[n*share : (n+1)*share]
		// The seed's prices are lower, and so are an earlier run's.
		i, price := -1, int(time.Now().Unix())
		sources[n] = func() []byte {
			i = (i + 1) % share
			if i == 0 {
				price++
			}
			return request("PATCH", "/cards/"+mine[i], token,
				`{"pricing":{"asking_price":{"amount":`+strconv.Itoa(price)+`,"currency":"USD"}}}`)
		}
	}
	return sources
}
