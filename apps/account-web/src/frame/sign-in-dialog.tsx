import { LoginPopupMessage, loginChannel, loginPopupPaths } from '@atrium/contract/popups.ts'
import { readSession } from '@atrium/contract/session.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callOnce } from '../api/call.ts'
import { listenToPopup, openPopup } from '../api/popup.ts'
import { refetchFailed } from '../api/query-client.ts'
import { resumeCalls, type SignInReason } from '../api/signed-out.ts'
import { usePage } from '../page/page-data.ts'

type Progress = 'asking' | 'waiting' | 'blocked'

/** Milliseconds for reading why the page is about to be another one. */
const readingMs = 5000

const ways = {
  signed_out: { title: 'signedOut.title', why: 'signedOut.why', path: loginPopupPaths.signedOut },
  fresh_sign_in_required: { title: 'freshSignIn.title', why: 'freshSignIn.why', path: loginPopupPaths.fresh },
} as const

interface Props {
  reason: SignInReason
  onClose(): void
}

/** Asks a person to sign in again, in a popup. */
export function SignInDialog({ reason, onClose }: Props) {
  const { t } = useTranslation('frame')
  const [progress, setProgress] = useState<Progress>('asking')
  const { problem, isReplaced, checkSession } = useSessionCheck(reason)
  const stopListening = useRef<(() => void) | undefined>(undefined)
  const { title, why, path } = ways[reason]

  useEffect(() => () => stopListening.current?.(), [])
  useLoginChannel(checkSession)

  function signIn() {
    stopListening.current?.()
    const popup = openPopup(path, 'atrium-sign-in')
    if (!popup) return setProgress('blocked')
    setProgress('waiting')
    stopListening.current = listenToPopup({
      popup,
      origin: location.origin,
      schema: LoginPopupMessage,
      onMessage: () => {
        popup.close()
        checkSession()
      },
      onClosed: () => setProgress('asking'),
    })
  }

  return (
    <DialogFrame title={t(title)} onClose={isReplaced ? reload : onClose} isAbove>
      {problem !== undefined && <InlineFailure problem={problem} />}
      {!isReplaced && <p>{t(why)}</p>}
      <p role="status">{isReplaced ? t('signedOut.replaced') : progress !== 'asking' && t(`signedOut.${progress}`)}</p>
      <DialogActions>
        <Button onClick={isReplaced ? reload : signIn} data-autofocus>
          {t(isReplaced ? 'signedOut.reload' : 'signedOut.signIn')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}

function reload() {
  location.reload()
}

/** Checks who is signed in now: the same person continues, another one reads that they get their own page. */
function useSessionCheck(reason: SignInReason) {
  const { member } = usePage()
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<unknown>()
  const [isReplaced, setReplaced] = useState(false)

  useEffect(() => {
    if (!isReplaced) return
    const timer = setTimeout(reload, readingMs)
    return () => clearTimeout(timer)
  }, [isReplaced])

  const checkSession = useCallback(async () => {
    try {
      const { id, isFresh } = await callOnce(readSession, {}, { isForAnyMember: true })
      setProblem(undefined)
      if (id !== member.id) return setReplaced(true)
      // Signed in elsewhere, by what was there already.
      if (reason === 'fresh_sign_in_required' && !isFresh) return
      resumeCalls()
      void refetchFailed(queryClient)
    } catch (failure) {
      const isStillOut = failure instanceof CallProblem && failure.code === 'signed_out'
      setProblem(isStillOut ? undefined : failure)
    }
  }, [member.id, queryClient, reason])

  return { problem, isReplaced, checkSession }
}

/** In case a provider severs the popup from its opener, or the person signs in in another tab. */
function useLoginChannel(onSignedIn: () => void) {
  useEffect(() => {
    const channel = new BroadcastChannel(loginChannel)
    channel.onmessage = ({ data }) => {
      if (LoginPopupMessage.safeParse(data).success) onSignedIn()
    }
    return () => channel.close()
  }, [onSignedIn])
}
