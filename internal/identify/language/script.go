package language

import (
	"strings"
	"unicode"
)

// Script is a writing system.
type Script string

// The scripts that cards are printed in. Han without kana is Chinese or a short Japanese text.
const (
	Unknown  Script = ""
	Latin    Script = "latin"
	Kana     Script = "kana"
	Han      Script = "han"
	Hangul   Script = "hangul"
	Cyrillic Script = "cyrillic"
	Thai     Script = "thai"
)

const (
	// leastForeign is the least number of letters of a script other than Latin that counts as text. Fewer may be art
	// or an error of the recognition.
	leastForeign = 6
	// leastLatin is the least number of Latin letters that counts as text.
	leastLatin = 12
	// foreignShare is the least share of a script other than Latin. Japanese cards have Latin names of artists, and
	// copyright lines, and Latin cards have no other letters.
	foreignShare = 0.15
)

// scripts are the ranges of the scripts.
var scripts = []struct {
	script Script
	tables []*unicode.RangeTable
}{
	{Kana, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{Hangul, []*unicode.RangeTable{unicode.Hangul}},
	{Cyrillic, []*unicode.RangeTable{unicode.Cyrillic}},
	{Thai, []*unicode.RangeTable{unicode.Thai}},
	{Han, []*unicode.RangeTable{unicode.Han}},
	{Latin, []*unicode.RangeTable{unicode.Latin}},
}

// ScriptOf returns the script of a text, or Unknown if it has too few letters, or Latin letters with some of another.
func ScriptOf(text string) Script {
	count := letters(text)
	foreign := count[Kana] + count[Han] + count[Hangul] + count[Cyrillic] + count[Thai]
	if foreign >= leastForeign && float64(foreign) >= foreignShare*float64(foreign+count[Latin]) {
		return foreignScript(count, foreign)
	}
	if count[Latin] >= leastLatin && foreign < leastForeign {
		return Latin
	}
	return Unknown
}

// foreignScript returns the script of a text that is not in Latin letters. Japanese text has kana between Han
// characters, so a few kana are enough.
func foreignScript(count map[Script]int, foreign int) Script {
	if count[Kana] >= 2 && 20*count[Kana] >= foreign {
		return Kana
	}
	best := Han
	for _, other := range []Script{Hangul, Cyrillic, Thai} {
		if count[other] > count[best] {
			best = other
		}
	}
	return best
}

// letters counts letters by script.
func letters(text string) map[Script]int {
	count := map[Script]int{}
	for _, r := range text {
		// The prolonged sound mark and the middle dot are punctuation that texture is often read as.
		if r == 'ー' || r == '・' {
			continue
		}
		for _, s := range scripts {
			if unicode.In(r, s.tables...) {
				count[s.script]++
				break
			}
		}
	}
	return count
}

// simplified and traditional are frequent characters of Chinese cards that only one of the two ways of writing has.
const (
	simplified  = "这个们来时对会从给对战场张费时间过还进选择将点伤击区组发动卡减为种现见转变让处备换场击时图龙马鸟鱼东风云电灵恶龙"
	traditional = "這個們來時對會從給戰場張費時間過還進選擇將點傷擊區組發動減為種現見轉變讓處備換圖龍馬鳥魚東風雲電靈惡"
)

// chinese returns the tag of a text in Han characters without kana, or "" if it may be Japanese.
func chinese(text string) string {
	simple, old := 0, 0
	for _, r := range text {
		isSimple, isOld := strings.ContainsRune(simplified, r), strings.ContainsRune(traditional, r)
		switch {
		case isSimple && !isOld:
			simple++
		case isOld && !isSimple:
			old++
		}
	}
	switch han := letters(text)[Han]; {
	case simple >= 2 && simple > 2*old:
		return "zh-Hans"
	case old >= 2 && old > 2*simple && han >= leastHan:
		return "zh-Hant"
	case han >= leastHan:
		return "zh"
	}
	return ""
}

// leastHan is the least number of Han characters without any kana that no Japanese card has.
const leastHan = 20
