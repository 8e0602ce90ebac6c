import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useEffect, useState } from 'react'
import type { openPopup } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import { usePageData } from '../page/page-data.ts'
import { type Opener, openerOf } from './opener.ts'

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

export function isFinal(problem: unknown): boolean {
  return problem instanceof CallProblem && finalCodes.includes(problem.code)
}

/** Asks the opener who the visitor is, and exchanges its token for a popup of ten minutes. */
export function usePopup(): PopupState {
  const { accountUrl } = usePageData()
  const [state, setState] = useState<PopupState>({ step: 'connecting' })

  useEffect(() => {
    let isCurrent = true
    connect(new URL(accountUrl).origin).then((next) => {
      if (isCurrent) setState(next)
    })
    return () => {
      isCurrent = false
    }
  }, [accountUrl])

  return state
}

async function connect(origin: string): Promise<PopupState> {
  const opener = openerOf(window, origin)
  const accessToken = await opener?.askUserInfo()
  if (!opener || !accessToken) return { step: 'no-opener' }
  try {
    const popup = await post<typeof openPopup>('/sso/reset-password/open/', { accessToken })
    return { step: 'open', popup, opener }
  } catch (problem) {
    if (isFinal(problem)) opener.tell('resetPasswordError')
    return { step: 'failed', problem }
  }
}
