import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** What screens share and the page starts without, one chunk for each use. */
const later = {
  messages: /@mantine\/notifications|react-transition-group|react-remove-scroll|\/Notification\/|message-host/,
  dialogs: /@mantine\/core\/.*\/(Modal|ModalBase|Drawer)\/|ui\/src\/(dialog-frame|confirm-dialog|use-focus-returned)/,
  fields: /@mantine\/core\/.*\/(Input|InputBase|TextInput|NativeSelect|ComboboxChevron|get-parsed-combobox-data)\//,
  forms: /@mantine\/form|\/klona\/|fast-deep-equal|ui\/src\/(use-contract-form|field-errors)|\/Textarea\//,
  numbers: /@mantine\/core\/.*\/NumberInput\/|react-number-format/,
  lists:
    /packages\/ui\/src\/|src\/page\/(paged-list|dictionary-failure)|@mantine\/core\/.*\/(Pagination|Tabs|ActionIcon)\//,
}

function textsChunk(id: string): string {
  return `texts-${/locales\/src\/([a-z-]+)\//.exec(id)?.[1]}`
}

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
        codeSplitting: {
          groups: [
            // Its sheets come first in the one sheet, Mantine's before ours: whatever a later chunk brings, it wins.
            { name: 'base', tags: ['$initial'], priority: 1 },
            // What every page says, one chunk a language: `texts-de`.
            { name: textsChunk, test: /locales\/src\/[a-z-]+\/(common|frame|problems)\.json/ },
            ...Object.entries(later).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
  },
  plugins: [react(), compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
})
