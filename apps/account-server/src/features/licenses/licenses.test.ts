import { downloadKeycodeFile, listLicensedProducts, listLicenses, readLicenseKeys } from '@atrium/contract/licenses.ts'
import { expect, test } from 'vitest'
import { newContact, newKey, newLicense, newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'

test('licenses are listed by product, newest first, ten per page, with a count for each product', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const [editor, sign] = [await newProduct(world, { position: 1 }), await newProduct(world, { position: 2 })]
  for (let day = 1; day <= 12; day += 1) {
    const createdAt = new Date(Date.UTC(2026, 0, day))
    const license = await newLicense(world, { productCode: editor.code, createdAt })
    await newContact(world, license.id, member)
  }
  await newContact(world, (await newLicense(world, { productCode: sign.code })).id, member)

  const first = await world.as(member).send(listLicenses, { query: {} })
  const second = await world.as(member).send(listLicenses, { query: { page: 2, sku: editor.sku } })
  const other = await world.as(member).send(listLicenses, { query: { sku: sign.sku } })
  const unknown = await world.as(member).send(listLicenses, { query: { sku: 'no-such-product' } })
  const far = await world.as(member).send(listLicenses, { query: { page: 1_000_000 } })

  expect(first.body.total).toBe(13)
  expect(first.body.sku).toBe(editor.sku)
  expect(first.body.licenses[editor.sku]?.totalLicenseIdNum).toBe(12)
  expect(first.body.licenses[editor.sku]?.list.map(({ createDate }) => createDate.slice(8, 10))).toEqual([
    '12',
    '11',
    '10',
    '09',
    '08',
    '07',
    '06',
    '05',
    '04',
    '03',
  ])
  expect(first.body.licenses[sign.sku]).toEqual({ list: [], totalLicenseIdNum: 1 })
  expect(second.body.licenses[editor.sku]?.list).toHaveLength(2)
  expect(other.body.licenses[sign.sku]?.list).toHaveLength(1)
  expect(unknown.body.sku).toBe(editor.sku)
  expect(far.body.licenses[editor.sku]).toEqual({ list: [], totalLicenseIdNum: 12 })
})

test('a license has all fields for its Holder, with a masked key', async () => {
  await using world = await newWorld({ settings: { DOWNLOAD_HOSTS: 'downloads.example' } })
  const member = await world.member()
  const downloads = [
    { platform: 'Windows', url: 'https://downloads.example/setup.exe' },
    { platform: 'Mac', url: 'https://elsewhere.example/setup.dmg' },
    { platform: 'Linux', url: 'http://downloads.example/setup.tar.gz' },
    { platform: 'Web', url: 'javascript:alert(1)' },
  ]
  const product = await newProduct(world, { downloads, flags: ['additionalLicenses'] })
  const license = await newLicense(world, {
    productCode: product.code,
    seats: 5,
    expiresAt: new Date('2027-01-01T00:00:00Z'),
    acLiceId: 'AC-7',
  })
  await newContact(world, license.id, member, { userRole: 'bill' })
  await newKey(world, license.id, { key: '65410-0010-SECRET-PART-F7K2Q' })

  const { body } = await world.as(member).send(listLicenses, { query: {} })
  expect(body.licenses[product.sku]?.list).toEqual([
    {
      licenseId: license.id,
      productCode: product.code,
      productName: product.name,
      version: '13.1',
      language: 'English',
      edition: 'Standard',
      platform: 'Windows',
      totalLicenseNum: 5,
      expirationDate: Date.parse('2027-01-01T00:00:00Z') / 1000,
      createDate: '2026-06-01T09:30:00.000Z',
      status: 'valid',
      relationship: 'Holder',
      userRole: 'bill',
      acConvertInfo: { acLiceId: 'AC-7' },
      terms: { activationMethod: 'keycode', activationKey: '65410-0010*************F7K2Q', codeStatus: 'active' },
      downloadUrl: { Windows: 'https://downloads.example/setup.exe' },
      subId: null,
      subUserInfo: null,
      actions: ['get_key', 'manage_devices', 'purchase', 'purchase_additional'],
    },
  ])
  expect(JSON.stringify(body)).not.toContain('SECRET')
})

