import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * A dialog that stands in the address, so that Back, reload and shared links find it.
 * @param closed the dialog's search parameters, all undefined
 */
export function useAddressDialog<Search extends object>(
  isOpen: boolean,
  closed: { [Name in keyof Search]: undefined },
) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const isLeaving = useRef(false)

  // Going back takes a moment; a second click meanwhile would go back further.
  useEffect(() => {
    isLeaving.current = !isOpen
  }, [isOpen])

  function show(shown: Search | typeof closed, replace: boolean) {
    void navigate({ to: '/account', search: { ...search, ...shown }, replace, resetScroll: false })
  }

  /** Goes back to where it was opened; a shared link has no previous page. */
  function close() {
    if (isLeaving.current) return
    isLeaving.current = true
    if (history.canGoBack()) history.back()
    else show(closed, true)
  }

  return {
    open: (shown: Search) => show(shown, false),
    /** Another dialog in the place of this one. */
    replace: (shown: Search) => show(shown, true),
    close,
  }
}
