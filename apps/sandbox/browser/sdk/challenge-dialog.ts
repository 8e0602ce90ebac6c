import { textsOf } from '../texts/texts.ts'
import { FromChallenge, type ToChallenge } from '../wire/messages.ts'
import { newFrame } from './frame.ts'
import { setStyles } from './style.ts'

interface Options {
  /** Address of the bank's page. */
  url: string
  locale: string
  /** A page of the bank loaded: the question, or the page after the answer. */
  onLoaded(): void
  /** The cardholder closed it, or it could not be shown. */
  onClosed(): void
}

/**
 * Shows the bank's page as a modal over the merchant's page.
 * @returns a function that closes it
 */
export function openChallenge({ url, locale, onLoaded, onClosed }: Options): () => void {
  const title = textsOf(locale).authentication
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', title)
  setStyles(dialog, covering)

  const show = () => void frame.post({ kind: 'show', url, locale })
  const frame = newFrame<ToChallenge, FromChallenge>({
    page: 'challenge',
    title,
    schema: FromChallenge,
    onMessage({ kind }) {
      if (kind === 'loaded') onLoaded()
      if (kind === 'closed') onClosed()
    },
    onReload: show,
  })
  setStyles(frame.element, { display: 'block', width: '100%', height: '100%', border: '0', 'color-scheme': 'normal' })
  show()
  frame.ready.then(() => frame.element.focus(), onClosed)

  // Escape while the focus is outside the frame.
  dialog.addEventListener('close', onClosed)
  // A dialog of the merchant's page must not handle this Escape too.
  dialog.addEventListener('keydown', (event) => event.stopPropagation())

  dialog.append(frame.element)
  document.body.append(dialog)
  dialog.showModal()
  const scrollAgain = stopScrolling()
  return () => {
    if (!dialog.isConnected) return
    dialog.close()
    frame.close()
    dialog.remove()
    scrollAgain()
  }
}

/** Locks the scroll position of the page. */
function stopScrolling(): () => void {
  const { style } = document.documentElement
  const before = style.getPropertyValue('overflow')
  style.setProperty('overflow', 'hidden')
  return () => style.setProperty('overflow', before)
}

const covering = {
  position: 'fixed',
  inset: '0',
  width: '100%',
  height: '100%',
  'max-width': 'none',
  'max-height': 'none',
  margin: '0',
  padding: '0',
  border: '0',
  outline: '0',
  overflow: 'hidden',
  background: 'rgb(10 10 20 / 60%)',
}
