import { checkCoupon } from '@atrium/contract/coupons.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { finishOrder } from '../paypal-change/paypal-change.service.ts'
import { changeDetail } from './change-quotes.service.ts'
import { couponDetail, couponTries } from './coupon-detail.service.ts'
import { commitChange, finishChange } from './plan-change.service.ts'

export function planChangeRoutes(app: FastifyInstance, deps: Deps) {
  const countTry = couponTries(deps)

  serve(app, contract.changePlanFrom, async ({ body }, member) => {
    const { sid, type, increasingNumber, upgradeSelect, couponCode } = body
    await countTry(member, couponCode)
    return changeDetail(deps, member, { sid, asked: { type, increasingNumber, upgradeSelect, couponCode } })
  })

  serve(app, checkCoupon, async ({ body: { sid, code: couponCode, ...asked } }, member) => {
    await countTry(member, couponCode)
    return couponDetail(deps, member, { sid, asked: { ...asked, couponCode } })
  })

  serve(app, contract.changePlan, ({ body }, member, { idempotencyKey }) =>
    commitChange(deps, member, { body, idempotencyKey }),
  )

  serve(app, contract.paypalCallBack, ({ body }, member) => finishOrder(deps, member, body))

  serve(app, contract.memberPlanPlace, ({ body }, member) => finishChange(deps, member, body))
}
