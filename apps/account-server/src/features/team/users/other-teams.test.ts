import { seatTypes } from '@atrium/contract/seat-types.ts'
import { previewUserRemoval } from '@atrium/contract/team.ts'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'

test('the preview of a removal names the other subscriptions of the person that the caller manages, and no others', async () => {
  await using world = await newWorld()
  const [owner, setup, stranger] = [await world.member(), await world.member(), await world.member()]
  const [colleague, another] = [await world.member(), await world.member()]
  const subscriptionTo = async (name: string) => {
    const { code: productCode } = await newProduct(world, { name })
    return newSubscription(world, owner, { productCode })
  }
  const [invited, joined, renamed] = [
    await subscriptionTo('Folio Cloud'),
    await subscriptionTo('Folio PDF Editor'),
    await subscriptionTo('Folio Smart Redact'),
  ]
  const [left, others, foreign] = [
    await newSubscription(world, owner),
    await newSubscription(world, owner),
    await newSubscription(world, stranger),
  ]
  const person = { memberId: colleague.id, email: colleague.email }
  const seat = await newSeat(world, left.id, person)
  await newSeat(world, left.id, { memberId: setup.id, email: setup.email, type: seatTypes.setupAdmin, isUse: false })
  await newSeat(world, invited.id, { email: colleague.email, status: 'Pending', isUse: false })
  await newSeat(world, joined.id, person)
  // Invited at an address that the person no longer has.
  await newSeat(world, renamed.id, { ...person, email: 'before@example.org' })
  await newSeat(world, others.id, { memberId: another.id, email: another.email })
  await newSeat(world, foreign.id, person)

  const { orgCode, lang } = { orgCode: 'ORG', lang: 'en-us' as const }
  const preview = (who: TestMember) =>
    world.as(who).send(previewUserRemoval, {
      params: { sid: left.id },
      body: { orgCode, lang, email: seat.email, distributionUuid: seat.id, setupAdmin: 0, type: 0 },
    })
  expect((await preview(owner)).body.otherTeams).toEqual([
    { sid: invited.id, appName: 'Folio Cloud' },
    { sid: joined.id, appName: 'Folio PDF Editor' },
    { sid: renamed.id, appName: 'Folio Smart Redact' },
  ])
  expect((await preview(setup)).body.otherTeams).toEqual([])
})
