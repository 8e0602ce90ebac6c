import { faults } from '../faults/faults.ts'
import { smoke } from './smoke.ts'
import { runTests } from './test-steps.ts'

/** What CI runs after `npm ci`: the tests of the README, `npm start` on the built product, and the shortest of the faults. */
const tests = await runTests()
// Both wait for programs to come up and come back most of their time.
process.stdout.write('\nnpm start, and the faults in their short form\n')
const [started, faulty] = await Promise.all([smoke(), faults({ short: true })])

const failed = tests.failed + started.failed + faulty.failed
process.stdout.write(`\n${tests.passed + started.passed + faulty.passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
