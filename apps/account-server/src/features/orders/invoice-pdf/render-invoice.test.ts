import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import { locales } from '@atrium/contract/locale.ts'
import { expect, test } from 'vitest'
import type { InvoiceDocument } from './invoice-document.ts'
import { totalsOf } from './invoice-table.ts'
import { wordsOf } from './invoice-words.ts'
import { renderInvoice } from './render-invoice.ts'
import { newRenderer } from './renderer.ts'

const invoice: InvoiceDocument = {
  kind: 'invoice',
  lang: 'en-us',
  brand: { name: 'Folio', color: '#3b51c4' },
  seller: { name: 'Folio Software Inc.', address: ['548 Market Street', 'San Francisco'], taxId: 'US-1' },
  buyer: { name: 'Ada', company: 'Acme', email: 'a@b.test', address: ['Storgatan 14'], country: 'SE' },
  orderNumber: 'FO-1',
  invoiceNumber: 'INV-1',
  ordered: new Date('2026-05-31T23:59:00Z'),
  issued: new Date('2026-06-01T00:01:00Z'),
  lines: [{ text: 'Folio PDF Editor+', productCode: '', amount: 123_400 }],
  total: 148_080,
  amount: 148_080,
  tax: 24_680,
  currency: 'USD',
}

/** A file's content with decompressed streams: enough to read the ToUnicode maps of fonts. */
function unpacked(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  const streams = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) => {
    try {
      return inflateSync(Buffer.from(body, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  return text + streams.join('\n')
}

/** Characters that can be selected and copied from the file. */
function selectable(pdf: Buffer): Set<string> {
  const maps = [...unpacked(pdf).matchAll(/beginbfrange([\s\S]*?)endbfrange/g)].map(([, map = '']) => map)
  const codes = maps.flatMap((map) =>
    [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, row = '']) => row.match(/<[^>]*>/g) ?? []),
  )
  return new Set(
    codes.map((code) =>
      String.fromCharCode(...(code.match(/[0-9a-f]{4}/g) ?? []).map((hex) => Number.parseInt(hex, 16))),
    ),
  )
}

function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0
}

test.each(locales.map(({ code }) => code))(
  '%s: one page with its language set and its characters embedded',
  async (lang) => {
    const pdf = await renderInvoice({ ...invoice, lang })
    const text = pdf.toString('latin1')
    const heading = { 'ja-jp': '請求書', 'zh-tw': '發票', 'ru-ru': 'Счёт', 'de-de': 'Rechnung' }[lang as string] ?? ''

    expect(pagesOf(pdf)).toBe(1)
    expect(text).toContain(`/Lang (${lang})`)
    expect(text).toContain('/DisplayDocTitle true')
    expect(text).toContain('/Marked true')
    expect([...heading].filter((character) => !selectable(pdf).has(character))).toEqual([])
    expect(pdf.byteLength).toBeLessThan(['ja-jp', 'zh-tw'].includes(lang) ? 250_000 : 60_000)
  },
)

test('every font is embedded as a subset with a ToUnicode map', async () => {
  const text = unpacked(await renderInvoice({ ...invoice, lang: 'ja-jp' }))
  const fonts = text.match(/\/BaseFont \/[A-Z]{6}\+Noto/g) ?? []
  expect(fonts.length).toBeGreaterThan(0)
  expect(text.match(/\/FontFile2/g)?.length).toBe(text.match(/\/FontDescriptor \d/g)?.length)
  expect(text.match(/\/ToUnicode/g)?.length).toBe(fonts.length / 2)
})

test('a name may be in any script, whatever the language of the invoice', async () => {
  const names = 'Lindqvist Åsa 株式会社フォリオ 臺北市 Ελλάδα Москва Łódź Đặng'
  const shown = selectable(
    await renderInvoice({ ...invoice, lang: 'de-de', buyer: { ...invoice.buyer, company: names } }),
  )
  expect([...names].filter((character) => !shown.has(character))).toEqual([])
  expect(shown.has('\ufffd')).toBe(false)
})

test('a character that no font has is replaced visibly', async () => {
  const shown = selectable(await renderInvoice({ ...invoice, buyer: { ...invoice.buyer, company: '김철수 👍' } }))
  expect(shown.has('\ufffd')).toBe(true)
  expect(shown.has('김')).toBe(false)
})

test('direction marks and invisible characters are removed', async () => {
  const shown = selectable(
    await renderInvoice({ ...invoice, buyer: { ...invoice.buyer, name: 'A\u202eda\u0007\u200b\nX' } }),
  )
  for (const hidden of ['\u202e', '\u0007', '\u200b', '\n', '\ufffd']) expect(shown.has(hidden)).toBe(false)
})

test('sixty lines take several pages, and a thousand work too', async () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ text: `Position ${index}`, productCode: '', amount: 100 }))
  expect(pagesOf(await renderInvoice({ ...invoice, lines: lines(60) }))).toBe(4)

  const large = await renderInvoice({ ...invoice, lines: lines(1000) })
  expect(pagesOf(large)).toBeGreaterThan(40)
  expect(large.byteLength).toBeLessThan(500_000)
})

