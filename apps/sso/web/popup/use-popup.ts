import type { PopupTask } from '@atrium/contract/popups.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useEffect, useState } from 'react'
import type { openPopup, PopupPurpose } from '../../src/popup-wire.ts'
import { post } from '../api/post.ts'
import { usePageData } from '../page/page-data.ts'
import { type Opener, openerOf } from './opener.ts'

type Opened = Awaited<ReturnType<typeof post<typeof openPopup>>>

/** A popup whose owner the account page has named. */
export interface OpenPopup extends Opened {
  opener: Opener
}

export type PopupState =
  | { step: 'connecting' }
  | { step: 'no-opener' }
  | { step: 'failed'; problem: unknown }
  | { step: 'open'; popup: OpenPopup }

const purposeOf: Readonly<Record<PopupTask, PopupPurpose>> = {
  resetPassword: 'password-reset',
  linkAccount: 'account-link',
  unlinkAccount: 'account-link',
}

/** Failures that a popup cannot recover from. */
const finalCodes = ['token_refused', 'popup_expired', 'has_password']

function isFinal(problem: unknown): boolean {
  return problem instanceof CallProblem && finalCodes.includes(problem.code)
}

/** Reports a failure that cannot be recovered from to the account page, which closes the popup. */
export async function orReportError<Result>(opener: Opener, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    if (isFinal(failure)) opener.report('Error')
    throw failure
  }
}

/** Asks the opener who the visitor is, and exchanges its token for a popup of ten minutes. */
export function usePopup(task: PopupTask): PopupState {
  const { accountUrl } = usePageData()
  const [state, setState] = useState<PopupState>({ step: 'connecting' })

  useEffect(() => {
    let isCurrent = true
    connect(task, new URL(accountUrl).origin).then((next) => {
      if (isCurrent) setState(next)
    })
    return () => {
      isCurrent = false
    }
  }, [accountUrl, task])

  return state
}

async function connect(task: PopupTask, origin: string): Promise<PopupState> {
  const opener = openerOf(window, { task, origin })
  const accessToken = await opener?.askUserInfo()
  if (!opener || !accessToken) return { step: 'no-opener' }
  try {
    const body = { accessToken, purpose: purposeOf[task] }
    const opened = await orReportError(opener, () => post<typeof openPopup>('/sso/popups/open/', body))
    return { step: 'open', popup: { ...opened, opener } }
  } catch (problem) {
    return { step: 'failed', problem }
  }
}
