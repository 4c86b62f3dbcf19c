import type { Language, Texts } from '@waybill/contract/errors'
import type { ContentMode } from '@waybill/contract/kit/content-modes'
import type { Certified } from '@waybill/contract/order/papers/certificate'
import { dateTimeFormat } from '@waybill/contract/kit/intl'
import type { PdfRenderer } from '../../../kit/pdf/pdf.ts'
import { textsOf, wordingsOf } from '../../../kit/texts/texts.ts'
import { countryName, formatDate, formatNumber, formatUnits, LOCALES, town } from '../document-words.ts'
import { letterheadOf, type Writer } from '../letter.document.ts'
import { besides, type OwnBlock } from '../own-text/own-text.document.ts'

/** A firm with its address, line by line; without lines the box stays free for handwriting. */
export interface CertifiedParty {
  lines: readonly string[]
}

export interface CertifiedLine {
  quantity: number | null
  unit: string | null
  title: string | null
  marks: string | null
  weightKg: number | null
}

/** A delivery that a collective confirmation holds beside the first. */
export interface CertifiedDelivery {
  number: string
  reference: string | null
  place: { postal: string | null; city: string | null; countryCode: string }
  /** `2026-11` */
  month: string
  lines: readonly CertifiedLine[]
}

/** What a certificate says, before it is worded. */
export interface CertificateData {
  kind: Certified['kind']
  us: Writer & { countryCode: string }
  number: string
  reference: string | null
  buyer: CertifiedParty
  supplier: CertifiedParty
  /** who ordered the transport, where that is not the supplier */
  client: CertifiedParty | null
  place: CertifiedDelivery['place']
  /** `2026-11`; null of an export */
  month: string | null
  lines: readonly CertifiedLine[]
  /** what it confirms beside; empty but of a collective confirmation of arrival */
  together: readonly CertifiedDelivery[]
  vehicleNumbers: readonly string[]
  exit: { place: string; day: string; mrn: string | null } | null
  /** YYYY-MM-DD, on which we sign; the buyer writes the day of their signature by hand */
  date: string
  /** what the department says beside our hint, or in its place, on the first sheet */
  own: { mode: ContentMode; blocks: OwnBlock[] } | null
}

const TEXTS = wordingsOf('certificate')

/** What the paper is called in the name of its file. */
export const certificateName = (kind: Certified['kind'], language: Language): string => TEXTS[kind].name[language]

/** `4/2026` */
const quarterName = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return `${Math.ceil(number / 3)}/${year}`
}

/** What a collective confirmation is called in the name of its file, and what stands there for a number. */
export const collectiveName = (month: string): readonly [kind: string, quarter: string] => [
  TEXTS.collective.name.de,
  quarterName(month),
]

