import { Link } from '@tanstack/react-router'
import type { HTMLAttributes, MouseEvent, RefCallback } from 'react'

/** Something that can be done with a license: a place in the account page, one outside, or an act. */
export interface Action {
  key: string
  label: string
  search?: Readonly<Record<string, unknown>>
  href?: string
  opensNew?: boolean
  isDownload?: boolean
  onClick?(): void
  /** The reader is about to do it. */
  onPreload?(): void
}

type Props = HTMLAttributes<HTMLElement> & { action: Action; type?: string; ref?: RefCallback<HTMLElement> }

/** The element of an action: a link where it leads somewhere, so that it can be opened in a tab of its own. */
export function ActionRoot({ action, type: _ofButtons, ...props }: Props) {
  const { search, href, opensNew = false } = action
  if (href) return <a {...props} href={href} {...(opensNew && { target: '_blank', rel: 'noopener' })} />
  if (search) return <Link {...props} to="/account" search={search} />

  const press = (event: MouseEvent<HTMLElement>) => {
    props.onClick?.(event)
    action.onClick?.()
  }
  return <button {...props} type="button" onClick={press} />
}
