import { listenToParent } from '../../frames/parent.ts'
import { languageOf, textsOf } from '../texts.ts'
import { type Configuration, type FromButton, ToButton } from '../wire/messages.ts'
import { newPopup } from './popup-window.ts'
import './button.css'

/** The button in its frame. It opens the popup itself, since only the window that was clicked may. */
function startButton(): void {
  const button = document.createElement('button')
  button.type = 'button'
  const status = document.createElement('p')
  status.role = 'status'
  status.className = 'visually-hidden'
  document.body.append(button, status)

  const popup = newPopup({
    onAnswer: (answer) => parent.say({ kind: 'answered', answer }),
    onClosed: () => parent.say({ kind: 'closed' }),
    onChange: (isOpen) => {
      status.textContent = isOpen ? textsOf(document.documentElement.lang).isOpen : ''
    },
  })
  const parent = listenToParent<ToButton, FromButton>(ToButton, (message) => {
    if (message.kind === 'configure') {
      show(button, message.configuration)
      parent.say({ kind: 'ready' })
    }
    if (message.kind === 'ask') popup.ask(message.subject, message.id)
    if (message.kind === 'dismiss') popup.dismiss()
  })
  button.addEventListener('click', () => {
    if (popup.focus()) return
    parent.say({ kind: 'click', isBlocked: !popup.open() })
  })
  parent.say({ kind: 'hello' })
}

function show(button: HTMLButtonElement, { locale, color, label, height, radius, isDisabled }: Configuration): void {
  const texts = textsOf(locale)
  document.documentElement.lang = languageOf(locale)
  const [before = '', after = ''] = texts[label].split('PayPal')
  const name = document.createElement('b')
  name.textContent = 'PayPal'
  button.replaceChildren(before, name, after)
  button.dataset.color = color
  button.disabled = isDisabled
  // One property at a time: the policy of the frame forbids style attributes in its markup only.
  button.style.setProperty('height', `${height}px`)
  button.style.setProperty('border-radius', `${radius}px`)
  button.style.setProperty('font-size', `${Math.round(height * 0.36)}px`)
}

// In a window of its own it has no page to talk to.
if (window.parent !== window) startButton()
