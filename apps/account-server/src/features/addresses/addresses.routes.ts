import * as contract from '@atrium/contract/addresses.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { addAddress, addressForm, addressList, deleteAddress, updateAddress } from './addresses.service.ts'

export function addressesRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listAddresses, (_input, member) => addressList(deps.db, member))
  serve(app, contract.readAddressForm, ({ query }, member) => addressForm(deps.db, member, query))
  serve(app, contract.addAddress, ({ body }, member, { idempotencyKey }) =>
    addAddress(deps, member, { edit: body, idempotencyKey }),
  )
  serve(app, contract.updateAddress, ({ params, body }, member) => updateAddress(deps, member, params.id, body))
  serve(app, contract.deleteAddress, ({ params }, member) => deleteAddress(deps, member, params.id))
}
