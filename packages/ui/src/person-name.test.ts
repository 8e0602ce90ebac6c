import { expect, test } from 'vitest'
import { inNameOrder, namesInOrder, personName } from './person-name.ts'

test('the family name comes first in Japanese and Chinese, last in other languages', () => {
  expect(personName('ja-jp', '結衣', '佐藤')).toBe('佐藤 結衣')
  expect(personName('zh-tw', '小明', '王')).toBe('王 小明')
  expect(personName('en-us', 'Ada', 'Lindqvist')).toBe('Ada Lindqvist')
  expect(inNameOrder('ja-jp', 'firstName', 'lastName')).toEqual(['lastName', 'firstName'])
})

test('a name in Latin letters is written in its own order, in every language', () => {
  expect(personName('ja-jp', 'Ada', 'Lindqvist')).toBe('Ada Lindqvist')
  expect(personName('zh-tw', 'Ada', 'Lindqvist')).toBe('Ada Lindqvist')
  expect(namesInOrder('ja-jp', 'Ada', 'Lindqvist')).toEqual(['Ada', 'Lindqvist'])
})

test('a single name has no space', () => {
  expect(personName('ja-jp', '結衣', '')).toBe('結衣')
  expect(personName('en-us', '', 'Lindqvist')).toBe('Lindqvist')
  expect(personName('en-us', '', '')).toBe('')
})
