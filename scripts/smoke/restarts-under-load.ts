import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, kill, ports, processes, until } from './stack.ts'

const restarts = 4
const connections = 20

/** Without a sign-in: a read of the database, and a change that is answered 200 and has a body to be read (so a lost one shows). */
const requests = [
  { method: 'GET', path: '/account/dictionaries/?type=order-status', body: undefined },
  { method: 'POST', path: '/account/sign-out/', body: '{}' },
] as const

/** `refused`: no connection was made, and a proxy gives the request to another copy. Anything but `200` is lost. */
type Outcome = '200' | 'refused' | (string & {})

/**
 * Connections that stay open, as a proxy keeps them: a server that is told to stop says so with every answer, and cuts none off
 * that has a request on it.
 */
export async function restartedUnderLoad(): Promise<void> {
  const counts = new Map<Outcome, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isOver = false
  const callers = Array.from({ length: connections }, async (_, caller) => {
    for (let turn = caller; !isOver; turn += 1) {
      const outcome = await ask(agent, requests[turn % 2 === 0 ? 0 : 1])
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (outcome === 'refused') await sleep(20)
    }
  })

  try {
    for (let restart = 0; restart < restarts; restart += 1) await restartOnce()
    await sleep(1000)
  } finally {
    isOver = true
    await Promise.all(callers)
    agent.destroy()
  }

  const answered = counts.get('200') ?? 0
  const lost = [...counts].filter(([outcome]) => outcome !== '200' && outcome !== 'refused')
  expect(answered > 1000, `a load, not ${answered} requests`)
  const told = lost.map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
  expect(lost.length === 0, `0 lost beside ${answered} answered, not ${told}`)
}

async function restartOnce(): Promise<void> {
  await sleep(1000)
  const [pid] = await processes('account-server/src/main.ts')
  expect(pid !== undefined, 'account-server runs')
  kill(pid ?? 0, 'SIGTERM')
  await until(async () => {
    const [next] = await processes('account-server/src/main.ts')
    expect(next !== undefined && next !== pid, 'account-server is started again')
    const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/readyz`)
    expect(reply.ok, 'account-server is ready again')
  }, 20_000)
}

function ask(agent: Agent, { method, path, body }: (typeof requests)[number]): Promise<Outcome> {
  return new Promise((resolve) => {
    const origin = `http://localhost:${ports.ATRIUM_PORT}`
    const headers = body === undefined ? {} : { origin, 'content-type': 'application/json' }
    const sent = request({ host: 'localhost', port: ports.ATRIUM_PORT, agent, method, path, headers }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? String(response.statusCode) : 'cut short'))
    })
    sent.once('error', (error) => resolve(isRefusal(error) ? 'refused' : `${method} ${error.message}`))
    sent.end(body)
  })
}

/** The connection was never made: nothing was sent. `localhost` has two addresses: then it is one error for both. */
function isRefusal(error: Error): boolean {
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  return 'syscall' in first && first.syscall === 'connect'
}
