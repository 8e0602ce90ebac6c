import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

export default defineConfig({
  root: `${import.meta.dirname}/web`,
  // The server replaces it with a new nonce in every reply.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: `${import.meta.dirname}/dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [react(), compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
})
