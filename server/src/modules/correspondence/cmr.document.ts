import type { Language, Texts } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import {
  countryName,
  formatCents,
  formatDate,
  formatDimensions,
  formatNumber,
  formatTemperature,
  formatTermin,
  town,
} from './document-words.ts'
import type { Firm } from './order-paper.query.ts'

interface Place {
  companyTitle: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
}

/** A line of cargo as the note describes it; kg and m³ are the line's. */
export type CmrLine = Pick<
  Order['cargo'][number],
  | 'title'
  | 'quantity'
  | 'packages'
  | 'lengthCm'
  | 'widthCm'
  | 'heightCm'
  | 'weightKg'
  | 'volumeM3'
  | 'temperatureFrom'
  | 'temperatureTo'
  | 'marks'
  | 'adr'
> & {
  unit: string | null
}

/** What a consignment note says (CMR, article 6), before it is worded. */
export interface CmrData {
  /** the route's number: what both sides call the transport */
  reference: string
  sender: Place
  consignee: Place
  pickUp: Place & { termin: Termin | null }
  dropOff: Place & { termin: Termin | null }
  carrier: Firm & { plateNumber: string | null; drivers: string[] }
  /** who drives another leg of the same goods */
  successiveCarriers: string[]
  lines: CmrLine[]
  /** the stops of customs on the way, each in one line */
  customs: string[]
  isTransshipmentForbidden: boolean
  /** what the order says to those who load, drive and unload */
  instructions: string[]
  references: string[]
  /** where and when the note is made out; the date is YYYY-MM-DD */
  established: { place: string | null; date: string }
  details: {
    attachedDocuments: string | null
    instructions: string | null
    carriageIs: 'paid' | 'forward' | null
    cashOnDeliveryCents: number | null
    declaredValueCents: number | null
    agreements: string | null
  }
}

/** The words of the IRU's form, its boxes by their numbers. */
const TEXTS = wordingsOf('cmr')

/** The first three originals, in the colours that the trade knows them by. */
const ORIGINALS = [
  { colour: '#b3261e', caption: TEXTS.copies.sender },
  { colour: '#1f4e9c', caption: TEXTS.copies.consignee },
  { colour: '#1b6b36', caption: TEXTS.copies.carrier },
]

const placeLines = ({ companyTitle, address, postal, city, countryCode }: Place, language: Language) => [
  companyTitle,
  address,
  town({ postal, city }),
  countryName(countryCode, language),
]

/**
 * What the template sets. Labels stand in both languages; what was written by people stands as they wrote it; names
 * of countries and figures are in the first.
 */
function pageOf(data: CmrData, languages: readonly [Language, Language]) {
  const [first] = languages
  const inBoth = (texts: Texts): string[] => [...new Set(languages.map((language) => texts[language]))]
  const both = (texts: Texts): string => inBoth(texts).join(' / ')
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, first))
  const euros = (cents: number) => `${formatCents(cents, first)} EUR`
  const sum = (values: readonly (number | null)[]) =>
    values.some((value) => value !== null)
      ? number(values.reduce<number>((total, value) => total + Math.round((value ?? 0) * 1000), 0) / 1000)
      : ''
  const { details, lines, pickUp, dropOff, carrier } = data
  const place = ({ address, postal, city, countryCode }: Place) => [
    address,
    [town({ postal, city }), countryName(countryCode, first)].filter(Boolean).join(', '),
  ]
  const count = (line: CmrLine) => line.packages ?? line.quantity
  // Units that carry packages of their own are the way in which those are packed.
  const packing = (line: CmrLine) =>
    line.packages === null || line.packages === line.quantity
      ? (line.unit ?? '')
      : `${number(line.quantity)} × ${line.unit ?? '–'}`
  const temperature = (line: CmrLine) => {
    const degrees = formatTemperature(line, first)
    return degrees && `${both(TEXTS.temperature)}: ${degrees}`
  }

  return {
    reference: data.reference,
    copies: ORIGINALS.map(({ colour, caption }, index) => ({ number: index + 1, colour, caption: both(caption) })),
    labels: Object.fromEntries(Object.entries(TEXTS.boxes).map(([box, texts]) => [box, inBoth(texts)])),
    title: languages.map((language) => TEXTS.title[language]),
    statement: languages.map((language) => TEXTS.statement[language]),
    seeSheet: both(TEXTS.seeSheet),
    sheet: both(TEXTS.sheet),
    total: both(TEXTS.total),
    sender: placeLines(data.sender, first),
    consignee: placeLines(data.consignee, first),
    delivery: place(dropOff),
    takingOver: [...place(pickUp), pickUp.termin && formatTermin(pickUp.termin, first)],
    attached: [details.attachedDocuments],
    carrier: [
      carrier.title,
      carrier.address,
      town(carrier),
      countryName(carrier.countryCode, first),
      formatVatNumber(carrier.vatNumber),
      carrier.plateNumber && `${both(TEXTS.plate)}: ${carrier.plateNumber}`,
      carrier.drivers.length > 0 ? `${both(TEXTS.driver)}: ${carrier.drivers.join(', ')}` : null,
    ],
    successive: data.successiveCarriers,
    rows: lines.map((line) => ({
      marks: line.marks ?? '',
      packages: number(count(line)),
      packing: packing(line),
      nature: line.title ?? '',
      details: [
        formatDimensions(line, first),
        temperature(line),
        line.adr && `UN ${line.adr.unNumber}, ADR ${line.adr.adrClass}`,
      ]
        .filter(Boolean)
        .join(' · '),
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
    })),
    totals: {
      packages: sum(lines.map(count)),
      weight: sum(lines.map((line) => line.weightKg)),
      volume: sum(lines.map((line) => line.volumeM3)),
    },
    instructions: [
      ...data.references.map((reference) => `${both(TEXTS.reference)}: ${reference}`),
      ...data.customs.map((stop) => `${both(TEXTS.customs)}: ${stop}`),
      data.isTransshipmentForbidden ? both(TEXTS.noTransshipment) : null,
      ...data.instructions,
      details.instructions,
    ],
    payment: [details.carriageIs && both(TEXTS.carriageIs[details.carriageIs])],
    cashOnDelivery: [details.cashOnDeliveryCents === null ? null : euros(details.cashOnDeliveryCents)],
    agreements: [
      dropOff.termin && `${both(TEXTS.timeLimit)}: ${formatTermin(dropOff.termin, first)}`,
      details.declaredValueCents === null ? null : `${both(TEXTS.declaredValue)}: ${euros(details.declaredValueCents)}`,
      details.agreements,
    ],
    established: [[data.established.place, formatDate(data.established.date, first)].filter(Boolean).join(', ')],
    chargeColumns: [
      '',
      both(TEXTS.chargeColumns.sender),
      both(TEXTS.chargeColumns.currency),
      both(TEXTS.chargeColumns.consignee),
    ],
    chargeRows: [
      both(TEXTS.chargeRows.carriage),
      both(TEXTS.chargeRows.reductions),
      both(TEXTS.chargeRows.supplements),
      both(TEXTS.chargeRows.other),
      both(TEXTS.chargeRows.total),
    ],
  }
}

/**
 * A consignment note in its three originals, as PDF/A-3b. Rejects with a PdfError. `pdf` must have been created with
 * this module's `templates` folder.
 */
export const renderCmr = (pdf: PdfRenderer, data: CmrData, languages: readonly [Language, Language]): Promise<Buffer> =>
  pdf.renderPdf({
    template: 'cmr',
    data: pageOf(data, languages),
    language: languages[0],
    title: `CMR ${data.reference}`,
  })
