import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { runUntilEnded } from './run-until-ended.ts'

/** A start that goes on until it is interrupted. */
async function endlessStart(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw new Error('interrupted')
}

test('giving up in the middle of a start ends with its exit code', async () => {
  const code = runUntilEnded((signal, end) => {
    setTimeout(() => end(1), 10)
    return endlessStart(signal)
  })

  expect(await code).toBe(1)
})

test('what was started is stopped, once, before the exit code is there', async () => {
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

test('a start that comes to its end although it was interrupted is stopped as well', async () => {
  const stop = vi.fn(async () => undefined)
  const code = runUntilEnded(async (_signal, end) => {
    end(1)
    return { stop }
  })

  expect(await code).toBe(1)
  expect(stop).toHaveBeenCalledOnce()
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle of a start ends with exit code 0', async (name) => {
  const code = runUntilEnded(endlessStart)
  process.emit(name)

  expect(await code).toBe(0)
})

test('a start that fails by itself is an error, and so is a stop', async () => {
  await expect(runUntilEnded(() => Promise.reject(new Error('port taken')))).rejects.toThrow('port taken')
  const stop = () => Promise.reject(new Error('does not stop'))
  const stubborn = runUntilEnded(async (_signal, end) => {
    end(0)
    return { stop }
  })
  await expect(stubborn).rejects.toThrow('does not stop')
})
