import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** Code that no page needs at its start. */
const dialogs = /@mantine\/core\/.*\/(Modal|ModalBase|ScrollArea|Drawer)\/|dialog-frame/
const messages = /@mantine\/notifications|react-transition-group|react-remove-scroll|\/(Notification|CloseButton)\//
const lists = /ui\/src\/list-|\/Pagination\//

const isCommon = (id: string) => ![dialogs, messages, lists].some((later) => later.test(id))

export default defineConfig({
  root: import.meta.dirname,
  base: '/account/assets/',
  // The server replaces it by a fresh nonce in every reply.
  html: { cspNonce: '__NONCE__' },
  build: {
    manifest: true,
    target: 'es2022',
    // One sheet, in the head: no flash when a screen's code arrives.
    cssCodeSplit: false,
    assetsDir: '',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What several parts share is one chunk, dialogs and lists one each: not forty small ones.
        codeSplitting: {
          groups: [
            { name: 'base', test: isCommon, minShareCount: 2, priority: 2 },
            { name: 'messages', test: messages, priority: 1 },
            { name: 'dialogs', test: dialogs, priority: 1 },
            { name: 'lists', test: lists, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [react(), compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
})
