import type { Texts } from './en.ts'

export const de: Texts = {
  cardNumber: 'Kartennummer',
  expiry: 'Ablaufdatum',
  code: 'Sicherheitscode',
  country: 'Land',
  zip: 'Postleitzahl',
  postalCode: 'Postleitzahl',
  card: 'Karte',
  expiryPlaceholder: 'MM / JJ',
  codePlaceholder: 'CVC',
  terms:
    'Indem Sie Ihre Kartendaten angeben, gestatten Sie {business}, Ihre Karte für künftige Zahlungen gemäß den Geschäftsbedingungen zu belasten.',
  paymentFrame: 'Sicherer Eingaberahmen für Zahlungen',
  cardFrame: 'Sicherer Eingaberahmen für Kartenzahlungen',
  cardNumberFrame: 'Sicherer Eingaberahmen für die Kartennummer',
  cardExpiryFrame: 'Sicherer Eingaberahmen für das Ablaufdatum',
  cardCvcFrame: 'Sicherer Eingaberahmen für den Sicherheitscode',
  controllerFrame: 'Verbindung zum Kartenanbieter',
  authentication: 'Authentifizierung durch Ihre Bank',
  close: 'Schließen',
  incomplete_number: 'Die Kartennummer ist unvollständig.',
  invalid_number: 'Die Kartennummer ist ungültig.',
  incomplete_expiry: 'Das Ablaufdatum Ihrer Karte ist unvollständig.',
  invalid_expiry_month: 'Der Ablaufmonat Ihrer Karte ist ungültig.',
  invalid_expiry_month_past: 'Das Ablaufdatum Ihrer Karte liegt in der Vergangenheit.',
  invalid_expiry_year: 'Das Ablaufjahr Ihrer Karte ist ungültig.',
  invalid_expiry_year_past: 'Das Ablaufjahr Ihrer Karte liegt in der Vergangenheit.',
  incomplete_cvc: 'Der Sicherheitscode Ihrer Karte ist unvollständig.',
  incomplete_zip: 'Die Postleitzahl ist unvollständig.',
  connection:
    'Die Verbindung zu unserem Zahlungsanbieter ist gestört. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
}
