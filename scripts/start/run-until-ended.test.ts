import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { runUntilEnded } from './run-until-ended.ts'

/** A start that continues until it is aborted. */
async function endlessStart(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw new Error('interrupted')
}

test('`end` during the start stops it and sets the exit code', async () => {
  const code = runUntilEnded((signal, end) => {
    setTimeout(() => end(1), 10)
    return endlessStart(signal)
  })

  expect(await code).toBe(1)
})

test('what was started is stopped once, before the exit code is returned', async () => {
  const steps: string[] = []
  const code = runUntilEnded(async (_signal, end) => {
    setTimeout(() => {
      end(1)
      end(0)
    }, 10)
    return {
      async stop() {
        steps.push('stopping')
        await vi.waitFor(() => undefined)
        steps.push('stopped')
      },
    }
  })

  expect(await code).toBe(1)
  expect(steps).toEqual(['stopping', 'stopped'])
})

test('a start that finishes although it was aborted is stopped too', async () => {
  const stop = vi.fn(async () => undefined)
  const code = runUntilEnded(async (_signal, end) => {
    end(1)
    return { stop }
  })

  expect(await code).toBe(1)
  expect(stop).toHaveBeenCalledOnce()
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s during the start ends with exit code 0', async (name) => {
  const code = runUntilEnded(endlessStart)
  process.emit(name)

  expect(await code).toBe(0)
})

test('a failing start is an error, and so is a failing stop', async () => {
  await expect(runUntilEnded(() => Promise.reject(new Error('port taken')))).rejects.toThrow('port taken')
  const stop = () => Promise.reject(new Error('does not stop'))
  const stubborn = runUntilEnded(async (_signal, end) => {
    end(0)
    return { stop }
  })
  await expect(stubborn).rejects.toThrow('does not stop')
})
