import { DialogHistoryContext } from '@atrium/ui/dialog-history.ts'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'

/** Gives dialogs the page's history. */
export function DialogHistory({ children }: { children: ReactNode }) {
  const router = useRouter()
  const pages = useMemo(
    () => ({
      history: router.history,
      push: (state: object) => void router.navigate({ to: '.', search: true, hash: true, state, resetScroll: false }),
    }),
    [router],
  )
  return <DialogHistoryContext value={pages}>{children}</DialogHistoryContext>
}
