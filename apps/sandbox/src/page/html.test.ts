import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped between tags and in attributes', () => {
  expect(html`<a title="${`"'><b>`}">${'<i>&'}</a>`.markup).toBe(
    '<a title="&#34;&#39;&#62;&#60;b&#62;">&#60;i&#62;&#38;</a>',
  )
})

test('nested templates stay markup, also in lists', () => {
  const items = ['<1>', '2'].map((name) => html`<li>${name}</li>`)

  expect(html`<ul>${items}</ul>`.markup).toBe('<ul><li>&#60;1&#62;</li><li>2</li></ul>')
})

test('missing values render nothing, and zero renders zero', () => {
  expect(html`[${false}${null}${undefined}${0}]`.markup).toBe('[0]')
})
