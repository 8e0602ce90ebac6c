import { expect, test } from 'vitest'
import { SsoSettings } from '../../apps/sso/src/config.ts'
import { loginProvidersAt } from './login-providers.ts'

test('the local stack has every login provider, at the sandbox', () => {
  const settings = loginProvidersAt('http://localhost:3002', {})
  const known = Object.keys(SsoSettings.shape)
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([])
  expect(Object.keys(settings).filter((name) => name.endsWith('_CLIENT_ID'))).toHaveLength(6)
  expect(settings.MICROSOFT_ISSUER).toBe('http://localhost:3002/identity/microsoft/common/v2.0')
})

test('a provider with a client of the vendor’s own is not replaced', () => {
  const settings = loginProvidersAt('http://localhost:3002', { GOOGLE_CLIENT_ID: 'own' })
  expect(Object.keys(settings).filter((name) => name.startsWith('GOOGLE'))).toEqual([])
  expect(settings.LENOVO_ISSUER).toBeDefined()
})
