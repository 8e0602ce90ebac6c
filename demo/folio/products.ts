import { iconOf } from './icons.ts'
import type { FolioRecord } from './record.ts'

type Product = Extract<FolioRecord, { type: 'product' }>
type Prices = NonNullable<Product['prices']>

/** Codes FPM, PMM, FPETW and FPETM are the specification's own (000 §6). */
export function* productRecords(): Generator<FolioRecord> {
  let position = 0
  for (const product of [...editors(), ...cloudAndSigning(), ...redaction(), ...additions()]) {
    yield { type: 'product', position, skuName: skuNames[product.sku] ?? '', icon: iconOf(product.sku), ...product }
    position += 1
  }
}

/** Labels of the tabs. */
const skuNames: Readonly<Record<string, string>> = {
  'pdf-editor': 'Folio PDF Editor',
  'pdf-editor-mac': 'Folio PDF Editor for Mac',
  'pdf-editor-plus': 'Folio PDF Editor+',
  'pdf-editor-msp': 'MSP Package',
  cloud: 'Folio Cloud',
  esign: 'Folio eSign',
  'smart-redact': 'Folio Smart Redact',
  'ai-assistant': 'Folio AI Assistant',
  'admin-console': 'Folio Admin Console',
  connectors: 'eSign Connectors',
}

type Entry = Omit<Product, 'type' | 'position'>

function editors(): Entry[] {
  const cap = upTo(30)
  const integrations = named('Microsoft 365', 'Google Drive', 'SharePoint')
  const windows = installer('Windows', 'folio-pdf-editor-setup.exe')
  const mac = installer('Mac', 'folio-pdf-editor.dmg')
  const plus = { sku: 'pdf-editor-plus', cap, integrations, downloads: [windows, mac] }

  return [
    {
      code: 'FPE',
      name: 'Folio PDF Editor',
      sku: 'pdf-editor',
      prices: [...yearly(10_900, 9900, 16_500), ...perpetual(15_900, 14_900, 24_800)],
      cap,
      downloads: [windows],
      integrations,
    },
    {
      code: 'FPETW',
      name: 'Folio PDF Editor Team for Windows',
      sku: 'pdf-editor',
      prices: perpetual(18_900, 17_900, 29_800),
      cap,
      flags: ['adminConsole', 'additionalLicenses'],
      downloads: [windows],
      integrations,
    },
    {
      code: 'FPM',
      name: 'Folio PDF Editor for Mac',
      sku: 'pdf-editor-mac',
      prices: [
        ...yearly(10_900, 9900, 16_500),
        ...prices('paid_yearly', 11_900, 10_900, 17_900),
        ...perpetual(13_900, 12_900, 21_800),
      ],
      cap,
      flags: ['additionalLicenses'],
      downloads: [mac],
    },
    {
      code: 'PMM',
      name: 'Folio PDF Editor for Mac, Media Edition',
      sku: 'pdf-editor-mac',
      prices: perpetual(9900, 8900, 14_800),
      cap,
      flags: ['additionalLicenses'],
      downloads: [mac],
    },
    {
      code: 'FPETM',
      name: 'Folio PDF Editor Team for Mac',
      sku: 'pdf-editor-mac',
      prices: perpetual(18_900, 17_900, 29_800),
      cap,
      flags: ['adminConsole', 'additionalLicenses'],
      downloads: [mac],
    },
    {
      code: 'FPEPB',
      name: 'Folio PDF Editor+ Business',
      prices: [
        ...monthly(1499, 1399, 2200),
        ...yearly(15_900, 14_900, 23_800),
        ...prices('yearly_paid_monthly', 1399, 1299, 2080),
      ],
      flags: ['adminConsole', 'roadmap'],
      ...plus,
    },
    {
      code: 'FPEPI',
      name: 'Folio PDF Editor+ Individual',
      prices: [...monthly(1299, 1199, 1900), ...yearly(12_900, 11_900, 19_800)],
      flags: ['individualSuite', 'roadmap'],
      upgrades: ['FPEPB'],
      ...plus,
    },
    {
      code: 'FPEPE',
      name: 'Folio PDF Editor+ Education',
      prices: yearly(5900, 5400, 8800),
      flags: ['roadmap'],
      ...plus,
    },
    {
      code: 'FPEMSP',
      name: 'Folio PDF Editor MSP Package',
      sku: 'pdf-editor-msp',
      prices: yearly(89_000, 84_000, 132_000),
      flags: ['msp'],
      downloads: [windows, mac],
    },
  ]
}

