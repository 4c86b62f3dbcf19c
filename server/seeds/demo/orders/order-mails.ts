import type { EmailType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import type { EmailPreference } from '@waybill/contract/customer'
import { mailBody, type MailBlock } from '../../../src/kit/mail/mail-html.ts'
import type { NewMail } from '../mails.ts'
import type { PlannedStop } from './order-model.ts'
import { zoneOf, type World } from '../world.ts'
import type { StoredOrder } from './write-orders.ts'

interface Words {
  greeting: string
  closing: string
  rows: Record<
    | 'order'
    | 'reference'
    | 'from'
    | 'to'
    | 'cargo'
    | 'driver'
    | 'plate'
    | 'phone'
    | 'loaded'
    | 'unloaded'
    | 'price'
    | 'reason',
    string
  >
  types: Record<
    | 'order_created'
    | 'order_resolved'
    | 'withdrawn'
    | 'driver_information'
    | 'loading_confirmation'
    | 'unloading_confirmation'
    | 'pods',
    readonly [subject: string, intro: string]
  >
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    greeting: 'Dear Sir or Madam,',
    closing: 'Kind regards',
    rows: {
      order: 'Our order',
      reference: 'Your reference',
      from: 'Loading',
      to: 'Unloading',
      cargo: 'Cargo',
      driver: 'Driver',
      plate: 'Plate',
      phone: 'Phone',
      loaded: 'Loaded',
      unloaded: 'Unloaded',
      price: 'Freight',
      reason: 'Reason',
    },
    types: {
      order_created: ['Order received', 'thank you for your order, which we have taken on as follows.'],
      order_resolved: [
        'Transport order',
        'we order the following transport from you at the agreed price. Please confirm driver and plate.',
      ],
      withdrawn: [
        'Transport order withdrawn',
        'the following transport order is withdrawn. Please do not let the vehicle drive.',
      ],
      driver_information: ['Driver and vehicle', 'this vehicle will carry out your transport.'],
      loading_confirmation: ['Loaded', 'your goods are loaded and on their way.'],
      unloading_confirmation: ['Delivered', 'your goods have been unloaded.'],
      pods: ['Proof of delivery', 'please find attached the proof of delivery.'],
    },
  },
  de: {
    greeting: 'Sehr geehrte Damen und Herren,',
    closing: 'Mit freundlichen Grüßen',
    rows: {
      order: 'Unser Auftrag',
      reference: 'Ihre Referenz',
      from: 'Beladung',
      to: 'Entladung',
      cargo: 'Ladung',
      driver: 'Fahrer',
      plate: 'Kennzeichen',
      phone: 'Telefon',
      loaded: 'Geladen',
      unloaded: 'Entladen',
      price: 'Fracht',
      reason: 'Grund',
    },
    types: {
      order_created: ['Auftragsbestätigung', 'vielen Dank für Ihren Auftrag, den wir wie folgt übernommen haben.'],
      order_resolved: [
        'Transportauftrag',
        'wir beauftragen Sie zum vereinbarten Preis mit folgendem Transport. Bitte bestätigen Sie Fahrer und ' +
          'Kennzeichen.',
      ],
      withdrawn: [
        'Transportauftrag storniert',
        'der folgende Transportauftrag ist storniert. Bitte lassen Sie das Fahrzeug nicht fahren.',
      ],
      driver_information: ['Fahrer und Fahrzeug', 'dieses Fahrzeug führt Ihren Transport durch.'],
      loading_confirmation: ['Geladen', 'Ihre Ware ist geladen und unterwegs.'],
      unloading_confirmation: ['Zugestellt', 'Ihre Ware ist entladen.'],
      pods: ['Ablieferungsnachweis', 'anbei erhalten Sie den Ablieferungsnachweis.'],
    },
  },
  pl: {
    greeting: 'Szanowni Państwo,',
    closing: 'Z poważaniem',
    rows: {
      order: 'Nasze zlecenie',
      reference: 'Państwa numer',
      from: 'Załadunek',
      to: 'Rozładunek',
      cargo: 'Ładunek',
      driver: 'Kierowca',
      plate: 'Nr rejestracyjny',
      phone: 'Telefon',
      loaded: 'Załadowano',
      unloaded: 'Rozładowano',
      price: 'Fracht',
      reason: 'Powód',
    },
    types: {
      order_created: [
        'Potwierdzenie przyjęcia zlecenia',
        'dziękujemy za zlecenie, które przyjęliśmy do realizacji na poniższych warunkach.',
      ],
      order_resolved: [
        'Zlecenie transportowe',
        'zlecamy Państwu poniższy transport za uzgodnioną stawkę. Prosimy o potwierdzenie kierowcy i numerów ' +
          'rejestracyjnych.',
      ],
      withdrawn: [
        'Anulowanie zlecenia transportowego',
        'poniższe zlecenie transportowe zostaje anulowane. Prosimy nie podstawiać pojazdu.',
      ],
      driver_information: ['Dane kierowcy i pojazdu', 'Państwa transport wykona poniższy pojazd.'],
      loading_confirmation: ['Załadowano', 'towar został załadowany i jest w drodze.'],
      unloading_confirmation: ['Dostarczono', 'towar został rozładowany.'],
      pods: ['Potwierdzenie dostawy', 'w załączeniu przesyłamy potwierdzenie dostawy.'],
    },
  },
}

type Kind = keyof Words['types']

const WANTED: Readonly<Partial<Record<Kind, EmailPreference>>> = {
  order_created: 'orderCreated',
  driver_information: 'driverInformation',
  loading_confirmation: 'pickup',
  unloading_confirmation: 'delivery',
  pods: 'pod',
}
/** Mails of a move leave when it can no longer be undone. */
const UNDO_MS = 8000

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

