import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { english, type Locale, localeByCode } from '@atrium/contract/locale.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { pagesFrom } from './pages.ts'

const data = {
  locale: 'en-us' as const,
  settings: {
    brandName: '</script><b>',
    brandColor: '#000000',
    siteUrl: '',
    ssoUrl: '',
    passwordUrl: null,
    feedbackUrl: '',
    ticketsUrl: '',
    adminConsoleUrl: '',
    cards: { scriptUrl: '', publishableKey: '' },
    paypal: null,
  },
  member: null,
  signInUrl: null,
  notice: null,
  supportAccessUntil: 0,
  support: null,
}

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-page-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, '.vite'))
  return folder
}

async function build(folder: string, script: string, at: number) {
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  const html = `<html lang="en"><script nonce="__NONCE__" src="${script}"></script><!--page-data-->`
  await writeFile(join(folder, 'index.html'), html)
  await utimes(join(folder, 'index.html'), at, at)
}

interface Asked {
  locale: Locale
  tab?: string
  drawsFrame?: boolean
}

async function pageOf(folder: string, { locale, tab, drawsFrame = false }: Asked = { locale: english }) {
  const app = Fastify()
  const pages = await pagesFrom({
    folder,
    devUrl: undefined,
    sources: { script: [], frame: [], connect: [], image: [] },
  })
  app.get('/', (_request, reply) => pages.send(reply, { data, locale, tab, drawsFrame }))
  onTestFinished(() => app.close())
  return app
}

test('data cannot end its script element, and each reply has its own nonce', async () => {
  const folder = await newFolder()
  await build(folder, 'a.js', 1)
  const app = await pageOf(folder)
  const [one, two] = [await app.inject('/'), await app.inject('/')]

  expect(one.body).not.toContain('</script><b>')
  const nonce = /nonce="([^"]+)"/.exec(one.body)?.[1] ?? ''
  expect(one.headers).toMatchObject({
    'x-frame-options': 'DENY',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(one.headers['content-security-policy']).not.toMatch(/script-src [^;]*unsafe-inline/)
  expect(two.body).not.toContain(nonce)
})

test('a page that is rebuilt is sent by the running server', async () => {
  const folder = await newFolder()
  await build(folder, 'before.js', 1)
  const app = await pageOf(folder)
  expect((await app.inject('/')).body).toContain('before.js')

  await rm(join(folder, 'index.html'))
  expect((await app.inject('/')).body).toContain('before.js')
  await build(folder, 'after.js', 2)
  expect((await app.inject('/')).body).toContain('after.js')
})

test('the code and texts of the tab are preloaded, whatever its spelling; those of other tabs are not', async () => {
  const manifest = {
    'index.html': { file: 'index-1.js', isEntry: true, imports: ['_base.js'] },
    '_base.js': { file: 'base-1.js' },
    'src/features/orders/my-orders-screen.tsx': { file: 'orders-1.js', imports: ['_base.js', 'index.html'] },
    'src/features/profile/profile-screen.tsx': { file: 'profile-1.js' },
    '_texts-de-1.js': { file: 'texts-de-1.js' },
    '_texts-en-1.js': { file: 'texts-en-1.js' },
    '../../packages/locales/src/de/orders.json': { file: 'orders-de-1.js' },
    '../../packages/locales/src/de/profile.json': { file: 'profile-de-1.js' },
    '../../packages/locales/src/en/orders.json': { file: 'orders-en-1.js' },
  }
  const folder = await newFolder()
  await build(folder, 'a.js', 1)
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
  const german = localeByCode('de-de') ?? english
  const { body: links } = await (await pageOf(folder, { locale: german, tab: 'My Orders' })).inject('/')

  for (const wanted of ['/orders-1.js', '/base-1.js', '/texts-de-1.js', '/orders-de-1.js'])
    expect(links).toContain(wanted)
  for (const other of ['profile-1.js', 'en-1.js', 'profile-de-1.js', 'index-1.js']) expect(links).not.toContain(other)

  const { body: unknown } = await (await pageOf(folder, { locale: german, tab: 'no-such-tab' })).inject('/')
  for (const wanted of ['/profile-1.js', '/profile-de-1.js']) expect(unknown).toContain(wanted)
})

test('missing pages are reported in one sentence', async () => {
  const start = pagesFrom({
    folder: await newFolder(),
    devUrl: undefined,
    sources: { script: [], frame: [], connect: [], image: [] },
  })

  await expect(start).rejects.toThrow(
    new ConfigError(['The pages of account-server are not built yet. Run: npm run build']),
  )
})

test('the frame is drawn in the page’s language before the style sheet, which stands before the root', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  await writeFile(join(folder, 'color-scheme.js'), 'chooseScheme()')
  const head =
    '<title>Account</title><script src="/account/assets/color-scheme.js" nonce="__NONCE__"></script><link rel="stylesheet" href="a.css">'
  const body = '<!--first-paint--><div id="root"></div>'
  await writeFile(join(folder, 'index.html'), `<html lang="en"><head>${head}</head><body>${body}</body></html>`)
  const german = localeByCode('de-de') ?? english
  const app = await pageOf(folder, { locale: german, tab: 'roadmap', drawsFrame: true })

  const reply = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
  expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('accept-encoding') })
  const html = gunzipSync(reply.rawPayload).toString()
  expect(html).toContain('<title>Roadmap · &#60;/script&#62;&#60;b&#62;</title>')
  expect(html).toMatch(/<script nonce="[^"]+">chooseScheme\(\)<\/script>/)
  expect(html).toContain('<link rel="preload" as="style" href="a.css">')
  expect(html).toMatch(/<h1>Roadmap<\/h1>.*<link rel="stylesheet" href="a.css"><div id="root">/s)
  // The roadmap has no lead, and no entry of its own.
  expect(html).not.toContain('<p>')
  expect(html).toContain('<div class="boot-entry" data-current>Meine Produkte</div>')

  const addresses = await pageOf(folder, { locale: german, tab: 'billing-address-management', drawsFrame: true })
  expect((await addresses.inject('/')).body).toMatch(
    /<h1>[^<]+<\/h1>\s*<p>Künftige Rechnungen verwenden Ihre Standardadresse\.<\/p>/,
  )

  const plain = await pageOf(folder, { locale: german })
  const { body: empty, headers } = await plain.inject('/')
  expect(headers['content-encoding']).toBeUndefined()
  expect(empty).not.toContain('first-paint"')
  expect(empty).toContain('<title>Account</title>')
})
