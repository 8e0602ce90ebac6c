import { expect, test } from 'vitest'
import { pagesOf, wholeList } from './lists.ts'

/** A list of two pages, and how often it was asked. */
function twoPages() {
  const asked: (string | undefined)[] = []
  return {
    asked,
    async read({ starting_after: after }: { starting_after?: string }) {
      asked.push(after)
      return after ? { data: [{ id: 'second' }], has_more: false } : { data: [{ id: 'first' }], has_more: true }
    },
  }
}

test('of a list that is read page by page nothing is requested that is not asked for', async () => {
  const { asked, read } = twoPages()
  for await (const page of pagesOf(read)) {
    expect(page).toEqual([{ id: 'first' }])
    break
  }
  expect(asked).toEqual([undefined])
})

test('a whole list has all pages, after what is there already', async () => {
  const { asked, read } = twoPages()
  expect(await wholeList(read, { data: [{ id: 'begun' }], has_more: true })).toEqual([
    { id: 'begun' },
    { id: 'second' },
  ])
  expect(await wholeList(read)).toEqual([{ id: 'first' }, { id: 'second' }])
  expect(asked).toEqual(['begun', undefined, 'first'])
})
