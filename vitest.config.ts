import { defineConfig } from 'vitest/config'
import { mutantPlugin } from './scripts/mutants/mutant-plugin.ts'

export default defineConfig({
  plugins: mutantPlugin(process.env),
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.ts',
      'scripts/**/*.test.ts',
      'demo/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['scripts/test/global-setup.ts'],
    setupFiles: ['scripts/test/setup.ts'],
    // Loading a server's modules takes longer than most files' tests: a worker loads them once.
    isolate: false,
    // Those that start a program many times take ten seconds on a quiet machine: this ends what hangs, not what waits for the others.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is waited for comes; when, a busy machine decides.
    expect: { poll: { timeout: 120_000 } },
    // On two cores, since many tests wait for programs, jobs and databases.
    maxWorkers: 4,
  },
})
