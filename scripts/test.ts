import { runTests } from './test-steps.ts'

/** `npm test`. */
const { passed, failed } = await runTests()
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
