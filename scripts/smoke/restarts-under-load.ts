import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, kill, ports, processes, waitUntil } from './stack.ts'

const restarts = 4
const connections = 20
/** Before each restart, and after the last one. */
const answeredBetween = 300

/** Neither needs a session: a read of the database, and a POST whose body is read, so that a lost one shows. */
const requests = [
  { method: 'GET', path: '/account/dictionaries/?type=order-status', body: undefined },
  { method: 'POST', path: '/account/sign-out/', body: '{}' },
] as const

/**
 * `refused`: the connection failed, and a proxy would send the request to another copy; or it was new, and reset: without a free CPU the
 * system may accept one in the last moment, which the server never sees. `busy`: 503 with `Retry-After`, as
 * a server answers that has just started on a machine without a free CPU. Any other outcome but `200` is lost.
 */
type Outcome = '200' | 'refused' | 'busy' | (string & {})

/** How often a request is sent that is answered `busy`, a second apart, before it counts as lost. */
const tries = 10

/**
 * Restarts account-server under load over keep-alive connections, as a proxy has them. A server that stops must answer
 * with `connection: close`, and must not drop a connection with a request under way.
 */
export async function restartedUnderLoad(): Promise<void> {
  const counts = new Map<Outcome, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isOver = false
  const callers = Array.from({ length: connections }, async (_, caller) => {
    for (let index = caller; !isOver; index += 1) {
      const outcome = await sendUntilAnswered(agent, requests[index % 2 === 0 ? 0 : 1])
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      // Long enough that the server's start has a CPU.
      if (outcome === 'refused') await sleep(50)
    }
  })

  const answered = () => counts.get('200') ?? 0
  const moreAreAnswered = () => {
    const least = answered() + answeredBetween
    return waitUntil(async () => expect(answered() >= least, 'more answers'), 60_000)
  }
  try {
    for (let restart = 0; restart < restarts; restart += 1) {
      await moreAreAnswered()
      await restartOnce()
    }
    await moreAreAnswered()
  } finally {
    isOver = true
    await Promise.all(callers)
    agent.destroy()
  }

  const lost = [...counts].filter(([outcome]) => outcome !== '200' && outcome !== 'refused')
  expect(answered() > 1000, `a load, not ${answered()} requests`)
  const listed = lost.map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
  expect(lost.length === 0, `0 lost beside ${answered()} answered, not ${listed}`)
}

async function restartOnce(): Promise<void> {
  const [pid] = processes('account-server/src/main.ts')
  expect(pid !== undefined, 'account-server runs')
  kill(pid ?? 0, 'SIGTERM')
  await waitUntil(async () => {
    const [next] = processes('account-server/src/main.ts')
    expect(next !== undefined && next !== pid, 'account-server is restarted')
    const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/readyz`)
    expect(reply.ok, 'account-server is ready again')
  }, 60_000)
}

type Sent = (typeof requests)[number]

async function sendUntilAnswered(agent: Agent, sent: Sent): Promise<Outcome> {
  let outcome = await send(agent, sent)
  for (let tried = 1; outcome === 'busy' && tried < tries; tried += 1) {
    await sleep(1000)
    outcome = await send(agent, sent)
  }
  return outcome
}

function send(agent: Agent, { method, path, body }: Sent): Promise<Outcome> {
  return new Promise((resolve) => {
    const origin = `http://localhost:${ports.ATRIUM_PORT}`
    const headers = body === undefined ? {} : { origin, 'content-type': 'application/json' }
    const sent = request({ host: 'localhost', port: ports.ATRIUM_PORT, agent, method, path, headers }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? outcomeOf(response) : 'cut short'))
    })
    sent.once('error', (error) => {
      const isUnseen = isRefusal(error) || (isReset(error) && !sent.reusedSocket)
      resolve(isUnseen ? 'refused' : `${method} ${error.message}`)
    })
    sent.end(body)
  })
}

function outcomeOf({ statusCode, headers }: IncomingMessage): Outcome {
  return statusCode === 503 && headers['retry-after'] ? 'busy' : String(statusCode)
}

/** The connection failed, so nothing was sent. For the two addresses of `localhost` it is one AggregateError. */
function isRefusal(error: Error): boolean {
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  return 'syscall' in first && first.syscall === 'connect'
}

function isReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET'
}
