import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRestarts, type Restarts } from './restarts.ts'

interface ProgramOptions {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  /** Called when a program exits too often to be restarted again. */
  onFailed(): void
  restarts?: Restarts
}

export interface Program {
  /** Resolves when it answers requests; rejects when its first start fails. */
  ready: Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Halves what a start takes. */
const preload = ['--import', import.meta.resolve('../remembered-imports.ts')]

/** Longer than a program's own limit for a graceful stop (`run.ts` of server-kit), and short enough to stop all within 10 s. */
const stopTimeoutMs = 8000

/** Runs a program as a child process and restarts it when it exits. It stops by itself when this process is gone. */
export function superviseProgram({
  name,
  script,
  env,
  say,
  onFailed,
  restarts = newRestarts(),
}: ProgramOptions): Program {
  let wanted = true
  let child: ChildProcess = start()
  const ready = untilReady(child, name)

  function start(): ChildProcess {
    // Its own process group, so that Ctrl-C reaches only us and we stop the programs in order.
    const started = fork(script, {
      env,
      execArgv: preload,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    started.once('exit', () => void restartAfterExit(started))
    return started
  }

  async function restartAfterExit(exited: ChildProcess): Promise<void> {
    if (!wanted || exited !== child) return
    const wasReady = await ready.then(
      () => true,
      () => false,
    )
    if (!wasReady) return
    const pause = restarts.pauseAfterExit()
    if (pause === undefined) {
      say(`${name} keeps stopping; not restarting it again.`)
      onFailed()
      return
    }
    say(`${name} stopped unexpectedly; restarting it.`)
    await sleep(pause)
    if (wanted) child = start()
  }

  return {
    ready,
    async restart() {
      const old = child
      child = old
      wanted = false
      await stopChild(old)
      wanted = true
      child = start()
      await untilReady(child, name).catch(() => say(`${name} does not start; waiting for the next change.`))
    },
    async stop() {
      wanted = false
      await stopChild(child)
    },
  }
}

function untilReady(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`${name} did not start.`)))
  })
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await exited
  clearTimeout(forced)
}
