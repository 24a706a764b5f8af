package bulk

import "html/template"

// Functions are the functions of the templates.
var Functions = template.FuncMap{"bulkActions": func() []bulkAction { return bulkActions }}
