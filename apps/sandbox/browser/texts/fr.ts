import type { Texts } from './en.ts'

export const fr: Texts = {
  cardNumber: 'Numéro de carte',
  expiry: 'Date d’expiration',
  code: 'Code de sécurité',
  country: 'Pays',
  zip: 'Code postal',
  postalCode: 'Code postal',
  card: 'Carte',
  expiryPlaceholder: 'MM / AA',
  codePlaceholder: 'CVC',
  terms:
    'En fournissant les informations de votre carte, vous autorisez {business} à la débiter pour des paiements futurs, conformément à ses conditions.',
  paymentFrame: 'Cadre de saisie sécurisé pour le paiement',
  cardFrame: 'Cadre de saisie sécurisé pour le paiement par carte',
  cardNumberFrame: 'Cadre de saisie sécurisé pour le numéro de carte',
  cardExpiryFrame: 'Cadre de saisie sécurisé pour la date d’expiration',
  cardCvcFrame: 'Cadre de saisie sécurisé pour le code de sécurité',
  controllerFrame: 'Connexion au prestataire de cartes',
  authentication: 'Authentification par votre banque',
  close: 'Fermer',
  incomplete_number: 'Le numéro de votre carte est incomplet.',
  invalid_number: 'Le numéro de votre carte n’est pas valide.',
  incomplete_expiry: 'La date d’expiration de votre carte est incomplète.',
  invalid_expiry_month: 'Le mois d’expiration de votre carte n’est pas valide.',
  invalid_expiry_month_past: 'La date d’expiration de votre carte est passée.',
  invalid_expiry_year: 'L’année d’expiration de votre carte n’est pas valide.',
  invalid_expiry_year_past: 'L’année d’expiration de votre carte est passée.',
  incomplete_cvc: 'Le code de sécurité de votre carte est incomplet.',
  incomplete_zip: 'Votre code postal est incomplet.',
  connection:
    'Nous rencontrons des problèmes de connexion à notre prestataire de paiement. Vérifiez votre connexion internet et réessayez.',
}
