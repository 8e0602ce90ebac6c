import type { Stage } from '../stage.ts'
import type { Findings } from './findings.ts'
import type { Subscriber } from './subscriber.ts'

/** One activity row for each change, one license for each subscription, and no email twice. @returns how many emails there are */
export async function auditTold(
  { query }: Stage,
  subscribers: readonly Subscriber[],
  { lost, doubled }: Findings,
): Promise<number> {
  // A subscription may go the same way twice, such as each month to its payment and back; but not twice without the way back.
  const repeated = await query<{ action: string; target: string; details: string }>(
    `select action, target, details::text from (
       select id, action, target, details, lag(details) over (partition by action, target order by id) as before
       from account.activity where action ~ '^(order|subscription|invoice)[.]') a
     where details = before`,
    [],
  )
  doubled.push(...repeated.rows.map(({ action, target, details }) => `${action} of ${target} twice: ${details}`))

  const unrecorded = await query<{ what: string }>(
    `select o.order_number || ': ' || action as what
     from account.orders o cross join (values ('order.changed'), ('invoice.stored')) as wanted (action)
     where o.status = 'CO' and not exists (
       select from account.activity a where a.target = o.order_number and a.action = wanted.action
         and (a.action <> 'order.changed' or a.details #>> '{after,status}' = 'CO'))`,
    [],
  )
  lost.push(...unrecorded.rows.map(({ what }) => `${what} is not recorded`))

  const licenses = await query<{ id: string; count: number }>(
    `select s.id, count(l.id)::int as count from account.subscriptions s
     left join account.licenses l on l.subscription_id = s.id
     where s.provider_id is not null group by s.id having count(l.id) <> 1`,
    [],
  )
  for (const { id, count } of licenses.rows) (count === 0 ? lost : doubled).push(`${id} has ${count} licenses`)

  const failed = await query<{ name: string; output: string }>(
    "select name, output::text from account_jobs.job where state = 'failed' and name <> 'payments.missed-events'",
    [],
  )
  lost.push(...failed.rows.map(({ name, output }) => `a job of ${name} failed for good: ${output}`))

  // An end, or the renewal of a year, is told 30 and 7 days ahead, in the same words.
  const emails = await query<{ recipient: string; subject: string; count: number }>(
    `select recipient, subject, count(*)::int from sandbox.messages
     group by recipient, subject, text having count(*) > case when subject ~ '^Your subscription .* (ends|renews) on' then 2 else 1 end`,
    [],
  )
  doubled.push(...emails.rows.map(({ recipient, subject, count }) => `${count} emails to ${recipient}: ${subject}`))
  await auditRenewalEmails({ query }, subscribers, { lost, doubled })
  return (await query<{ count: number }>('select count(*)::int from sandbox.messages', [])).rows[0]?.count ?? 0
}

/**
 * Who only renewed was told of each renewal; nobody was told of more than there were. Of two that were first seen together, since the
 * events of a month were lost, only the last is told.
 */
async function auditRenewalEmails(
  { query }: Pick<Stage, 'query'>,
  subscribers: readonly Subscriber[],
  { lost, doubled }: Findings,
): Promise<void> {
  const { rows } = await query<{ id: string; renewals: number; seen: number; emails: number }>(
    `select s.id,
            (select count(*)::int from account.activity a where a.target = s.id and a.action = 'subscription.changed'
               and a.details -> 'after' ? 'periodStart') as seen,
            (select count(*)::int from sandbox.messages x where x.recipient = m.email and x.subject like '%has been renewed%') as emails,
            (select count(*)::int from sandbox.card_objects i where i.subscription = s.id and i.kind = 'invoice'
               and i.status = 'paid' and i.kept #>> '{object,billing_reason}' = 'subscription_cycle')
            + (select greatest(count(*)::int - 1, 0) from sandbox.paypal_objects p where p.kind = 'sale' and p.parent = s.id) as renewals
     from account.subscriptions s join account.members m on m.id = s.member_id`,
    [],
  )
  const byId = new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]))
  for (const { id, renewals, seen, emails } of rows) {
    const { fate, kind = '' } = byId.get(id) ?? {}
    const isPlain = fate === 'none' && !kind.startsWith('trial')
    const text = `${id} (${kind}, ${fate}): ${emails} emails about ${renewals} renewals`
    if (emails > renewals) doubled.push(text)
    else if (isPlain && emails < Math.min(renewals, seen)) lost.push(text)
  }
}
