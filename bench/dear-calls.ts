import { setTimeout as pause } from 'node:timers/promises'
import { folioRecords } from '../demo/folio.ts'
import { bought } from '../faults/change-scenes.ts'
import { openStage, type Person, type Stage } from '../faults/stage.ts'
import { importRecords, sellCatalog } from '../faults/stage-catalog.ts'

/** What one member sends in a second. */
const perSecond = 20
const seconds = 20

/** So much longer may another member's profile take meanwhile, at the median. */
export const dearCallsLimit = 2

interface Dear {
  name: string
  /** Sent in turn. */
  send(place: number): Promise<unknown>
}

export interface DearCalls {
  name: string
  /** Milliseconds of another member's profile: the median, and what one request in a hundred takes longer than. */
  alone: [p50: number, p99: number]
  beside: [p50: number, p99: number]
}

/** The profile of one member, alone and while another one sends as many of the dearest calls as a program can. */
export async function dearCalls(): Promise<DearCalls[]> {
  const stage = await openStage({ LOG_LEVEL: 'warn' }, { isDirect: true })
  try {
    await sellCatalog({ ...stage.env, PAYPAL: 'none' })
    await importRecords(stage.env, [...folioRecords(new Date())])
    const other = await stage.person()
    const figures: DearCalls[] = []
    for (const dear of await dearest(stage)) {
      // Only warms up: fonts, prepared statements.
      await dear.send(0)
      await timesOf(stage, other, 2)
      const alone = percentiles(await timesOf(stage, other, seconds / 2))
      const sending = sendAtRate(dear)
      const beside = percentiles(await timesOf(stage, other, seconds))
      await sending
      figures.push({ name: dear.name, alone, beside })
    }
    return figures
  } finally {
    await stage.close()
  }
}

async function dearest(stage: Stage): Promise<Dear[]> {
  const bulk = await signedIn(stage, 'bulk@folio.test')
  const { person: buyer, sid } = await bought(stage)
  const { rows: orders } = await stage.query<{ orderNum: string; invoiceNum: string }>(
    `select order_number as "orderNum", invoice_number as "invoiceNum" from account.orders
     where member_id = $1 and status = 'CO' and invoice_url = '' limit 1000`,
    [bulk.id],
  )
  const preview = { sid, type: 'buy-more', increasingNumber: 1 }
  return [
    { name: 'search', send: () => stage.send(bulk, get('search/?keyWord=editor')) },
    { name: 'export of orders', send: () => stage.send(bulk, get('online-orders/export/')) },
    { name: 'invoices', send: (place) => stage.send(bulk, post('invoices/download/', orders[place] ?? {})) },
    { name: 'preview of a change', send: () => stage.send(buyer, post('change-plan-from/', preview)) },
  ]
}

const get = (path: string) => ({ method: 'GET', path: `/account/${path}` }) as const
const post = (path: string, body: object) => ({ method: 'POST', path: `/account/${path}`, body }) as const

/** A customer of the demo's. */
async function signedIn(stage: Stage, email: string): Promise<Person> {
  const { rows } = await stage.query<{ id: string }>('select id from account.members where email = $1', [email])
  if (!rows[0]) throw new Error(`${email} is not there`)
  return stage.signIn({ id: rows[0].id, email })
}

async function sendAtRate({ send }: Dear): Promise<void> {
  const sent: Promise<unknown>[] = []
  for (let place = 1; place <= perSecond * seconds; place += 1) {
    sent.push(send(place))
    await pause(1000 / perSecond)
  }
  await Promise.all(sent)
}

/** Milliseconds of each request, of which one is sent after the other. */
async function timesOf(stage: Stage, person: Person, forSeconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + forSeconds * 1000
  while (performance.now() < end) {
    const startedAt = performance.now()
    const { status } = await stage.send(person, get('profile/'))
    if (status !== 200) throw new Error(`the profile answered ${status}`)
    times.push(performance.now() - startedAt)
    await pause(10)
  }
  return times
}

function percentiles(times: number[]): [number, number] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
  return [at(0.5), at(0.99)]
}