function dateText(date: string, language: Language): string {
  const [year, month, day] = date.split('-')
  return language === 'en'
    ? `${Number(day)} ` +
        new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`)) +
        ' ' +
        `${year}`
    : `${day}.${month}.${year}`
}

function stopText({ place, termin }: PlannedStop, language: Language): string {
  const where = `${place.companyTitle}, ${place.address}, ${place.countryCode}-${place.postal} ${place.city}`
  if (!termin) return where
  const times = [termin.timeFrom, termin.timeTo].filter(Boolean).join('–')
  const days = [termin.dateFrom, termin.dateTo]
    .filter((day) => day != null)
    .map((day) => dateText(day, language))
    .join(' – ')
  return `${where}\n${[days, times].filter(Boolean).join(', ')}`
}

function momentText(world: World, at: string, { place }: PlannedStop, language: Language): string {
  const { date, time } = localOf(at, zoneOf(world, place.countryCode))
  return `${dateText(date, language)}, ${time}`
}

/**
 * What mails had gone out about an order by now: each when it was due, to whom it concerned, where the customer wants
 * it.
 */
export function orderMails(world: World, order: StoredOrder, podId: number | undefined): NewMail[] {
  const { planned, life, number } = order
  const { customer, department, stops } = planned
  const contact = customer.contacts.find((person) => person.id === planned.contactPersonId) ?? customer.contacts[0]
  const assigned = life.assigned[0]
  const loading = stops.findIndex((stop) => stop.kind === 'loading')
  const unloading = stops.findLastIndex((stop) => stop.kind === 'unloading' && !stop.canceledAt)
  const mails: NewMail[] = []

  const add = (
    kind: Kind,
    at: string,
    more: (words: Words['rows'], language: Language) => (readonly [string, string])[] = () => [],
    documentIds: number[] = [],
  ) => {
    const isToCarrier = kind === 'order_resolved' || kind === 'withdrawn'
    const preference = WANTED[kind]
    const to = isToCarrier ? assigned?.carrier?.contacts[0]?.email : contact?.email
    if (!to || (preference && !customer.emailPreferences[preference])) return
    const language = isToCarrier ? assigned!.carrier!.language : customer.language
    const { greeting, closing, rows, types } = WORDS[language]
    const [subject, intro] = types[kind]
    const facts: (readonly [string, string])[] = [
      [rows.order, number],
      ...(!isToCarrier && planned.customerOrderNumber !== null
        ? [[rows.reference, planned.customerOrderNumber] as const]
        : []),
      [rows.from, stopText(stops[loading]!, language)],
      [rows.to, stopText(stops[unloading]!, language)],
      ...more(rows, language),
    ]
    const blocks: MailBlock[] = [
      { kind: 'paragraph', text: greeting },
      { kind: 'paragraph', text: intro },
      { kind: 'facts', rows: facts },
      { kind: 'paragraph', text: `${closing}\n${department.company.title}` },
    ]
    const reference = !isToCarrier && planned.customerOrderNumber !== null ? ` – ${planned.customerOrderNumber}` : ''
    mails.push({
      ownerKind: 'order',
      ownerId: order.id,
      type: (kind === 'withdrawn' ? 'order_resolved' : kind) satisfies EmailType,
      to: [to],
      subject: `${subject} ${number}${reference}`,
      html: mailBody(blocks),
      frame: { language, sender: department.company.title, footer: department.company.footer },
      createdById: planned.caseWorker.id,
      queuedAt: at,
      documentIds,
    })
  }

  const cargo = (rows: Words['rows']) => [
    [
      rows.cargo,
      planned.cargo.map((line) => `${line.quantity} × ${line.title}, ${line.weightKg} kg`).join('\n'),
    ] as const,
  ]
  add('order_created', later(iso(planned.createdAt), UNDO_MS), cargo)
  for (const move of life.moves) {
    const at = later(move.movedAt, UNDO_MS)
    const isFirst = move.truck === null || move.truck === 0
    if (!isFirst || Date.parse(at) > world.now) continue
    if (move.to === 'scheduled' && assigned?.carrier) {
      add('order_resolved', at, (rows) => [
        ...cargo(rows),
        [rows.price, `${((assigned.costCents ?? 0) / 100).toFixed(2)} EUR`],
      ])
      const driver = assigned.drivers[0]
      const knownAt = later(at, 47 * 60_000)
      if (driver && Date.parse(knownAt) <= world.now)
        add('driver_information', knownAt, (rows) => [
          [rows.driver, driver.fullName],
          [rows.plate, assigned.plateNumber ?? ''],
          ...(driver.phone ? [[rows.phone, driver.phone] as const] : []),
        ])
    }
    if (move.from === 'scheduled' && (move.to === 'canceled' || move.to === 'new'))
      add('withdrawn', at, (rows) => (move.reason ? [[rows.reason, move.reason]] : []))
    const { loadedAt } = life.times[loading]!
    const { unloadedAt } = life.times[unloading]!
    if (move.to === 'in_transit' && loadedAt)
      add('loading_confirmation', at, (rows, language) => [
        [rows.loaded, momentText(world, loadedAt, stops[loading]!, language)],
      ])
    if (move.to === 'delivered' && unloadedAt)
      add('unloading_confirmation', at, (rows, language) => [
        [rows.unloaded, momentText(world, unloadedAt, stops[unloading]!, language)],
      ])
  }
  if (podId !== undefined && life.podAt && !life.podWaits) add('pods', later(life.podAt, UNDO_MS), undefined, [podId])
  return mails
}

const iso = (epoch: number): string => new Date(epoch).toISOString()