const monthName = (month: string, language: Language): string =>
  dateTimeFormat(LOCALES[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** All that a collective confirmation holds, the earliest first; empty of any other certificate. */
function deliveriesOf({ number, reference, place, month, lines, together }: CertificateData): CertifiedDelivery[] {
  if (together.length === 0) return []
  return [{ number, reference, place, month: month!, lines }, ...together].toSorted(
    (one, other) => one.month.localeCompare(other.month) || one.number.localeCompare(other.number),
  )
}

/**
 * What the template sets: German, and beside it the other language. What people wrote stands as they wrote it; figures
 * are German ones.
 */
function pageOf(data: CertificateData, language: Language) {
  const languages: readonly Language[] = language === 'de' ? ['de'] : ['de', language]
  const inBoth = (texts: Texts): string[] => [...new Set(languages.map((one) => texts[one]))]
  const said = (word: (one: Language) => string): string => [...new Set(languages.map(word))].join(' / ')
  const box = (texts: Texts, lines: readonly (string | null)[]) => ({
    labels: inBoth(texts),
    lines: lines.filter((line) => line !== null && line !== ''),
  })
  const deliveries = deliveriesOf(data)
  const country = (code: string) => said((one) => countryName(code, one))
  const placeName = (one: CertifiedDelivery['place']) => [town(one), country(one.countryCode)]
  const place =
    deliveries.length === 0
      ? placeName(data.place)
      : [...new Set(deliveries.map((one) => placeName(one.place).filter(Boolean).join(', ')))]
  const monthWords = (month: string) => said((one) => monthName(month, one))
  const months =
    deliveries.length === 0
      ? [data.month && monthWords(data.month)]
      : [...new Set(deliveries.map(({ month }) => monthWords(month)))]
  const headed = ({ number, reference, month, place: there, lines: goods }: CertifiedDelivery) => {
    const named = reference === null ? [] : [`${inBoth(TEXTS.reference).join(' / ')}: ${reference}`]
    const where = placeName(there).filter(Boolean).join(', ')
    return { heading: [number, ...named, where, monthWords(month)].join(' · '), lines: goods }
  }
  const groups = deliveries.length === 0 ? [{ heading: null, lines: data.lines }] : deliveries.map(headed)
  const lines = groups.flatMap((group) => group.lines)
  const weights = lines.flatMap(({ weightKg }) => weightKg ?? [])
  const ours = [data.us.title, data.us.address, town(data.us), country(data.us.countryCode)]
  const today = formatDate(data.date, 'de')
  const ownSignatures = [
    box(TEXTS.issuedOn, [[data.us.city, today].filter(Boolean).join(', ')]),
    box(TEXTS.printedName, []),
    box(TEXTS.issuerSignature, []),
  ]
  const references =
    deliveries.length > 0
      ? [box(TEXTS.collective.deliveries, [String(deliveries.length)])]
      : [box(TEXTS.order, [data.number]), ...(data.reference === null ? [] : [box(TEXTS.reference, [data.reference])])]
  const clients = data.client === null ? [] : [box(TEXTS.client, data.client.lines)]

  const byBuyer = (kind: 'arrival' | 'delivery') => ({
    titles: inBoth(TEXTS[kind].title),
    subtitles: inBoth(deliveries.length > 0 ? TEXTS.collective.subtitle : TEXTS[kind].subtitle),
    law: kind === 'arrival' ? inBoth(TEXTS.arrival.law) : [],
    parties: [box(TEXTS[kind].buyer, data.buyer.lines), box(TEXTS.supplier, data.supplier.lines)],
    statement: inBoth(deliveries.length > 0 ? TEXTS.collective.statement : TEXTS[kind].statement),
    arrived: inBoth(deliveries.length > 0 ? TEXTS.collective.arrived : TEXTS[kind].arrived),
    facts: [box(TEXTS[kind].place, place), box(TEXTS[kind].month, months), ...references],
    declarations: [],
    signatures: [box(TEXTS.issuedOn, []), box(TEXTS.printedName, []), box(TEXTS[kind].signature, [])],
    hints: besides(data.own, [inBoth(TEXTS[kind].hint)]),
  })
  const byUs = (kind: 'forwarder' | 'export') => ({
    titles: inBoth(TEXTS[kind].title),
    subtitles: inBoth(TEXTS[kind].subtitle),
    law: inBoth(TEXTS[kind].law),
    parties: [
      box(TEXTS.issuer, ours),
      box(TEXTS.supplier, data.supplier.lines),
      ...clients,
      box(TEXTS.recipient, data.buyer.lines),
    ],
    statement: inBoth(TEXTS[kind].statement),
    arrived: [] as string[],
    declarations: [inBoth(TEXTS.verifiable)],
    signatures: ownSignatures,
  })
  const sheets =
    data.kind === 'export'
      ? [
          {
            ...byUs('export'),
            facts: [
              box(TEXTS.export.place, place),
              box(TEXTS.export.exportPlace, [data.exit?.place ?? null]),
              box(TEXTS.export.exportedOn, [data.exit && formatDate(data.exit.day, 'de')]),
              ...(data.exit?.mrn ? [box(TEXTS.export.mrn, [data.exit.mrn])] : []),
              ...references,
            ],
            hints: besides(data.own, [inBoth(TEXTS.export.hint)]),
          },
        ]
      : data.kind === 'delivery'
        ? [byBuyer('delivery')]
        : [
            byBuyer('arrival'),
            {
              ...byUs('forwarder'),
              facts: [box(TEXTS.forwarder.place, place), box(TEXTS.forwarder.month, months), ...references],
              hints: [],
            },
          ]
  const { seller, letterhead } = letterheadOf(data.us)
  const vehicles = data.vehicleNumbers.map((number) => `${inBoth(TEXTS.vehicle).join(' / ')}: ${number}`)
  return {
    reference:
      deliveries.length > 0
        ? `${TEXTS.collective.name.de} ${quarterName(data.month!)}`
        : [certificateName(data.kind, 'de'), data.number].join(' '),
    pageOf: said((one) => textsOf('certificate')[one].pageOf),
    logo: seller.logo,
    issuer: [data.us.title],
    letterhead,
    sheets,
    ownText: data.own?.blocks ?? [],
    columns: [inBoth(TEXTS.quantity), inBoth(TEXTS.description), inBoth(TEXTS.weight)],
    groups: groups.map(({ heading, lines: goods }, at) => ({
      heading,
      rows: goods.map(({ quantity, unit, title, marks, weightKg }, index) => ({
        quantity: formatUnits(quantity, unit, 'de'),
        description: title ?? '–',
        details: [
          marks && `${inBoth(TEXTS.marks).join(' / ')}: ${marks}`,
          ...(at === groups.length - 1 && index === goods.length - 1 ? vehicles : []),
        ].filter(Boolean),
        weight: weightKg === null ? '' : formatNumber(weightKg, 'de'),
      })),
    })),
    total:
      lines.length < 2 || weights.length === 0
        ? null
        : {
            label: inBoth(TEXTS.total).join(' / '),
            weight: formatNumber(weights.reduce((sum, one) => sum + Math.round(one * 1000), 0) / 1000, 'de'),
          },
  }
}

/**
 * A certificate as PDF/A-3b. Rejects with a PdfError. `pdf` must have been created with this module's `templates`
 * folder.
 */
export async function renderCertificate(pdf: PdfRenderer, data: CertificateData, language: Language): Promise<Buffer> {
  const page = pageOf(data, language)
  const render = (shown: typeof page) =>
    pdf.renderPdf({ template: 'certificate', data: shown, language: 'de', title: page.reference })
  try {
    return await render(page)
  } catch (error) {
    // A logo that cannot be drawn stops no certificate.
    if (page.logo === null || (error as { kind?: string }).kind !== 'template') throw error
    return render({ ...page, logo: null })
  }
}
