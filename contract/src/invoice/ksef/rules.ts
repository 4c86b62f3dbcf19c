import type { Texts } from '../../errors.ts'
import { VAT_NOTES, type VatCategory, type VatNoteKey } from '../vat.ts'
import { unionVatNumber } from '../../e-invoice/countries.ts'
import { nipOf } from './numbers.ts'

/** Where FA(3) has a rate of VAT: the code of a line, and the fields of its sums. */
export interface KsefRate {
  /** P_12 */
  code: string
  net: string
  /** null: no VAT is charged */
  vat: string | null
}

const CHARGED: Readonly<Record<number, Pick<KsefRate, 'net' | 'vat'>>> = {
  2300: { net: 'P_13_1', vat: 'P_14_1' },
  2200: { net: 'P_13_1', vat: 'P_14_1' },
  800: { net: 'P_13_2', vat: 'P_14_2' },
  700: { net: 'P_13_2', vat: 'P_14_2' },
  500: { net: 'P_13_3', vat: 'P_14_3' },
}

const NOT_CHARGED: Readonly<Record<Exclude<VatCategory, 'S'>, KsefRate>> = {
  Z: { code: '0 KR', net: 'P_13_6_1', vat: null },
  E: { code: 'zw', net: 'P_13_7', vat: null },
  O: { code: 'np I', net: 'P_13_8', vat: null },
  AE: { code: 'np II', net: 'P_13_9', vat: null },
}

/** How FA(3) says a rate; null for one that there is not in Poland. */
export function ksefRate(category: VatCategory, vatBp: number): KsefRate | null {
  if (category !== 'S') return vatBp === 0 ? NOT_CHARGED[category] : null
  const charged = CHARGED[vatBp]
  return charged ? { code: String(vatBp / 100), ...charged } : null
}

/** What a rule of FA(3) finds, in the words of who mends it; `{{day}}` is filled in. */
export const KSEF_FINDING_TEXTS = {
  sellerNip: {
    en: 'KSeF knows our company by its NIP, which is missing or has a wrong check digit',
    de: 'KSeF kennt unser Unternehmen an seiner NIP; sie fehlt, oder ihre Prüfziffer stimmt nicht',
    pl: 'KSeF rozpoznaje naszą firmę po NIP, którego brakuje albo który ma błędną cyfrę kontrolną',
  },
  sellerName: {
    en: 'Our company has no name',
    de: 'Unser Unternehmen hat keinen Namen',
    pl: 'Nasza firma nie ma nazwy',
  },
  sellerAddress: {
    en: 'Our company’s address is missing',
    de: 'Bei unserem Unternehmen fehlt die Anschrift',
    pl: 'Przy naszej firmie brakuje adresu',
  },
  buyerName: {
    en: 'The customer has no name',
    de: 'Der Kunde hat keinen Namen',
    pl: 'Klient nie ma nazwy',
  },
  buyerNip: {
    en: 'The customer’s NIP has a wrong check digit',
    de: 'Die Prüfziffer der NIP des Kunden stimmt nicht',
    pl: 'NIP klienta ma błędną cyfrę kontrolną',
  },
  buyerVat: {
    en: 'Reverse charge needs the customer’s VAT number of the Union, with the letters of its country in front',
    de: 'Reverse Charge braucht die USt-IdNr. des Kunden mit dem Länderkürzel davor',
    pl: 'Odwrotne obciążenie wymaga numeru VAT UE klienta z kodem kraju na początku',
  },
  lineText: {
    en: 'The line does not say what is billed',
    de: 'Die Position sagt nicht, was berechnet wird',
    pl: 'Pozycja nie ma nazwy usługi',
  },
  period: {
    en: 'The service period ends before it begins',
    de: 'Der Leistungszeitraum endet, bevor er beginnt',
    pl: 'Okres usługi kończy się przed rozpoczęciem',
  },
  sums: {
    en: 'The sums of the invoice do not fit its lines: save it anew',
    de: 'Die Summen der Rechnung passen nicht zu ihren Positionen: speichern Sie sie neu',
    pl: 'Sumy faktury nie zgadzają się z pozycjami: zapisz ją ponownie',
  },
  vatRate: {
    en: 'There is no such VAT rate in Poland',
    de: 'Diesen Umsatzsteuersatz gibt es in Polen nicht',
    pl: 'Takiej stawki VAT w Polsce nie ma',
  },
  exemption: {
    en: 'An exempt invoice names the provision that exempts it: write it into the notes',
    de: 'Eine steuerfreie Rechnung nennt die Vorschrift, nach der sie es ist: bitte in die Bemerkungen schreiben',
    pl: 'Faktura ze zwolnieniem podaje jego podstawę prawną: wpisz ją w uwagach',
  },
  exchangeRate: {
    en: 'VAT in złoty needs the euro rate of NBP’s table A of {{day}}',
    de: 'Für die Umsatzsteuer in Złoty fehlt der Eurokurs der NBP-Tabelle A vom {{day}}',
    pl: 'Do podatku w złotych potrzebny jest kurs euro z tabeli A NBP z dnia {{day}}',
  },
  exchangeRateSilent: {
    en: 'VAT in złoty needs the euro rate of NBP’s table A of {{day}}; NBP has not given it, please enter it',
    de: 'Die NBP hat den Eurokurs der Tabelle A vom {{day}} für die USt. in Złoty nicht geliefert; bitte eintragen',
    pl: 'NBP nie podał kursu euro z tabeli A z dnia {{day}}, potrzebnego do podatku w złotych; wpisz go ręcznie',
  },
} as const satisfies Record<string, Texts>

