import type { Texts } from './en.ts'

export const es: Texts = {
  cardNumber: 'Número de tarjeta',
  expiry: 'Fecha de caducidad',
  code: 'Código de seguridad',
  country: 'País',
  zip: 'Código postal',
  postalCode: 'Código postal',
  card: 'Tarjeta',
  expiryPlaceholder: 'MM / AA',
  codePlaceholder: 'CVC',
  terms:
    'Al proporcionar los datos de su tarjeta, permite que {business} efectúe cargos en ella por pagos futuros conforme a sus condiciones.',
  paymentFrame: 'Marco de entrada seguro para el pago',
  cardFrame: 'Marco de entrada seguro para el pago con tarjeta',
  cardNumberFrame: 'Marco de entrada seguro para el número de tarjeta',
  cardExpiryFrame: 'Marco de entrada seguro para la fecha de caducidad',
  cardCvcFrame: 'Marco de entrada seguro para el código de seguridad',
  controllerFrame: 'Conexión con el proveedor de tarjetas',
  authentication: 'Autenticación de su banco',
  close: 'Cerrar',
  incomplete_number: 'El número de tarjeta está incompleto.',
  invalid_number: 'El número de tarjeta no es válido.',
  incomplete_expiry: 'La fecha de caducidad de la tarjeta está incompleta.',
  invalid_expiry_month: 'El mes de caducidad de la tarjeta no es válido.',
  invalid_expiry_month_past: 'La fecha de caducidad de la tarjeta ya ha pasado.',
  invalid_expiry_year: 'El año de caducidad de la tarjeta no es válido.',
  invalid_expiry_year_past: 'El año de caducidad de la tarjeta ya ha pasado.',
  incomplete_cvc: 'El código de seguridad de la tarjeta está incompleto.',
  incomplete_zip: 'El código postal está incompleto.',
  connection:
    'Tenemos problemas para conectar con nuestro proveedor de pagos. Compruebe su conexión a internet e inténtelo de nuevo.',
}
