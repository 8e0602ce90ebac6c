import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { type Person, type Stage, waitUntil } from '../stage.ts'
import { limitSeconds } from '../verdict.ts'
import type { Findings } from './findings.ts'
import type { Subscriber } from './subscriber.ts'

/** What a provider asked for: an invoice of the card provider, or a payment at PayPal. */
interface Bill {
  id: string
  status: string
  attempted: boolean
  total: number
  currency: string
}

interface Order {
  orderNumber: string
  memberId: string
  providerId: string
  invoiceNumber: string
  status: string
  amount: number
  currency: string
  files: number
}

export interface Sums {
  bills: number
  paid: number
  completed: number
  charges: number
  /** By currency, in minor units. */
  charged: Map<string, number>
  invoiced: Map<string, number>
  shown: Map<string, number>
}

/** Charged = invoiced = shown; one order a bill, one invoice number and one document a completed order. */
export async function auditMoney(
  stage: Stage,
  subscribers: readonly Subscriber[],
  { lost, doubled }: Findings,
): Promise<Sums> {
  const bills = await billsOf(stage)
  const orders = await ordersOf(stage)
  const byBill = new Map(orders.map((order) => [order.providerId, order]))
  for (const bill of bills) lost.push(...wrongOrder(bill, byBill.get(bill.id)))
  const known = new Set(bills.map(({ id }) => id))
  doubled.push(
    ...orders
      .filter(({ providerId }) => !known.has(providerId))
      .map((one) => `${one.orderNumber}: no provider asked for it`),
  )
  lost.push(...gaps(orders))

  const completed = orders.filter(({ status }) => status === 'CO')
  const charges = await chargesOf(stage)
  const shown = (await Promise.all(subscribers.map(({ person }) => shownOrders(stage, person)))).flat()
  const sums = {
    bills: bills.length,
    paid: bills.filter(({ status }) => status === 'paid').length,
    completed: completed.length,
    charges: charges.length,
    charged: sumsOf(charges),
    invoiced: sumsOf(completed),
    shown: sumsOf(shown.filter(({ status }) => status === 'CO')),
  }
  if (charges.length > completed.length) doubled.push(`${charges.length} charges, ${completed.length} completed orders`)
  for (const currency of sums.charged.keys()) {
    const [charged, invoiced, seen] = [sums.charged, sums.invoiced, sums.shown].map((sum) => sum.get(currency) ?? 0)
    if (charged !== invoiced || invoiced !== seen)
      lost.push(`${currency}: ${charged} charged, ${invoiced} invoiced, ${seen} shown`)
  }
  return sums
}

async function billsOf({ query }: Stage): Promise<Bill[]> {
  const { rows } = await query<Bill>(
    `select id, o ->> 'status' as status, (o ->> 'attempted')::bool as attempted, (o ->> 'total')::int as total,
            upper(o ->> 'currency') as currency
     from (select id, kept -> 'object' as o from sandbox.card_objects where kind = 'invoice') invoices
     where o ->> 'status' <> 'draft' and (o ->> 'total')::int > 0
     union all
     select id, 'paid', true, (stored #>> '{object,total,amount}')::int, stored #>> '{object,total,currency}'
     from sandbox.paypal_objects where kind = 'sale'`,
    [],
  )
  return rows
}

async function ordersOf({ query }: Stage): Promise<Order[]> {
  const { rows } = await query<Order>(
    `select order_number as "orderNumber", member_id as "memberId", provider_id as "providerId",
            invoice_number as "invoiceNumber", status, amount::int, currency,
            (select count(*)::int from account.invoice_files f where f.order_number = o.order_number and kind = 'invoice') as files
     from account.orders o`,
    [],
  )
  return rows
}

/** What was really taken from somebody. */
async function chargesOf({ query }: Stage): Promise<Money[]> {
  const { rows } = await query<Money>(
    `select (o ->> 'amount')::int as amount, upper(o ->> 'currency') as currency
     from (select kept -> 'object' as o from sandbox.card_objects where kind = 'charge') charges
     where o ->> 'status' = 'succeeded'
     union all
     select (stored #>> '{object,total,amount}')::int, stored #>> '{object,total,currency}'
     from sandbox.paypal_objects where kind = 'sale'`,
    [],
  )
  return rows
}

function wrongOrder(bill: Bill, order: Order | undefined): string[] {
  if (!order) return [`${bill.id}: no order`]
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['status', order.status, orderStatus(bill)],
    ['amount', order.amount, bill.total],
    ['currency', order.currency, bill.currency],
    ['invoice number', order.invoiceNumber !== '', bill.status === 'paid'],
    ['documents', order.files, bill.status === 'paid' ? 1 : 0],
  ]
  return facts.flatMap(([name, is, should]) =>
    is === should ? [] : [`${order.orderNumber} of ${bill.id}: ${name} is ${String(is)}, not ${String(should)}`],
  )
}

function orderStatus({ status, attempted }: Bill): string {
  if (status === 'paid') return 'CO'
  if (status === 'void') return 'CL'
  return status === 'open' && !attempted ? 'OP' : 'PD'
}

function gaps(orders: readonly Order[]): string[] {
  const numbers = orders.flatMap(({ invoiceNumber }) => (invoiceNumber === '' ? [] : [Number(invoiceNumber.slice(4))]))
  const isWhole =
    new Set(numbers).size === numbers.length && Math.max(...numbers) - Math.min(...numbers) === numbers.length - 1
  return isWhole ? [] : ['the invoice numbers have gaps']
}

interface Money {
  amount: number
  currency: string
}

async function shownOrders(stage: Stage, person: Person): Promise<(Money & { status: string })[]> {
  let reply: unknown
  // All customers ask at once: an overloaded server says so, and is asked again.
  const isAnswered = async () => {
    const { status, body } = await stage.send(person, { method: 'GET', path: '/account/online-orders/?pageSize=100' })
    reply = body
    return status === 200
  }
  await waitUntil('My Orders answers', isAnswered, limitSeconds)
  const { list } = listOnlineOrders.reply.parse(reply)
  return list.map(({ orderAmount, orderCurrency: currency, orderStatus: status }) => ({
    // No price is hidden here.
    amount: orderAmount ?? Number.NaN,
    currency,
    status,
  }))
}

function sumsOf(all: readonly Money[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return sums
}
