import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { type DataExportJob, dataExportQueue, makeDataExport } from './data-export.service.ts'

export async function dataExportJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<DataExportJob>(dataExportQueue, ({ archiveId }) => makeDataExport(deps, archiveId), {
    atOnce: 2,
  })
}