function cloudAndSigning(): Entry[] {
  const esign = 'https://esign.folio.test/'
  return [
    {
      code: 'FCL',
      name: 'Folio Cloud',
      sku: 'cloud',
      prices: [...monthly(799, 749, 1200), ...yearly(7900, 7400, 11_800)],
      cap: upTo(30),
      launchUrl: 'https://cloud.folio.test/',
      flags: ['cloud'],
      integrations: named('Google Drive', 'Dropbox', 'OneDrive'),
    },
    {
      code: 'FCLST',
      name: 'Folio Cloud Storage',
      sku: 'cloud',
      prices: yearly(11_900, 10_900, 17_800),
      launchUrl: 'https://cloud.folio.test/',
      flags: ['storage', 'cloud'],
    },
    {
      code: 'FESE',
      name: 'Folio eSign Essentials',
      sku: 'esign',
      prices: [...monthly(999, 949, 1500), ...yearly(9900, 9400, 14_800)],
      cap: upTo(1),
      launchUrl: esign,
      upgrades: ['FESB'],
    },
    {
      code: 'FESB',
      name: 'Folio eSign Business',
      sku: 'esign',
      prices: [...monthly(2499, 2299, 3700), ...yearly(24_900, 22_900, 36_800)],
      cap: upTo(15),
      launchUrl: esign,
      flags: ['connectable', 'envelopeSharing'],
      integrations: named('Salesforce', 'Microsoft Dynamics 365'),
    },
  ]
}

function redaction(): Entry[] {
  const tiers = [
    { code: 'FSRS', tier: 'Starter', prices: yearly(19_900, 18_900, 29_800) },
    { code: 'FSRP', tier: 'Professional', prices: yearly(49_900, 46_900, 74_800) },
    { code: 'FSRE', tier: 'Enterprise', prices: yearly(129_900, 119_900, 194_800) },
  ]
  return [
    ...tiers.map(({ code, tier, prices }, place) => ({
      code,
      upgrades: tiers.slice(place + 1).map((higher) => higher.code),
      name: `Folio Smart Redact ${tier}`,
      sku: 'smart-redact',
      prices,
      cap: upTo(1),
      launchUrl: 'https://redact.folio.test/',
    })),
    {
      code: 'FSRSV',
      name: 'Folio Smart Redact Server',
      sku: 'smart-redact',
      prices: yearly(249_000, 229_000, 369_000),
      cap: upTo(99),
      flags: ['redactServer'],
      downloads: [installer('Linux', 'folio-smart-redact-server.tar.gz')],
    },
  ]
}

function additions(): Entry[] {
  const connector = {
    sku: 'connectors',
    prices: [...monthly(1200, 1100, 1790), ...yearly(12_000, 11_000, 17_900)],
    cap: upTo(40),
  }
  return [
    {
      code: 'FAI',
      name: 'Folio AI Assistant',
      sku: 'ai-assistant',
      prices: [...monthly(499, 459, 750), ...yearly(4900, 4500, 7300)],
      launchUrl: 'https://assistant.folio.test/',
      flags: ['aiAssistant'],
    },
    {
      code: 'FAC',
      name: 'Folio Admin Console',
      sku: 'admin-console',
      prices: yearly(0, 0, 0),
      cap: upTo(1),
      flags: ['adminConsole'],
    },
    { code: 'FCNSF', name: 'Folio eSign Connector for Salesforce', flags: ['connector'], ...connector },
    { code: 'FCNMD', name: 'Folio eSign Connector for Dynamics 365', flags: ['connector'], ...connector },
  ]
}

const monthly = (usd: number, eur: number, jpy: number) => prices('monthly', usd, eur, jpy)
const yearly = (usd: number, eur: number, jpy: number) => prices('yearly', usd, eur, jpy)
const perpetual = (usd: number, eur: number, jpy: number) => prices('perpetual', usd, eur, jpy)

/** Minor units: cents, cents, yen. */
function prices(term: Prices[number]['term'], usd: number, eur: number, jpy: number): Prices {
  return [
    { term, amount: usd, currency: 'USD' },
    { term, amount: eur, currency: 'EUR' },
    { term, amount: jpy, currency: 'JPY' },
  ]
}

/** The most that one subscription can hold (001 §9). */
function upTo(cap: number) {
  return { cap, scope: 'subscription' } as const
}

function installer(platform: string, file: string) {
  return { platform, url: `https://downloads.folio.test/${platform.toLowerCase()}/${file}` }
}

function named(...names: string[]) {
  return names.map((name) => ({ name }))
}
