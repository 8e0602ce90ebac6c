import { checkCoupon } from '@atrium/contract/coupons.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { sharingDetail } from '../envelope-sharing/envelope-sharing.service.ts'
import { expectPaidHere } from '../partner-sales.ts'
import { finishOrder } from '../paypal-change/paypal-change.service.ts'
import { commitRenewal, finishRenewal } from '../renewal/renewal.service.ts'
import { renewalDetail } from '../renewal/renewal-quotes.service.ts'
import { renewalType } from '../renewal/renewal-window.rules.ts'
import { changeDetail } from './change-quotes.service.ts'
import { couponDetail, couponTries } from './coupon-detail.service.ts'
import { dropChange } from './drop-change.service.ts'
import { commitChange, finishChange } from './plan-change.service.ts'
import { expectNothingWaiting } from './waiting-change.ts'

export function planChangeRoutes(app: FastifyInstance, deps: Deps) {
  const countTry = couponTries(deps)

  serve(app, contract.changePlanFrom, async ({ body }, member) => {
    const { sid, type, increasingNumber, upgradeSelect, couponCode } = body
    if (type === 'enable-pooling-button') return sharingDetail(deps, member, sid)
    await expectPaidHere(deps.db, member, sid)
    await expectNothingWaiting(deps, member, sid)
    await countTry(member, couponCode)
    if (type === renewalType) return renewalDetail(deps, member, { sid, couponCode })
    return changeDetail(deps, member, { sid, asked: { type, increasingNumber, upgradeSelect, couponCode } })
  })

  serve(app, checkCoupon, async ({ body: { sid, code: couponCode, ...asked } }, member) => {
    await expectPaidHere(deps.db, member, sid)
    await countTry(member, couponCode)
    return couponDetail(deps, member, { sid, asked: { ...asked, couponCode } })
  })

  serve(app, contract.changePlan, async ({ body }, member, { idempotencyKey }) => {
    await expectPaidHere(deps.db, member, body.subscriptionId)
    await countTry(member, body.couponCode)
    const commit = body.type === renewalType ? commitRenewal : commitChange
    return commit(deps, member, { body, idempotencyKey })
  })

  serve(app, contract.dropOpenChange, ({ params: { sid } }, member) => dropChange(deps, member, sid))

  serve(app, contract.paypalCallBack, async ({ body }, member) => {
    await expectPaidHere(deps.db, member, body.subscriptionId)
    return finishOrder(deps, member, body)
  })

  serve(app, contract.memberPlanPlace, async ({ body }, member) => {
    await expectPaidHere(deps.db, member, body.subscriptionId)
    return (await finishRenewal(deps, member, body)) ?? finishChange(deps, member, body)
  })
}
