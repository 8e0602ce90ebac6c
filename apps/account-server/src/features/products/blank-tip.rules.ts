import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { listMyProducts } from '@atrium/contract/products.ts'
import { hasTeam, managesTeam } from '../subscriptions/seats.rules.ts'
import { isOver } from './next-step.rules.ts'
import type { ItemView } from './product-item.rules.ts'
import type { ProductRow } from './products.queries.ts'

type Blank = Pick<
  EndpointAnswer<typeof listMyProducts>,
  'blankTip' | 'blankButton' | 'blankUrl' | 'teamUrl' | 'ownerEmail'
>

export const notBlank: Blank = { blankTip: '', blankButton: '', blankUrl: '', teamUrl: '', ownerEmail: '' }

/**
 * Why a member has no products (001 §8), and the way on: who manages a team goes to its admin console or its users, a colleague asks for a
 * license, and who is in no team buys.
 * @param rows seats without a license
 */
export function blankTipOf(rows: readonly ProductRow[], { now, maySell, addresses }: ItemView): Blank {
  const teams = rows.filter((row) => !row.isProduct && !isOver(row, now))
  const managed = teams.filter(({ role }) => managesTeam(role))
  const consoles = managed.map(({ consoleUrl, product }) =>
    addresses.console({ consoleUrl, hasConsole: product.flags.includes('adminConsole') }),
  )
  const [first] = managed.length > 0 ? managed : teams
  const ownerEmail = first?.ownerEmail ?? ''
  const reachable = consoles.find((url) => url !== '')
  const team = managed.find(({ product, userCount }) => hasTeam({ ...product, userCount }))
  const teamUrl = team ? addresses.team(team.id) : ''
  if (reachable !== undefined) {
    return { ...notBlank, blankTip: 'log_in_admin', blankButton: 'admin_console', blankUrl: reachable, teamUrl }
  }
  if (managed.length > 0) return { ...notBlank, blankTip: 'log_in_admin_no_button', teamUrl, ownerEmail }
  if (teams.length > 0) return { ...notBlank, blankTip: 'contact_administrator', ownerEmail }
  const shop = maySell ? ({ blankButton: 'shop', blankUrl: addresses.shop() } as const) : undefined
  return { ...notBlank, blankTip: 'personal_tip', ...shop }
}
