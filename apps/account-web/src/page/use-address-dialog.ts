import { type DialogMark, dialogMark } from '@atrium/ui/dialog-history.ts'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * A dialog that stands in the address, so that Back, reload and shared links find it.
 * @param closed the dialog's search parameters, all undefined
 * @param stays when a link of another tab has opened it, closing it does not lead back there
 */
export function useAddressDialog<Search extends object>(
  isOpen: boolean,
  closed: { [Name in keyof Search]: undefined },
  stays = false,
) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const left = useRef<object>(undefined)

  // An entry that was left can be reached again, by Forward.
  useEffect(() => {
    if (!isOpen) left.current = undefined
  }, [isOpen])

  useEffect(() => {
    const isOfLink = isOpen && !stays && dialogMark(history.location).dialogs === 0 && history.canGoBack()
    if (isOfLink) void navigate({ to: '.', search: true, state: inAddress(1), replace: true, resetScroll: false })
  }, [isOpen, stays, history, navigate])

  function open(shown: Search) {
    const { dialogs, isOwn } = dialogMark(history.location)
    // The second click of two: its entry is there.
    const isThere = dialogs > 0 && !isOwn
    const state = inAddress(isThere ? dialogs : dialogs + 1)
    void navigate({ to: '/account', search: { ...search, ...shown }, state, replace: isThere, resetScroll: false })
  }

  function replace(shown: Search | typeof closed) {
    void navigate({ to: '/account', search: { ...search, ...shown }, state: true, replace: true, resetScroll: false })
  }

  /**
   * Goes back to where it was opened; a shared link has no previous page: there the dialog's frame has added an entry, and calls this
   * again once that one is left.
   */
  function close() {
    const { state } = history.location
    // Going back takes a moment; a second click meanwhile would go back further.
    if (left.current === state) return
    left.current = state
    if (dialogMark(history.location).dialogs > 0) history.back({ ignoreBlocker: true })
    else replace(closed)
  }

  return {
    open,
    /** Another dialog in the place of this one. */
    replace,
    close,
  }
}

function inAddress(dialogs: number): object {
  return { dialogs, isOwn: false } satisfies DialogMark
}
