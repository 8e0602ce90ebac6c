import { expect, test } from 'vitest'
import { ofFile } from '../../test/of-file.ts'
import { newWorld } from '../../test/world.ts'

const world = await ofFile(newWorld())

test.each([
  ['/site', 'Folio – Home', 'the vendor’s site'],
  ['/site/', 'Folio – Home', 'the vendor’s site'],
  ['/site/de', 'Folio – Home', 'the vendor’s site'],
  ['/site/company/privacy-policy.html', 'Folio – Privacy policy', 'the vendor’s site'],
  ['/site/contact-sales', 'Folio – Contact sales', 'the vendor’s site'],
  ['/site/ja-jp/some/other/page', 'Folio – some/other/page', 'the vendor’s site'],
  ['/support/feedback', 'Folio – Feedback', 'the support site'],
  ['/support/tickets', 'Folio – Tickets', 'the support site'],
  ['/admin-console/users', 'Folio – users', 'the admin console'],
])('%s is answered and says what it stands for', async (path, title, standsFor) => {
  const { status, text } = await world.page(path)

  expect(status).toBe(200)
  expect(text).toContain(`<h1>${title}</h1>`)
  expect(text).toContain(`Sandbox – stands for ${standsFor}`)
})

test('a page shows its query as text', async () => {
  const { text } = await world.page(
    '/site/shopping/checkout/?sku=FPM&license_id=%3Cscript%3Ealert(1)%3C/script%3E&sku=%22%27%26',
  )

  expect(text).toContain('<code>FPM</code>')
  expect(text).toContain('<code>&#60;script&#62;alert(1)&#60;/script&#62;</code>')
  expect(text).toContain('<code>&#34;&#39;&#38;</code>')
  expect(text).not.toContain('<script')
})

test('a path is shown as text too', async () => {
  const { text } = await world.page('/site/%3Cimg%20src=x%20onerror=alert(1)%3E')

  expect(text).toContain('&#60;img src=x onerror=alert(1)&#62;')
  expect(text).not.toContain('<img')
})

test('the vendor’s site links to the account page in the same language', async () => {
  expect((await world.page('/site/fr/quote')).text).toContain('href="http://localhost:3000/fr/account"')
  expect((await world.page('/site/quote')).text).toContain('href="http://localhost:3000/account"')
})

test('pages of the sandbox cannot run scripts or be framed', async () => {
  for (const path of ['/', '/mail', '/cards', '/site', '/support/tickets']) {
    const { headers } = await world.page(path)
    expect(headers['content-security-policy'], path).toContain("default-src 'none'")
    expect(headers['content-security-policy'], path).not.toMatch(/script-src|unsafe/)
    expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
  }
})

test.each([
  ['/site/%', 400],
  ['/site/%ff', 400],
  ['/site/%00', 200],
  ['/mail?to=%00', 422],
  ['/mail?page=-1', 404],
  ['/mail/api/messages?page=x', 422],
  ['/nowhere', 404],
])('%s is answered, with %i', async (path, expected) => {
  const { status, text } = await world.page(path)

  expect(status, text).toBe(expected)
})
