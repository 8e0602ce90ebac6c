import type { StripeError } from '@stripe/stripe-js'
import { textsOf } from '../texts/texts.ts'
import { FromController, type Request, type ToController } from '../wire/messages.ts'
import { type Frame, newFrame } from './frame.ts'
import { newQuestions } from './questions.ts'
import { setStyles } from './style.ts'

/** Longer than the controller's own timeouts for frames and the API. */
const timeoutMs = 45_000

export type Reply = Readonly<Record<string, unknown>>

/** The hidden frame that calls the API. */
export interface Controller {
  /** Returns the API's answer: an object, or `error`. @throws DataCloneError for parameters that cannot be sent to it */
  request(request: Request): Promise<Reply>
}

interface Options {
  key: string
  locale: string
}

export function newController({ key, locale }: Options): Controller {
  const questions = newQuestions<Reply>(timeoutMs)
  let frame = open()

  function open(): Frame<ToController> {
    const opened = newFrame<ToController, FromController>({
      page: 'controller',
      title: textsOf(locale).controllerFrame,
      schema: FromController,
      onMessage(message) {
        if (message.kind === 'answer') questions.answer(message.id, message.reply)
      },
      // It has lost the requests sent before.
      onReload: () => questions.end(),
    })
    opened.element.setAttribute('aria-hidden', 'true')
    opened.element.tabIndex = -1
    setStyles(opened.element, hidden)
    document.body.append(opened.element)
    return opened
  }

  /** The next request opens a new frame. */
  function replace(): void {
    frame.close()
    questions.end()
    frame = open()
  }

  return {
    async request(request) {
      const used = frame
      const reply = await questions.ask((id) => used.post({ kind: 'request', id, key, locale, request }))
      if (reply) return reply
      if (used === frame) replace()
      return { error: connectionError(locale) }
    },
  }
}

const hidden = {
  position: 'fixed',
  top: '0',
  left: '0',
  width: '1px',
  height: '1px',
  border: '0',
  opacity: '0',
  'pointer-events': 'none',
  'user-select': 'none',
}

export function connectionError(locale: string) {
  return { type: 'api_connection_error', message: textsOf(locale).connection } satisfies StripeError
}
