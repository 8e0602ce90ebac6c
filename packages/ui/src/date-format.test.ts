import { expect, test } from 'vitest'
import { dateOfSeconds, formatDate, formatDays, formatMoment, formatTime } from './date-format.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const date = dateOfSeconds(1_793_800_800)

test('epoch seconds are not milliseconds', () => {
  expect(date.toISOString()).toBe('2026-11-04T14:00:00.000Z')
})

test('a date is formatted for its language', () => {
  expect(formatDate('en-us', date, 'UTC')).toBe('Nov\u00a04,\u00a02026')
  expect(formatDate('de-de', date, 'UTC')).toBe('04.11.2026')
  expect(formatDate('ru-ru', date, 'UTC')).toBe('4\u00a0нояб.\u00a02026')
  expect(formatDate('ja-jp', date, 'UTC')).toBe('2026/11/04')
})

test('a period has one place where a line may end, and no abbreviation of the year', () => {
  const [from, to] = [new Date('2026-11-22'), new Date('2027-12-22')]
  expect(formatDays('en-us', from, to).split(' ')).toEqual(['Nov\u00a022,\u00a02026\u00a0–', 'Dec\u00a022,\u00a02027'])
  expect(formatDays('fr-fr', new Date('2027-11-22'), to)).toBe('22\u00a0nov.\u00a0– 22\u00a0déc.\u00a02027')
  expect(formatDays('ru-ru', from, to)).toBe('22\u00a0нояб.\u00a02026\u00a0– 22\u00a0дек.\u00a02027')
  expect(formatDays('ja-jp', from, to)).toBe('2026/11/22～2027/12/22')
  expect(formatDays('zh-tw', from, to)).toBe('2026年11月22日\u00a0– 2027年12月22日')
})

test('a moment has one place where a line may end', () => {
  expect(formatMoment('en-us', date, 'UTC').split(' ')).toEqual([
    'Nov\u00a04,\u00a02026,',
    expect.stringMatching(/^2:00/),
  ])
  expect(formatMoment('ru-ru', date, 'UTC').split(' ')).toHaveLength(2)
})

test('the day of a moment is written as any other day', () => {
  expect(plain(formatMoment('de-de', date, 'UTC'))).toBe('04.11.2026, 14:00 UTC')
  expect(plain(formatMoment('ja-jp', date, 'UTC'))).toBe('2026/11/04 14:00 UTC')
})

test('a moment includes its time zone', () => {
  expect(plain(formatMoment('en-us', date, 'UTC'))).toBe('Nov 4, 2026, 2:00 PM UTC')
  expect(plain(formatMoment('en-us', date, 'Asia/Tokyo'))).toBe('Nov 4, 2026, 11:00 PM GMT+9')
})

test('a time of day includes its time zone, on one line', () => {
  expect(plain(formatTime('en-us', date, 'Asia/Tokyo'))).toBe('11:00 PM GMT+9')
  expect(plain(formatTime('de-de', date, 'UTC'))).toBe('14:00 UTC')
  expect(formatTime('ru-ru', date, 'UTC')).not.toContain(' ')
})
