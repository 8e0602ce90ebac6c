import { Link } from '@tanstack/react-router'
import type { HTMLAttributes, MouseEvent, RefCallback } from 'react'
import { AgentHint } from './agent-button.tsx'
import { usePage } from './page-data.ts'

/** What can be done with an object: a link within the account page, an outbound link, or a button. */
export interface Action {
  key: string
  label: string
  search?: Readonly<Record<string, unknown>>
  href?: string
  opensNew?: boolean
  isDownload?: boolean
  onPress?(): void
  /** On hover or focus, before the action. */
  onPreload?(): void
  /** Removes something. */
  isDestructive?: boolean
}

type Props = HTMLAttributes<HTMLElement> & { action: Action; type?: string; ref?: RefCallback<HTMLElement> }

/** The element of an action: a link if it has an address, so that it can be opened in a new tab. No support agent leaves the account. */
export function ActionRoot({ action, type: _ofButtons, ...props }: Props) {
  const { support } = usePage()
  const { search, href, opensNew = false, isDownload = false } = action
  if (support && href && !isDownload) return <AgentAction {...props} />
  if (href) return <a {...props} href={href} {...(opensNew && { target: '_blank', rel: 'noopener' })} />
  if (search) return <Link {...props} to="/account" search={search} />

  const press = (event: MouseEvent<HTMLElement>) => {
    props.onClick?.(event)
    action.onPress?.()
  }
  return <button {...props} type="button" onClick={press} />
}

/** Its menu stays open, so that the reason can be read. */
function AgentAction({ onClick: _leaves, ...props }: HTMLAttributes<HTMLElement> & Pick<Props, 'ref'>) {
  return (
    <AgentHint>
      <button {...props} type="button" data-disabled aria-disabled />
    </AgentHint>
  )
}
