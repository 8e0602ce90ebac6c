import type { Configuration } from './wire/messages.ts'

type Label = Configuration['label']

interface Texts extends Readonly<Record<Label, string>> {
  /** Said while the approval page is open in a window of its own. */
  isOpen: string
}

const en: Texts = {
  paypal: 'PayPal',
  checkout: 'Check out with PayPal',
  buynow: 'Buy now with PayPal',
  pay: 'Pay with PayPal',
  installment: 'Pay in installments with PayPal',
  subscribe: 'Subscribe with PayPal',
  donate: 'Donate with PayPal',
  isOpen: 'PayPal is open in another window. Use the button to return to it.',
}

const tables: Readonly<Record<string, Texts>> = {
  en,
  de: {
    paypal: 'PayPal',
    checkout: 'Mit PayPal zur Kasse',
    buynow: 'Jetzt mit PayPal kaufen',
    pay: 'Mit PayPal bezahlen',
    installment: 'Mit PayPal in Raten zahlen',
    subscribe: 'Mit PayPal abonnieren',
    donate: 'Mit PayPal spenden',
    isOpen: 'PayPal ist in einem anderen Fenster geöffnet. Über die Schaltfläche kehren Sie dorthin zurück.',
  },
  es: {
    paypal: 'PayPal',
    checkout: 'Tramitar el pedido con PayPal',
    buynow: 'Comprar ahora con PayPal',
    pay: 'Pagar con PayPal',
    installment: 'Pagar a plazos con PayPal',
    subscribe: 'Suscribirse con PayPal',
    donate: 'Donar con PayPal',
    isOpen: 'PayPal está abierto en otra ventana. Use el botón para volver a ella.',
  },
  fr: {
    paypal: 'PayPal',
    checkout: 'Régler la commande avec PayPal',
    buynow: 'Acheter maintenant avec PayPal',
    pay: 'Payer avec PayPal',
    installment: 'Payer en plusieurs fois avec PayPal',
    subscribe: 'S’abonner avec PayPal',
    donate: 'Faire un don avec PayPal',
    isOpen: 'PayPal est ouvert dans une autre fenêtre. Utilisez le bouton pour y revenir.',
  },
  it: {
    paypal: 'PayPal',
    checkout: 'Completa l’ordine con PayPal',
    buynow: 'Acquista ora con PayPal',
    pay: 'Paga con PayPal',
    installment: 'Paga a rate con PayPal',
    subscribe: 'Abbonati con PayPal',
    donate: 'Dona con PayPal',
    isOpen: 'PayPal è aperto in un’altra finestra. Usi il pulsante per tornarvi.',
  },
  ja: {
    paypal: 'PayPal',
    checkout: 'PayPalで購入手続きへ',
    buynow: 'PayPalで今すぐ購入',
    pay: 'PayPalで支払う',
    installment: 'PayPalで分割払い',
    subscribe: 'PayPalで定期購入',
    donate: 'PayPalで寄付する',
    isOpen: 'PayPalは別のウィンドウで開いています。ボタンを押すとそのウィンドウに戻ります。',
  },
  nl: {
    paypal: 'PayPal',
    checkout: 'Afrekenen met PayPal',
    buynow: 'Nu kopen met PayPal',
    pay: 'Betalen met PayPal',
    installment: 'In termijnen betalen met PayPal',
    subscribe: 'Abonneren met PayPal',
    donate: 'Doneren met PayPal',
    isOpen: 'PayPal is geopend in een ander venster. Gebruik de knop om ernaar terug te gaan.',
  },
  pt: {
    paypal: 'PayPal',
    checkout: 'Finalizar a compra com o PayPal',
    buynow: 'Comprar agora com o PayPal',
    pay: 'Pagar com o PayPal',
    installment: 'Pagar parcelado com o PayPal',
    subscribe: 'Assinar com o PayPal',
    donate: 'Doar com o PayPal',
    isOpen: 'O PayPal está aberto em outra janela. Use o botão para voltar a ela.',
  },
  ru: {
    paypal: 'PayPal',
    checkout: 'Оформить заказ через PayPal',
    buynow: 'Купить сейчас через PayPal',
    pay: 'Оплатить через PayPal',
    installment: 'Оплатить частями через PayPal',
    subscribe: 'Подписаться через PayPal',
    donate: 'Пожертвовать через PayPal',
    isOpen: 'PayPal открыт в другом окне. Нажмите кнопку, чтобы вернуться к нему.',
  },
  zh: {
    paypal: 'PayPal',
    checkout: '使用 PayPal 結帳',
    buynow: '立即使用 PayPal 購買',
    pay: '使用 PayPal 付款',
    installment: '使用 PayPal 分期付款',
    subscribe: '使用 PayPal 訂閱',
    donate: '使用 PayPal 捐款',
    isOpen: 'PayPal 已在另一個視窗開啟。請使用此按鈕返回該視窗。',
  },
}

/** The language of a locale: `pt` for `pt-BR`, `zh` for all of Chinese, and `en` for unsupported ones. */
export function languageOf(locale: string): string {
  const [language = ''] = locale.toLowerCase().split('-')
  return Object.hasOwn(tables, language) ? language : 'en'
}

export function textsOf(locale: string): Texts {
  return tables[languageOf(locale)] ?? en
}
