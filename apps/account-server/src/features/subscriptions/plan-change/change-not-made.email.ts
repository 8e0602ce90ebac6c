import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import { framedEmail } from '../../mail/framed-email.ts'
import { sendEmail } from '../../mail/mail.writes.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { emailFormats } from '../email-formats.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { openChangeOf, productBefore } from './open-change.queries.ts'

type Needs = Pick<Deps, 'config' | 'jobs'>

/** Tells the Owner that a change which waited for them is not made, in the transaction that ends it. */
export async function emailChangeNotMade(
  deps: Needs,
  tx: Tx,
  /** As it was while it waited. */
  waiting: Omit<OperationRow, 'input'> & { input: unknown },
): Promise<void> {
  const change = await openChangeOf(tx, waiting)
  if (!change) return
  const { subject: sid, memberId } = waiting
  await emailNotMade(deps, tx, { sid, memberId, change, product: await productBefore(tx, waiting.input) })
}

interface NotMade {
  sid: string
  /** Who asked for it. */
  memberId: string
  change: OpenChange
  /** Which it was to change: the vendor may have put another one in its place since. */
  product: string
}

/** The same of a change that is none of ours. */
export async function emailNotMade(deps: Needs, tx: Tx, { sid, memberId, change, product }: NotMade): Promise<void> {
  const [found] = await tx
    .select({ member: members, status: subscriptions.status })
    .from(subscriptions)
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .where(eq(subscriptions.id, sid))
  // Whoever it was transferred to did not ask for it.
  if (!found || found.member.id !== memberId) return
  const { member, status } = found
  const { locale, money } = emailFormats(member.locale)
  const t = serverTexts(locale.folder, 'account-mail')
  const pageText = serverTexts(locale.folder, 'subscriptions')
  const { chargeAmount, currency } = change
  const name = pageText(`openChange.${nameOf(change)}`, { count: change.increasedNumber, product: change.appName })
  const email = framedEmail(deps.config, member, {
    subject: t('subscription.changeNotMade.subject', { product }),
    paragraphs: [
      t('subscription.changeNotMade.body', { product }),
      chargeAmount === undefined || currency === undefined
        ? pageText('openChange.unpriced', { change: name })
        : pageText('openChange.named', { change: name, amount: money(chargeAmount, currency) }),
      // Nothing is left to change.
      ...(status === 'canceled' ? [] : [t('subscription.changeNotMade.note')]),
    ],
    button: { label: t('subscription.open'), tab: 'my-subscriptions' },
  })
  await sendEmail(deps, tx, email)
}

const names = {
  'buy-more': 'seats',
  'buy-connector': 'connectors',
  'switch-to-business-billing': 'upgrade',
  'switch-to-annual-billing': 'annual',
  'techsoup-renew': 'renew',
  other: 'other',
} as const satisfies Record<OpenChange['type'], string>

function nameOf({ type, isStorage }: OpenChange): string {
  return isStorage === 1 ? 'storage' : names[type]
}
