package slab_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

func grade(company, value, cert string) *cards.Grade {
	g := &cards.Grade{Company: company, Value: value}
	if cert != "" {
		g.CertNumber = &cert
	}
	return g
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		lines []string
		want  *cards.Grade
	}{
		{"PSA of today", []string{
			"2021 POKEMON SWORD & SHIELD", "#044", "CINDERWYRM V", "GEM MT", "CHAMPION'S TRAIL", "10", "PSA",
			"57839485",
		}, grade("PSA", "10", "57839485")},
		{"PSA, grade and words in one line", []string{
			"1999 POKEMON GAME #4", "CINDERWYRM-HOLO MINT 9", "1ST EDITION 02345678",
		}, grade("PSA", "9", "02345678")},
		{"PSA, NM-MT", []string{"1999 POKEMON GAME", "#4", "NM-MT", "8", "PSA", "12345678"},
			grade("PSA", "8", "12345678")},
		{"PSA, NM - MT", []string{"1999 POKEMON GAME", "#4", "NM - MT 8", "PSA", "12345678"},
			grade("PSA", "8", "12345678")},
		{"PSA, half a grade", []string{"1986 FLEER", "#57", "EX-MT+", "6.5", "PSA", "1234567"},
			grade("PSA", "6.5", "1234567")},
		{"PSA, nine digits", []string{"2024 TOPPS", "#1", "GEM MT", "10", "PSA", "101234567"},
			grade("PSA", "10", "101234567")},
		{"PSA, off centre", []string{"1989 UPPER DECK", "#1", "MINT", "9 (OC)", "PSA", "12345678"},
			grade("PSA", "9 (OC)", "12345678")},
		{"PSA, a set with of in its name", []string{"BATTLE OF LEGENDS", "GEM MT 10", "#1", "PSA", "12345678"},
			grade("PSA", "10", "12345678")},
		{"PSA, authentic", []string{"1952 TOPPS", "#311", "AUTHENTIC", "PSA", "12345678"},
			grade("PSA", "Authentic", "12345678")},
		{"PSA, number not read", []string{"2021 POKEMON", "#44", "GEM MT", "PSA", "57839485"},
			grade("PSA", "10", "57839485")},
		{"PSA, words not read", []string{"2021 POKEMON", "#44", "PSA", "9", "57839485"}, grade("PSA", "9", "57839485")},
		{"PSA, certificate not read", []string{"2021 POKEMON", "#44", "GEM MT", "10", "PSA"}, grade("PSA", "10", "")},
		{"PSA, a name that ends like a grade", []string{
			"2016 POKEMON XY EVO", "#12", "CINDERWYRM EX", "MINT", "9", "PSA", "12345678",
		}, grade("PSA", "9", "12345678")},
		{"PSA, such a name and NM-MT", []string{
			"2013 POKEMON", "#12", "CINDERWYRM EX", "NM-MT", "8", "PSA", "12345678",
		}, grade("PSA", "8", "12345678")},
		{"PSA, below other text", []string{
			"a", "shelf", "with", "fifteen", "lines", "of", "text", "above", "it", "and", "not", "a", "word", "on",
			"cards",
			"2021 POKEMON", "#44", "GEM MT", "10", "57839485",
		}, grade("PSA", "10", "57839485")},
		{"BGS with subgrades", []string{
			"2003 UPPER DECK", "CENTERING", "9.5", "GEM MINT", "9.5", "CORNERS", "9.5", "EDGES", "9", "SURFACE", "9.5",
			"BECKETT", "0011223344",
		}, grade("BGS", "9.5", "0011223344")},
		{"BGS, subgrades beside their names", []string{
			"1999 POKEMON GAME", "BECKETT", "9", "MINT", "9.5 CENTERING", "9 EDGES", "8.5 CORNERS", "9 SURFACE",
			"0001234567",
		}, grade("BGS", "9", "0001234567")},
		{"BGS pristine", []string{"BGS", "PRISTINE 10", "CENTERING 10", "CORNERS 10", "EDGES 10", "SURFACE 10",
			"0014355555"}, grade("BGS", "10", "0014355555")},
		{"BGS near mint-mint+", []string{"BECKETT", "NM-MT+", "8.5", "0001112223"}, grade("BGS", "8.5", "0001112223")},
		{"CGC gem mint", []string{"CGC", "GEM MINT", "10", "Cinderwyrm", "Base Set - 4/102", "4135367004"},
			grade("CGC", "10", "4135367004")},
		{"CGC gem mint before 2022", []string{"CGC TRADING CARDS", "Cinderwyrm", "9.5", "GEM MINT", "3912345001"},
			grade("CGC", "9.5", "3912345001")},
		{"CGC pristine", []string{"PRISTINE 10", "CGC CARDS", "Cinderwyrm ex", "5955123012"},
			grade("CGC", "10", "5955123012")},
		{"CGC mint+", []string{"CGC", "Mint+ 9.5", "4135367004"}, grade("CGC", "9.5", "4135367004")},
		{"CGC, a name that ends like a grade", []string{"CGC", "Cinderwyrm ex", "MINT 9", "4135367004"},
			grade("CGC", "9", "4135367004")},
		{"CGC with a hyphen", []string{"CGC", "NM/Mint 8", "4135367-004"}, grade("CGC", "8", "4135367-004")},
		{"SGC of today", []string{"1989 UPPER DECK", "KEN RIVERS JR.", "SGC", "GM MT", "GEM", "10", "1234567"},
			grade("SGC", "10", "1234567")},
		{"SGC to 100", []string{"SGC", "98", "GEM 10", "1933 GOUDEY", "1234567-001"},
			grade("SGC", "10", "1234567-001")},
		{"SGC 96", []string{"SGC", "1933 GOUDEY", "MINT", "96", "1234567-001"}, grade("SGC", "96", "1234567-001")},
		{"ACE", []string{"2023 POKEMON", "ACE", "GEM MINT", "10", "CENTRING 10", "123456"},
			grade("ACE", "10", "123456")},
		{"TAG", []string{"TAG", "GEM MINT", "10", "2022 POKEMON", "D1234567"}, grade("TAG", "10", "D1234567")},

		{"words and number without a space", []string{"#44", "GEM MT10", "PSA", "57839485"},
			grade("PSA", "10", "57839485")},
		{"letters for digits", []string{"#44", "GEM MT", "IO", "P5A", "5783948S"}, grade("PSA", "10", "57839485")},
		{"digits for letters", []string{"#44", "GEM M7", "10", "PSA", "O2345678"}, grade("PSA", "10", "02345678")},
		{"comma for a point", []string{"BECKETT", "GEM MINT", "9,5", "0011223344"}, grade("BGS", "9.5", "0011223344")},

		{"a card", []string{"Smoulderpaw Kit", "HP 70", "Evolves from Emberling", "3/18", "Illus. A. Fox"}, nil},
		{"a card that names PSA", []string{"PSA Member Promo", "Mint condition only", "10", "120 HP", "12/108"}, nil},
		{"a card that says mint", []string{"Mint Fox", "HP 90", "Gem Mint 10 damage", "4/102"}, nil},
		{"a team", []string{"TAG", "TEAM", "Fox & Heron GX", "HP 270", "10", "96/181"}, nil},
		{"an ace", []string{"ACE SPEC", "Master Ball", "153/162", "9"}, nil},
		{"years and card numbers are no certificates", []string{"PSA", "1999", "2024/2025", "044/202", "MINT"}, nil},
		{"no certificate of the company", []string{"CGC", "MINT", "12345"}, nil},
		{"a grade of another scale", []string{"PSA", "GEM MT", "#4", "7"}, nil},
		{"a serial number", []string{"Rookie Signatures", "0123/1999", "#RS-10", "Mint"}, nil},
		{"nothing", nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got *cards.Grade
			if label, ok := slab.Parse(test.lines); ok {
				got = &label.Grade
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the grade differs (-want +got):\n%s", diff)
			}
		})
	}
}
