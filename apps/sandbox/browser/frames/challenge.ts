import { languageOf, textsOf } from '../texts/texts.ts'
import { type FromChallenge, ToChallenge } from '../wire/messages.ts'
import { make } from './markup.ts'
import { listenToParent } from './parent.ts'

/** The frame over the merchant's page: the bank's page in its own frame, and a button that closes it. */
export function startChallenge(): void {
  const parent = listenToParent<ToChallenge, FromChallenge>(ToChallenge, ({ url, locale }) => {
    const address = URL.parse(url)
    const isBank = address?.origin === location.origin && address.pathname.startsWith('/cards/authenticate/')
    if (address && isBank) show({ url: address.href, locale, say: parent.say })
    else parent.say({ kind: 'closed' })
  })
  parent.say({ kind: 'hello' })
}

interface Shown {
  url: string
  locale: string
  say(message: FromChallenge): void
}

function show({ url, locale, say }: Shown): void {
  const texts = textsOf(locale)
  document.documentElement.lang = languageOf(locale)
  const close = () => say({ kind: 'closed' })
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close()
  }

  const button = make('button', 'Challenge-close')
  button.type = 'button'
  button.setAttribute('aria-label', texts.close)
  button.addEventListener('click', close)
  const bar = make('div', 'Challenge-bar', make('p', 'Challenge-title', texts.authentication), button)

  const bank = make('iframe', 'Challenge-bank')
  bank.title = texts.authentication
  bank.src = url
  bank.addEventListener('load', () => {
    // The bank's page runs no script, so its load event is the only signal.
    bank.contentDocument?.addEventListener('keydown', closeOnEscape)
    say({ kind: 'loaded' })
  })

  const ground = make('div', 'Challenge', make('div', 'Challenge-box', bar, bank))
  ground.addEventListener('click', ({ target }) => {
    if (target === ground) close()
  })
  document.body.replaceChildren(ground)
  addEventListener('keydown', closeOnEscape)
  button.focus()
}
