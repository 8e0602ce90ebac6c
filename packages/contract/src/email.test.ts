import { expect, test } from 'vitest'
import { z } from 'zod'
import { emailPattern } from './email.ts'

const Email = z.email({ pattern: emailPattern })

test.each(['ada@folio.test', "o'neil+news@mail.example.co.uk", 'a@shop.xn--p1ai', 'A_b-c@x-y.org'])(
  '%s is an e-mail address',
  (text) => expect(Email.safeParse(text).success).toBe(true),
)

test.each([
  'ada',
  'ada@folio',
  'a..b@folio.test',
  '.a@folio.test',
  'a@folio.test2',
  'a@-folio.test',
  'a b@folio.test',
  'a@b@folio.test',
])('%s is not', (text) => expect(Email.safeParse(text).success).toBe(false))
