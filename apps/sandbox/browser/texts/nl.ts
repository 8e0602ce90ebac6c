import type { Texts } from './en.ts'

export const nl: Texts = {
  cardNumber: 'Kaartnummer',
  expiry: 'Vervaldatum',
  code: 'Beveiligingscode',
  country: 'Land',
  zip: 'Postcode',
  postalCode: 'Postcode',
  card: 'Kaart',
  expiryPlaceholder: 'MM / JJ',
  codePlaceholder: 'CVC',
  terms:
    'Door uw kaartgegevens op te geven, geeft u {business} toestemming om toekomstige betalingen van uw kaart af te schrijven volgens de geldende voorwaarden.',
  paymentFrame: 'Beveiligd invoerkader voor de betaling',
  cardFrame: 'Beveiligd invoerkader voor de kaartbetaling',
  cardNumberFrame: 'Beveiligd invoerkader voor het kaartnummer',
  cardExpiryFrame: 'Beveiligd invoerkader voor de vervaldatum',
  cardCvcFrame: 'Beveiligd invoerkader voor de beveiligingscode',
  controllerFrame: 'Verbinding met de kaartaanbieder',
  authentication: 'Verificatie door uw bank',
  close: 'Sluiten',
  incomplete_number: 'Uw kaartnummer is onvolledig.',
  invalid_number: 'Uw kaartnummer is ongeldig.',
  incomplete_expiry: 'De vervaldatum van uw kaart is onvolledig.',
  invalid_expiry_month: 'De vervalmaand van uw kaart is ongeldig.',
  invalid_expiry_month_past: 'De vervaldatum van uw kaart ligt in het verleden.',
  invalid_expiry_year: 'Het vervaljaar van uw kaart is ongeldig.',
  invalid_expiry_year_past: 'Het vervaljaar van uw kaart ligt in het verleden.',
  incomplete_cvc: 'De beveiligingscode van uw kaart is onvolledig.',
  incomplete_zip: 'Uw postcode is onvolledig.',
  connection:
    'Er zijn problemen met de verbinding met onze betaalprovider. Controleer uw internetverbinding en probeer het opnieuw.',
}
