import type { Stage } from '../stage.ts'
import type { Findings } from './findings.ts'
import type { Sums } from './money.ts'
import type { Played } from './play.ts'

export interface Told extends Sums {
  emails: number
}

interface Result {
  played: Played
  told: Told
  findings: Findings
  seconds: number
}

/** Prints what happened, and what is wrong. */
export async function sayResult(stage: Stage, { played, told, findings, seconds }: Result): Promise<void> {
  const { subscribers, fates, troubles, compared } = played
  const rows: readonly (readonly [string, string | number])[] = [
    ...countsOf(subscribers.map(({ kind }) => kind)),
    ...[...fates].map(([fate, count]) => [`customers: ${fate}`, count] as const),
    ...(await webhookCounts(stage)),
    ...troubles,
    ['invoices and payments at the providers', told.bills],
    ['of these paid / charges / completed orders', `${told.paid} / ${told.charges} / ${told.completed}`],
    ...[...told.charged].map(([currency, sum]) => {
      const figures = [sum, told.invoiced.get(currency) ?? 0, told.shown.get(currency) ?? 0]
      return [`charged / invoiced / shown, ${currency}, minor units`, figures.join(' / ')] as const
    }),
    ['emails', told.emails],
    ['lists compared on the way', compared],
    ['seconds', Math.round(seconds)],
  ]
  for (const [name, figure] of rows) say(`${name.padEnd(56)}${String(figure).padStart(34)}`)
  for (const text of [...findings.lost, ...findings.doubled].slice(0, 40)) say(`✗ ${text}`)
  say(`${findings.lost.length} lost, ${findings.doubled.length} doubled`)
}

function countsOf(names: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort()
}

/** Webhooks by how they were delivered. */
async function webhookCounts({ query }: Stage): Promise<(readonly [string, number])[]> {
  const { rows } = await query<{ events: number; lost: number; repeated: number; refused: number }>(
    `select count(distinct event_id)::int as events, (count(*) filter (where outcome = 'dropped'))::int as lost,
            (count(*) - count(distinct event_id))::int as repeated, (count(*) filter (where attempts > 1))::int as refused
     from (select event_id, outcome, attempts from sandbox.card_deliveries
           union all select event_id, outcome, attempts from sandbox.paypal_deliveries) d`,
    [],
  )
  const [row] = rows
  return row
    ? [
        ['events of the providers', row.events],
        ['webhooks lost', row.lost],
        ['webhooks repeated', row.repeated],
        ['webhooks delivered at a later try', row.refused],
      ]
    : []
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
