import * as contract from '@atrium/contract/addresses.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { countryList } from '../profile/countries.rules.ts'
import { addAddress, addressList, deleteAddress, updateAddress } from './addresses.service.ts'
import { statesOf } from './states.rules.ts'

export function addressesRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listAddresses, (_input, member) => addressList(deps.db, member))
  serve(app, contract.readAddressForm, ({ query }) => ({
    countryList: countryList(query.lang),
    stateList: query.country ? [...statesOf(query.country)] : [],
  }))
  serve(app, contract.addAddress, ({ body }, member) => addAddress(deps, member, body))
  serve(app, contract.updateAddress, ({ params, body }, member) => updateAddress(deps, member, params.id, body))
  serve(app, contract.deleteAddress, ({ params }, member) => deleteAddress(deps, member, params.id))
}
