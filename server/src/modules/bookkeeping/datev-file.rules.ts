import type { BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import type { BookedRow } from './booked-rows.rules.ts'
import { windows1252 } from './windows-1252.rules.ts'

/** The format of DATEV: its header, the kind of file (bookings), and the version of that kind. */
const FORMAT = { mark: 'EXTF', version: 700, category: 21, name: 'Buchungsstapel', formatVersion: 13 }
const MOST_TEXT = 60
const MOST_NUMBER = 36
const MOST_INFO = 210

const pairs = (kind: string, content: string, count: number): string[] =>
  Array.from({ length: count }, (_none, index) => [`${kind} ${index + 1}`, `${content} ${index + 1}`]).flat()

// The names of the columns, in their order: part of the format. Source: DATEV developer portal, Buchungsstapel.
const COLUMNS: readonly string[] = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
  'Postensperre',
  'Diverse Adressnummer',
  'Geschäftspartnerbank',
  'Sachverhalt',
  'Zinssperre',
  'Beleglink',
  ...pairs('Beleginfo - Art', 'Beleginfo - Inhalt', 8),
  'KOST1 - Kostenstelle',
  'KOST2 - Kostenstelle',
  'Kost-Menge',
  'EU-Land u. UStID (Bestimmung)',
  'EU-Steuersatz (Bestimmung)',
  'Abw. Versteuerungsart',
  'Sachverhalt L+L',
  'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  ...pairs('Zusatzinformation - Art', 'Zusatzinformation- Inhalt', 20),
  'Stück',
  'Gewicht',
  'Zahlweise',
  'Forderungsart',
  'Veranlagungsjahr',
  'Zugeordnete Fälligkeit',
  'Skontotyp',
  'Auftragsnummer',
  'Buchungstyp',
  'USt-Schlüssel (Anzahlungen)',
  'EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen)',
  'Herkunft-Kz',
  'Buchungs GUID',
  'KOST-Datum',
  'SEPA-Mandatsreferenz',
  'Skontosperre',
  'Gesellschaftername',
  'Beteiligtennummer',
  'Identifikationsnummer',
  'Zeichnernummer',
  'Postensperre bis',
  'Bezeichnung SoBil-Sachverhalt',
  'Kennzeichen SoBil-Buchung',
  'Festschreibung',
  'Leistungsdatum',
  'Datum Zuord. Steuerperiode',
  'Fälligkeit',
  'Generalumkehr (GU)',
  'Steuersatz',
  'Land',
  'Abrechnungsreferenz',
  'BVV-Position',
  'EU-Land u. UStID (Ursprung)',
  'EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto',
]

// Texts stand in quotation marks, empty ones too; their columns count from 1.
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, index) => from + index)
const TEXTS = new Set(
  [
    [2, 3, 6, 9, 11, 12, 14, 16, 20, 40, 42, 91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118, 120, 121, 123],
    range(21, 38),
    range(48, 87),
  ].flat(),
)

const place = (name: string): number => COLUMNS.indexOf(name)
// oxlint-disable-next-line no-control-regex -- control characters end lines, which a text of the file may not
const CONTROLS = /[\u0000-\u001f\u007f]+/g
const quoted = (text: string): string => `"${text.replace(CONTROLS, ' ').replaceAll('"', '""')}"`
const euros = (cents: number): string => `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`
const compact = (date: string): string => date.replaceAll('-', '')
const dayMonthYear = (date: string | null | undefined): string =>
  date ? `${date.slice(8)}${date.slice(5, 7)}${date.slice(0, 4)}` : ''
const dayMonth = (date: string): string => `${date.slice(8)}${date.slice(5, 7)}`

/** A number of a document as DATEV takes it: letters without marks, digits and a few signs. */
export const documentField = (number: string): string =>
  number
    .normalize('NFKD')
    .replaceAll(/[ ._]+/g, '-')
    .replaceAll(/[^A-Za-z0-9$&%*+\-/]/g, '')
    .slice(0, MOST_NUMBER)

const isSale = ({ kind }: BookedRow): boolean => kind === 'invoice' || kind === 'correction'

function lineOf(row: BookedRow): string {
  const values = new Map<number, string>([
    [place('Umsatz (ohne Soll/Haben-Kz)'), euros(row.amountCents)],
    [place('Soll/Haben-Kennzeichen'), row.isDebit ? 'S' : 'H'],
    [place('WKZ Umsatz'), 'EUR'],
    [place('Konto'), String(row.account)],
    [place('Gegenkonto (ohne BU-Schlüssel)'), String(row.contraAccount)],
    [place('BU-Schlüssel'), row.taxKey ?? ''],
    [place('Belegdatum'), dayMonth(row.date)],
    [place('Belegfeld 1'), documentField(row.documentNumber ?? '')],
    [place('Buchungstext'), row.text.slice(0, MOST_TEXT)],
    // The number in full leads to the document where the field before has no sign for a part of it.
    ...(row.documentNumber === null
      ? []
      : ([
          [place('Beleginfo - Art 1'), 'Belegnummer'],
          [place('Beleginfo - Inhalt 1'), row.documentNumber.slice(0, MOST_INFO)],
        ] as const)),
    // Of sales alone: what carriers bill is in no recapitulative statement.
    [place('EU-Land u. UStID (Bestimmung)'), isSale(row) ? (row.vatNumber?.slice(0, 15) ?? '') : ''],
    // As the header says: left empty, DATEV would fix the booking.
    [place('Festschreibung'), '0'],
    [place('Leistungsdatum'), dayMonthYear(row.serviceDate)],
    [place('Datum Zuord. Steuerperiode'), dayMonthYear(row.serviceDate)],
    [place('Fälligkeit'), dayMonthYear(row.dueDate)],
  ])
  return COLUMNS.map((_name, index) => {
    const value = values.get(index) ?? ''
    return TEXTS.has(index + 1) ? quoted(value) : value
  }).join(';')
}

interface Header {
  settings: BookkeepingSettings
  /** first and last day of the month, and the first of its fiscal year */
  from: string
  to: string
  fiscalYear: string
  /** `2026-03/1` */
  number: string
  /** RFC 3339, in UTC */
  createdAt: string
  /** who made it */
  madeBy: string
}

function headOf({ settings, from, to, fiscalYear, number, createdAt, madeBy }: Header): string {
  const { consultantNumber, clientNumber, accountLength, chart } = settings
  const created = createdAt.replaceAll(/\D/g, '').slice(0, 17).padEnd(17, '0')
  return [
    quoted(FORMAT.mark),
    FORMAT.version,
    FORMAT.category,
    quoted(FORMAT.name),
    FORMAT.formatVersion,
    created,
    '',
    quoted('WB'),
    quoted(madeBy.slice(0, 25)),
    quoted(''),
    consultantNumber,
    clientNumber,
    compact(fiscalYear),
    accountLength,
    compact(from),
    compact(to),
    quoted(`Waybill ${number}`),
    quoted(''),
    // financial accounting, no separate purpose, not fixed: that is the adviser's to decide
    1,
    0,
    0,
    quoted('EUR'),
    '',
    quoted(''),
    '',
    '',
    quoted(chart === 'own' ? '' : chart.slice(3)),
    '',
    '',
    quoted(''),
    quoted(''),
  ].join(';')
}

/** The file of a batch as DATEV reads it: Windows-1252, semicolons, CRLF after each line. */
export const datevFile = (header: Header, rows: readonly BookedRow[]): Buffer =>
  windows1252([headOf(header), COLUMNS.join(';'), ...rows.map(lineOf), ''].join('\r\n'))
