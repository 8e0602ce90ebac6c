import { textsOf } from '../texts/texts.ts'
import { type Configuration, type ElementType, FromElement, type ToElement } from '../wire/messages.ts'
import { followLabels } from './container.ts'
import { type Frame, newFrame } from './frame.ts'
import { setStyles } from './style.ts'

interface Options {
  container: HTMLElement
  configuration: Configuration
  onMessage(message: FromElement): void
  onReload(): void
  onFailure(): void
}

/** The mounted frame of an element. */
export interface MountedFrame {
  container: HTMLElement
  channel: string
  /** @returns whether the frame listens */
  post(message: ToElement): Promise<boolean>
  /** Updates its title, in the current language. */
  entitle(configuration: Configuration): void
  resize(height: number): void
  focus(): void
  blur(): void
  remove(): void
}

/** Space for the focus ring around a field. The frame's page has the same padding. */
const ringWidth = 4

/** Minimum heights in pixels, so that the layout shifts little when the frame loads. */
const firstHeights: Readonly<Record<ElementType, number>> = {
  payment: 160,
  card: 24,
  cardNumber: 20,
  cardExpiry: 20,
  cardCvc: 20,
}

export function mountFrame({ container, configuration, onMessage, onReload, onFailure }: Options): MountedFrame {
  const { type } = configuration
  const frame: Frame<ToElement> = newFrame<ToElement, FromElement>({
    page: 'element',
    title: titleOf(configuration),
    schema: FromElement,
    onMessage,
    onReload,
  })
  const around = document.createElement('div')
  around.className = '__PrivateStripeElement'
  setStyles(around, { display: 'block', margin: '0', padding: '0', border: '0', background: 'transparent' })
  setStyles(frame.element, type === 'payment' ? { ...plain, ...ringed } : plain)
  const resize = (height: number) => setStyles(frame.element, { height: `${Math.ceil(height)}px` })
  resize(firstHeights[type])
  around.append(frame.element)
  container.replaceChildren(around)

  const over = new AbortController()
  const focus = () => {
    frame.element.focus()
    void frame.post({ kind: 'focus' })
  }
  followLabels(container, focus, over.signal)
  frame.ready.catch(() => {
    if (!over.signal.aborted) onFailure()
  })

  return {
    container,
    channel: frame.channel,
    post: frame.post,
    entitle: (changed) => frame.element.setAttribute('title', titleOf(changed)),
    resize,
    focus,
    blur() {
      void frame.post({ kind: 'blur' })
      frame.element.blur()
    },
    remove() {
      over.abort()
      frame.close()
      around.remove()
    },
  }
}

function titleOf({ type, locale }: Configuration): string {
  return textsOf(locale)[`${type}Frame`]
}

const plain = {
  display: 'block',
  width: '100%',
  'min-width': '100%',
  margin: '0',
  padding: '0',
  border: '0',
  overflow: 'hidden',
  // A frame with another color scheme than its page gets an opaque background.
  'color-scheme': 'light only',
}

const ringed = { width: `calc(100% + ${2 * ringWidth}px)`, margin: `-${ringWidth}px` }
