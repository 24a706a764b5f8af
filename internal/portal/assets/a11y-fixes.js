// Accessibility fixes for the API reference (Scalar 1.72), applied whenever it renders. scripts/portal.sh fails if an
// element is not accessible. Remove a fix once Scalar no longer needs it.

// Each fix is a selector and the function that is applied to every matching element.
const fixes = [
  ['button[class*="copy-button"]:not([aria-label])', (button) => button.setAttribute('aria-label', 'Copy')],
  ['button[aria-haspopup="menu"]:not([aria-label])', (button) => { if (!button.innerText.trim()) button.setAttribute('aria-label', 'Choose') }],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  ['button.show-more[aria-label]', (button) => button.removeAttribute('aria-label')], // it says something else than its text
  ['.response-card[role="region"]', (card) => card.setAttribute('role', 'group')], // there is one for each operation
  ['.response-card-footer:not([tabindex]), ul.endpoints:not([tabindex])', (scroller) => scroller.setAttribute('tabindex', '0')],
  ['[role="combobox"]:not([aria-expanded])', (field) => field.setAttribute('aria-expanded', 'false')],
  ['.cm-content[role="textbox"]:not([aria-label])', (code) => code.setAttribute('aria-label', 'Body')],
  ['.cm-scroller[tabindex="-1"]', (scroller) => scroller.setAttribute('tabindex', '0')],
  ['.t-doc__header:not([role])', (bar) => { bar.setAttribute('role', 'navigation'); bar.setAttribute('aria-label', 'Operations') }],
  ['button[class*="copy-button"][aria-controls]', forgetAbsent],
]

// forgetAbsent drops a reference to an element that is not on the page.
function forgetAbsent(button) {
  if (!document.getElementById(button.getAttribute('aria-controls'))) button.removeAttribute('aria-controls')
}

// makeBackgroundInert makes the elements behind the open client inert, and interactive again when it is closed.
function makeBackgroundInert() {
  const dialog = document.querySelector('.scalar-client--open > [role="dialog"]') // the class goes before it fades
  const behind = new Set()
  for (let part = dialog; part && part !== document.body; part = part.parentElement) {
    for (const other of part.parentElement.children) if (other !== part && !other.matches('[id^="headlessui"], [role="tooltip"]')) behind.add(other)
  }
  for (const part of document.querySelectorAll('[data-made-inert]')) {
    if (!behind.has(part)) part.inert = part.toggleAttribute('data-made-inert', false)
  }
  for (const part of behind) part.inert = part.toggleAttribute('data-made-inert', true)
}

function applyFixes() {
  for (const [selector, change] of fixes) document.querySelectorAll(selector).forEach(change)
  makeBackgroundInert()
}

let scheduled = false
function scheduleFixes() {
  if (scheduled) return
  scheduled = true
  requestAnimationFrame(() => { scheduled = false; applyFixes() })
}

new MutationObserver(scheduleFixes).observe(document.body, {
  subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'role', 'style', 'aria-controls', 'aria-expanded'],
})
