import autocannon from 'autocannon'

interface Comparison {
  ours: string
  bare: string
  cookie: string
  /** Of each round. */
  seconds: number
}

const connections = 50
const rounds = 5

/** Requests per second of ours and of the bare one, turn by turn in one run: what disturbs one disturbs the other. */
export async function ratioOf({ ours, bare, cookie, seconds }: Comparison) {
  await expectSameBytes(ours, bare, cookie)
  const measured: { ours: number; bare: number }[] = []
  // The first round warms both up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: await load(ours, cookie, seconds), bare: await load(bare, cookie, seconds) }
    if (round > 0) measured.push(pair)
  }
  return {
    ratio: median(measured.map((pair) => pair.ours / pair.bare)),
    ours: Math.round(median(measured.map((pair) => pair.ours))),
    bare: Math.round(median(measured.map((pair) => pair.bare))),
  }
}

async function load(url: string, cookie: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, headers: { cookie } })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} refused ${result.non2xx + result.errors} requests`)
  return result.requests.average
}

async function expectSameBytes(ours: string, bare: string, cookie: string): Promise<void> {
  const [one, two] = await Promise.all(
    [ours, bare].map(async (url) => (await fetch(url, { headers: { cookie } })).text()),
  )
  if (one !== two) throw new Error(`${ours} and ${bare} answer different bytes`)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