test('a subscription’s license belongs to its Owner, and takes product, seats, end and validity from the subscription', async () => {
  await using world = await newWorld()
  const [owner, admin, plain] = [await world.member(), await world.member(), await world.member()]
  const product = await newProduct(world)
  const subscription = await newSubscription(world, owner, { productCode: product.code, userCount: 12 })
  const license = await newLicense(world, { subscriptionId: subscription.id, activationMethod: 'email' })
  await newSeat(world, subscription.id, { memberId: admin.id, email: admin.email, type: 1 })
  await newSeat(world, subscription.id, { status: 'Pending', isUse: false })
  await newSeat(world, subscription.id, {
    status: 'Pending',
    isUse: false,
    invitedAt: new Date('2026-05-24T09:00:00Z'),
  })
  await newSeat(world, subscription.id, { type: 3, isUse: false })
  await newContact(world, license.id, plain, { relationship: 'Holder' })

  const { body } = await world.as(owner).send(listLicenses, { query: {} })
  expect(body.licenses[product.sku]?.list[0]).toMatchObject({
    licenseId: license.id,
    relationship: 'Holder',
    status: 'valid',
    totalLicenseNum: 12,
    expirationDate: Date.parse('2027-06-01T09:30:00Z') / 1000,
    subId: subscription.id,
    // The Owner, the admin and the recent invitation; the expired one and the Setup Admin take no seat.
    subUserInfo: { joinCount: 3, userCount: 12 },
    actions: ['manage_devices', 'manage_user'],
  })
  // Nobody else is its Holder, even if an imported contact says so.
  const other = await world.as(plain).send(listLicenses, { query: {} })
  expect(other.body.licenses[product.sku]?.list[0]).toMatchObject({
    relationship: 'Contact',
    subUserInfo: null,
    actions: [],
  })
})

test('validity depends on revocation, the end, and the subscription’s access', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const product = await newProduct(world)
  const days = (count: number) => new Date(Date.parse('2026-06-01T09:30:00Z') + count * 86_400_000)
  const own = async (values: object) => {
    const license = await newLicense(world, { productCode: product.code, ...values })
    await newContact(world, license.id, member)
    return license.id
  }
  const subscribed = async (values: object) => {
    const subscription = await newSubscription(world, member, { productCode: product.code, ...values })
    return (await newLicense(world, { subscriptionId: subscription.id })).id
  }
  const valid = [
    await own({}),
    await own({ expiresAt: days(1) }),
    await subscribed({ periodEnd: days(-1) }),
    await subscribed({ status: 'past_due', pastDueSince: days(-20) }),
    await subscribed({ status: 'trialing', trialEnd: days(1) }),
    await subscribed({ autoRenew: false, cancelAt: days(3) }),
    await subscribed({ status: 'given', periodEnd: null, autoRenew: false }),
    await subscribed({ status: 'offline-purchase', autoRenew: false, periodEnd: days(9) }),
  ]
  const expired = [
    await own({ revokedAt: days(-1) }),
    await own({ expiresAt: days(-1) }),
    await subscribed({ status: 'past_due', pastDueSince: days(-21) }),
    await subscribed({ status: 'canceled', endedAt: days(-1) }),
    await subscribed({ status: 'given', endedAt: days(-1) }),
    await subscribed({ status: 'trialing', trialEnd: days(-1) }),
    await subscribed({ autoRenew: false, cancelAt: days(-1) }),
    await subscribed({ autoRenew: false, periodEnd: days(-1) }),
    await subscribed({ status: 'prepayment-expired' }),
    await subscribed({ status: 'given', periodEnd: days(-1), autoRenew: false }),
  ]

  const list = async (status: 'valid' | 'expired') => {
    const { body } = await world.as(member).send(listLicenses, { query: { status, pageSize: 100 } })
    return body.licenses[product.sku]?.list.map(({ licenseId }) => licenseId).sort()
  }
  expect(await list('valid')).toEqual(valid.sort())
  expect(await list('expired')).toEqual(expired.sort())
})

