import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { desc, eq, sql } from 'drizzle-orm'
import forge from 'node-forge'
import { paypalCertificates } from '../store/paypal.tables.ts'
import { newId } from '../wire/ids.rules.ts'

type Certificate = typeof paypalCertificates.$inferSelect
type Role = Certificate['role']

/** Any number: the certificates are made once, also by two programs that start together. */
const lock = 7_291_035

const generate = promisify(generateKeyPair)

/** As PayPal’s certificate is named, so that a receiver that checks the name works unchanged. */
const leafName = 'messageverificationcerts.paypal.com'

const names: Readonly<Record<Role, string>> = {
  root: 'Sandbox Root, not trusted by anybody',
  intermediate: 'Sandbox Intermediate',
  leaf: leafName,
}

const years: Readonly<Record<Role, number>> = { root: 20, intermediate: 10, leaf: 2 }

/** The certificate that signs events now; made with its authorities when it is first needed. */
export async function signingCertificate(db: Db): Promise<Certificate> {
  return (await newest(db, 'leaf')) ?? rollCertificate(db)
}

/** Makes a new signing certificate. The address of the old one stays, for events that it signed. */
export function rollCertificate(db: Db): Promise<Certificate> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lock})`)
    const root = (await newest(tx, 'root')) ?? (await issue(tx, 'root'))
    const intermediate = (await newest(tx, 'intermediate')) ?? (await issue(tx, 'intermediate', root))
    return issue(tx, 'leaf', intermediate)
  })
}

/** The chain of a signing certificate, PEM: itself, the intermediate, the root. */
export async function certificateChain(db: Db, id: string): Promise<string | undefined> {
  const [leaf] = await db.select().from(paypalCertificates).where(eq(paypalCertificates.id, id))
  const [intermediate, root] = [await newest(db, 'intermediate'), await newest(db, 'root')]
  if (leaf?.role !== 'leaf' || !intermediate || !root) return undefined
  return [leaf, intermediate, root].map(({ certificate }) => certificate).join('')
}

/** The certificate on which a receiver bases its trust, PEM. */
export async function rootCertificate(db: Db): Promise<string> {
  await signingCertificate(db)
  return (await newest(db, 'root'))?.certificate ?? ''
}

async function newest(db: Db | Tx, role: Role): Promise<Certificate | undefined> {
  const [row] = await db
    .select()
    .from(paypalCertificates)
    .where(eq(paypalCertificates.role, role))
    .orderBy(desc(paypalCertificates.place))
    .limit(1)
  return row
}

async function issue(tx: Tx, role: Role, issuer?: Certificate): Promise<Certificate> {
  const keys = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey)
  // RFC 5280 §4.1.2.2: positive. The first byte is not zero, since a number with zeros before it is not valid DER.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`
  certificate.validity.notBefore = new Date(Date.now() - 24 * 3_600_000)
  certificate.validity.notAfter = new Date(Date.now() + years[role] * 365 * 24 * 3_600_000)
  certificate.setSubject(nameOf(role))
  certificate.setIssuer(nameOf(issuer?.role ?? role))
  certificate.setExtensions(extensionsOf(role))
  const key = forge.pki.privateKeyFromPem(issuer?.privateKey ?? keys.privateKey)
  certificate.sign(key, forge.md.sha256.create())
  const pem = forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n')
  const [row] = await tx
    .insert(paypalCertificates)
    .values({ id: newId.certificate(), role, certificate: pem, privateKey: keys.privateKey })
    .returning()
  if (!row) throw new Error('no certificate was stored')
  return row
}

function nameOf(role: Role) {
  return [
    { shortName: 'O', value: 'Sandbox' },
    { shortName: 'CN', value: names[role] },
  ]
}

function extensionsOf(role: Role): object[] {
  if (role === 'leaf') {
    return [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: leafName }] },
    ]
  }
  return [
    { name: 'basicConstraints', cA: true, critical: true, pathLenConstraint: role === 'root' ? 1 : 0 },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ]
}
