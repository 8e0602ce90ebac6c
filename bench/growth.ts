import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { largeTeam } from './large-team.ts'
import { grownTables, growOthers } from './others.ts'
import type { ourServer } from './our-server.ts'
import { median } from './ratio.ts'
import { statementsOf, watch } from './recording.ts'

type Server = Awaited<ReturnType<typeof ourServer>>

interface Growth {
  /** Two servers, each on its own database with the demo vendor; the database of `many` grows. */
  few: Server
  many: Server
  say(line: string): void
  verdict(holds: boolean, sentence: string): void
}

/** Measures the same pages with and without millions of rows of other customers, alternately, and prints their plans. */
export async function growth({ few, many, say, verdict }: Growth): Promise<void> {
  watch(many.db.$client)
  await growOthers(many.databaseUrl, say)

  for (const who of ['bulk', 'ada']) {
    const [cookie, cookieOfMany] = [await few.signIn(who), await many.signIn(who)]
    for (const path of pagesOf(who)) {
      const url = await addressOf(many, path)
      const factor = await timesAsLong(
        page(few.app, await addressOf(few, path), cookie),
        page(many.app, url, cookieOfMany),
      )
      verdict(factor <= 1.3, `${who} ${path} with 100 times the rows: ${factor.toFixed(2)} times as long (limit 1.3)`)
      await reportPlans(url, cookieOfMany)
    }
  }

  async function reportPlans(url: string, cookie: string): Promise<void> {
    const [statements] = await statementsOf(many.app, url, cookie)
    for (const { query, values } of statements) {
      const { scans, lines } = await plansOf(many.db.$client, query.text ?? '', values)
      const large = grownTables.filter((table) => scans.includes(table))
      say(lines.map((line) => `    ${line}`).join('\n'))
      verdict(
        large.length === 0,
        `  ${query.name ?? 'unnamed'}: ${large.join(', ') || 'no table'} read from end to end`,
      )
    }
  }
}

/** `{key}` stands for the key with the most devices. */
function pagesOf(who: string): readonly string[] {
  const lists = [
    '/account/licenses/',
    '/account/licenses/?status=valid',
    '/account/online-orders/',
    '/account/email-devices/',
    '/account/subscription/',
    '/account/my-products/',
    '/account/my-products/renewals/',
    '/account/roadmap/',
    '/account/activity/',
    '/account/activity/?who=member&area=devices',
    '/account/sessions/',
    '/account/subscription/?status=active&keywords=business',
  ]
  const ofBulk = ['/account/key-devices/?code={key}', `/account/subscriptions/${largeTeam}/users/`]
  return who === 'bulk' ? [...lists, ...ofBulk] : lists
}

async function addressOf({ db }: Server, path: string): Promise<string> {
  const { rows } = await db.$client.query("select id from account.license_keys where license_id = 'M-00001'")
  return path.replace('{key}', String(rows[0]?.id))
}

function page(app: FastifyInstance, url: string, cookie: string) {
  return async () => {
    const startedAt = performance.now()
    const { statusCode } = await app.inject({ url, headers: { cookie } })
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
    return performance.now() - startedAt
  }
}

/** Alternates single requests. @returns the median ratio of a hundred pairs, after twenty to warm up */
async function timesAsLong(few: () => Promise<number>, many: () => Promise<number>): Promise<number> {
  const factors: number[] = []
  for (let index = 0; index < 120; index += 1) {
    const base = await few()
    const factor = (await many()) / base
    if (index >= 20) factors.push(factor)
  }
  return median(factors)
}

/**
 * The custom and the generic plan of a prepared statement. @returns the sequential scans of both, and the lines of the
 * generic one, which PostgreSQL usually takes from the sixth execution on
 */
async function plansOf(pool: pg.Pool, text: string, values: readonly unknown[]) {
  const explain = 'explain (format json, costs off'
  const forThese = readingOf((await pool.query(`${explain}) ${text}`, [...values])).rows[0])
  const forAny = readingOf((await pool.query(`${explain}, generic_plan) ${text}`)).rows[0])
  return { scans: [...forThese.scans, ...forAny.scans], lines: forAny.lines }
}

/** The tables that a plan scans sequentially, and its lines. */
function readingOf(plan: unknown) {
  const scans: string[] = []
  const lines: string[] = []
  visit(plan, 0)
  return { scans, lines }

  function visit(node: unknown, depth: number): void {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, depth)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const facts = new Map(Object.entries(node))
    const type = facts.get('Node Type')
    if (type !== undefined) {
      const on = facts.get('Index Name') ?? facts.get('Relation Name') ?? facts.get('CTE Name') ?? ''
      lines.push(`${'  '.repeat(depth)}${type} ${on}`.trimEnd())
      if (type === 'Seq Scan') scans.push(String(facts.get('Relation Name')))
    }
    for (const part of ['QUERY PLAN', 'Plan', 'Plans']) visit(facts.get(part), depth + 1)
  }
}
