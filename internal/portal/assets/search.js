// Results below the search field while a reader types: the first of the page that the form opens, also without scripts.
const field = document.getElementById('search-top')
const popup = document.getElementById('search-found')
const [state, list] = popup.children
const shown = 8 // results
const pause = 80 // milliseconds after a key
let options = [], chosen = -1, timer

const set = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value))
const hotkeys = document.querySelector('body.reference') ? '/' : '/ Control+K' // the reference has its own at Ctrl-K
// A combobox has the type text (ARIA in HTML).
set(field, { type: 'text', role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false', 'aria-keyshortcuts': hotkeys })

function choose(index) {
  if (options[chosen]) set(options[chosen], { 'aria-selected': 'false' })
  field.removeAttribute('aria-activedescendant')
  chosen = index
  if (!options[chosen]) return
  set(options[chosen], { 'aria-selected': 'true' })
  set(field, { 'aria-activedescendant': options[chosen].id })
  options[chosen].scrollIntoView({ block: 'nearest' })
}

function show(results, text) {
  options = results
  list.replaceChildren(...results)
  list.hidden = results.length === 0
  state.textContent = text
  popup.hidden = text === ''
  set(field, { 'aria-expanded': String(results.length > 0) })
  choose(-1)
}

// optionOf returns a result of the page, which is a link and a sentence, as an option of the list.
function optionOf(result, index) {
  const [option, sentence] = result.children
  const text = document.createElement('span')
  text.append(...sentence.childNodes)
  option.append(text)
  set(option, { id: `search-result-${index}`, role: 'option', tabindex: '-1', 'aria-selected': 'false' })
  return option
}

async function search() {
  const query = field.value.trim()
  const answer = await fetch(`/docs/search?${new URLSearchParams({ q: query })}`).catch(() => null)
  const page = new DOMParser().parseFromString(await answer?.text() ?? '', 'text/html')
  if (!answer?.ok || field.value.trim() !== query || document.activeElement !== field) return // the reader has gone on
  const results = [...page.querySelectorAll('.results > li')].slice(0, shown)
  show(results.map(optionOf), query && page.querySelector('main > p').textContent)
}

const close = () => { clearTimeout(timer); show([], '') }
field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, pause) })
field.addEventListener('blur', close)
field.form.addEventListener('submit', close)
popup.addEventListener('mousedown', (event) => event.preventDefault()) // keeps the focus in the field
list.addEventListener('click', close)
field.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step && options.length > 0) choose((Math.max(chosen, step < 0 ? 0 : -1) + step + options.length) % options.length)
  else if (event.key === 'Enter' && options[chosen]) options[chosen].click()
  else if (event.key === 'Escape' && !popup.hidden) close()
  else return
  event.preventDefault()
})
document.addEventListener('keydown', (event) => {
  const command = event.ctrlKey || event.metaKey
  const slash = event.key === '/' && !command && !event.target.closest('input, textarea, select, [contenteditable]')
  const k = event.key === 'k' && command && hotkeys !== '/'
  if (!slash && !k) return
  event.preventDefault()
  field.focus()
  field.select()
})
