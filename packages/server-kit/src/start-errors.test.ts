import { expect, test } from 'vitest'
import { startErrorSentence } from './start-errors.ts'

const refused = (code: string) => Object.assign(new Error(code), { code, syscall: 'listen', port: 80 })

test.each([
  ['EADDRINUSE', 'Port 80 is taken by another program. Stop it, or choose another port.'],
  ['EACCES', 'This user may not listen on port 80. Choose a port from 1024 up.'],
])('%s of a port is one sentence', (code, sentence) => {
  expect(startErrorSentence(refused(code))).toBe(sentence)
})
