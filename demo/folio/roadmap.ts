import type { FolioRecord } from './record.ts'

type Item = Extract<FolioRecord, { type: 'roadmap-item' }>

const [editor, mac, web, mobile, assistant, admin] = [
  'Windows',
  'Mac',
  'Web',
  'Mobile',
  'AI Assistant',
  'Admin Console',
]

/** Where an item is, by the word that the lines below begin with. */
const statuses = { planned: 'planned', built: 'in_progress', beta: 'in_beta', out: 'released' } as const

type Entry = readonly [key: number, keyof typeof statuses, productType: string | undefined, summary: string]

/** The features of a quarter, by its distance from the current one. */
const quarters: Readonly<Record<number, readonly Entry[]>> = {
  '-2': [
    [1042, 'out', editor, 'Compare two versions of a PDF side by side'],
    [1051, 'out', web, 'Open and fill in forms in the browser'],
    [1058, 'out', mac, 'Native support for the latest Macs, twice as fast to start'],
    [1063, 'out', admin, 'Assign licenses to groups of your directory'],
  ],
  '-1': [
    [1077, 'out', editor, 'Redact names, addresses and card numbers by pattern'],
    [1081, 'out', assistant, 'Summarize a document with links to the pages it quotes'],
    [1085, 'out', mobile, 'Scan several pages into one PDF, straightened automatically'],
    [1090, 'out', mac, 'Edit text in place, with the fonts of the document'],
    [1094, 'out', web, 'Comment together on a shared document'],
    [1097, 'out', admin, 'Export the list of users and their last sign-in'],
  ],
  0: [
    [1103, 'out', editor, 'Recognize text in scans in 14 more languages'],
    [1108, 'out', assistant, 'Ask questions about several documents at a time'],
    [1112, 'beta', editor, 'Check documents for accessibility (PDF/UA-2) and repair tags'],
    [1115, 'beta', mac, 'Batch actions: one set of steps for a whole folder'],
    [1119, 'beta', web, 'Organize pages by drag and drop'],
    [1121, 'built', mobile, 'Sign with a finger or pen, offline too'],
    [1124, 'built', admin, 'Sign-in policies for teams: single sign-on only'],
    [1126, 'built', editor, 'Faster opening of drawings with thousands of layers'],
  ],
  1: [
    [1131, 'beta', assistant, 'Translate a PDF and keep its layout'],
    [1135, 'built', editor, 'Convert PDFs to Excel with merged cells and formulas'],
    [1139, 'built', web, 'Version history for documents in the cloud'],
    [1142, 'planned', mac, 'Compare two versions of a PDF side by side'],
    [1146, 'planned', mobile, 'Dark reading mode that leaves pictures as they are'],
  ],
  2: [
    [1152, 'built', admin, 'Activity report: who shared what with whom'],
    [1155, 'planned', editor, 'Measure areas and volumes in technical drawings'],
    [1158, 'planned', assistant, 'Draft replies to comments in a review'],
    [1161, 'planned', web, 'Templates for your team’s forms'],
  ],
  3: [
    [1168, 'planned', editor, 'Long-term signatures (PAdES B-LTA) with your own time stamp server'],
    [1171, 'planned', mac, 'Shortcuts and scripts for the actions you repeat'],
    [1174, 'planned', mobile, 'Fill in forms by voice'],
    [1177, 'planned', admin, 'Data residency reports for each region'],
  ],
}

/** What the team of Folio PDF Editor+ plans, builds and has released. */
export function* roadmapRecords(today: Date): Generator<FolioRecord> {
  for (const [step, entries] of Object.entries(quarters)) {
    const planCycle = quarterFrom(today, Number(step))
    for (const [position, [key, status, productType = '', summary]] of entries.entries()) {
      yield {
        type: 'roadmap-item',
        key: `PDF-${key}`,
        productType,
        summary,
        ...{ status: statuses[status] },
        planCycle,
        position,
      }
    }
  }
}

/** The quarter of a day, or one some quarters later or (negative) earlier. */
export function quarterFrom(today: Date, step: number): Item['planCycle'] {
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + step * 3, 1))
  return `${month.getUTCFullYear()}-Q${1 + Math.trunc(month.getUTCMonth() / 3)}`
}