test('lists can be filtered by creation date, and by id without wildcards', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const product = await newProduct(world)
  const ids = { young: 'L_2026%1', old: 'L-2025-1', older: 'lx2026y1' }
  const created = { young: '2026-03-01T00:00:00Z', old: '2026-02-28T23:00:00Z', older: '2022-01-01T00:00:00Z' }
  for (const name of ['young', 'old', 'older'] as const) {
    const createdAt = new Date(created[name])
    const license = await newLicense(world, { id: ids[name], productCode: product.code, createdAt })
    await newContact(world, license.id, member)
  }
  const found = async (query: object) => {
    const { body } = await world.as(member).send(listLicenses, { query })
    return body.licenses[product.sku]?.list.map(({ licenseId }) => licenseId)
  }

  expect(await found({ range: 'three-month' })).toEqual([ids.young])
  expect(await found({ range: 'one-year' })).toEqual([ids.young, ids.old])
  expect(await found({ keyWord: 'l-2025' })).toEqual([ids.old])
  expect(await found({ keyWord: '_' })).toEqual([ids.young])
  expect(await found({ keyWord: '%' })).toEqual([ids.young])
  expect(await found({ keyWord: '\\' })).toEqual([])
  expect(await found({ keyWord: '2026', range: 'three-year', status: 'valid' })).toEqual([ids.young])
})

test('Device Management lists licenses with keys for their Holder', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const [keyed, partner, byEmail] = [await newProduct(world), await newProduct(world), await newProduct(world)]
  await newContact(world, (await newLicense(world, { productCode: keyed.code })).id, member)
  await newContact(world, (await newLicense(world, { productCode: partner.code })).id, member, {
    relationship: 'Partner',
  })
  await newContact(
    world,
    (await newLicense(world, { productCode: byEmail.code, activationMethod: 'email' })).id,
    member,
  )

  const all = await world.as(member).send(listLicensedProducts, { query: {} })
  const forDevices = await world.as(member).send(listLicensedProducts, { query: { from: 'device' } })
  const { body } = await world.as(member).send(listLicenses, { query: { from: 'device' } })

  expect(all.body.list).toHaveLength(3)
  expect(forDevices.body.list).toEqual([{ sku: keyed.sku, name: keyed.name, icon: '' }])
  expect(Object.keys(body.licenses)).toEqual([keyed.sku])
})

test('only the Holder gets the keys; for strangers the license does not exist', async () => {
  await using world = await newWorld()
  const [holder, partner, stranger] = [await world.member(), await world.member(), await world.member()]
  const license = await newLicense(world)
  await newContact(world, license.id, holder)
  await newContact(world, license.id, partner, { relationship: 'Partner', userRole: 'bill' })
  const [first, second] = [
    await newKey(world, license.id),
    await newKey(world, license.id, { revokedAt: new Date('2026-05-01T00:00:00Z') }),
  ]

  const params = { licenseId: license.id }
  const own = await world.as(holder).send(readLicenseKeys, { params })
  expect(own.headers['cache-control']).toBe('no-store')
  expect(own.body.terms).toEqual({
    activationMethod: 'keycode',
    activationKey: first.key,
    activationKeyLists: [
      { activationKey: first.key, codeStatus: 'active', seats: 3, activeDevices: 0 },
      { activationKey: second.key, codeStatus: 'revoked', seats: 3, activeDevices: 0 },
    ],
    codeStatus: 'active',
  })
  for (const endpoint of [readLicenseKeys, downloadKeycodeFile]) {
    expect((await world.as(partner).send(endpoint, { params })).body.code).toBe('not_holder')
    const foreign = await world.as(stranger).send(endpoint, { params })
    const missing = await world.as(stranger).send(endpoint, { params: { licenseId: 'L-none' } })
    expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
    expect((await world.visitor.send(endpoint, { params })).status).toBe(401)
  }
  expect((await world.as(holder).send(readLicenseKeys, { params })).status).toBe(200)
})

