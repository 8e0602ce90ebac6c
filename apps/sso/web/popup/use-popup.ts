import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useEffect, useState } from 'react'
import { usePageData } from '../page/page-data.ts'
import { type Opener, openerOf, type PopupMessage } from './opener.ts'

export interface OpenPopup {
  popupId: string
  email: string
  hasPassword: boolean
}

export type PopupState =
  | { step: 'connecting' }
  | { step: 'no-opener' }
  | { step: 'failed'; problem: unknown }
  | { step: 'open'; popup: OpenPopup; opener: Opener }

/** Failures that a popup cannot recover from. */
const finalCodes = ['token_refused', 'popup_expired', 'has_password']

function isFinal(problem: unknown): boolean {
  return problem instanceof CallProblem && finalCodes.includes(problem.code)
}

/** Reports a failure that cannot be recovered from to the account page, which closes the popup. */
export async function orTellOpener<Result>(opener: Opener, message: PopupMessage, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (failure) {
    if (isFinal(failure)) opener.tell(message)
    throw failure
  }
}

type Exchange = (accessToken: string) => Promise<OpenPopup>

/**
 * Asks the opener who the visitor is, and exchanges its token for a popup of ten minutes.
 * @param exchange the same function in every render
 * @param onFinal the message for a failure that cannot be recovered from
 */
export function usePopup(exchange: Exchange, onFinal: PopupMessage): PopupState {
  const { accountUrl } = usePageData()
  const [state, setState] = useState<PopupState>({ step: 'connecting' })

  useEffect(() => {
    let isCurrent = true
    connect(new URL(accountUrl).origin, { exchange, onFinal }).then((next) => {
      if (isCurrent) setState(next)
    })
    return () => {
      isCurrent = false
    }
  }, [accountUrl, exchange, onFinal])

  return state
}

interface Connection {
  exchange: Exchange
  onFinal: PopupMessage
}

async function connect(origin: string, { exchange, onFinal }: Connection): Promise<PopupState> {
  const opener = openerOf(window, origin)
  const accessToken = await opener?.askUserInfo()
  if (!opener || !accessToken) return { step: 'no-opener' }
  try {
    const popup = await orTellOpener(opener, onFinal, () => exchange(accessToken))
    return { step: 'open', popup, opener }
  } catch (problem) {
    return { step: 'failed', problem }
  }
}
