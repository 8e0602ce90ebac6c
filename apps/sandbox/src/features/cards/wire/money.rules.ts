/** Counted without a minor unit, and in thousandths; everything else in hundredths, krónur and Ugandan shillings too. */
const whole = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '))

/** `12.50 USD` */
export function moneyText(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  const digits = whole.has(code) ? 0 : 2 + Number(thousandths.has(code))
  return `${(amount / 10 ** digits).toFixed(digits)} ${code}`
}
