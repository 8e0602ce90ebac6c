import { beforeEach, expect, test } from 'vitest'
import { addressInLatestLanguage } from './latest-language.ts'

const origin = 'https://sso.example'
const signIn = `${origin}/cas/login?service=x&locale=en-us#part`
const signUp = `${origin}/sign-up?service=x`
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
})

/** A page that the window shows. */
function show(href: string, locale: string, isBack = false) {
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  }
  return addressInLatestLanguage({ href, locale, isBack, storage })
}

test('Back to a page in another language leads to it in the language that was chosen since', () => {
  expect(show(signIn, 'en-us')).toBeUndefined()
  expect(show(signUp, 'en-us')).toBeUndefined()
  expect(show(`${signUp}&locale=ja-jp`, 'ja-jp')).toBeUndefined()
  const again = `${origin}/cas/login?service=x&locale=ja-jp#part`
  expect(show(signIn, 'en-us', true)).toBe(again)
  expect(show(again, 'ja-jp')).toBeUndefined()
})

test('a page in the language of the latest one stays', () => {
  show(signIn, 'en-us')
  expect(show(signUp, 'en-us', true)).toBeUndefined()
})

test('the language of an address that is opened counts, however the earlier pages were shown', () => {
  show(signUp, 'ja-jp')
  expect(show(signIn, 'en-us')).toBeUndefined()
  expect(show(signUp, 'en-us', true)).toBeUndefined()
})

test('the first page of a window stays, even if the browser restored it', () => {
  expect(show(signIn, 'en-us', true)).toBeUndefined()
})
