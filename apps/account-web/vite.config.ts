import react from '@vitejs/plugin-react'
import { type CSSOptions, defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'

/**
 * Code that screens share and that the page does not need at the start. A chunk includes its dependencies unless an earlier one has
 * them. More groups than these make a first tab larger, because a tab that needs a part of a group loads all of it.
 */
const later = {
  lists:
    /ui\/src\/(list-|empty-|filter-|search-|tab-|date-|status-|failure|product-mark|notice|money-format)|src\/page\/(paged-list|no-match|list-tabs|dictionary-failure|default-card|card-brand|card-name|trial|use-trial|shop)|components\/(Pagination|Tabs)\//,
  dialogs: /components\/(Modal|ModalBase)\/|react-remove-scroll|ui\/src\/(dialog-|confirm-dialog|limit-dialog)/,
}

/** zod's JSON schemas and English messages, which every schema references; no page uses the former, and forms have messages of their own. */
const serverCode = /zod\/v4\/(?:core\/(?:json-schema-processors|to-json-schema)|locales\/en)\.js$/

/** Saves 6.9 kB of every tab (5.8 and 1.1). */
function withoutServerCode(): Plugin {
  return {
    name: 'without-server-code',
    apply: 'build',
    transform(code, id) {
      if (!serverCode.test(id)) return null
      if (id.endsWith('en.js')) return { code: 'export default () => ({})', map: null }
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const exported = [...names, 'process'].map((name) => `refuse as ${name}`)
      return {
        code: `const refuse = () => () => { throw new Error('No JSON schemas here.') }\nexport { ${exported.join(', ')} }`,
        map: null,
      }
    },
  }
}

/**
 * A modal or drawer imports Mantine's scroll area, which ours scroll without, only to compare one of its properties with it.
 * Without it, and what it imports of Floating UI, every dialog loads 20 kB less.
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

type PostCssPlugin = Extract<Extract<CSSOptions['postcss'], object>['plugins'], object>[number]

/** Mantine's palette holds thirty variables for each of its colors. Those that nothing here uses are 1.8 kB of the style sheet. */
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
  css: { postcss: { plugins: [withoutUnusedColors] } },
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
    withoutServerCode(),
    dialogsWithoutScrollArea(),
    react(),
    compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 }),
  ],
})
