import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { countryList } from '../apps/account-server/src/features/profile/countries.ts'
import { internationalPhone } from '../apps/account-server/src/features/profile/profile.rules.ts'

/**
 * What the same answers cost without us: a bare Fastify with the same statements, prepared by name, on the same pool,
 * and the same bytes. No parsing in or out, no headers, no limits, no problems.
 */
export function bareRoutes(pool: pg.Pool): FastifyInstance {
  const app = Fastify()

  app.get('/account/profile/', async (request, reply) => {
    const session = await sessionOf(pool, request.headers.cookie ?? '')
    const { rows } = await pool.query({
      name: 'bare_member',
      text: 'select id, email, email_verified, first_name, last_name, phone, company, country_code, support_access_until, created_at from account.members where id = $1',
      values: [session.member_id],
    })
    const [row] = rows
    reply.header('content-type', 'application/json; charset=utf-8')
    return JSON.stringify({
      member: {
        memEmail: row.email,
        memFirstName: row.first_name,
        memLastName: row.last_name,
        memPhone: row.phone,
        memPhoneInternational: internationalPhone(row.phone, row.country_code),
        memCompany: row.company,
        memCountryCode: row.country_code,
        grantLoginExpireTime: 0,
      },
      countryList: countryList('en-us'),
    })
  })

  app.get('/account/offline-orders/', async (request, reply) => {
    const session = await sessionOf(pool, request.headers.cookie ?? '')
    const [page, counted] = await Promise.all([
      pool.query({
        name: 'bare_orders',
        text: 'select order_number, member_id, lines, amount, currency, date from account.offline_orders where member_id = $1 order by date desc, order_number desc limit $2 offset $3',
        values: [session.member_id, 10, 0],
      }),
      pool.query({
        name: 'bare_orders_count',
        text: 'select count(*) from account.offline_orders where member_id = $1',
        values: [session.member_id],
      }),
    ])
    reply.header('content-type', 'application/json; charset=utf-8')
    return JSON.stringify({
      list: page.rows.map((row) => ({
        nsOrderNumber: row.order_number,
        orderDescription: row.lines,
        orderAmount: Number(row.amount),
        orderCurrency: row.currency,
        orderDate: new Date(row.date).toISOString(),
      })),
      total: Number(counted.rows[0].count),
    })
  })

  return app
}

async function sessionOf(pool: pg.Pool, cookie: string) {
  const token = /atrium_session=([\w-]+)/.exec(cookie)?.[1] ?? ''
  const now = Date.now()
  const { rows } = await pool.query({
    name: 'bare_session',
    text: 'select s.id, s.seen_at, s.subject, m.id as member_id, m.email, m.first_name, m.last_name from account.sessions s inner join account.members m on m.id = s.member_id where s.token_hash = $1 and s.seen_at > $2 and s.created_at > $3',
    values: [createHash('sha256').update(token).digest('hex'), new Date(now - 1_800_000), new Date(now - 43_200_000)],
  })
  return rows[0]
}
