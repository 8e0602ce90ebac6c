import { join } from 'node:path'
import { defineConfig } from 'vite'

const from = (path: string) => join(import.meta.dirname, 'browser', path)
const to = (path: string) => join(import.meta.dirname, 'dist', path)
const shared = { target: 'es2022', emptyOutDir: true, reportCompressedSize: false, modulePreload: false } as const

/** The card provider's browser SDK, one classic script for the merchant's page, and what runs in its frames. */
export default defineConfig({
  root: from(''),
  builder: {},
  environments: {
    client: {
      build: {
        ...shared,
        outDir: to('sdk'),
        rolldownOptions: { input: from('sdk/main.ts'), output: { format: 'iife', entryFileNames: 'stripe.js' } },
      },
    },
    frames: {
      consumer: 'client',
      build: {
        ...shared,
        outDir: to('frames'),
        cssCodeSplit: false,
        rolldownOptions: {
          input: from('frames/main.ts'),
          output: { format: 'es', entryFileNames: 'frames.js', assetFileNames: 'frames[extname]' },
        },
      },
    },
  },
})
