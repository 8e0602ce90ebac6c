import type { Texts } from './en.ts'

export const it: Texts = {
  cardNumber: 'Numero di carta',
  expiry: 'Data di scadenza',
  code: 'Codice di sicurezza',
  country: 'Paese',
  zip: 'CAP',
  postalCode: 'CAP',
  card: 'Carta',
  expiryPlaceholder: 'MM / AA',
  codePlaceholder: 'CVC',
  terms:
    'Fornendo i dati della Sua carta, autorizza {business} ad addebitare sulla carta i pagamenti futuri secondo le relative condizioni.',
  paymentFrame: 'Riquadro di immissione sicura per il pagamento',
  cardFrame: 'Riquadro di immissione sicura per il pagamento con carta',
  cardNumberFrame: 'Riquadro di immissione sicura per il numero di carta',
  cardExpiryFrame: 'Riquadro di immissione sicura per la data di scadenza',
  cardCvcFrame: 'Riquadro di immissione sicura per il codice di sicurezza',
  controllerFrame: 'Connessione al fornitore delle carte',
  authentication: 'Autenticazione della Sua banca',
  close: 'Chiudi',
  incomplete_number: 'Il numero della carta è incompleto.',
  invalid_number: 'Il numero della carta non è valido.',
  incomplete_expiry: 'La data di scadenza della carta è incompleta.',
  invalid_expiry_month: 'Il mese di scadenza della carta non è valido.',
  invalid_expiry_month_past: 'La data di scadenza della carta è già passata.',
  invalid_expiry_year: 'L’anno di scadenza della carta non è valido.',
  invalid_expiry_year_past: 'L’anno di scadenza della carta è già passato.',
  incomplete_cvc: 'Il codice di sicurezza della carta è incompleto.',
  incomplete_zip: 'Il CAP è incompleto.',
  connection:
    'Si sono verificati problemi di connessione al nostro fornitore di servizi di pagamento. Controlli la connessione a Internet e riprovi.',
}
