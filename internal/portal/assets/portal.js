// What pages do besides being read: the menu on a phone, and copying code. Without it everything can still be read.
'use strict'

const menu = document.querySelector('.menu')
const navigation = document.getElementById('navigation')

function show(open) {
  menu.setAttribute('aria-expanded', String(open))
  navigation.classList.toggle('open', open)
}

menu.addEventListener('click', () => show(menu.getAttribute('aria-expanded') !== 'true'))
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return
  show(false)
  menu.focus()
})

// copyButton returns a button that copies the code of a block and says so for a moment.
function copyButton(code) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  return button
}

if (navigator.clipboard) { // browsers have it on https and on localhost
  for (const figure of document.querySelectorAll('figure.code')) figure.append(copyButton(figure.querySelector('code')))
}
