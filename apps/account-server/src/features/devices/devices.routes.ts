import * as contract from '@atrium/contract/devices.ts'
import { readLicenseKeys } from '@atrium/contract/licenses.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readComputer, releaseComputer } from './computers.service.ts'
import { deactivateEmailDevice, emailDevicesOf } from './email-devices.service.ts'
import { deactivateKeyDevice, exportOfKey, keyDevicesOf } from './key-devices.service.ts'
import { foundKeys, keyCodesOf, keysOf } from './license-keys.service.ts'

export function devicesRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listEmailDevices, ({ query }, member) => emailDevicesOf(deps, member, query))
  serve(app, contract.deactivateEmailDevice, ({ params }, member) =>
    deactivateEmailDevice(deps, member, params.licenceId),
  )
  serve(app, readLicenseKeys, ({ params }, member) => keysOf(deps, member, params.licenseId))
  serve(app, contract.listKeyCodes, ({ params, query }, member) => keyCodesOf(deps, member, params.licenseId, query))
  serve(app, contract.searchKeys, ({ query }, member) => foundKeys(deps, member, query))
  serve(app, contract.listKeyDevices, ({ query }, member) => keyDevicesOf(deps, member, query))
  serve(app, contract.deactivateKeyDevice, ({ params, body }, member) =>
    deactivateKeyDevice(deps, member, { ...params, ...body }),
  )
  serve(app, contract.readComputer, ({ params }, member) => readComputer(deps, member, params.id))
  serve(app, contract.releaseComputer, ({ params, body }, member) =>
    releaseComputer(deps, member, { ...params, ids: body.devices }),
  )
  serve(app, contract.exportActivationRecord, ({ query }, member) => exportOfKey(deps, member, query.code))
}
