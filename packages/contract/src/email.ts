/**
 * An e-mail address: zod's own pattern, which lacks internationalized top-level domains (`xn--p1ai`). At most 254 characters
 * (RFC 5321), which the schemas that use it say.
 */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/
