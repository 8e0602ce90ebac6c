import type { StripeError } from '@stripe/stripe-js'
import { textsOf } from '../texts/texts.ts'
import { FromController, type Request, type ToController } from '../wire/messages.ts'
import { type Frame, newFrame } from './frame.ts'
import { newQuestions } from './questions.ts'
import { setStyles } from './style.ts'

export type Reply = Readonly<Record<string, unknown>>

/** The hidden frame through which the API is spoken to. */
export interface Controller {
  /** What the API answered: an object, or `error`. Never rejects. */
  request(request: Request): Promise<Reply>
}

interface Options {
  key: string
  locale: string
}

export function newController({ key, locale }: Options): Controller {
  const questions = newQuestions<Reply>()
  let frame = open()

  function open(): Frame<ToController> {
    const opened = newFrame<ToController, FromController>({
      page: 'controller',
      title: textsOf(locale).controllerFrame,
      schema: FromController,
      onMessage(message) {
        if (message.kind === 'answer') questions.answer(message.id, message.reply)
      },
    })
    opened.element.setAttribute('aria-hidden', 'true')
    opened.element.tabIndex = -1
    setStyles(opened.element, hidden)
    document.body.append(opened.element)
    return opened
  }

  return {
    async request(request) {
      const used = frame
      try {
        await used.ready
      } catch {
        // The next request tries anew.
        if (used === frame) {
          frame.close()
          frame = open()
        }
        return { error: connectionError(locale) }
      }
      return questions.ask((id) => used.post({ kind: 'request', id, key, locale, request }))
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
