import type { CopyPart } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { ContentMode } from '@waybill/contract/kit/content-modes'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { cargoTotals } from '@waybill/contract/order/cargo'
import { localOf } from '@waybill/contract/kit/local-time'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { standardConditions } from '../mail-template/index.ts'
import {
  contactOf,
  countryName,
  formatCents,
  formatDate,
  formatDimensions,
  formatNumber,
  formatRate,
  formatTemperature,
  formatTermin,
  formatUnits,
  isGiven,
  LOCALES,
  town,
} from './document-words.ts'
import { letterheadOf, qrPicture, renderLetter, type Writer } from './letter.document.ts'
import type { Firm } from './order-paper.query.ts'
import { besides, type OwnBlock } from './own-text/own-text.document.ts'

type Line = Pick<
  Order['cargo'][number],
  | 'id'
  | 'title'
  | 'quantity'
  | 'packages'
  | 'lengthCm'
  | 'widthCm'
  | 'heightCm'
  | 'stackingFactor'
  | 'weightKg'
  | 'volumeM3'
  | 'ldm'
  | 'instructions'
  | 'temperatureFrom'
  | 'temperatureTo'
  | 'marks'
  | 'adr'
> & { unit: string | null; handling: string[] }

type Stop = Pick<
  Order['locations'][number],
  | 'kind'
  | 'timeZone'
  | 'companyTitle'
  | 'address'
  | 'postal'
  | 'city'
  | 'countryCode'
  | 'contactPerson'
  | 'phone'
  | 'reference'
  | 'comment'
  | 'specialInstructions'
  | 'plannedAt'
> & {
  termin: Termin | null
  cargoActions: readonly { cargoId: number; action: 'PICK_UP' | 'DROP_OFF' }[]
}

/** What a carrier is told; neither the customer nor the customer's price is in it. */
export interface TransportOrderData {
  us: Firm & Writer
  contact: { name: string; email: string | null; phone: string | null } | null
  carrier: Firm
  disponent: { name: string | null; email: string | null; phone: string | null }
  /** the route's */
  number: string
  /** YYYY-MM-DD */
  date: string
  vehicle: {
    type: string | null
    plateNumber: string | null
    drivers: { name: string; phone: string | null }[]
    driverText: string | null
    isLiftRequired: boolean
    isTransshipmentForbidden: boolean
  }
  stops: Stop[]
  cargo: Line[]
  distanceKm: number | null
  isDistanceEstimated: boolean
  price: { costCents: number; vatBp: number; vatCents: number; totalCents: number } | null
  /** days after invoice and proof of delivery; left out where none was agreed */
  paymentPeriodDays?: number | null
  extraData: string | null
  /** what is new since the carrier was told, on which day (YYYY-MM-DD) at what time; left out of a first order */
  change?: { parts: readonly CopyPart[]; date: string; time: string } | null
  /** where the carrier hands in its papers; null: it has no link yet */
  uploadUrl?: string | null
  /** for this paper alone, after what the department says, or in place of all of it */
  content: { mode: ContentMode; text: string | null }
  /** what the department says below our conditions, or in their place */
  own?: { mode: ContentMode; blocks: OwnBlock[] } | null
}

const TEXTS = textsOf('transport-order')
const LETTER = textsOf('letter')
const MAIL = textsOf('mail')

const paragraphs = (text: string | null): string[] =>
  (text ?? '')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter(Boolean)

