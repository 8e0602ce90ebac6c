import { requestOrderArchive } from '@atrium/contract/order-files.ts'
import { makeOrderArchive } from '../apps/account-server/src/features/orders/order-archive.service.ts'
import type { ourServer } from './our-server.ts'

type Server = Pick<Awaited<ReturnType<typeof ourServer>>, 'deps' | 'url'>

/** The server's memory may grow by so much while it makes a ZIP, however many documents that has. */
export const archiveLimitMb = 60

/** Makes a ZIP with the documents of 2,000 orders, each rendered and stored first; the renderer has its fonts before. */
export async function orderArchive({ deps, url }: Server, cookie: string) {
  const headers = { cookie, origin: deps.config.PUBLIC_URL, 'content-type': 'application/json' }
  const request = async (filter: object) => {
    const body = JSON.stringify(filter)
    const reply = await fetch(url + requestOrderArchive.path, { method: 'POST', headers, body })
    const { orderArchive: archive } = requestOrderArchive.reply.parse(await reply.json())
    if (!archive) throw new Error('no archive')
    return archive
  }
  const warm = await request({ range: 'three-month' })
  await makeOrderArchive(deps, warm.id)

  const { id, total } = await request({})
  const idle = megabytes()
  let most = idle
  const sampling = setInterval(() => {
    most = Math.max(most, megabytes())
  }, 50)
  const startedAt = performance.now()
  await makeOrderArchive(deps, id)
  clearInterval(sampling)
  const { rows } = await deps.db.$client.query(
    'select size, cardinality(missing) as missing from account.archives where id = $1',
    [id],
  )
  const { size, missing } = rows[0]
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return {
    total,
    missing: Number(missing),
    sizeMb: Math.round(Number(size) / 1e6),
    seconds,
    moreMb: Math.round(most - idle),
  }
}

function megabytes(): number {
  return process.memoryUsage().rss / 1_048_576
}
