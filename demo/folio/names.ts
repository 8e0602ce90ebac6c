/**
 * What codes are called: English | Deutsch | Español | Français | Italiano | 日本語 | Nederlands | Português | Русский |
 * 繁體中文, in the order of the contract's `locales`.
 */
type Names = Readonly<Record<string, string>>

/** 000 §4. */
export const orderStatuses: Names = {
  WT: 'In Progress | In Bearbeitung | En curso | En cours | In corso | 処理中 | In behandeling | Em andamento | В обработке | 處理中',
  PD: 'Pending | Ausstehend | Pendiente | En attente | In attesa | 保留中 | In afwachting | Pendente | В ожидании | 待處理',
  QT: 'Quoting | Angebot wird erstellt | En presupuesto | Devis en cours | In preventivo | 見積中 | Offerte in voorbereiding | Em cotação | Готовится предложение | 報價中',
  OP: 'Open | Offen | Abierto | Ouverte | Aperto | 未完了 | Openstaand | Aberto | Открыт | 未結案',
  CO: 'Completed | Abgeschlossen | Completado | Terminée | Completato | 完了 | Voltooid | Concluído | Выполнен | 已完成',
  CL: 'Canceled | Storniert | Cancelado | Annulée | Annullato | キャンセル済み | Geannuleerd | Cancelado | Отменён | 已取消',
}

/** 000 §4. */
export const licenseStatuses: Names = {
  valid: 'Active | Aktiv | Activa | Active | Attiva | 有効 | Actief | Ativa | Активна | 有效',
  expired: 'Expired | Abgelaufen | Caducada | Expirée | Scaduta | 期限切れ | Verlopen | Expirada | Истекла | 已到期',
}

/** 001 §4. */
export const subscriptionStatuses: Names = {
  active: 'Active | Aktiv | Activa | Actif | Attivo | 有効 | Actief | Ativa | Активна | 有效',
  canceled:
    'Canceled | Gekündigt | Cancelada | Résilié | Annullato | 解約済み | Opgezegd | Cancelada | Отменена | 已取消',
  past_due:
    'Payment Failed | Zahlung fehlgeschlagen | Pago fallido | Échec du paiement | Pagamento non riuscito | 支払い失敗 | Betaling mislukt | Falha no pagamento | Ошибка оплаты | 付款失敗',
  trialing: 'Trial | Testphase | Prueba | Essai | Prova | 体験版 | Proefperiode | Avaliação | Пробный период | 試用',
  'offline-purchase': 'Active | Aktiv | Activa | Actif | Attivo | 有効 | Actief | Ativa | Активна | 有效',
  'prepayment-expired':
    'Expired | Abgelaufen | Caducada | Expiré | Scaduto | 期限切れ | Verlopen | Expirada | Истекла | 已到期',
  given: 'Free | Kostenlos | Gratuita | Gratuit | Gratuito | 無料 | Gratis | Gratuita | Бесплатная | 免費',
}

/** 001 §3, codes 1 to 10. */
export const cancelReasons: Names = {
  1: 'Missing features | Funktionen fehlen | Faltan funciones | Fonctionnalités manquantes | Funzionalità mancanti | 必要な機能がない | Functies ontbreken | Faltam recursos | Не хватает функций | 缺少所需功能',
  2: 'Unwanted features | Unerwünschte Funktionen | Funciones que no quiero | Fonctionnalités superflues | Funzionalità indesiderate | 不要な機能がある | Ongewenste functies | Recursos indesejados | Лишние функции | 有不需要的功能',
  3: 'Hard to use | Schwierig zu bedienen | Difícil de usar | Difficile à utiliser | Difficile da usare | 使いにくい | Moeilijk in gebruik | Difícil de usar | Сложно пользоваться | 不易使用',
  4: 'Need to reduce expenses | Ich muss Kosten senken | Necesito reducir gastos | Besoin de réduire les dépenses | Devo ridurre le spese | 経費を削減したい | Ik moet kosten besparen | Preciso reduzir despesas | Нужно сократить расходы | 需要縮減支出',
  5: 'Cost increased | Der Preis ist gestiegen | El precio ha subido | Le prix a augmenté | Il costo è aumentato | 料金が上がった | De prijs is gestegen | O preço aumentou | Выросла цена | 費用增加',
  6: 'No longer needed | Wird nicht mehr benötigt | Ya no lo necesito | Plus nécessaire | Non mi serve più | 必要なくなった | Niet meer nodig | Não preciso mais | Больше не требуется | 不再需要',
  7: 'Glitches | Fehler im Produkt | Fallos técnicos | Dysfonctionnements | Malfunzionamenti | 不具合がある | Storingen | Falhas técnicas | Сбои в работе | 故障或錯誤',
  8: 'Not satisfied | Nicht zufrieden | No estoy satisfecho con el producto | Pas satisfait du produit | Non soddisfatto del prodotto | 満足できなかった | Niet tevreden | Não fiquei satisfeito | Продукт не устраивает | 不滿意',
  9: 'Better alternative | Bessere Alternative gefunden | He encontrado una alternativa mejor | Meilleure alternative trouvée | Alternativa migliore | より良い代替製品がある | Beter alternatief gevonden | Encontrei uma alternativa melhor | Есть лучшая альтернатива | 有更好的替代方案',
  10: 'Other | Sonstiges | Otro motivo | Autre | Altro | その他 | Anders | Outro | Другое | 其他',
}

export const roadmapStatuses: Names = {
  planned:
    'Planned | Geplant | Planificado | Prévu | Pianificato | 計画中 | Gepland | Planejado | Запланировано | 已規劃',
  in_progress:
    'In Development | In Entwicklung | En desarrollo | En développement | In sviluppo | 開発中 | In ontwikkeling | Em desenvolvimento | В разработке | 開發中',
  in_beta: 'In Beta | In der Beta | En beta | En bêta | In beta | ベータ版 | In bèta | Em beta | Бета-версия | 測試版',
  released:
    'Released | Veröffentlicht | Publicado | Disponible | Rilasciato | リリース済み | Uitgebracht | Lançado | Выпущено | 已推出',
}
