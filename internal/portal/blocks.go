package portal

import (
	"fmt"
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	highlight "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// blocks renders code and tables, which can be wider than a phone's screen, in scrollable elements that can be focused.
type blocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blocks) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindFencedCodeBlock, renderCode)
	register.Register(tables.KindTable, renderTable)
}

// highlighter marks up code with CSS classes, because the policy forbids inline styles. portal.css defines their
// colours.
var highlighter = highlight.New(
	highlight.WithClasses(true), highlight.ClassPrefix("c-"), highlight.PreventSurroundingPre(true))

// renderCode renders a block whose first line is ```LANGUAGE NAME=VALUE…. The value of file is shown above the code.
// The other names are for scripts/getting-started.sh.
func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := node.(*ast.FencedCodeBlock)
	var language, file string
	if block.Info != nil {
		info := strings.Fields(string(block.Info.Value(source)))
		language = info[0]
		for _, attribute := range info[1:] {
			switch name, value, _ := strings.Cut(attribute, "="); name {
			case "file":
				file = value
			case "terminal", "expect", "language":
			default:
				return ast.WalkStop, fmt.Errorf("a block of code with %q: %s is unknown", attribute, name)
			}
		}
	}
	fmt.Fprintf(w, "<figure class=\"code\">")
	if file != "" {
		fmt.Fprintf(w, "<figcaption>%s</figcaption>", html.EscapeString(file))
	}
	fmt.Fprintf(w, "<pre tabindex=\"0\"><code>")
	if err := writeCode(w, language, string(block.Lines().Value(source))); err != nil {
		return ast.WalkStop, err
	}
	fmt.Fprintf(w, "</code></pre></figure>\n")
	return ast.WalkContinue, nil
}

// plainStyle has no colours. The package with predefined styles parses them all when the program starts, which delays
// every command by 8 ms.
var plainStyle = chroma.MustNewStyle("plain", chroma.StyleEntries{})

func writeCode(w util.BufWriter, language, code string) error {
	lexer := lexers.Get(language)
	if lexer == nil {
		return fmt.Errorf("a block of code in %q: name a known language, or text", language)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return err
	}
	return highlighter.Format(w, plainStyle, tokens)
}

func renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>\n")
	} else {
		fmt.Fprintf(w, "</table></div>\n")
	}
	return ast.WalkContinue, nil
}
