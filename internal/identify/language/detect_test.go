package language

import "testing"

func TestDetect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  Guess
	}{
		"english": {[]string{"Slakoth HP 70", "Your opponent's Active Pokémon is now Asleep.", "weakness", "retreat"},
			Guess{Latin, "en"}},
		"english, little text": {[]string{"Eevee", "70", "Gnaw 10", "Tail Whap 20"}, Guess{Latin, ""}},
		"english, set line":    {[]string{"Forest", "270/272 L", "ORI•EN JONAS DE RO"}, Guess{Latin, "en"}},
		"german": {[]string{"Bummelz KP 70",
			"Das Aktive Pokémon deines Gegners schläft jetzt.", "Schwäche"},
			Guess{Latin, "de"}},
		"german, set line": {[]string{"Wald", "270/272 L", "ORI • DE JONAS DE RO"}, Guess{Latin, "de"}},
		"french": {[]string{"Parecool PV 70",
			"Le Pokémon Actif de votre adversaire est maintenant Endormi.", "faiblesse"},
			Guess{Latin, "fr"}},
		"spanish": {[]string{"Slakoth PS 70",
			"El Pokémon Activo de tu rival pasa a estar Dormido.", "debilidad"},
			Guess{Latin, "es"}},
		"italian": {[]string{"Slakoth PS 70",
			"Il Pokémon attivo del tuo avversario viene addormentato.", "debolezza"},
			Guess{Latin, "it"}},
		"portuguese": {[]string{"Slakoth PS 70",
			"O Pokémon Ativo do seu oponente agora está Adormecido.", "fraqueza"},
			Guess{Latin, "pt"}},
		"portuguese, magic": {[]string{"Criatura — Humano", "Quando esta criatura morre, compre um card."},
			Guess{Latin, "pt"}},
		"italian, magic": {[]string{"Creatura — Umano", "Quando questa creatura muore, pesca una carta."},
			Guess{Latin, "it"}},
		"spanish, magic": {[]string{"Criatura — Humano", "Cuando esta criatura muere, roba una carta."},
			Guess{Latin, "es"}},
		"japanese": {[]string{"たね ピカチュウ HP70", "相手のバトルポケモンをマヒにする。", "Illus. Kagemaru Himeno"},
			Guess{Kana, "ja"}},
		"japanese, mostly han": {[]string{"青眼の白龍", "高い攻撃力を誇る伝説のドラゴン。"}, Guess{Kana, "ja"}},
		"chinese, simplified":  {[]string{"皮卡丘", "将这个宝可梦的能量选择1个，放于弃牌区。", "造成伤害时抛掷硬币"}, Guess{Han, "zh-Hans"}},
		"chinese, traditional": {[]string{"皮卡丘", "將這隻寶可夢身上附加的能量，選擇1個丟棄。", "對手的戰鬥寶可夢也受到傷害"},
			Guess{Han, "zh-Hant"}},
		"few han characters": {[]string{"超電磁進化炎"}, Guess{Han, ""}},
		"korean":             {[]string{"피카츄", "상대의 배틀포켓몬을 마비로 만든다."}, Guess{Hangul, "ko"}},
		"russian":            {[]string{"Лес", "Базовая земля — Лес"}, Guess{Cyrillic, "ru"}},
		"stray characters of art": {[]string{"Slakoth", "一", "ーー", "The Pokémon of your opponent", "weakness"},
			Guess{Latin, "en"}},
		"two languages alike": {[]string{"Basic Energy", "Energia Basica"}, Guess{Latin, ""}},
		"nothing":             {nil, Guess{}},
		"digits":              {[]string{"70", "160/193"}, Guess{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Detect(c.lines); got != c.want {
				t.Errorf("Detect: got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestGuess_Contradicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		guess Guess
		tag   string
		want  bool
	}{
		"same":                        {Guess{Latin, "en"}, "en", false},
		"region":                      {Guess{Latin, "pt"}, "pt-BR", false},
		"other":                       {Guess{Latin, "de"}, "en", true},
		"japanese photo":              {Guess{Kana, "ja"}, "en", true},
		"unknown tag":                 {Guess{Kana, "ja"}, "", false},
		"unknown photo":               {Guess{}, "en", false},
		"latin, language not clear":   {Guess{Latin, ""}, "en", false},
		"latin against japanese":      {Guess{Latin, ""}, "ja", true},
		"han against english":         {Guess{Han, ""}, "en", true},
		"han, japanese or chinese":    {Guess{Han, ""}, "ja", false},
		"simplified and chinese":      {Guess{Han, "zh-Hans"}, "zh", false},
		"simplified, not traditional": {Guess{Han, "zh-Hans"}, "zh-Hant", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.guess.Contradicts(c.tag); got != c.want {
				t.Errorf("Contradicts(%q): got %v, want %v", c.tag, got, c.want)
			}
		})
	}
}

// Each language's own words, terms and accents must lead to it.
func TestDetect_OwnSigns(t *testing.T) {
	t.Parallel()
	for tag, s := range latin {
		var lines []string
		lines = append(lines, s.words...)
		lines = append(lines, s.terms...)
		if got := Detect(lines).Tag; got != tag {
			t.Errorf("Detect of the words of %s: got %q", tag, got)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"ja": "Japanese", "pt-BR": "Portuguese", "zh-Hans": "Chinese", "xx": "xx",
	} {
		if got := Name(tag); got != want {
			t.Errorf("Name(%q): got %q, want %q", tag, got, want)
		}
	}
}
