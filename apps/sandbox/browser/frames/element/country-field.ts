/** ISO 3166-1 alpha-2. */
const codes =
  'AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PY QA RE RO RS RU RW SA SB SC SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

/** The cardholder's country, named in their language. */
export class CountryField {
  readonly select = document.createElement('select')
  onChange: () => void = () => undefined
  #language = ''

  constructor() {
    this.select.id = 'country'
    this.select.name = 'country'
    this.select.autocomplete = 'country'
    this.select.addEventListener('change', () => this.onChange())
  }

  get code(): string {
    return this.select.value
  }

  fill(code: string): void {
    if (codes.includes(code)) this.select.value = code
  }

  /** @param language in which the countries are named */
  label({ language, isDisabled }: { language: string; isDisabled: boolean }): void {
    this.select.disabled = isDisabled
    if (this.#language === language) return

    const chosen = this.code || countryHere()
    const names = new Intl.DisplayNames([language], { type: 'region' })
    const named = codes.map((code) => [code, names.of(code) ?? code] as const)
    const inOrder = named.toSorted(([, one], [, other]) => one.localeCompare(other, language))
    this.select.replaceChildren(...inOrder.map(([code, name]) => new Option(name, code)))
    this.#language = language
    this.fill(chosen)
  }
}

/** The default country: where the browser's language is spoken. */
function countryHere(): string {
  return new Intl.Locale(navigator.language).region ?? 'US'
}
