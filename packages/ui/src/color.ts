import { contrast, linear, luminance, parseColor, type Rgb } from '@atrium/contract/contrast.ts'

/** Perceptual lightness (0 to 1), chroma and hue (radians): equal steps look equal. */
interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

/** Ten shades of one color, light to dark, as Mantine's theme expects them. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/** The index of the vendor's color among its shades. */
export const brandShade = { light: 6, dark: 5 } as const

/** Mixing ratio with white (shades 0 to 5) or black (7 to 9). */
const tints = [0.93, 0.85, 0.7, 0.54, 0.36, 0.16]
const darks = [0.14, 0.26, 0.38]

/** Ten shades of the vendor's color (`#rrggbb`), which is the seventh. */
export function shadesOf(color: string): Shades {
  const base = toOklch(parseColor(color))
  const tint = (share: number) =>
    toHex({
      ...base,
      lightness: base.lightness + (0.985 - base.lightness) * share,
      // Light tints lose chroma faster than they gain lightness; otherwise they would look neon.
      chroma: base.chroma * (1 - share * 0.85),
    })
  const dark = (share: number) =>
    toHex({ ...base, lightness: base.lightness * (1 - share), chroma: base.chroma * (1 - share * 0.4) })

  const [t0, t1, t2, t3, t4, t5] = tints.map(tint)
  const [d7, d8, d9] = darks.map(dark)
  const self = toHex(base)
  return [
    t0 ?? self,
    t1 ?? self,
    t2 ?? self,
    t3 ?? self,
    t4 ?? self,
    t5 ?? self,
    self,
    d7 ?? self,
    d8 ?? self,
    d9 ?? self,
  ]
}

/** The color, lightened or darkened until text in it is readable on `background` (WCAG 2.2: 4.5 to 1). */
export function readableOn(background: string, color: string, ratio = 4.5): string {
  const isDarkBackground = luminance(background) < 0.2
  const start = toOklch(parseColor(color))
  for (let step = 0; step <= 100; step += 1) {
    const share = step / 100
    const lightness = isDarkBackground ? start.lightness + (1 - start.lightness) * share : start.lightness * (1 - share)
    const candidate = toHex({ ...start, lightness, chroma: start.chroma * (1 - share * 0.5) })
    if (contrast(candidate, background) >= ratio) return candidate
  }
  return isDarkBackground ? '#ffffff' : '#000000'
}

/** One color over another, with `share` as its opacity. */
export function mix(color: string, background: string, share: number): string {
  const [over, under] = [parseColor(color), parseColor(background)]
  return hexOf([0, 1, 2].map((index) => (over[index] ?? 0) * share + (under[index] ?? 0) * (1 - share)))
}

function hexOf(channels: readonly number[]): string {
  const digits = channels.map((channel) => {
    const byte = Math.round(Math.min(1, Math.max(0, channel)) * 255)
    return byte.toString(16).padStart(2, '0')
  })
  return `#${digits.join('')}`
}

function gamma(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
}

/** Björn Ottosson's OKLab, in polar form. */
function toOklch([red, green, blue]: Rgb): Oklch {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, c),
    hue: Math.atan2(c, a),
  }
}

/** Colors outside the gamut lose chroma, not lightness. */
function toHex(color: Oklch): string {
  for (let step = 0; step < 20; step += 1) {
    const channels = toRgb({ ...color, chroma: color.chroma * (1 - step / 20) })
    if (channels.every((channel) => channel >= -0.002 && channel <= 1.002)) return hexOf(channels)
  }
  return hexOf(toRgb({ ...color, chroma: 0 }))
}

function toRgb({ lightness, chroma, hue }: Oklch): number[] {
  const a = chroma * Math.cos(hue)
  const c = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * c) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * c) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * c) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(gamma)
}
