import { smoke } from './smoke.ts'
import { runTests } from './test-steps.ts'

/** What CI runs after `npm ci`: the tests of the README, then `npm start` on the built product. */
const tests = await runTests()
process.stdout.write('\nnpm start\n')
const started = await smoke()

const failed = tests.failed + started.failed
process.stdout.write(`\n${tests.passed + started.passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
