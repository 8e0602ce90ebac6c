import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { refused } from '../../db/importer.ts'
import { isPdf, largestInvoiceFile } from '../../outside/invoice-files.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'

/** Where an import looks for the vendor's PDFs. */
export interface InvoicePlaces {
  /** Of the import file; undefined if there is none. */
  folder: string | undefined
  invoiceHosts: readonly string[]
}

/** An address for a later download, or an existing file; both empty: neither. */
interface InvoiceSource {
  url: string
  path: string
}

const notInFolder = 'is not a file next to the import file'

const notTaken = (reason: string) => refused('invoiceFile', reason)

/** The source of the vendor's PDF, or why it is refused. */
export async function invoiceSource(
  invoiceFile: string,
  { folder, invoiceHosts }: InvoicePlaces,
): Promise<InvoiceSource | ReturnType<typeof refused>> {
  if (invoiceFile === '') return { url: '', path: '' }
  if (/^[a-z][a-z0-9+.-]*:/i.test(invoiceFile)) {
    const url = allowedLink(invoiceFile, invoiceHosts)
    return url === '' ? notTaken('is not an https address on one of INVOICE_HOSTS') : { url, path: '' }
  }

  try {
    const path = folder === undefined ? undefined : await pathInside(folder, invoiceFile)
    if (path === undefined) return notTaken(notInFolder)
    const fault = await withFile(path, faultOf)
    return fault === undefined ? { url: '', path } : notTaken(fault)
  } catch (error) {
    return notTaken(reasonOf(error))
  }
}

/** Why a file cannot be opened or read. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
  const code = String(error.code)
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return notInFolder
  return ['EACCES', 'EPERM'].includes(code)
    ? 'cannot be read by the user who runs the import'
    : `cannot be read: ${code}`
}

/** The file, which `invoiceSource` has checked. */
export async function readInvoice(path: string): Promise<Buffer> {
  return withFile(path, async (file) => {
    const fault = await faultOf(file)
    if (fault !== undefined) throw new Error(`${path} ${fault}: it changed while it was imported`)
    return file.readFile()
  })
}

/** The real path of a file inside a folder; undefined for anything outside, by `..` or by link. */
async function pathInside(folder: string, name: string): Promise<string | undefined> {
  if (isAbsolute(name) || name.split(/[/\\]/).includes('..')) return undefined
  const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
  return path.startsWith(home.endsWith(sep) ? home : home + sep) ? path : undefined
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  // The path is resolved already: a link that replaced it is not followed, and a pipe does not block.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function faultOf(file: FileHandle): Promise<string | undefined> {
  const stat = await file.stat()
  if (!stat.isFile()) return 'is not a file'
  if (stat.size > largestInvoiceFile) return 'is larger than 5 MB'
  const { buffer } = await file.read({ buffer: Buffer.alloc(5), position: 0 })
  return isPdf(buffer) ? undefined : 'is not a PDF'
}
