import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { type CSSOptions, defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'

/**
 * Code that screens share and that the page does not need at the start, one chunk per use. A chunk includes its dependencies
 * unless an earlier one has them, so smaller ones come first.
 */
const later = {
  worries: /src\/page\/expired-card|contract\/src\/card-brands/,
  helpers: /@mantine\/core\/esm\/(core|utils\/(?!Floating))|components\/(ActionIcon|CloseButton|Group|Overlay|Paper)\//,
  fields:
    /@mantine\/core\/.*\/(Input|InputBase|TextInput|NativeSelect|ComboboxChevron|get-parsed-combobox-data)\/|ui\/src\/field-errors/,
  lists:
    /ui\/src\/(list-|empty-|filter-|search-|tab-|date-|status-|failure|product-mark|notice|money-format)|src\/page\/(paged-list|no-match|list-tabs|dictionary-failure|default-card|card-brand|card-name|trial|use-trial|shop)|components\/(Pagination|Tabs)\//,
  overlays: /components\/(Transition|Portal|FocusTrap)\/|hooks\/esm\/use-focus-/,
  floating: /@floating-ui|utils\/Floating|components\/Tooltip\//,
  menus: /components\/(Popover|Menu)\//,
  dialogs: /components\/(Modal|ModalBase)\/|react-remove-scroll|ui\/src\/(dialog-frame|confirm-dialog|limit-dialog)/,
  forms: /@mantine\/form|\/klona\/|fast-deep-equal|ui\/src\/(use-contract-form|form-)|components\/Textarea\//,
  numbers: /components\/NumberInput\/|react-number-format/,
  messages: /@mantine\/notifications|react-transition-group|components\/Notification\/|message-host/,
}

/** zod's JSON schema code, which every schema references and no page uses. */
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

/** What only the server reads of the contract: zod's English messages, which forms replace by their own, and the summaries of endpoints. */
function withoutServerTexts(): Plugin {
  return {
    name: 'without-server-texts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/zod\/v4\/locales\/en\.js$/.test(id)) return { code: 'export default () => ({})', map: null }
      if (!/packages\/contract\/src\//.test(id)) return null
      return { code: code.replaceAll(/^ {2}summary: '[^']*',$/gm, ''), map: null }
    },
  }
}

/**
 * A modal or drawer imports Mantine's scroll area, which ours scroll without, only to compare one of its properties with it.
 * Without it, and the part of Floating UI that it imports, dialogs load 5 kB less.
 */
function dialogsWithoutScrollArea(): Plugin {
  const from = 'import { ScrollArea } from "../ScrollArea/ScrollArea.mjs";'
  return {
    name: 'dialogs-without-scroll-area',
    apply: 'build',
    transform(code, id) {
      if (!/\/(ModalRoot|DrawerRoot)\.mjs$/.test(id)) return null
      if (!code.includes(from)) this.error('Mantine’s dialogs have changed: look at what they import now.')
      return { code: code.replace(from, 'const ScrollArea = { Autosize: Symbol("not used") };'), map: null }
    },
  }
}

/** The texts of every page in a language, and where those of its nouns are. */
const languageModule = /(?:locales|languages)\/(?:src\/)?([a-z-]+)(?:\/(?:common|frame|problems)\.json|\.ts)$/

function textsChunk(id: string): string {
  return `texts-${languageModule.exec(id)?.[1]}`
}

/**
 * A class is named after its file, by four digits. Vite's own names end with the line too: half a kB that gzip cannot compress.
 * By the path inside the project, so that a build is the same wherever it is made.
 */
function className(name: string, file: string): string {
  const path = relative(import.meta.dirname, file)
  return `${name}_${createHash('sha256').update(path).digest('hex').slice(0, 4)}`
}

type PostCssPlugin = Extract<Extract<CSSOptions['postcss'], object>['plugins'], object>[number]

/** Mantine's palette holds thirty variables for each of its colors. Those that nothing here uses are a tenth of the style sheet. */
const withoutUnusedColors: PostCssPlugin = {
  postcssPlugin: 'without-unused-colors',
  Declaration(declaration) {
    const color = /--mantine-color-(pink|grape|violet|indigo|cyan|green|lime|yellow|orange)-/
    if (color.test(declaration.prop)) declaration.remove()
    else if (color.test(declaration.value)) throw declaration.error('This color is not in the style sheet.')
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/account/assets/',
  // The server replaces it with a new nonce in every reply.
  html: { cspNonce: '__NONCE__' },
  css: { modules: { generateScopedName: className }, postcss: { plugins: [withoutUnusedColors] } },
  build: {
    manifest: true,
    target: 'es2022',
    // One style sheet, in the head: no flash of unstyled content when a screen's code arrives.
    cssCodeSplit: false,
    assetsDir: '',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Its styles come first, Mantine's before ours, so that styles of later chunks override them.
            { name: 'base', tags: ['$initial'], priority: 1 },
            // One chunk per language: `texts-de`.
            { name: textsChunk, test: languageModule },
            ...Object.entries(later).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
  },
  plugins: [
    withoutJsonSchemas(),
    withoutServerTexts(),
    dialogsWithoutScrollArea(),
    react(),
    compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 }),
  ],
})
