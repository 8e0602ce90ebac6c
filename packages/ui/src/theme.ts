import { textOn } from '@atrium/contract/contrast.ts'
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import { brandShade, mix, readableOn, shadesOf } from './color.ts'

/** Widths in pixels at which the layout changes (000 §9). */
export const breakpoints = { table: 1000, tablet: 900, desktop: 1200, sheet: 640 } as const

const systemFont =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, system-ui, "Helvetica Neue", Arial, "Hiragino Sans", "Yu Gothic UI", "Microsoft JhengHei", sans-serif'

const pixels = (count: number) => `${count / 16}rem`

/** The theme of all pages, with the vendor's color (`#rrggbb`) as its primary color. */
export function brandTheme(brandColor: string): MantineThemeOverride {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: brandShade,
    colors: { brand: mutable(shadesOf(brandColor)), bad: mutable(shadesOf('#c2332e')), gray, dark },
    autoContrast: true,
    luminanceThreshold: 0.18,
    black: '#1d1b18',
    fontFamily: systemFont,
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    fontSizes: { xs: pixels(12.5), sm: pixels(13.5), md: pixels(15), lg: pixels(17), xl: pixels(20) },
    fontWeights: { medium: '550', bold: '650' },
    headings: {
      fontWeight: '650',
      sizes: {
        h1: { fontSize: pixels(26), lineHeight: '1.25' },
        h2: { fontSize: pixels(17), lineHeight: '1.35' },
        h3: { fontSize: pixels(15), lineHeight: '1.4' },
      },
    },
    radius: { sm: '6px', md: '8px', lg: '12px' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: componentDefaults,
  })
}

/** The warm neutrals of the tokens in place of Mantine's grays. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ec',
  '#ece9e3',
  '#e7e4dd',
  '#d6d2c8',
  '#b3aea3',
  '#8b867b',
  '#6b665b',
  '#45413a',
  '#1d1b18',
]
const dark: MantineColorsTuple = [
  '#ece9e2',
  '#c9c5bb',
  '#a19c91',
  '#6f6a60',
  '#35322c',
  '#2c2924',
  '#24221e',
  '#1d1b18',
  '#161512',
  '#0f0e0c',
]

const componentDefaults = {
  ModalRoot: { defaultProps: { transitionProps: { transition: 'fade', duration: 120 } } },
  ModalOverlay: { defaultProps: { backgroundOpacity: 0.4 } },
  DrawerOverlay: { defaultProps: { backgroundOpacity: 0.4 } },
  Menu: { defaultProps: { transitionProps: { transition: 'fade', duration: 100 }, shadow: 'md' } },
  Tooltip: { defaultProps: { transitionProps: { duration: 100 }, openDelay: 150 } },
  InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] } },
}

/** CSS variables derived from the theme: Mantine's mapped to our tokens, and brand colors that are readable in both schemes. */
export const brandVariables: CSSVariablesResolver = (theme) => {
  const shades = theme.colors.brand ?? []
  const light = shades[brandShade.light] ?? '#3b51c4'
  const dark = shades[brandShade.dark] ?? light
  const selected = { light: mix(light, '#faf9f7', 0.15), dark: mix(light, '#161512', 0.38) }
  return {
    variables: {},
    light: {
      ...tokenColors,
      '--brand': light,
      '--on-brand': textOn(light),
      '--brand-text': readableOn('#faf9f7', light),
      '--selected': selected.light,
      '--selected-text': readableOn(selected.light, light),
      '--focus': readableOn('#faf9f7', light, 3),
      '--mantine-color-brand-filled': light,
      '--mantine-color-brand-text': 'var(--brand-text)',
      '--mantine-color-brand-light': 'var(--selected)',
      '--mantine-color-brand-light-color': 'var(--selected-text)',
      '--mantine-primary-color-contrast': textOn(light),
    },
    dark: {
      ...tokenColors,
      '--brand': dark,
      '--on-brand': textOn(dark),
      // Against the raised surface of a dialog, the lightest background of links.
      '--brand-text': readableOn('#24221e', dark),
      '--selected': selected.dark,
      '--selected-text': readableOn(selected.dark, shades[2] ?? dark, 7),
      '--focus': readableOn('#161512', dark, 3),
      '--mantine-color-brand-filled': dark,
      '--mantine-color-bad-filled': '#cf4640',
      '--mantine-color-brand-text': 'var(--brand-text)',
      '--mantine-color-brand-light': 'var(--selected)',
      '--mantine-color-brand-light-color': 'var(--selected-text)',
      '--mantine-primary-color-contrast': textOn(dark),
    },
  }
}

/** Mantine declares these per scheme, so they are overridden per scheme. */
const tokenColors = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--bad-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--control-line)',
  '--mantine-color-anchor': 'var(--brand-text)',
  '--mantine-color-disabled': 'var(--badge)',
  '--mantine-color-disabled-color': 'var(--muted)',
}

function mutable(shades: ReturnType<typeof shadesOf>): MantineColorsTuple {
  return [...shades]
}