test('the keycode file has a header block, then the keys that are not revoked', async () => {
  await using world = await newWorld()
  const holder = await world.member({ firstName: 'Ada', lastName: 'Lind\nqvist', email: 'ada.keys@example.test' })
  const product = await newProduct(world, { name: 'Folio PDF Editor' })
  const license = await newLicense(world, {
    id: 'L-FILE-1',
    productCode: product.code,
    expiresAt: new Date('2027-02-03T00:00:00Z'),
  })
  await newContact(world, license.id, holder)
  const key = await newKey(world, license.id)
  const revoked = await newKey(world, license.id, { revokedAt: new Date() })

  const { body } = await world.as(holder).send(downloadKeycodeFile, { params: { licenseId: 'L-FILE-1' } })
  const text = Buffer.from(body.content, 'base64').toString('utf8')
  expect(body.filename).toBe('keycodes-L-FILE-1.txt')
  expect(text.split('\r\n')).toEqual([
    'License ID: L-FILE-1',
    'Product: Folio PDF Editor',
    'Version: 13.1',
    'Edition: Standard',
    'Platform: Windows',
    'Language: English',
    'Seats: 3',
    'Expires: 2027-02-03',
    'Holder: Ada Lind qvist <ada.keys@example.test>',
    '',
    key.key,
    '',
  ])
  expect(text).not.toContain(revoked.key)
})

test('keys are in import order, with any gaps in their numbers', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const license = await newLicense(world)
  await newContact(world, license.id, holder)
  const first = await newKey(world, license.id)
  await world.db.execute('alter table account.license_keys alter column position restart with 3000000000')
  const second = await newKey(world, license.id)

  const { body } = await world.as(holder).send(readLicenseKeys, { params: { licenseId: license.id } })
  expect(body.terms.activationKeyLists.map(({ activationKey }) => activationKey)).toEqual([first.key, second.key])
})

test('a license of several contacts is listed once for each, with their relationship', async () => {
  await using world = await newWorld()
  const [holder, partner] = [await world.member(), await world.member()]
  const license = await newLicense(world)
  await newContact(world, license.id, holder, { userRole: 'commercial' })
  await newContact(world, license.id, partner, { relationship: 'Partner', userRole: 'ship' })

  const shown = async (member: typeof holder) => {
    const { body } = await world.as(member).send(listLicenses, { query: {} })
    return Object.values(body.licenses).flatMap(({ list }) => list.map((one) => [one.relationship, one.userRole]))
  }
  expect(await shown(holder)).toEqual([['Holder', 'commercial']])
  expect(await shown(partner)).toEqual([['Partner', 'ship']])
})

test('another customer’s licenses look like none at all', async () => {
  await using world = await newWorld()
  const [holder, other] = [await world.member(), await world.member()]
  const license = await newLicense(world)
  await newContact(world, license.id, holder)

  expect((await world.as(other).send(listLicenses, { query: {} })).body).toEqual({ sku: '', total: 0, licenses: {} })
  expect((await world.as(other).send(listLicensedProducts, { query: {} })).body).toEqual({ list: [] })
  expect((await world.as(holder).send(listLicenses, { query: {} })).body.total).toBe(1)
})

test.each([
  ['page=0', 422],
  ['page=1000000000', 422],
  ['pageSize=101', 422],
  ['range=two-weeks', 422],
  ['status=active', 422],
  ['from=elsewhere', 422],
  ['keyWord=%00', 422],
  [`keyWord=${'x'.repeat(201)}`, 422],
  [`sku=${'x'.repeat(65)}`, 422],
])('%s is refused', async (query, status) => {
  await using world = await newWorld()
  const { cookie } = await world.member()
  const reply = await world.request({ method: 'GET', url: `/account/licenses/?${query}`, headers: { cookie } })
  expect(reply.statusCode).toBe(status)
})
