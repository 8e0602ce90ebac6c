import { useComputedColorScheme } from '@mantine/core'
import type { Appearance } from '@stripe/stripe-js'

/** Styles the provider's fields like ours, in both color schemes. */
export function useAppearance(): Appearance {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()

  return {
    theme: scheme === 'dark' ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: token('--brand'),
      colorBackground: token('--surface'),
      colorText: token('--text'),
      colorTextSecondary: token('--muted'),
      colorTextPlaceholder: token('--muted'),
      colorDanger: token('--bad-text'),
      borderRadius: token('--radius-control'),
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSizeBase: '15px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { borderColor: token('--field-line'), boxShadow: 'none' },
      '.Input--invalid': { borderColor: token('--bad-text') },
      '.Label': { fontWeight: '600' },
    },
  }
}