/** What the template sets: texts in the carrier's language, nothing to compute. */
function pageOf(data: TransportOrderData, language: Language, qr: string | null) {
  const labels = { ...LETTER[language], ...TEXTS[language] }
  const { cargoColumns, signatures } = labels
  const { us, carrier, vehicle, price } = data
  const isReplaced = data.content.mode === 'replace'
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, language))
  const money = (cents: number) => `${formatCents(cents, language)} EUR`
  const { change } = data
  const reference = `${change ? labels.change.heading : labels.heading} ${data.number}`
  const position = new Map(data.cargo.map(({ id }, index) => [id, index + 1]))
  const units = ({ quantity, unit }: Line) => formatUnits(quantity, unit, language)
  const moved = (stop: Stop, action: 'PICK_UP' | 'DROP_OFF', label: string) => {
    const lines = stop.cargoActions.flatMap((one) =>
      one.action === action && position.has(one.cargoId) ? [data.cargo[position.get(one.cargoId)! - 1]!] : [],
    )
    if (lines.length === 0) return null
    // One line of many would fill the stop; the numbers lead to the table.
    const named =
      lines.length > 6
        ? lines.map((line) => position.get(line.id)).join(', ')
        : lines
            .map((line) => [`${position.get(line.id)!})`, units(line), line.title].filter(Boolean).join(' '))
            .join(' · ')
    return `${label}: ${named}`
  }
  const planned = ({ plannedAt, timeZone }: Stop) => {
    if (plannedAt === null) return ''
    const { date, time } = localOf(plannedAt, timeZone)
    return `${labels.planned}: ${formatDate(date, language)} ${time}`
  }
  const sums = cargoTotals(data.cargo)

  return {
    reference,
    heading: reference,
    subheadings: [],
    watermark: null,
    ...letterheadOf(us),
    address: [
      carrier.title,
      carrier.address,
      town(carrier),
      carrier.countryCode === us.countryCode
        ? null
        : countryName(carrier.countryCode, language).toLocaleUpperCase(LOCALES[language]),
    ],
    facts: (
      [
        [labels.number, data.number],
        [labels.date, formatDate(data.date, language)],
        [labels.contact, data.contact && contactOf(data.contact.name, data.contact.phone, data.contact.email)],
        [labels.disponent, contactOf(data.disponent.name, data.disponent.phone, data.disponent.email)],
        [labels.carrierVatNumber, formatVatNumber(carrier.vatNumber)],
      ] as const
    ).filter(isGiven),
    footer: [
      [us.title, us.address, town(us), countryName(us.countryCode, language)],
      [us.phone && `${labels.phone} ${us.phone}`, us.email && `${labels.email} ${us.email}`],
      [us.vatNumber && `${labels.vatNumber} ${formatVatNumber(us.vatNumber)}`],
    ],
    pageOf: labels.pageOf,
    opening: labels.opening,
    // A first order stays as it was drawn.
    ...(change && {
      change: {
        replaces: filled(labels.change.replaces, { date: formatDate(change.date, language), time: change.time }),
        label: labels.change.changed,
        parts: change.parts.map((part) => MAIL[language].parts[part]).join(', '),
      },
    }),
    labels: {
      vehicle: labels.vehicle,
      stops: labels.stops,
      cargo: labels.cargo,
      price: labels.price,
      instructions: labels.instructions,
      conditions: labels.conditions,
    },
    vehicle: (
      [
        [labels.vehicleType, vehicle.type],
        [labels.plate, vehicle.plateNumber],
        [
          labels.driver,
          [...vehicle.drivers.map(({ name, phone }) => contactOf(name, phone)), vehicle.driverText]
            .filter(Boolean)
            .join('; ') || null,
        ],
        [
          labels.demands,
          [
            vehicle.isLiftRequired ? labels.lift : null,
            vehicle.isTransshipmentForbidden ? labels.noTransshipment : null,
          ]
            .filter(Boolean)
            .join(', ') || null,
        ],
        [
          labels.distance,
          data.distanceKm === null
            ? null
            : `${formatNumber(Math.round(data.distanceKm), language)} ` +
              `km${data.isDistanceEstimated ? ` (${labels.estimated})` : ''}`,
        ],
      ] as const
    ).filter(isGiven),
    stops: data.stops.map((stop, index) => ({
      position: String(index + 1),
      kind: labels.kinds[stop.kind],
      termin: stop.termin === null ? '' : formatTermin(stop.termin, language),
      zone: `${labels.localTime} (${stop.timeZone})`,
      planned: planned(stop),
      place: [
        stop.companyTitle,
        stop.address,
        [town(stop), countryName(stop.countryCode, language)].filter(Boolean).join(', '),
        contactOf(stop.contactPerson, stop.phone),
        stop.reference && `${labels.reference}: ${stop.reference}`,
      ],
      cargo: [moved(stop, 'PICK_UP', labels.load), moved(stop, 'DROP_OFF', labels.unload)].filter(Boolean),
      notes: [stop.comment, stop.specialInstructions].filter(Boolean),
    })),
    cargoColumns: [
      cargoColumns.position,
      cargoColumns.title,
      cargoColumns.units,
      cargoColumns.weight,
      cargoColumns.volume,
      cargoColumns.ldm,
    ],
    cargo: data.cargo.map((line, index) => ({
      position: String(index + 1),
      title: line.title ?? '–',
      details: [
        [
          formatDimensions(line, language),
          line.stackingFactor > 1 ? filled(labels.stackable, { factor: line.stackingFactor }) : null,
          line.packages === null ? null : filled(labels.packages, { count: number(line.packages) }),
          formatTemperature(line, language),
          line.adr && `UN ${line.adr.unNumber}, ADR ${line.adr.adrClass}`,
          ...line.handling,
        ]
          .filter(Boolean)
          .join(' · '),
        line.marks && `${labels.marks}: ${line.marks}`,
        line.instructions,
      ],
      units: units(line),
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
      ldm: number(line.ldm),
    })),
    cargoTotals: ['', labels.total, '', number(sums.weightKg), number(sums.volumeM3), number(sums.ldm)],
    price:
      price === null
        ? []
        : [
            [labels.net, money(price.costCents)],
            [filled(labels.vat, { rate: formatRate(price.vatBp, language) }), money(price.vatCents)],
          ],
    total: price && { label: labels.gross, amount: money(price.totalCents) },
    // A paper that says nothing of it stays as it was drawn.
    ...(data.paymentPeriodDays != null && { payment: filled(labels.payment, { days: data.paymentPeriodDays }) }),
    instructions: paragraphs(data.extraData),
    conditions: isReplaced ? [] : besides(data.own, standardConditions(language)),
    ownText: isReplaced ? [] : (data.own?.blocks ?? []),
    added: paragraphs(data.content.text),
    upload: qr === null ? null : { ...labels.upload, url: data.uploadUrl, qr },
    signatures: [signatures.us, signatures.carrier],
  }
}

/** A link as a picture that phones read; null without one. */
const qrOf = (url: string | null | undefined): Promise<string> | null => (url ? qrPicture(url) : null)

/** The transport order to a carrier; see `renderLetter`. */
export const renderTransportOrder = async (
  pdf: PdfRenderer,
  data: TransportOrderData,
  language: Language,
): Promise<Buffer> => renderLetter(pdf, 'transport-order', pageOf(data, language, await qrOf(data.uploadUrl)), language)
