/** Red, green and blue of sRGB, each 0 to 1. */
export type Rgb = readonly [number, number, number]

const fallback: Rgb = [0.23, 0.32, 0.77]

/** @param color `#rrggbb` */
export function parseColor(color: string): Rgb {
  const digits = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color.trim())
  if (!digits) return fallback
  const channel = (text: string | undefined) => Number.parseInt(text ?? '0', 16) / 255
  return [channel(digits[1]), channel(digits[2]), channel(digits[3])]
}

/** An sRGB channel as linear light. */
export function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

/** WCAG relative luminance, 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = parseColor(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 1, darker = 1] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever has more contrast on the color. */
export function textOn(color: string): string {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000'
}
