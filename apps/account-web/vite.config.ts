import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'

/**
 * What screens share and the page starts without, one chunk for each use. A chunk takes along what it is made of, unless an
 * earlier one has it: the smaller things come first.
 */
const later = {
  helpers: /@mantine\/core\/esm\/(core|utils\/(?!Floating))|components\/(ActionIcon|CloseButton|Group|Overlay|Paper)\//,
  fields: /@mantine\/core\/.*\/(Input|InputBase|TextInput|NativeSelect|ComboboxChevron|get-parsed-combobox-data)\//,
  lists:
    /ui\/src\/(list-|empty-|filter-|search-|tab-|date-|status-|failure)|src\/page\/(paged-list|dictionary-failure)|components\/(Pagination|Tabs)\//,
  floating: /@floating-ui|utils\/Floating|components\/(Tooltip|Transition|Portal)\//,
  menus: /components\/(Popover|Menu|FocusTrap)\//,
  dialogs:
    /components\/(Modal|ModalBase|Drawer|ScrollArea)\/|react-remove-scroll|ui\/src\/(dialog-frame|confirm-dialog|limit-dialog)/,
  forms:
    /@mantine\/form|\/klona\/|fast-deep-equal|ui\/src\/(use-contract-form|field-errors|form-)|components\/Textarea\//,
  numbers: /components\/NumberInput\/|react-number-format/,
  messages: /@mantine\/notifications|react-transition-group|components\/Notification\/|message-host/,
}

/** Of zod: every schema refers to how it is written as a JSON schema, which no page asks for. */
const jsonSchemas = /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/

function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform(code, id) {
      if (!jsonSchemas.test(id)) return null
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const exported = [...names, 'refuse as process'].map((name) =>
        names.includes(name) ? `refuse as ${name}` : name,
      )
      return {
        code: `const refuse = () => () => { throw new Error('No JSON schemas here.') }\nexport { ${exported.join(', ')} }`,
        map: null,
      }
    },
  }
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
  plugins: [withoutJsonSchemas(), react(), compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
})
