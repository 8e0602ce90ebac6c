import { daysBefore } from './dates.ts'
import { keyOfLicense } from './licenses.ts'
import type { FolioRecord } from './record.ts'
import { macOf } from './sequence.ts'

/** Devices of the cast: [computer, version, days since it was activated, days since it was deactivated]. */
type Entry = readonly [pcName: string, version: string, activated: number, deactivated?: number]

const byKey: Readonly<Record<string, readonly Entry[]>> = {
  'L-2025-0010/0': [
    ['ADA-THINKPAD', '13.1.0', 8],
    ['STUDIO-PC', '13.0.2', 48],
    ['OLD-LAPTOP', '12.0.1', 420, 31],
  ],
  'L-2025-0010/1': [
    ['RECEPTION-01', '13.1.0', 22],
    ['RECEPTION-02', '13.1.0', 22],
    ['MEETING-ROOM', '12.4.3', 190],
    ['PLOTTER-HOST', '11.2.4', 410],
    ['ARCHIVE-NAS', '11.0.1', 428],
  ],
  'L-2024-0011/0': [
    ['ADA-DESKTOP', '11.2.4', 880],
    ['WORKSHOP-PC', '12.1.0', 610],
  ],
  'L-2023-0012/0': [['ADA-OLD-MACHINE', '11.0.1', 1300]],
  'L-2026-0013/0': [
    ['Adas-MacBook-Pro', '13.0.0', 70],
    ['Studio-iMac', '13.0.0', 41],
  ],
  'L-2025-0014/0': [['Adas-MacBook-Air', '13.0.0', 300]],
  'L-2025-0015/0': [
    ['Kanzlei-iMac', '13.0.0', 480],
    ['Kanzlei-Empfang', '13.0.0', 200],
  ],
  'L-2022-0016/0': [['LINUS-PC', '11.1.0', 1590]],
  'L-2025-0017/0': [
    ['NGL-0131', '13.1.0', 100],
    ['NGL-0148', '13.1.0', 96],
  ],
  'L-2024-0018/0': [['YUKI-NOTE', '12.4.3', 650]],
  'L-2024-0019/0': [['REDAKTSIA-1', '12.4.3', 800]],
}

type Email = readonly [subscriptionId: string, name: string, host: string, app: string, updated: number, ended?: number]

const byEmail: readonly Email[] = [
  ['ada-editor', 'ada', 'ADA-THINKPAD', 'Folio PDF Editor+', 1],
  ['ada-editor', 'ada', 'Adas-iPad', 'Folio PDF Editor+ Mobile', 12],
  ['ada-editor', 'ada', 'OLD-LAPTOP', 'Folio PDF Editor+', 31, 31],
  ['ada-editor', 'omar', 'NGL-0107', 'Folio PDF Editor+', 5],
  ['ada-editor', 'pia', 'MOREAU-PORTABLE', 'Folio PDF Editor+', 3],
  ['ada-editor', 'pia', 'MOREAU-BUREAU', 'Folio PDF Editor+', 66],
  ['ada-editor', 'linus', 'OKAFOR-STUDIO', 'Folio PDF Editor+', 58],
  ['ada-esign', 'ada', 'ADA-THINKPAD', 'Folio eSign Desktop', 2],
  ['ada-assistant', 'ada', 'ADA-THINKPAD', 'Folio AI Assistant', 4],
  ['grace-editor', 'grace', 'KANZLEI-PC-1', 'Folio PDF Editor+', 20],
  ['linus-suite', 'linus', 'OKAFOR-STUDIO', 'Folio PDF Editor+', 14],
  ['yuki-cloud', 'yuki', 'YUKI-NOTE', 'Folio Cloud Drive', 9],
  ['omar-editor', 'omar', 'NGL-0107', 'Folio PDF Editor+', 15],
  ['omar-editor', 'pia', 'MOREAU-PORTABLE', 'Folio PDF Editor+', 90],
  ['vera-education', 'vera', 'REDAKTSIA-2', 'Folio PDF Editor+', 60],
]

export function* deviceRecords(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 8, 20).toISOString()

  for (const [place, entries] of Object.entries(byKey)) {
    const [licenseId = '', index = ''] = place.split('/')
    for (const [pcName, appVersion, activated, deactivated] of entries) {
      yield {
        type: 'key-device',
        key: keyOfLicense(licenseId, Number(index)),
        macAddress: macOf(pcName, 0),
        pcName,
        appVersion,
        requestDate: at(activated),
        ...(deactivated && { deactivated: at(deactivated) }),
      }
    }
  }

  for (const [subscriptionId, name, hostName, appName, updated, ended] of byEmail) {
    yield {
      type: 'email-device',
      subscriptionId,
      email: `${name}@folio.test`,
      hostName,
      mac: macOf(hostName, 0),
      appName,
      appVersion: '14.0.1',
      updated: at(updated),
      ...(ended && { deactivated: at(ended) }),
    }
  }
}
