import type { DataExportReply } from '@atrium/contract/data-export.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { lockCaller, memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { type ArchiveRow, memberArchive, unfinishedArchive } from '../archives/archives.queries.ts'
import { expiryOf, isComing } from '../archives/archives.rules.ts'
import { finishArchive, newArchive, storeFile } from '../archives/archives.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { subjectsOf } from '../session/session.queries.ts'
import { signedToken } from '../session/signed-token.ts'
import { dataReadyEmail } from './data-export.email.ts'
import { exportMember, invoiceContent } from './export-member.service.ts'
import { exportZip } from './export-zip.ts'

export const dataExportQueue = 'personal-data.export'

/** An export that was requested. */
export interface DataExportJob {
  archiveId: string
}

const kind = 'personal_data'

export async function latestDataExport({ db, wallClock }: Deps, member: Member): Promise<DataExportReply> {
  return replyOf(await memberArchive(db, member, { kind, now: wallClock() }))
}

/** Joins an export that is being prepared; replaces one that is ready, or that could not be made within an hour. */
export function requestDataExport(deps: Deps, member: Member): Promise<DataExportReply> {
  const now = deps.wallClock()
  return deps.db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const latest = await memberArchive(tx, member, { kind, now })
    if (latest && isComing(latest, now)) return replyOf(latest)

    const archive = await newArchive(tx, { memberId: member.id, kind, now })
    await record(tx, member, { action: 'data_export.requested', target: archive.id, now })
    await deps.jobs.send(tx, dataExportQueue, { archiveId: archive.id })
    return replyOf(archive)
  })
}

/** Makes the file, and emails the member that it is there. Run again, it does nothing more. */
export async function makeDataExport(deps: Deps, archiveId: string): Promise<void> {
  const { db, wallClock, config } = deps
  const archive = await unfinishedArchive(db, archiveId)
  const member = archive && (await memberRow(db, { id: archive.memberId }))
  if (!member || member.erasedAt) return

  const { data, files } = await exportMember(db, member, wallClock())
  const signOn = await dataAtSso(deps, member.id)
  const zip = exportZip({ data, signOn, files, read: (file) => invoiceContent(db, file) })
  const stored = await storeFile(db, archiveId, zip)
  const expiresAt = expiryOf(config, wallClock())
  await db.transaction(async (tx) => {
    if (!(await finishArchive(tx, stored, expiresAt))) return
    await sendEmail(deps, tx, dataReadyEmail(config, { member, expiresAt }))
  })
}

/** What the single sign-on stores about the person; undefined if it is a CAS server of the vendor. */
async function dataAtSso(deps: Deps, memberId: string) {
  const [subject] = await subjectsOf(deps.db, memberId)
  if (subject === undefined) return undefined
  const token = await signedToken(deps, { subject }, { purpose: 'account-data', audience: deps.config.SSO_URL })
  return deps.sso.accountData(token)
}

function replyOf(archive: ArchiveRow | undefined): DataExportReply {
  if (!archive) return { dataExport: null }
  const { id, requestedAt, size, expiresAt } = archive
  const file = size === null || expiresAt === null ? null : { size, expiresAt: expiresAt.toISOString() }
  return { dataExport: { id, requestedAt: requestedAt.toISOString(), file } }
}
