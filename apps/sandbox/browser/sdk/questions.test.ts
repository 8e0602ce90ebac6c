import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newQuestions } from './questions.ts'

const timeoutMs = 5000
const sent = async () => true

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('each answer resolves its own question, in any order', async () => {
  const questions = newQuestions<string>(timeoutMs)
  const ids: number[] = []
  const [first, second] = [1, 2].map(() =>
    questions.ask((id) => {
      ids.push(id)
      return sent()
    }),
  )
  questions.answer(ids[1] ?? 0, 'second')
  questions.answer(ids[0] ?? 0, 'first')

  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})

test('a question without an answer ends at its timeout', async () => {
  const questions = newQuestions<string>(timeoutMs)
  const ended = vi.fn()
  void questions.ask(sent).then(ended)

  await vi.advanceTimersByTimeAsync(timeoutMs - 1)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledExactlyOnceWith(undefined)
})

test('the timeout of a question starts when it is sent', async () => {
  const questions = newQuestions<string>(timeoutMs)
  const ended = vi.fn()
  const isUp = Promise.withResolvers<boolean>()
  void questions.ask(() => isUp.promise).then(ended)

  await vi.advanceTimersByTimeAsync(2 * timeoutMs)
  expect(ended).not.toHaveBeenCalled()
  isUp.resolve(true)
  await vi.advanceTimersByTimeAsync(timeoutMs)
  expect(ended).toHaveBeenCalledExactlyOnceWith(undefined)
})

test('a question to a missing frame ends immediately', async () => {
  const questions = newQuestions<string>(timeoutMs)

  expect(await questions.ask(async () => false)).toBeUndefined()
})

test('a failure to send is thrown', async () => {
  const questions = newQuestions<string>(timeoutMs)
  const refusal = new Error('could not be cloned')

  await expect(questions.ask(() => Promise.reject(refusal))).rejects.toBe(refusal)
})

test('pending questions end without an answer when the frame goes away, and no timer is left', async () => {
  const questions = newQuestions<string>(timeoutMs)
  const waiting = [questions.ask(sent), questions.ask(sent)]
  await vi.advanceTimersByTimeAsync(1)
  questions.end()

  expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  expect(vi.getTimerCount()).toBe(0)
})
