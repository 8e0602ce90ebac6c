import { faults } from '../faults/faults.ts'
import { smoke } from './smoke.ts'
import { runTests } from './test-steps.ts'

/** What CI runs after `npm ci`: the tests, `npm start` on the built product, and the short run of the faults. */
const tests = await runTests()
// Together: both spend most of their time waiting for programs to start.
process.stdout.write('\nnpm start, with the short run of the faults beside it\n')
const [started, faulted] = await Promise.all([smoke(), faults({ short: true })])

const failed = tests.failed + started.failed + faulted.failed
process.stdout.write(`\n${tests.passed + started.passed + faulted.passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
