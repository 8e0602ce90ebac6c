import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRestarts, type Restarts } from './restarts.ts'

interface ProgramOptions {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  /** Called when a program cannot be kept up. */
  onGivenUp(): void
  restarts?: Restarts
}

export interface Program {
  /** Resolves when it answers requests; rejects when its first start fails. */
  ready: Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds to stop: more than a program allows itself (server-kit's run.ts), and all together stay below 10 s. */
const patience = 8000

/** Runs a program beside us and starts it again when it dies. It stops by itself when we are gone. */
export function runProgramBeside({
  name,
  script,
  env,
  say,
  onGivenUp,
  restarts = newRestarts(),
}: ProgramOptions): Program {
  let wanted = true
  let child: ChildProcess = start()
  const ready = untilReady(child, name)

  function start(): ChildProcess {
    // A process group of its own: Ctrl-C reaches only us, and we stop things in order.
    const started = fork(script, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    started.once('exit', () => void again(started))
    return started
  }

  async function again(ended: ChildProcess): Promise<void> {
    if (!wanted || ended !== child) return
    const wasReady = await ready.then(
      () => true,
      () => false,
    )
    if (!wasReady) return
    const pause = restarts.pauseAfterDeath()
    if (pause === undefined) {
      say(`${name} does not stay up.`)
      onGivenUp()
      return
    }
    say(`${name} went away; it is started again.`)
    await sleep(pause)
    if (wanted) child = start()
  }

  return {
    ready,
    async restart() {
      const old = child
      child = old
      wanted = false
      await end(old)
      wanted = true
      child = start()
      await untilReady(child, name).catch(() => say(`${name} does not start; waiting for the next change.`))
    },
    async stop() {
      wanted = false
      await end(child)
    },
  }
}

function untilReady(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`${name} did not start.`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), patience)
  await exited
  clearTimeout(forced)
}