test('the longest texts that an import accepts are rendered', async () => {
  const long = { text: 'W'.repeat(500), productCode: '', amount: -Number.MAX_SAFE_INTEGER }
  const pdf = await renderInvoice({
    ...invoice,
    orderNumber: 'O'.repeat(64),
    invoiceNumber: 'W'.repeat(64),
    buyer: { ...invoice.buyer, company: '株'.repeat(256), address: ['x'.repeat(300)] },
    lines: Array.from({ length: 100 }, () => long),
    amount: -Number.MAX_SAFE_INTEGER,
    tax: null,
    currency: 'KWD',
  })
  expect(pagesOf(pdf)).toBeGreaterThan(10)
})

test('the same document gives the same file, with its own date', async () => {
  const [one, two] = [await renderInvoice(invoice), await renderInvoice(invoice)]
  expect(one.equals(two)).toBe(true)
  expect(one.includes('(D:20260601000100Z)')).toBe(true)
})

test('a name cannot inject XML into the metadata', async () => {
  const seller = { ...invoice.seller, name: 'Smith & Co <rdf:li>' }
  const pdf = (await renderInvoice({ ...invoice, seller, invoiceNumber: '</rdf:li>' })).toString('utf8')
  const [, xml = ''] = /<x:xmpmeta([\s\S]*)<\/x:xmpmeta>/.exec(pdf) ?? []
  expect(xml.match(/<rdf:li/g)).toHaveLength(2)
  expect(xml).not.toContain('&')
})

test('documents are rendered one after the other, and refused when the queue is full', async () => {
  const render = newRenderer({ maxWaiting: 3 })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => render(invoice)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(outcomes[3]).toMatchObject({ reason: { code: 'overloaded' } })
  expect((await render(invoice)).equals(await renderInvoice(invoice))).toBe(true)
})

test('a document that cannot be rendered fails alone, and a thread that hangs is replaced', async () => {
  const render = newRenderer()
  const outcomes = await Promise.allSettled([render({ ...invoice, currency: '?' }), render(invoice)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])

  const hurried = newRenderer({ timeoutMs: 1 })
  const busy = { code: 'overloaded', details: { cause: new Error('an invoice was not drawn within 1 ms') } }
  await expect(hurried(invoice)).rejects.toMatchObject(busy)
  await expect(hurried(invoice)).rejects.toMatchObject(busy)
})

test('a thread without work keeps no program running', async () => {
  const renderer = new URL('./renderer.ts', import.meta.url)
  const program = `import('${renderer}').then(({ newRenderer }) => newRenderer()({})).catch(({ code }) => console.log(code))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], { timeout: 20_000 })
  // Nothing can be drawn of it; the thread has said so.
  expect(stdout).toBe('undefined\n')
})

test('a discount stands below the subtotal, which is before it, and what the balance of the account paid below the total', async () => {
  const totals = (values: Partial<InvoiceDocument>) => {
    const document = { ...invoice, ...values }
    return totalsOf(document, wordsOf(document)).map(({ text, amount }) => `${text} ${amount}`)
  }
  expect(totals({ tax: 380, total: 2380, amount: 180 })).toEqual([
    'Subtotal $20.00',
    'Tax $3.80',
    'Total $23.80',
    'Account balance -$22.00',
    'Charged $1.80',
  ])
  expect(totals({ tax: null, total: 1000, amount: 1030 })).toEqual([
    'Total $10.00',
    'Account balance $0.30',
    'Charged $10.30',
  ])
  const facts = { kind: 'discount', product: '', quantity: 1, from: '', to: '' } as const
  const lines = [
    { text: 'Folio PDF Editor+', productCode: 'FPE', amount: 2305 },
    { text: 'Discount', productCode: '', amount: -500, facts },
  ]
  expect(totals({ lines, tax: 145, total: 1950, amount: 1950 })).toEqual([
    'Subtotal $23.05',
    'Discount -$5.00',
    'Tax $1.45',
    'Total $19.50',
  ])
  expect(totals({ lines, tax: 288, total: 1805, amount: 1805 })).toEqual([
    'Subtotal $23.05',
    'Discount -$5.00',
    'Total $18.05',
    'Tax included $2.88',
  ])
  expect(totals({})).toEqual(['Subtotal $1,234.00', 'Tax $246.80', 'Total $1,480.80'])
  expect(pagesOf(await renderInvoice({ ...invoice, amount: 100 }))).toBe(1)
})

test.each(locales.map(({ code }) => code))('%s: who accounts for the tax is told so, beside the tax id', (lang) => {
  const buyer = { ...invoice.buyer, taxIds: ['DE123456789'], isReverseCharge: true }
  const words = wordsOf({ ...invoice, lang, buyer })
  expect(words.note).not.toContain('reverseCharge')
  expect(words.note.length).toBeGreaterThan(wordsOf({ ...invoice, lang }).note.length)
})
