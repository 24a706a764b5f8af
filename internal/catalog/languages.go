package catalog

import "strings"

// languageTags maps the codes and names of languages in catalogues, in lower case, to BCP 47 tags where they differ.
var languageTags = map[string]string{
	"zhs": "zh-Hans", "zh-cn": "zh-Hans", "zht": "zh-Hant", "zh-tw": "zh-Hant",
	"pt-br": "pt-BR", "pt-pt": "pt-PT", "es-mx": "es-MX", "jp": "ja", "kr": "ko",
	"english": "en", "english-asia": "en", "french": "fr", "german": "de", "italian": "it", "spanish": "es",
	"portuguese": "pt", "japanese": "ja", "korean": "ko", "thai": "th", "chinese-hongkong": "zh-HK",
	"chinese-taiwan": "zh-TW", "chinese-simplified": "zh-Hans", "chinese-traditional": "zh-Hant",
}

// languageOf returns the BCP 47 tag of a language of a catalogue.
func languageOf(code string) string {
	if tag, ok := languageTags[strings.ToLower(code)]; ok {
		return tag
	}
	return code
}
