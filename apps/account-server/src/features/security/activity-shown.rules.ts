import {
  type ActivityAction,
  type ActivityArea,
  type ActivityEntry,
  activityActions,
  type SsoActivity,
} from '@atrium/contract/activity.ts'
import { epochSeconds } from '../../db/members.rules.ts'

/** The first words of the actions in each area of the filter. */
export const areaWords: Readonly<Record<ActivityArea, readonly string[]>> = {
  sign_in: ['session', 'credentials', 'account', 'password', 'identity'],
  profile: ['profile', 'address', 'support_access', 'support', 'cloud'],
  payments: ['card', 'customer', 'order', 'order_archive', 'invoice', 'quote'],
  subscriptions: ['subscription', 'subscriptions', 'transfer', 'renewal'],
  team: ['seat'],
  devices: ['device'],
}

/** Whether something that happened at the single sign-on is filtered for. */
export function isWanted(
  { action, who }: SsoActivity,
  wanted: { who?: ActivityEntry['who'] | undefined; area?: ActivityArea | undefined },
): boolean {
  const [word = ''] = action.split('.')
  return (wanted.who ?? who) === who && (wanted.area === undefined || areaWords[wanted.area].includes(word))
}

export interface ActivityRow {
  id: string
  at: Date
  who: ActivityEntry['who']
  action: string
  target: string
  details: unknown
  address: string | null
  colleague: string | null
  product: string | null
}

/** An entry as the customer reads it. */
export function shownEntry(row: ActivityRow): ActivityEntry {
  const { id, at, who, target, address, colleague, product } = row
  const details = fieldsOf(row.details)
  return {
    id,
    at: epochSeconds(at),
    who,
    name: colleague ?? (who === 'support' ? textOf(details.agent) : ''),
    action: shownAction(row.action, details),
    subject: product ?? subjectOf(row.action, { details, target }),
    // Where a colleague or an agent was is theirs.
    address: who === 'colleague' || who === 'support' ? null : address,
  }
}

type Fields = Readonly<Record<string, unknown>>

/** What a change of a subscription is called, by its most important field, and a document by its kind. */
function shownAction(stored: string, { before, after, kind }: Fields): ActivityAction {
  if (stored === 'invoice.stored' && kind === 'summary') return 'order.summary_stored'
  if (stored === 'subscription.changed') {
    const [was, is] = [fieldsOf(before), fieldsOf(after)]
    if (is.status === 'past_due') return 'subscription.payment_failed'
    if (is.status === 'canceled') return 'subscription.ended'
    if (is.autoRenew === false) return 'subscription.renewal_off'
    if (is.autoRenew === true) return 'subscription.renewal_on'
    const isSame = is.productCode === undefined && is.term === undefined
    if (isSame && textOf(is.periodEnd) > textOf(was.periodEnd)) return 'subscription.renewed'
  }
  // An action of a later version is a change of which this one knows no more.
  return activityActions.find((action) => action === stored) ?? 'subscription.changed'
}

/** Names that the details of an action have for what it was done to. */
const subjectFields = ['deviceName', 'pcName', 'hostName', 'subject', 'toEmail', 'email'] as const

/** Actions whose target is a number that the customer knows. */
const knownTargets = /^(order|invoice)\./

/** Actions that say which support session it was: its ticket and reason. */
const supportActions = /^support\./

function subjectOf(action: string, { details, target }: { details: Fields; target: string }): string {
  if (knownTargets.test(action)) return target
  if (supportActions.test(action)) return [details.ticket, details.reason].map(textOf).filter(Boolean).join(' · ')
  if (action === 'transfer.codes_refused') return timesOf(details.count)
  const field = subjectFields.find((name) => textOf(details[name]) !== '')
  return field ? textOf(details[field]) : ''
}

/** How often it happened, if more than once. */
function timesOf(count: unknown): string {
  return typeof count === 'number' && count > 1 ? `×${count}` : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
