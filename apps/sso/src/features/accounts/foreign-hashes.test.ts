import { hash as argon2 } from 'argon2'
import { hash as bcrypt } from 'bcrypt'
import { expect, test } from 'vitest'
import { hashProblem, matchesHash } from './foreign-hashes.ts'
import { newHashing } from './hashing.ts'

/** As others' documentation shows them: each with its password. */
const published = {
  'argon2i of the reference implementation': [
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    'password',
  ],
  'argon2id of the reference implementation': [
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    'password',
  ],
  'bcrypt of crypt_blowfish': ['$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  'bcrypt of PHP': ['$2y$07$usesomesillystringfore2uDLvp1Ii2e./U9C8sBjqp8I90dH6hi', 'rasmuslerdorf'],
  'scrypt of passlib': [
    '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E',
    'password',
  ],
} as const

test.each(Object.entries(published))('%s: the password matches, and no other one', async (_name, [hash, password]) => {
  expect(hashProblem(hash)).toBeUndefined()
  expect(await matchesHash(hash, password)).toBe(true)
  expect(await matchesHash(hash, `${password}.`)).toBe(false)
  expect(newHashing().isOutdated(hash)).toBe(true)
})

test('bcrypt reads 72 bytes of a password', async () => {
  const hash = await bcrypt('a'.repeat(72), 4)
  expect(await matchesHash(hash, 'a'.repeat(80))).toBe(true)
  expect(await matchesHash(hash, 'a'.repeat(71))).toBe(false)
})

test('a password whose characters were composed differently when it was hashed still matches', async () => {
  const typed = 'cafe\u0301-cre\u0300me'
  expect(await newHashing().verify(await bcrypt(typed, 4), typed)).toBe(true)
})

test('what takes too long, or too much memory, is not compared', async () => {
  const body = 'CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  const key = 'nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'
  const argon2Rest = 'c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG'
  const costs = {
    [`$2b$14$${body}`]: undefined,
    [`$2b$15$${body}`]: 'too_costly',
    [`$2b$31$${body}`]: 'too_costly',
    [`$scrypt$ln=17,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$${key}`]: undefined,
    [`$scrypt$ln=18,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$${key}`]: 'too_costly',
    [`$scrypt$ln=99,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$${key}`]: 'too_costly',
    [`$scrypt$ln=14,r=8,p=999$aM15713r3Xsvxbi31lqr1Q$${key}`]: 'too_costly',
    [`$argon2id$v=19$m=131072,t=3,p=4$${argon2Rest}`]: undefined,
    [`$argon2id$v=19$m=131073,t=1,p=1$${argon2Rest}`]: 'too_costly',
    [`$argon2id$v=19$m=65536,t=9999,p=1$${argon2Rest}`]: 'too_costly',
    '5f4dcc3b5aa765d61d8327deb882cf99': 'unknown',
    '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/': 'unknown',
    $2b$10$tooshort: 'unknown',
    [`$argon2id$v=19$m=65536,t=2,t=3$${argon2Rest}`]: 'unknown',
    password: 'unknown',
    '': 'unknown',
  }
  for (const [hash, problem] of Object.entries(costs)) {
    expect(hashProblem(hash), hash).toBe(problem)
    if (problem) expect(await matchesHash(hash, 'U*U')).toBe(false)
  }
})

test('a hash of ours is current, one of another cost is not', async () => {
  const { hash, isOutdated } = newHashing()
  expect(isOutdated(await hash('Tidy-harbour-77'))).toBe(false)
  expect(isOutdated(await argon2('Tidy-harbour-77', { memoryCost: 4096, timeCost: 3, parallelism: 1 }))).toBe(true)
})
