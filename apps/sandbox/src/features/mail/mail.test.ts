import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { ofFile } from '../../test/of-file.ts'
import { newWorld, origin } from '../../test/world.ts'

const world = await ofFile(newWorld(() => new Date('2026-06-01T12:00:00Z')))

const welcome = {
  to: 'Ada@folio.test',
  subject: 'Welcome, <script>alert(1)</script> Ünïcode',
  text: 'Go to https://sso.test/verify?token=abc. Thank you!',
  html: '<p onclick="alert(2)">Hello</p><script>alert(3)</script><a href="https://sso.test/verify?token=abc&amp;x=1">Verify</a>',
  messageId: '<welcome-1@folio.test>',
}

test('an email that was sent can be read in full', async () => {
  await world.send(welcome)

  const { list, total } = await world.messages('ada@folio.test')

  expect(total).toBe(1)
  expect(list[0]).toMatchObject({
    to: 'ada@folio.test',
    from: 'Folio <no-reply@folio.test>',
    subject: welcome.subject,
    messageId: welcome.messageId,
    deliveries: 1,
    receivedAt: '2026-06-01T12:00:00.000Z',
    links: ['https://sso.test/verify?token=abc&x=1', 'https://sso.test/verify?token=abc'],
  })
  expect(list[0].text.trim()).toBe(welcome.text)
  expect(list[0].html.trim()).toBe(welcome.html)
})

test('a second delivery of the same email is counted, not shown twice', async () => {
  const email = { ...welcome, to: 'twice@folio.test', messageId: '<twice@folio.test>' }
  await world.send(email)
  await world.send(email)

  const { list } = await world.messages('twice@folio.test')
  const { text } = await world.page('/mail?to=twice@folio.test')

  expect(list).toHaveLength(1)
  expect(list[0].deliveries).toBe(2)
  expect(text).toContain('(arrived 2 times)')
})

test('an email to two people is in both mailboxes, and only there', async () => {
  await world.send({ ...welcome, to: 'grace@folio.test, linus@folio.test', messageId: '<both@folio.test>' })

  const [grace, linus, noor] = await Promise.all(
    ['grace', 'linus', 'noor'].map((name) => world.messages(`${name}@folio.test`)),
  )

  expect([grace.total, linus.total, noor.total]).toEqual([1, 1, 0])
})

test('the newest email comes first', async () => {
  await world.send({ ...welcome, to: 'order@folio.test', subject: 'First', messageId: '<order-1@folio.test>' })
  await world.send({ ...welcome, to: 'order@folio.test', subject: 'Second', messageId: '<order-2@folio.test>' })

  const { list } = await world.messages('ORDER@folio.test')

  expect(list.map(({ subject }: { subject: string }) => subject)).toEqual(['Second', 'First'])
})

test('the inbox shows a subject as text, never as markup', async () => {
  await world.send({ ...welcome, to: 'escape@folio.test', messageId: '<escape@folio.test>' })

  const { text } = await world.page('/mail?to=escape@folio.test')

  expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(text).not.toContain('<script')
})

test('a formatted email cannot run scripts: its frame and the policy forbid them', async () => {
  await world.send({ ...welcome, to: 'framed@folio.test', messageId: '<framed@folio.test>' })
  const { list } = await world.messages('framed@folio.test')

  const { text, headers } = await world.page(`/mail/${list[0].id}`)

  expect(text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  expect(text).not.toContain('<script')
  expect(text).toContain('srcdoc="&#60;base target=&#34;_blank&#34;&#62;')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
})

test('an unknown email and an invalid id are not found', async () => {
  for (const id of ['999999', '0', 'x', '9'.repeat(30)]) {
    expect((await world.page(`/mail/${id}`)).status, id).toBe(404)
  }
})

test('emails of one mailbox can be deleted without touching another', async () => {
  await world.send({ ...welcome, to: 'gone@folio.test, stays@folio.test', messageId: '<gone@folio.test>' })

  const reply = await deletion({ origin }, 'to=gone%40folio.test')

  expect(reply.statusCode).toBe(303)
  expect(reply.headers.location).toBe('/mail?to=gone%40folio.test')
  expect((await world.messages('gone@folio.test')).total).toBe(0)
  expect((await world.messages('stays@folio.test')).total).toBe(1)
})

test('another site cannot delete the mail', async () => {
  await world.send({ ...welcome, to: 'safe@folio.test', messageId: '<safe@folio.test>' })

  const replies = await Promise.all([
    deletion({ origin: 'http://evil.test' }, ''),
    deletion({}, ''),
    deletion({ origin, 'sec-fetch-site': 'cross-site' }, ''),
  ])

  expect(replies.map((reply) => reply.statusCode)).toEqual([403, 403, 403])
  expect((await world.messages('safe@folio.test')).total).toBe(1)
})

test('an email with characters that a database cannot hold is still delivered', async () => {
  await sendRaw('Subject: nul \0 here\r\nMessage-ID: <nul@folio.test>\r\n\r\ntext \0 with nul', 'nul@folio.test')

  const { list } = await world.messages('nul@folio.test')

  expect(list[0]?.text.trim()).toBe('text \uFFFD with nul')
})

test('many emails are paged, and each is on exactly one page', async () => {
  const subjects = Array.from({ length: 53 }, (_, index) => `No. ${index + 100}`)
  await Promise.all(
    subjects.map((subject) =>
      world.send({ ...welcome, to: 'many@folio.test', subject, messageId: `<${subject}@folio.test>` }),
    ),
  )

  const pages = await Promise.all([1, 2, 3].map((page) => world.page(`/mail?to=many@folio.test&page=${page}`)))
  const shown = pages.map(({ text }) => text.match(/No\. \d+/g) ?? [])

  expect(shown.map((page) => page.length)).toEqual([50, 3, 0])
  expect(shown.flat().sort()).toEqual(subjects)
  expect(pages[0]?.text).toContain('Page 1 of 2')
})

function deletion(headers: Record<string, string>, payload: string) {
  return world.app.inject({
    method: 'POST',
    url: '/mail/delete',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  })
}

/** Sends an email byte for byte, without a mail library that would correct it. */
async function sendRaw(email: string, to: string): Promise<void> {
  const socket = connect(world.smtpPort, '127.0.0.1')
  const said = ['EHLO test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA', `${email}\r\n.`, 'QUIT']
  const replies: string[] = []
  for await (const reply of createInterface({ input: socket })) {
    // `250-` means a further line of the same reply.
    if (/^\d{3}-/.test(reply)) continue
    replies.push(reply.slice(0, 3))
    const next = said.shift()
    if (next) socket.write(`${next}\r\n`)
  }
  expect(replies).toEqual(['220', '250', '250', '250', '354', '250', '221'])
}
