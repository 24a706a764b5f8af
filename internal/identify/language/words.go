package language

import "strings"

// signs are the signs of a language in Latin letters.
type signs struct {
	// words are frequent words. Related languages share some. Each distinct word counts once.
	words []string
	// terms are words and marks of cards. Related languages share some. Each counts as three words.
	terms []string
	// accents are letters that only this language, of those here, has often.
	accents string
}

// latin are the signs of the languages in which cards are printed in Latin letters. All words are in lower case and
// without accents, as wordsOf returns them.
var latin = map[string]signs{
	"en": {
		words: strings.Fields(`
			the of your you and this with its for from that each when may has have their into during until opponents
			then them are can only onto any creature target whenever deals cards attack energy monster`),
		terms: strings.Fields(`
			weakness resistance retreat evolves creature enchantment sorcery battlefield discard illus length
			graveyard artifact stage supporter`),
	},
	"de": {
		words: strings.Fields(`
			der die das und dein deine deinen deiner deinem eine einen einer ein dieses diese dieser mit von auf
			wenn nicht ist wird den dem kannst zu gegners karte karten oder bis fur aus bei wahrend lege ziehe sich`),
		terms: strings.Fields(`
			schwache resistenz ruckzug ruckzugskosten grosse gewicht entwickelt trainerkarte unterstutzung kreatur
			verzauberung hexerei spontanzauber zauberkarte fallenkarte`),
		accents: "ß",
	},
	"fr": {
		words: strings.Fields(`
			le la les des du de et un une votre vos vous est dans pour ce cette sur au aux par avec qui que il elle
			pas son ses carte cartes chaque pendant jusqua ou`),
		terms: strings.Fields(`
			faiblesse retraite dresseur niveau taille poids ephemere rituel enchantement defaussez piochez
			adversaire degats`),
		accents: "œç",
	},
	"es": {
		words: strings.Fields(`
			el los las del una tu tus su sus con para este esta en que por cada cuando cartas oponente rival puedes
			hasta si al durante`),
		terms: strings.Fields(`
			debilidad resistencia retirada entrenador basico fase altura criatura encantamiento conjuro instantaneo
			roba descarta energia`),
		accents: "ñ¿¡",
	},
	"it": {
		words: strings.Fields(`
			il lo gli della del delle dei degli di un una tuo tua tuoi con per questo questa che non ogni quando
			carte carta avversario puoi fino nel dal alla sul suo se`),
		terms: strings.Fields(`
			debolezza resistenza ritirata allenatore livello altezza peso creatura incantesimo stregoneria
			istantaneo pesca scarta energia danni`),
	},
	"pt": {
		words: strings.Fields(`
			os as do da dos das um uma seu sua seus suas voce com para este esta no na que nao cada quando cartas
			oponente pode ate se ao pelo durante ou`),
		terms: strings.Fields(`
			fraqueza resistencia recuo recuar treinador basico estagio altura criatura encantamento feitico magica
			compre descarte energia`),
		accents: "ãõ",
	},
}

// marks are the language codes that modern Magic cards print between the code of the set and the artist, such as
// "BFZ • EN • SVETLIN VELINOV", by the code in capitals.
var marks = map[string]string{
	"EN": "en", "DE": "de", "FR": "fr", "ES": "es", "SP": "es", "IT": "it", "PT": "pt", "JP": "ja",
	"JA": "ja", "RU": "ru",
	"KR": "ko", "KO": "ko", "CS": "zh-Hans", "CT": "zh-Hant",
}

// points are the abbreviations of the health points, in lower case, by language.
var points = map[string][]string{"hp": {"en"}, "kp": {"de"}, "pv": {"fr"}, "ps": {"es", "it", "pt"}}
