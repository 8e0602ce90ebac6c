import { join } from 'node:path'
import { defineConfig } from 'vite'

const from = (path: string) => join(import.meta.dirname, 'browser', path)
const to = (path: string) => join(import.meta.dirname, 'dist', path)
const shared = { target: 'es2022', emptyOutDir: true, reportCompressedSize: false, modulePreload: false } as const

/** The providers' browser SDKs, each one classic script for the merchant's page, and what runs in their frames and windows. */
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
    paypal: {
      consumer: 'client',
      build: {
        ...shared,
        outDir: to('paypal/sdk'),
        rolldownOptions: { input: from('paypal/sdk/main.ts'), output: { format: 'iife', entryFileNames: 'paypal.js' } },
      },
    },
    paypalButton: {
      consumer: 'client',
      build: {
        ...shared,
        outDir: to('paypal/button'),
        cssCodeSplit: false,
        rolldownOptions: {
          input: from('paypal/button/main.ts'),
          output: { format: 'es', entryFileNames: 'button.js', assetFileNames: 'button[extname]' },
        },
      },
    },
    paypalPopup: {
      consumer: 'client',
      build: {
        ...shared,
        outDir: to('paypal/popup'),
        rolldownOptions: { input: from('paypal/popup/main.ts'), output: { format: 'es', entryFileNames: 'popup.js' } },
      },
    },
  },
})
