import { type Kind, kinds, type Scene } from './change-scenes.ts'
import { points } from './kill-cases.ts'
import { type Answer, type Person, type Stage, waitUntil } from './stage.ts'
import { sellCatalog } from './stage-catalog.ts'
import { transferKinds } from './transfer-scenes.ts'
import { unusualKinds } from './unusual-scenes.ts'
import { limitSeconds, type Verdict } from './verdict.ts'

interface Judged {
  name: string
  verdict: Verdict
}

/** Each kind of operation on a subscription, with account-server killed at each point; then the person tries again. */
export async function changeKills(stage: Stage, only: string): Promise<Promise<Judged>[]> {
  const cases = [...kinds, ...transferKinds, ...unusualKinds].flatMap((kind) =>
    points.map((point) => ({ kind, ...point, name: nameOf(kind, point) })),
  )
  const selected = cases.filter(({ name }) => name.includes(only))
  if (selected.length === 0) return []
  await sellCatalog(stage.env)
  const judged: Promise<Judged>[] = []
  for (const { kind, arrangeFor, name } of selected) {
    const scene = await kind.prepare(stage)
    const { reached, release } = await arrangeFor(scene.person)(stage, kind, scene.person)
    const pending = scene.send()
    await waitUntil(name, reached, limitSeconds)
    await stage.killServer()
    await release()
    const answers = [await pending, await scene.send()]
    const endedAt = Date.now()
    judged.push(verdictOn(stage, { scene, answers, endedAt }).then((verdict) => ({ name, verdict })))
  }
  return judged
}

function nameOf({ kind }: Kind, { point }: { point: string }): string {
  return `${kind}, killed ${point}`
}

interface Played {
  scene: Scene
  answers: readonly Answer[]
  endedAt: number
}

/** Whether an answer says that nothing was done; that an earlier change is not resolved yet leaves it open. */
function isRefusal({ status, code }: Answer): boolean {
  return [402, 409, 503].includes(status) && code !== 'subscription_change_pending'
}

async function verdictOn(stage: Stage, { scene, answers, endedAt }: Played): Promise<Verdict> {
  let [isSettled, seconds] = [false, 0]
  const settle = async () => {
    const { provider, ours, charged, ordered } = await scene.state()
    isSettled = provider === ours && charged === ordered && (await unresolved(stage, scene.person)) === 0
    seconds = (Date.now() - endedAt) / 1000
    return isSettled
  }
  await waitUntil('it agrees', settle, limitSeconds).catch(() => undefined)
  const { provider, ours, charged, ordered, isDone } = await scene.state()
  const [last] = answers.slice(-1)
  const isUntrue = last !== undefined && (isDone ? isRefusal(last) : last.status === 200)
  return {
    lost: Number(provider !== ours) + Math.max(0, charged - ordered),
    doubled: Math.max(0, charged - 1) + Math.max(0, ordered - 1),
    untrue: Number(isUntrue),
    ...(isUntrue && { told: `${last.status} ${last.code}` }),
    seconds: isSettled ? seconds : undefined,
  }
}

async function unresolved({ query }: Stage, { id }: Person): Promise<number> {
  const { rows } = await query<{ count: number }>(
    'select count(*)::int as count from account.provider_operations where member_id = $1 and resolved_at is null',
    [id],
  )
  return rows[0]?.count ?? 0
}
