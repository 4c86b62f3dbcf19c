import type { EmailType } from '../email.ts'
import type { Texts } from '../errors.ts'
import { scopesOf, type VariableScope } from './email-rules.ts'

/**
 * How a value is written: days and hours by the clock of their stop, money with its currency, numbers with the
 * separators of the language. `sentence` is a whole sentence, such as the salutation.
 */
export type VariableFormat = 'text' | 'date' | 'time' | 'money' | 'number' | 'sentence'

export interface Variable {
  readonly scope: VariableScope
  readonly format: VariableFormat
  readonly name: Texts
  /**
   * What it may be, where there is no order to show: as `YYYY-MM-DD` for a date, in cents for money, with a point for
   * a number, as it stands for the rest; in each language where its words differ.
   */
  readonly example: string | Texts
}

const of = (
  scope: VariableScope,
  format: VariableFormat,
  en: string,
  de: string,
  pl: string,
  example: string | Texts,
): Variable => ({ scope, format, name: { en, de, pl }, example })

/** Every value that a text may hold, by its key (decision 062): what comes before the dot is its group. */
export const VARIABLES = {
  'customer.title': of('customer', 'text', 'Company', 'Firma', 'Firma', 'Fabryka Mebli Łódź S.A.'),
  'customer.address': of('customer', 'text', 'Address', 'Anschrift', 'Adres', 'ul. Pabianicka 119, 93-490 Łódź'),
  'customer.city': of('customer', 'text', 'Town', 'Ort', 'Miejscowość', 'Łódź'),
  'customer.country': of('customer', 'text', 'Country', 'Land', 'Kraj', { en: 'Poland', de: 'Polen', pl: 'Polska' }),
  'customer.vatNumber': of('customer', 'text', 'VAT number', 'USt-IdNr.', 'NIP', 'PL 725 901 23 40'),
  'customer.podNotice': of(
    'customer',
    'sentence',
    'That the POD follows, where the customer wants it',
    'Dass der Ablieferbeleg folgt, wenn der Kunde ihn möchte',
    'Zapowiedź POD, jeśli klient chce go otrzymywać',
    {
      en: 'You will receive the proof of delivery once we have it.',
      de: 'Der Ablieferbeleg folgt, sobald er uns vorliegt.',
      pl: 'Dokument POD prześlemy niezwłocznie po jego otrzymaniu.',
    },
  ),

  'contact.salutation': of('customer', 'sentence', 'Salutation', 'Anrede', 'Zwrot grzecznościowy', {
    en: 'Dear Mr Wójcik',
    de: 'Sehr geehrter Herr Wójcik',
    pl: 'Szanowny Panie',
  }),
  'contact.fullName': of('customer', 'text', 'Contact person', 'Ansprechpartner', 'Osoba kontaktowa', 'Tomasz Wójcik'),
  'contact.lastName': of('customer', 'text', 'Last name', 'Nachname', 'Nazwisko', 'Wójcik'),
  'contact.phone': of('customer', 'text', 'Phone', 'Telefon', 'Telefon', '+48 42 555 01 17'),
  'contact.email': of('customer', 'text', 'Email', 'E-Mail', 'E-mail', 't.wojcik@mebli-lodz.example'),

  'order.number': of('order', 'text', 'Order number', 'Auftragsnummer', 'Numer zlecenia', '26-04817'),
  'order.customerOrderNumber': of(
    'customer',
    'text',
    'Customer order number',
    'Auftragsnummer des Kunden',
    'Numer zlecenia klienta',
    'ZT/11/0341',
  ),
  'order.reference': of(
    'customer',
    'text',
    'Customer’s number, else ours',
    'Nummer des Kunden, sonst unsere',
    'Numer klienta, w przeciwnym razie nasz',
    'ZT/11/0341',
  ),
  'order.description': of('order', 'text', 'Description', 'Beschreibung', 'Opis', {
    en: 'Furniture, one pick-up, two drops',
    de: 'Möbel, eine Ladestelle, zwei Entladestellen',
    pl: 'Meble, jeden załadunek, dwa rozładunki',
  }),
  'order.createdDate': of('order', 'date', 'Entered on', 'Erfasst am', 'Data wprowadzenia', '2026-11-30'),
  'order.relation': of('order', 'text', 'Lane', 'Relation', 'Relacja', 'Łódź – Frechen'),
  'order.cargo': of('order', 'text', 'Cargo in words', 'Fracht in Worten', 'Ładunek słownie', {
    en: '17 pallets, furniture',
    de: '17 Paletten, Möbel',
    pl: '17 palet, meble',
  }),
  'order.quantity': of('order', 'number', 'Units', 'Einheiten', 'Jednostki', '17'),
  'order.packages': of('order', 'number', 'Packages', 'Packstücke', 'Opakowania', '40'),
  'order.weight': of('order', 'number', 'Weight in kg', 'Gewicht in kg', 'Waga w kg', '4880'),
  'order.volume': of('order', 'number', 'Volume in m³', 'Volumen in m³', 'Objętość w m³', '38.4'),
  'order.ldm': of('order', 'number', 'Loading metres', 'Lademeter', 'Metry ładunkowe', '12.4'),
  'order.value': of('order', 'money', 'Value of the goods', 'Warenwert', 'Wartość towaru', '4800000'),
  'order.temperature': of('order', 'text', 'Temperature', 'Temperatur', 'Temperatura', '2 … 8 °C'),
  'order.adr': of('order', 'text', 'Dangerous goods', 'Gefahrgut', 'Towary niebezpieczne', 'UN 1263, ADR 3'),
  'order.vehicleType': of('order', 'text', 'Vehicle type', 'Fahrzeugart', 'Typ pojazdu', {
    en: 'Curtain-sider 13.6 m',
    de: 'Planenauflieger 13,6 m',
    pl: 'Naczepa firanka 13,6 m',
  }),
  'order.lift': of('order', 'text', 'Tail lift', 'Hebebühne', 'Winda', {
    en: 'tail lift needed',
    de: 'Hebebühne erforderlich',
    pl: 'wymagana winda',
  }),

  'price.net': of('price', 'money', 'Price, net', 'Preis, netto', 'Cena netto', '145000'),
  'price.vat': of('price', 'money', 'VAT', 'Umsatzsteuer', 'VAT', '0'),
  'price.total': of('price', 'money', 'Price with VAT', 'Preis mit USt.', 'Cena brutto', '145000'),

  'firstLoading.date': of('order', 'date', 'Date', 'Datum', 'Data', '2026-12-02'),
  'firstLoading.time': of('order', 'time', 'Time', 'Uhrzeit', 'Godzina', '06:00–14:00'),
  'firstLoading.termin': of('order', 'text', 'Date and time', 'Datum und Uhrzeit', 'Data i godzina', {
    en: 'Wed 2 Dec 2026 06:00–14:00',
    de: 'Mi 02.12.2026 06:00–14:00',
    pl: 'śr. 02.12.2026 06:00–14:00',
  }),
  'firstLoading.company': of('order', 'text', 'Company', 'Firma', 'Firma', 'Fabryka Mebli Łódź'),
  'firstLoading.address': of('order', 'text', 'Street, number', 'Straße, Nr.', 'Ulica, nr', 'ul. Pabianicka 119'),
  'firstLoading.town': of(
    'order',
    'text',
    'Postal code and town',
    'PLZ und Ort',
    'Kod pocztowy i miejscowość',
    '93-490 Łódź',
  ),
  'firstLoading.city': of('order', 'text', 'Town', 'Ort', 'Miejscowość', 'Łódź'),
  'firstLoading.country': of('order', 'text', 'Country', 'Land', 'Kraj', { en: 'Poland', de: 'Polen', pl: 'Polska' }),
  'firstLoading.reference': of('order', 'text', 'Reference', 'Referenz', 'Numer referencyjny', 'LS 4471'),

  'lastUnloading.date': of('order', 'date', 'Date', 'Datum', 'Data', '2026-12-04'),
  'lastUnloading.time': of('order', 'time', 'Time', 'Uhrzeit', 'Godzina', '08:00–10:00'),
  'lastUnloading.termin': of('order', 'text', 'Date and time', 'Datum und Uhrzeit', 'Data i godzina', {
    en: 'Fri 4 Dec 2026 08:00–10:00',
    de: 'Fr 04.12.2026 08:00–10:00',
    pl: 'pt. 04.12.2026 08:00–10:00',
  }),
  'lastUnloading.company': of('order', 'text', 'Company', 'Firma', 'Firma', 'Wohnwelt Rhein GmbH'),
  'lastUnloading.address': of('order', 'text', 'Street, number', 'Straße, Nr.', 'Ulica, nr', 'Kölner Str. 118'),
  'lastUnloading.town': of(
    'order',
    'text',
    'Postal code and town',
    'PLZ und Ort',
    'Kod pocztowy i miejscowość',
    '50226 Frechen',
  ),
  'lastUnloading.city': of('order', 'text', 'Town', 'Ort', 'Miejscowość', 'Frechen'),
  'lastUnloading.country': of('order', 'text', 'Country', 'Land', 'Kraj', {
    en: 'Germany',
    de: 'Deutschland',
    pl: 'Niemcy',
  }),
  'lastUnloading.reference': of('order', 'text', 'Reference', 'Referenz', 'Numer referencyjny', 'WR-88412'),

  'route.number': of('route', 'text', 'Route number', 'Tournummer', 'Numer trasy', '26-04817/1'),
  'route.relation': of('route', 'text', 'Lane', 'Relation', 'Relacja', 'Łódź – Frechen'),
  'route.distance': of('route', 'number', 'Distance in km', 'Entfernung in km', 'Odległość w km', '1128'),
  'route.vehicleType': of('route', 'text', 'Vehicle type', 'Fahrzeugart', 'Typ pojazdu', {
    en: 'Curtain-sider 13.6 m',
    de: 'Planenauflieger 13,6 m',
    pl: 'Naczepa firanka 13,6 m',
  }),
  'route.loadedDate': of('route', 'date', 'Loaded on', 'Geladen am', 'Data załadunku', '2026-12-02'),
  'route.loadedTime': of('route', 'time', 'Loaded at', 'Geladen um', 'Godzina załadunku', '08:12'),
  'route.unloadedDate': of('route', 'date', 'Unloaded on', 'Entladen am', 'Data rozładunku', '2026-12-04'),
  'route.unloadedTime': of('route', 'time', 'Unloaded at', 'Entladen um', 'Godzina rozładunku', '09:40'),
  'route.nextArrivalDate': of(
    'route',
    'date',
    'Planned arrival, date',
    'Geplante Ankunft, Datum',
    'Planowany przyjazd, data',
    '2026-12-03',
  ),
  'route.nextArrivalTime': of(
    'route',
    'time',
    'Planned arrival, time',
    'Geplante Ankunft, Uhrzeit',
    'Planowany przyjazd, godzina',
    '13:30',
  ),
  'route.signedBy': of('route', 'text', 'Signed by', 'Unterschrieben von', 'Podpisał(a)', 'K. Böhm'),

  'driver.name': of('driver', 'text', 'Driver', 'Fahrer', 'Kierowca', 'Marek Zieliński'),
  'driver.phone': of('driver', 'text', 'Driver’s phone', 'Telefon des Fahrers', 'Telefon kierowcy', '+48 601 555 392'),
  'driver.plate': of('driver', 'text', 'Plate', 'Kennzeichen', 'Numer rejestracyjny', 'PO 7K412 / PO 9W118'),

  'stop.company': of('stop', 'text', 'Company', 'Firma', 'Firma', 'Wohnwelt Rhein GmbH'),
  'stop.address': of('stop', 'text', 'Street, number', 'Straße, Nr.', 'Ulica, nr', 'Kölner Str. 118'),
  'stop.town': of('stop', 'text', 'Postal code and town', 'PLZ und Ort', 'Kod pocztowy i miejscowość', '50226 Frechen'),
  'stop.city': of('stop', 'text', 'Town', 'Ort', 'Miejscowość', 'Frechen'),
  'stop.country': of('stop', 'text', 'Country', 'Land', 'Kraj', { en: 'Germany', de: 'Deutschland', pl: 'Niemcy' }),
  'stop.reference': of('stop', 'text', 'Reference', 'Referenz', 'Numer referencyjny', 'WR-88412'),
  'stop.arrivalDate': of('stop', 'date', 'Arrival, date', 'Ankunft, Datum', 'Przyjazd, data', '2026-12-04'),
  'stop.arrivalTime': of('stop', 'time', 'Arrival, time', 'Ankunft, Uhrzeit', 'Przyjazd, godzina', '10:00'),
  'stop.cargo': of('stop', 'text', 'Cargo for this stop', 'Fracht für diese Stelle', 'Ładunek dla miejsca', {
    en: '6 pallets',
    de: '6 Paletten',
    pl: '6 palet',
  }),

  'carrier.title': of('carrier', 'text', 'Carrier', 'Frachtführer', 'Przewoźnik', 'Transwarta Sp. z o.o.'),
  'carrier.address': of('carrier', 'text', 'Address', 'Anschrift', 'Adres', 'ul. Rolna 4, 61-487 Poznań'),
  'carrier.vatNumber': of('carrier', 'text', 'VAT number', 'USt-IdNr.', 'NIP', 'PL 782 255 19 03'),
  'carrier.cost': of('carrier', 'money', 'Agreed price, net', 'Vereinbarte Fracht, netto', 'Fracht netto', '118000'),
  'carrier.vat': of('carrier', 'money', 'VAT', 'Umsatzsteuer', 'VAT', '0'),
  'carrier.total': of(
    'carrier',
    'money',
    'Agreed price with VAT',
    'Vereinbarte Fracht mit USt.',
    'Fracht brutto',
    '118000',
  ),
  'carrier.paymentDays': of(
    'carrier',
    'number',
    'Payment period in days',
    'Zahlungsziel in Tagen',
    'Termin płatności (dni)',
    '45',
  ),
  'carrier.instructions': of('carrier', 'text', 'Further instructions', 'Weitere Anweisungen', 'Dodatkowe ustalenia', {
    en: 'Pallet exchange at the consignee',
    de: 'Palettentausch beim Empfänger',
    pl: 'Wymiana palet u odbiorcy',
  }),
  'carrier.reason': of('carrier', 'text', 'Reason of the withdrawal', 'Grund der Stornierung', 'Powód wycofania', {
    en: 'Order canceled',
    de: 'Auftrag storniert',
    pl: 'Anulowanie zlecenia',
  }),
  'carrier.changes': of('carrier', 'text', 'What changed', 'Was sich geändert hat', 'Co się zmieniło', {
    en: 'Plate, stop 2',
    de: 'Kennzeichen, Stelle 2',
    pl: 'Nr rejestracyjny, miejsce 2',
  }),
  'link.upload': of(
    'carrier',
    'text',
    'Link for POD and invoice',
    'Link für Ablieferbeleg und Rechnung',
    'Link do przesłania POD i faktury',
    'https://waybill.example/upload-documents/…',
  ),
  'link.tracking': of(
    'tracking',
    'text',
    'Tracking link',
    'Link zur Sendungsverfolgung',
    'Link do śledzenia',
    'https://waybill.example/track/…',
  ),
  'disponent.salutation': of('carrier', 'sentence', 'Salutation', 'Anrede', 'Zwrot grzecznościowy', {
    en: 'Dear Ms Nowak',
    de: 'Sehr geehrte Frau Nowak',
    pl: 'Szanowna Pani',
  }),
  'disponent.name': of('carrier', 'text', 'Disponent', 'Disponent', 'Dyspozytor', 'Anna Nowak'),
  'disponent.phone': of('carrier', 'text', 'Phone', 'Telefon', 'Telefon', '+48 61 555 20 40'),
  'disponent.email': of('carrier', 'text', 'Email', 'E-Mail', 'E-mail', 'a.nowak@transwarta.example'),

  'delay.duration': of('delay', 'text', 'How late', 'Verspätung', 'Opóźnienie', '3 h'),
  'delay.expectedDate': of('delay', 'date', 'Due on', 'Fällig am', 'Termin, data', '2026-12-04'),
  'delay.expectedTime': of('delay', 'time', 'Due at', 'Fällig um', 'Termin, godzina', '10:00'),
  'delay.place': of('delay', 'text', 'Where', 'Wo', 'Gdzie', 'Frechen'),
  'delay.reason': of('delay', 'text', 'Reason', 'Grund', 'Powód', {
    en: 'A2 closed near Magdeburg',
    de: 'A2 bei Magdeburg gesperrt',
    pl: 'A2 pod Magdeburgiem zamknięta',
  }),

  'pod.title': of('refusal', 'text', 'File', 'Datei', 'Plik', 'CMR 26-04817.pdf'),
  'pod.reason': of('refusal', 'text', 'Why it was refused', 'Grund der Ablehnung', 'Powód odrzucenia', {
    en: 'The signature of the consignee is missing',
    de: 'Die Unterschrift des Empfängers fehlt',
    pl: 'Brak podpisu odbiorcy',
  }),

  'problem.invoice': of(
    'problem',
    'text',
    'Number of the carrier’s invoice',
    'Rechnungsnummer des Frachtführers',
    'Numer faktury przewoźnika',
    'FV/2026/12/0088',
  ),
  'problem.reason': of('problem', 'text', 'What is wrong', 'Was nicht stimmt', 'Na czym polega problem', {
    en: 'The amount is not the one that we agreed',
    de: 'Der Betrag ist nicht der vereinbarte',
    pl: 'Kwota nie zgadza się z uzgodnioną',
  }),

  'invoice.kind': of('invoice', 'text', 'Kind of invoice', 'Art der Rechnung', 'Rodzaj faktury', {
    en: 'Invoice',
    de: 'Rechnung',
    pl: 'Faktura',
  }),
  'invoice.number': of('invoice', 'text', 'Invoice number', 'Rechnungsnummer', 'Numer faktury', 'WB-2026-01391'),
  'invoice.date': of('invoice', 'date', 'Invoice date', 'Rechnungsdatum', 'Data wystawienia', '2026-12-01'),
  'invoice.dueDate': of('invoice', 'date', 'Due on', 'Fällig am', 'Termin płatności', '2026-12-31'),
  'invoice.paymentDays': of(
    'invoice',
    'number',
    'Payment period in days',
    'Zahlungsziel in Tagen',
    'Termin płatności (dni)',
    '30',
  ),
  'invoice.net': of('invoice', 'money', 'Net', 'Netto', 'Netto', '145000'),
  'invoice.vat': of('invoice', 'money', 'VAT', 'Umsatzsteuer', 'VAT', '27550'),
  'invoice.total': of('invoice', 'money', 'Total', 'Rechnungsbetrag', 'Razem brutto', '172550'),
  'invoice.service': of('invoice', 'text', 'Date of service', 'Leistungszeitraum', 'Data wykonania usługi', {
    en: '2 – 4 Dec 2026',
    de: '02.12.2026 – 04.12.2026',
    pl: '02.12.2026 – 04.12.2026',
  }),
  'invoice.orders': of('invoice', 'text', 'Orders', 'Aufträge', 'Zlecenia', '26-04817'),
  'invoice.customerOrderNumbers': of(
    'invoice',
    'text',
    'Customer’s order numbers',
    'Auftragsnummern des Kunden',
    'Numery zleceń klienta',
    'ZT/11/0341',
  ),
  'invoice.reason': of('invoice', 'text', 'Reason of the correction', 'Grund der Korrektur', 'Powód korekty', {
    en: 'Price of 26-04817',
    de: 'Preis von 26-04817',
    pl: 'Cena zlecenia 26-04817',
  }),
  'invoice.originalNumber': of(
    'invoice',
    'text',
    'Number of the original',
    'Nummer der Originalrechnung',
    'Numer faktury pierwotnej',
    'WB-2026-01377',
  ),
  'invoice.originalDate': of(
    'invoice',
    'date',
    'Date of the original',
    'Datum der Originalrechnung',
    'Data faktury pierwotnej',
    '2026-11-20',
  ),

  'reminder.invoices': of(
    'reminder',
    'text',
    'Open invoices',
    'Offene Rechnungen',
    'Nieopłacone faktury',
    'WB-2026-01391',
  ),
  'reminder.open': of('reminder', 'money', 'Open amount', 'Offener Betrag', 'Kwota do zapłaty', '172550'),
  'reminder.fee': of('reminder', 'money', 'Flat sum', 'Verzugspauschale', 'Rekompensata', '4000'),
  'reminder.interest': of('reminder', 'money', 'Interest', 'Verzugszinsen', 'Odsetki', '1231'),
  'reminder.total': of('reminder', 'money', 'To be paid', 'Zu zahlen', 'Razem do zapłaty', '177781'),
  'reminder.payUntil': of('reminder', 'date', 'Pay until', 'Zahlbar bis', 'Zapłata do', '2026-12-14'),

  'renewal.document': of('renewal', 'text', 'Document', 'Dokument', 'Dokument', {
    en: 'Carrier’s liability insurance',
    de: 'Verkehrshaftungsversicherung',
    pl: 'Ubezpieczenie OCP',
  }),
  'renewal.validUntil': of('renewal', 'date', 'Valid until', 'Gültig bis', 'Ważny do', '2026-12-31'),
  'priceRequest.answerUntil': of('priceRequest', 'text', 'Answer until', 'Antwort bis', 'Odpowiedź do', {
    en: 'Tue 1 Dec 2026 12:00',
    de: 'Di 01.12.2026 12:00',
    pl: 'wt. 01.12.2026 12:00',
  }),

  'company.title': of('ours', 'text', 'Our company', 'Unsere Firma', 'Nasza firma', 'Waybill Spedition GmbH'),
  'company.address': of('ours', 'text', 'Address', 'Anschrift', 'Adres', 'Veddeler Damm 12, 20457 Hamburg'),
  'company.phone': of('ours', 'text', 'Phone', 'Telefon', 'Telefon', '+49 40 555 21 00'),
  'company.email': of('ours', 'text', 'Email', 'E-Mail', 'E-mail', 'info@waybill-spedition.example'),
  'company.vatNumber': of('ours', 'text', 'VAT number', 'USt-IdNr.', 'NIP', 'DE 316 448 402'),
  'department.title': of('ours', 'text', 'Department', 'Abteilung', 'Dział', 'FTL West'),
  'department.phone': of('ours', 'text', 'Phone', 'Telefon', 'Telefon', '+49 40 555 21 10'),
  'department.email': of('ours', 'text', 'Email', 'E-Mail', 'E-mail', 'ftl-west@waybill-spedition.example'),
  'caseWorker.name': of('ours', 'text', 'Case worker', 'Sachbearbeiter', 'Opiekun zlecenia', 'Monika Krause'),
  'caseWorker.phone': of('ours', 'text', 'Phone', 'Telefon', 'Telefon', '+49 40 555 21 17'),
  'caseWorker.email': of('ours', 'text', 'Email', 'E-Mail', 'E-mail', 'm.krause@waybill-spedition.example'),
} as const satisfies Record<string, Variable>

export type VariableKey = keyof typeof VARIABLES

/** The groups of the catalogue in the order in which a menu shows them. */
export const VARIABLE_GROUPS = [
  'customer',
  'contact',
  'order',
  'price',
  'firstLoading',
  'lastUnloading',
  'route',
  'driver',
  'stop',
  'carrier',
  'disponent',
  'link',
  'delay',
  'pod',
  'invoice',
  'reminder',
  'renewal',
  'priceRequest',
  'company',
  'department',
  'caseWorker',
] as const
export type VariableGroup = (typeof VARIABLE_GROUPS)[number]

export const groupOf = (key: VariableKey): VariableGroup => key.slice(0, key.indexOf('.')) as VariableGroup

export const isVariable = (key: string): key is VariableKey => Object.hasOwn(VARIABLES, key)

/** The variables that a text of this type and variant may hold, in the order of the catalogue. */
export function variablesOf(type: EmailType, variant: string | null): VariableKey[] {
  const scopes = scopesOf(type, variant)
  return (Object.keys(VARIABLES) as VariableKey[]).filter((key) => scopes.includes(VARIABLES[key].scope))
}