/** One rule that an invoice breaks on its way to KSeF, with the field that mends it. */
export interface KsefFinding {
  /** the field of FA(3) */
  rule: string
  text: keyof typeof KSEF_FINDING_TEXTS
  record: 'invoice' | 'customer' | 'company'
  path: string
}

interface Party {
  vatNumber: string | null
  title: string
  address: string | null
  city: string | null
}

/** What FA(3) asks of an invoice, as far as the form can leave it out. */
export interface KsefContent {
  seller: Party
  buyer: Party & { countryCode: string }
  lines: readonly { vatCategory: VatCategory; vatBp: number; text: string }[]
  notes: readonly string[]
  servicePeriodFrom: string | null
  servicePeriodTo: string | null
  /** it names the parties as its original did, which nobody can mend */
  isCorrection: boolean
  /** its sums do not follow from its lines */
  isSumWrong: boolean
  /** a day whose rate VAT in złoty needs, and nobody has entered */
  isRateMissing: boolean
}

const isMissing = (text: string | null): boolean => text === null || text.trim() === ''

const OF_OTHER_CATEGORIES: readonly VatNoteKey[] = ['reverse_charge', 'outside_scope', 'zero_pl']
const NO_EXEMPTION: readonly string[] = OF_OTHER_CATEGORIES.flatMap((key) => Object.values(VAT_NOTES[key]))

/**
 * The provision that exempts (P_19A): the first note that is not the sentence of another VAT category of the same
 * invoice; null where there is none.
 */
export const exemptionOf = (notes: readonly string[]): string | null =>
  notes.find((note) => !isMissing(note) && !NO_EXEMPTION.includes(note.trim())) ?? null

/** True where VAT is charged, which is due in złoty. */
export const needsRate = (groups: readonly { vatCents: number }[]): boolean =>
  groups.some(({ vatCents }) => vatCents !== 0)

/** What of FA(3) an invoice breaks before it is sent; none: it may go. */
export function ksefFindings(content: KsefContent): KsefFinding[] {
  const { seller, buyer, lines, notes, servicePeriodFrom: from, servicePeriodTo: to } = content
  const isPolish = buyer.vatNumber !== null && (buyer.countryCode === 'PL' || /^PL/i.test(buyer.vatNumber))
  const checks: [isBroken: boolean, finding: KsefFinding][] = [
    [
      nipOf(seller.vatNumber) === null,
      { rule: 'Podmiot1/NIP', text: 'sellerNip', record: 'company', path: 'vatNumber' },
    ],
    [isMissing(seller.title), { rule: 'Podmiot1/Nazwa', text: 'sellerName', record: 'company', path: 'title' }],
    [
      isMissing(seller.address) && isMissing(seller.city),
      { rule: 'Podmiot1/Adres', text: 'sellerAddress', record: 'company', path: 'address' },
    ],
    [isMissing(buyer.title), { rule: 'Podmiot2/Nazwa', text: 'buyerName', record: 'customer', path: 'title' }],
    [
      isPolish && /^(PL)?[\d\s.-]+$/i.test(buyer.vatNumber!) && nipOf(buyer.vatNumber) === null,
      { rule: 'Podmiot2/NIP', text: 'buyerNip', record: 'customer', path: 'vatNumber' },
    ],
    // The number of who owes the VAT (Polish VAT Act, art. 106e ust. 1 pkt 24). KSeF itself takes another one, so that
    // what was billed before there was this rule can be taken back.
    [
      !content.isCorrection &&
        lines.some(({ vatCategory }) => vatCategory === 'AE') &&
        !isMissing(buyer.vatNumber) &&
        unionVatNumber(buyer.vatNumber) === null &&
        !(buyer.countryCode === 'PL' && nipOf(buyer.vatNumber) !== null),
      { rule: 'Podmiot2/NrVatUE', text: 'buyerVat', record: 'customer', path: 'vatNumber' },
    ],
    [
      from !== null && to !== null && to < from,
      { rule: 'P_6_Do', text: 'period', record: 'invoice', path: 'servicePeriodTo' },
    ],
    ...lines.flatMap(({ vatCategory, vatBp, text }, index): [boolean, KsefFinding][] => [
      [isMissing(text), { rule: 'P_7', text: 'lineText', record: 'invoice', path: `lines.${index}.text` }],
      [
        ksefRate(vatCategory, vatBp) === null,
        { rule: 'P_12', text: 'vatRate', record: 'invoice', path: `lines.${index}.vatBp` },
      ],
    ]),
    [content.isSumWrong, { rule: 'P_15', text: 'sums', record: 'invoice', path: 'lines' }],
    [
      lines.some(({ vatCategory }) => vatCategory === 'E') && exemptionOf(notes) === null,
      { rule: 'P_19A', text: 'exemption', record: 'invoice', path: 'notes' },
    ],
    [content.isRateMissing, { rule: 'KursWaluty', text: 'exchangeRate', record: 'invoice', path: 'exchangeRate' }],
  ]
  return checks.flatMap(([isBroken, finding]) => (isBroken ? [finding] : []))
}
