import { expect, test } from 'vitest'
import type { OperatorCommand } from './command.ts'
import { runInside } from './test-command.ts'

const doing = (main: OperatorCommand['main']) =>
  runInside({ usage: 'Usage: it', about: 'About it.', options: [], main }, [])

test('a fault of ours has an exit code of its own, so that nobody takes it for lines that were refused', async () => {
  const fault = async () => {
    throw new TypeError('a fault')
  }
  expect(await doing(fault)).toMatchObject({ code: 4, stderr: expect.stringMatching(/^TypeError: a fault\n +at /) })
  expect(await doing(async () => 1)).toMatchObject({ code: 1, stderr: '' })
})
