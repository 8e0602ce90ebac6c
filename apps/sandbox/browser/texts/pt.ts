import type { Texts } from './en.ts'

export const pt: Texts = {
  cardNumber: 'Número do cartão',
  expiry: 'Data de validade',
  code: 'Código de segurança',
  country: 'País',
  zip: 'CEP',
  postalCode: 'Código postal',
  card: 'Cartão',
  expiryPlaceholder: 'MM / AA',
  codePlaceholder: 'CVC',
  terms:
    'Ao fornecer os dados do seu cartão, você permite que {business} faça cobranças futuras nele de acordo com os termos aplicáveis.',
  paymentFrame: 'Quadro seguro de entrada do pagamento',
  cardFrame: 'Quadro seguro de entrada do pagamento com cartão',
  cardNumberFrame: 'Quadro seguro de entrada do número do cartão',
  cardExpiryFrame: 'Quadro seguro de entrada da data de validade',
  cardCvcFrame: 'Quadro seguro de entrada do código de segurança',
  controllerFrame: 'Conexão com o provedor de cartões',
  authentication: 'Autenticação do seu banco',
  close: 'Fechar',
  incomplete_number: 'O número do cartão está incompleto.',
  invalid_number: 'O número do cartão é inválido.',
  incomplete_expiry: 'A data de validade do cartão está incompleta.',
  invalid_expiry_month: 'O mês de validade do cartão é inválido.',
  invalid_expiry_month_past: 'A data de validade do cartão já passou.',
  invalid_expiry_year: 'O ano de validade do cartão é inválido.',
  invalid_expiry_year_past: 'O ano de validade do cartão já passou.',
  incomplete_cvc: 'O código de segurança do cartão está incompleto.',
  incomplete_zip: 'O código postal está incompleto.',
  connection:
    'Estamos com problemas de conexão com o nosso provedor de pagamentos. Verifique sua conexão com a internet e tente novamente.',
}
