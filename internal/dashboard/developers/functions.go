package developers

import "html/template"

// Functions are the functions of the templates.
var Functions = template.FuncMap{
	"deliveryWord": deliveryWord,
	"failureText":  failureText,
	"attemptText":  attemptText,
	"failureWords": FailureWords,
}
