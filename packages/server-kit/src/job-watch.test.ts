import { expect, test } from 'vitest'
import { watchQueues } from './job-watch.ts'

test('one question for all queues wakes the workers of those with a job, also after one that failed', async () => {
  const asked: unknown[] = []
  const woken: string[] = []
  const failures: string[] = []
  const replies = [[], new Error('the database is away'), [{ name: 'emails' }]]
  const watch = watchQueues({
    async executeSql(_, values) {
      asked.push(values)
      const reply = replies.shift() ?? []
      if (reply instanceof Error) throw reply
      return { rows: reply }
    },
    schema: 'jobs',
    wake: (worker) => woken.push(worker),
    onFailure: ({ message }) => failures.push(message),
  })
  watch.add('emails', 'one')
  watch.add('emails', 'another')
  watch.add('objects', 'third')

  await expect.poll(() => asked.length).toBeGreaterThan(3)
  await watch.stop()
  expect(asked[0]).toEqual([['emails', 'objects']])
  expect(woken).toEqual(['one', 'another'])
  expect(failures).toEqual(['the database is away'])
})
