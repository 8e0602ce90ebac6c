import { readFileSync } from 'node:fs'
import { type AccountTab, allTabs } from '@atrium/contract/tabs.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Command, matching, nearest } from './commands.rules.ts'

const folder = new URL('../../../../../packages/locales/src/', import.meta.url)
const Texts = z.object({ alias: z.record(z.string(), z.string()), stopWords: z.string() })
const Labels = z.object({ tabs: z.record(z.string(), z.string()) })

/** Names of the tabs that a question finds in a language. */
function finder(language: string): (question: string) => string[] {
  const read = (noun: string): unknown => JSON.parse(readFileSync(new URL(`${language}/${noun}.json`, folder), 'utf8'))
  const { alias, stopWords } = Texts.parse(read('search'))
  const { tabs } = Labels.parse(read('frame'))
  const commands = allTabs.map(
    ({ name }): Command => ({
      key: name,
      group: 'tabs',
      label: tabs[name] ?? '',
      alias: alias[name] ?? '',
      run: () => undefined,
    }),
  )
  return (question) => {
    const found = matching(commands, question, stopWords)
    return (found.length > 0 ? found : nearest(commands, question, stopWords)).map(({ key }) => key)
  }
}

/** What people type, as they type it, by what it is to find first. */
const questions: Record<string, Partial<Record<AccountTab['name'], string[]>>> = {
  en: {
    'device-management': [
      'lost laptop',
      'free device',
      'old pc',
      'my computer died',
      'I have a new computer',
      'stolen phone',
      'my PC won’t start, can I move the license',
    ],
    'my-subscriptions': [
      'remove user',
      'employee left',
      'a colleague has left',
      'add user',
      'more seats',
      'cancel',
      'renew',
      'upgrade',
      'remove Pia',
    ],
    'my-orders': [
      'what did I pay',
      'spent',
      'what did we pay last year?',
      'invoice',
      'invoice for my accountant',
      'receipts',
      'how much did it cost',
      'tax',
      'all invoices',
      'download all invoices',
      'all invoices from last year',
      'The accountant wants last year’s invoices',
      'invoice PDF',
      'why was I charged',
    ],
    'billing-address-management': ['new address', 'we moved', 'address', 'VAT number'],
    'payment-option-management': [
      'card expired',
      'my card expires',
      'card declined',
      'payment failed',
      'replace card',
      'my card expires soon',
      'visa',
    ],
    'security-settings': [
      'who can see my account',
      'who has access',
      'support access',
      'who’s signed in',
      'sessions',
      'forgot my password',
      'reset password',
      'change my password',
    ],
    'my-products': ['download', 'where can I download it', 'download Folio PDF Editor'],
    'license-management': ['license code', 'where’s my key', 'activate', 'how many licenses are free'],
    roadmap: ['what’s new'],
    'view-tickets': ['tell support', 'can I talk to someone', 'i want to talk to a human'],
  },
  de: {
    'device-management': [
      'neuer pc',
      'Laptop verloren',
      'mein Rechner ist kaputt',
      'alter Computer',
      'Gerät freigeben',
      'Mein Rechner ist gestorben',
      'Mein PC ist gestorben',
    ],
    'my-subscriptions': [
      'kollege weg',
      'Mitarbeiter ausgeschieden',
      'Benutzer entfernen',
      'Benutzer hinzufügen',
      'mehr Plätze',
      'Abo kündigen',
      'Pia entfernen',
    ],
    'my-orders': [
      'was haben wir bezahlt',
      'Rechnung',
      'Rechnung für die Buchhaltung',
      'Quittung',
      'was hat das gekostet',
      'Steuerberater',
      'alle Rechnungen',
    ],
    'billing-address-management': ['neue Adresse', 'wir sind umgezogen', 'Ich bin umgezogen'],
    'payment-option-management': [
      'Karte abgelaufen',
      'Karte läuft ab',
      'Zahlung fehlgeschlagen',
      'Karte ersetzen',
      'Mastercard',
    ],
    'security-settings': ['wer hat zugriff', 'wer kann mein Konto sehen', 'wer ist angemeldet', 'Passwort vergessen'],
    'my-products': ['herunterladen', 'Download'],
    'license-management': ['Lizenzcode', 'Schlüssel', 'wie viele lizenzen sind frei'],
    'view-tickets': ['ich will mit jemandem sprechen'],
  },
  es: {
    'device-management': ['ordenador nuevo', 'perdí mi portátil', 'se ha roto el ordenador', 'liberar equipo'],
    'my-subscriptions': [
      'quitar usuario',
      'un compañero se fue',
      'añadir usuarios',
      'más puestos',
      'cancelar suscripción',
      'renovar',
      'quitar a Pia',
    ],
    'my-orders': [
      'cuánto hemos pagado',
      'factura',
      'recibo para el contable',
      'qué pagué',
      'gastos',
      'todas las facturas',
    ],
    'billing-address-management': ['nueva dirección', 'nos mudamos'],
    'payment-option-management': ['tarjeta caducada', 'pago rechazado', 'cambiar tarjeta', 'mi tarjeta caduca pronto'],
    'security-settings': ['quién puede ver mi cuenta', 'quién tiene acceso', 'sesiones', 'olvidé mi contraseña'],
    'my-products': ['descargar'],
    'license-management': ['clave de licencia', 'código'],
    'view-tickets': ['quiero hablar con alguien'],
  },
  fr: {
    'device-management': ['nouvel ordinateur', 'mon portable est cassé', 'ordinateur perdu', 'libérer un appareil'],
    'my-subscriptions': [
      'retirer un utilisateur',
      'un salarié est parti',
      'ajouter un utilisateur',
      'plus de places',
      'résilier',
      'renouveler',
      'retirer Pia',
    ],
    'my-orders': [
      'qu’est-ce que j’ai payé',
      'combien avons-nous payé',
      'facture',
      'facture pour le comptable',
      'reçu',
      'dépenses',
      'toutes les factures',
    ],
    'billing-address-management': ['nouvelle adresse', 'nous avons déménagé'],
    'payment-option-management': ['carte expirée', 'paiement refusé', 'remplacer la carte', 'ma carte expire bientôt'],
    'security-settings': ['qui peut voir mon compte', 'qui a accès', 'qui est connecté', 'mot de passe oublié'],
    'my-products': ['télécharger'],
    'license-management': ['clé de licence', 'code d’activation', 'combien de licences sont libres'],
    'view-tickets': ['parler à quelqu’un'],
  },
  it: {
    'device-management': ['nuovo computer', 'ho perso il portatile', 'computer rotto', 'liberare un dispositivo'],
    'my-subscriptions': [
      'rimuovere utente',
      'un collega è andato via',
      'aggiungere utenti',
      'più postazioni',
      'disdetta',
      'rinnovo',
      'rimuovere Pia',
      'un collega se ne e andato',
    ],
    'my-orders': [
      'quanto abbiamo pagato',
      'cosa ho pagato',
      'fattura',
      'fattura per il commercialista',
      'ricevuta',
      'spese',
      'tutte le fatture',
    ],
    'billing-address-management': ['nuovo indirizzo', 'ci siamo trasferiti', 'ho cambiato indirizzo'],
    'payment-option-management': [
      'carta scaduta',
      'pagamento rifiutato',
      'sostituire la carta',
      'la mia carta scade presto',
    ],
    'security-settings': ['chi può vedere il mio account', 'chi ha accesso', 'sessioni', 'ho dimenticato la password'],
    'my-products': ['scaricare'],
    'license-management': ['chiave', 'codice di licenza'],
  },
  'ja-jp': {
    'device-management': [
      'パソコン 壊れた',
      'パソコンが壊れた',
      '新しいパソコン',
      'ノートパソコンを紛失した',
      '古いPC',
    ],
    'my-subscriptions': [
      '社員が退職した',
      'ユーザーを削除',
      'ユーザーを追加したい',
      '解約したい',
      'シートを増やす',
      '同僚が退職しました',
      'Piaを削除',
    ],
    'my-orders': ['いくら払った', '請求書', '領収書が欲しい', '経費', '2025年にいくら支払ったか'],
    'billing-address-management': ['引っ越しました', '住所変更'],
    'payment-option-management': [
      'カードの有効期限が切れた',
      '支払いに失敗した',
      'カードが拒否された',
      'カードの有効期限がもうすぐ切れる',
    ],
    'security-settings': ['誰がアクセスできるか', '誰がログインしているか', 'パスワードを忘れた'],
    'my-products': ['ダウンロード'],
    'license-management': ['ライセンスキーはどこ', 'シリアル番号'],
  },
  nl: {
    'device-management': ['nieuwe laptop', 'laptop kwijt', 'mijn computer is kapot', 'oude pc', 'apparaat vrijgeven'],
    'my-subscriptions': [
      'gebruiker verwijderen',
      'collega is weg',
      'medewerker uit dienst',
      'gebruiker toevoegen',
      'opzeggen',
      'Pia verwijderen',
    ],
    'my-orders': ['wat hebben we betaald', 'factuur voor de boekhouder', 'bonnetje', 'uitgaven', 'alle facturen'],
    'billing-address-management': ['nieuw adres', 'we zijn verhuisd'],
    'payment-option-management': [
      'kaart verlopen',
      'betaling mislukt',
      'kaart vervangen',
      'mijn kaart verloopt binnenkort',
    ],
    'security-settings': ['wie kan mijn account zien', 'wie heeft toegang', 'wie is ingelogd', 'wachtwoord vergeten'],
    'my-products': ['downloaden'],
    'license-management': ['licentiecode', 'sleutel'],
  },
  pt: {
    'device-management': ['novo computador', 'perdi meu notebook', 'meu computador quebrou', 'liberar dispositivo'],
    'my-subscriptions': [
      'remover usuário',
      'funcionário saiu',
      'adicionar usuário',
      'comprar mais licenças',
      'cancelar assinatura',
      'renovar',
      'remover Pia',
    ],
    'my-orders': [
      'quanto pagamos',
      'o que eu paguei',
      'fatura para o contador',
      'nota fiscal',
      'gastos',
      'todas as faturas',
    ],
    'billing-address-management': ['novo endereço', 'mudamos de endereço'],
    'payment-option-management': ['cartão vencido', 'pagamento recusado', 'trocar cartão', 'meu cartão vence em breve'],
    'security-settings': ['quem pode ver minha conta', 'quem tem acesso', 'sessões', 'esqueci minha senha'],
    'my-products': ['baixar'],
    'license-management': ['chave de licença', 'código'],
  },
  ru: {
    'device-management': ['новый компьютер', 'сломался ноутбук', 'потерял ноутбук', 'освободить устройство'],
    'my-subscriptions': [
      'удалить пользователя',
      'сотрудник уволился',
      'добавить пользователя',
      'больше мест',
      'отменить подписку',
      'продлить',
      'удалить Пию',
    ],
    'my-orders': ['сколько мы заплатили', 'счёт для бухгалтера', 'чек', 'расходы', 'все счета за прошлый год'],
    'billing-address-management': ['новый адрес', 'мы переехали'],
    'payment-option-management': ['срок карты истёк', 'платёж не прошёл', 'заменить карту', 'карта скоро истекает'],
    'security-settings': ['кто видит мою учётную запись', 'у кого есть доступ', 'сеансы', 'забыл пароль'],
    'my-products': ['скачать'],
    'license-management': ['ключ лицензии', 'код активации', 'сколько лицензий свободно'],
  },
  'zh-tw': {
    'device-management': ['電腦壞了', '新電腦', '筆電遺失', '釋出裝置'],
    'my-subscriptions': ['同事離職', '移除使用者', '新增使用者', '增加席次', '取消訂閱', '移除 Pia'],
    'my-orders': ['我付了多少錢', '花了多少錢', '會計需要收據', '發票', '去年的所有發票'],
    'billing-address-management': ['新地址', '公司搬家'],
    'payment-option-management': ['信用卡過期', '付款失敗', '信用卡被拒', '信用卡快到期了'],
    'security-settings': ['誰可以看到我的帳戶', '誰能存取', '忘記密碼'],
    'my-products': ['下載軟體'],
    'license-management': ['授權金鑰', '序號在哪裡'],
  },
}

test.each(Object.entries(questions))('%s: a plain question finds its tab first', (language, byTab) => {
  const find = finder(language)
  const asked = Object.entries(byTab).flatMap(([tab, list]) => list.map((question) => ({ question, tab })))
  expect(asked.map(({ question }) => ({ question, tab: find(question)[0] }))).toEqual(asked)
})

test.each(Object.keys(questions))('%s: the name of a product finds no tab', (language) => {
  expect(finder(language)('Folio PDF Editor')).toEqual([])
})
