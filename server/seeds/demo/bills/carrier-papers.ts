import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Document } from '@waybill/contract/document'
import type { Language } from '@waybill/contract/errors'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { Db } from '../../../src/kit/database/db.ts'
import type { FileStore } from '../../../src/kit/files/files.ts'
import { createPdfRenderer, type PdfRenderer } from '../../../src/kit/pdf/pdf.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { inLanes, keepFile, type KeptFile } from '../files.ts'
import { ciiOf, ksefOf, ublOf, type WrittenInvoice } from './e-invoices.ts'

/** Invoices with a paper, by status: those that people open first. The others came before papers were kept. */
const PAPERS = { in_progress: 8, received: 16, approved: 10, paid: 6, canceled: 2 } as const

const LAYOUTS = ['band', 'classic', 'parties', 'strip'] as const
const COLOURS = ['#0b5563', '#8a1c2b', '#1f4e8c', '#2d6a3e', '#7a4a00', '#44337a', '#111827']

const WORDS = {
  en: {
    invoice: 'Invoice',
    seller: 'Supplier',
    buyer: 'Bill to',
    columns: ['', 'Service', 'VAT', 'Net EUR'],
    dates: ['Invoice date', 'Date of service', 'Due date', 'Your order'],
    sums: ['Net', 'VAT', 'Total to pay'],
    transport: 'Transport',
    reverse: 'Reverse charge: VAT is to be accounted for by the recipient.',
    pay: 'Please transfer the amount to',
    bank: 'Bank account',
    contact: 'Contact',
    slogan: 'Road transport in Europe',
    terms: 'Payable without deduction by',
  },
  de: {
    invoice: 'Rechnung',
    seller: 'Leistender',
    buyer: 'Rechnungsempfänger',
    columns: ['', 'Leistung', 'USt.', 'Netto EUR'],
    dates: ['Rechnungsdatum', 'Leistungsdatum', 'Fällig am', 'Ihr Auftrag'],
    sums: ['Netto', 'USt.', 'Zahlbetrag'],
    transport: 'Transport',
    reverse: 'Steuerschuldnerschaft des Leistungsempfängers.',
    pay: 'Bitte überweisen Sie auf',
    bank: 'Bankverbindung',
    contact: 'Kontakt',
    slogan: 'Transporte in ganz Europa',
    terms: 'Zahlbar ohne Abzug bis',
  },
  pl: {
    invoice: 'Faktura',
    seller: 'Sprzedawca',
    buyer: 'Nabywca',
    columns: ['Lp.', 'Nazwa usługi', 'VAT', 'Netto EUR'],
    dates: ['Data wystawienia', 'Data wykonania usługi', 'Termin płatności', 'Zlecenie'],
    sums: ['Netto', 'VAT', 'Do zapłaty'],
    transport: 'Usługa transportowa',
    reverse: 'Odwrotne obciążenie.',
    pay: 'Prosimy o przelew na rachunek',
    bank: 'Rachunek bankowy',
    contact: 'Kontakt',
    slogan: 'Transport drogowy w Europie',
    terms: 'Płatne do',
  },
} as const satisfies Record<Language, unknown>

interface Firm {
  title: string
  vatNumber: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  email: string | null
  phone: string | null
}

interface Billed {
  id: number
  number: string
  carrierId: number
  language: Language | null
  assignmentId: number
  amountCents: number
  vatBp: number
  vatCents: number
  totalCents: number
  iban: string
  documentCreationDate: string
  dueDate: string
  servicePeriodFrom: string
  servicePeriodTo: string
  createdAt: string
  order: string
  lane: string
  plateNumber: string | null
  seller: Firm
  buyer: Firm
}

type Way = NonNullable<Document['eInvoice']> | null

async function billsWithPapers(db: Db): Promise<Billed[]> {
  const firm = (table: 'c' | 'co', country: 'ck' | 'k') => sql`'title', ${sql.ref(`${table}.title`)},
    'vatNumber', ${sql.ref(`${table}.vatNumber`)}, 'address', ${sql.ref(`${table}.address`)},
    'postal', ${sql.ref(`${table}.postal`)}, 'city', ${sql.ref(`${table}.city`)},
    'countryCode', ${sql.ref(`${country}.code`)}`
  const { rows } = await sql<Billed>`
    select i.id, i.number, c.id as "carrierId", i.language, a.id as "assignmentId", i."amountCents", i."vatBp",
      i."vatCents", i."totalCents", i.iban, i."documentCreationDate", i."dueDate", i."servicePeriodFrom",
      i."servicePeriodTo", i."createdAt", o.number || '/' || r.n as "order",
      concat_ws(' – ', o."fromCity", o."toCity") as lane, a."plateNumber",
      jsonb_build_object(${firm('c', 'ck')}, 'email', c.representative->>'email',
        'phone', c.representative->>'phone') as seller,
      jsonb_build_object(${firm('co', 'k')}, 'email', co.email, 'phone', co.phone) as buyer
    from (
      select *, row_number() over (partition by status order by "createdAt" desc, id) as place
      from invoice where "entityType" = 'carrier'
    ) i
      join jsonb_each(${JSON.stringify(PAPERS)}::jsonb) as wanted on wanted.key = i.status
        and i.place <= (wanted.value)::int
      join carrier_company c on c.id = i."carrierCompanyId"
      join country ck on ck.id = c."countryId"
      join company co on co.id = i."companyId"
      join country k on k.id = co."countryId"
      join route r on r.id = i."routeId"
      join assignment a on a."routeId" = r.id
      join "order" o on o.id = r."orderId"
    order by i."createdAt", i.id
  `.execute(db)
  return rows
}

/** How each came: two as ZUGFeRD, one as XRechnung, one by KSeF, the others as plain PDF. */
function waysOf(bills: readonly Billed[]): ReadonlyMap<Billed, Way> {
  const ways = new Map<Billed, Way>()
  const next = (countryCode: string) =>
    bills.findLast((bill) => !ways.has(bill) && bill.seller.countryCode === countryCode && bill.seller.vatNumber)
  for (const [countryCode, way] of [
    ['DE', 'zugferd'],
    ['DE', 'zugferd'],
    ['DE', 'ubl'],
    ['PL', 'ksef'],
  ] as const) {
    const bill = next(countryCode)
    if (bill) ways.set(bill, way)
  }
  return ways
}

const townOf = ({ countryCode, postal, city }: Firm): string =>
  `${countryCode}-${[postal, city].filter(Boolean).join(' ')}`

const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

const compact = (vatNumber: string | null) => vatNumber?.replace(/[^A-Z0-9]/gi, '').toUpperCase() ?? null

/** The same invoice for machines. */
function written(bill: Billed): WrittenInvoice {
  const { words } = speech(bill)
  const firm = ({ title, vatNumber, countryCode, address, postal, city }: Firm) => ({
    name: title,
    vatNumber: compact(vatNumber),
    countryCode,
    address: address ?? '-',
    postal: postal ?? '-',
    city: city ?? '-',
  })
  const seller = firm(bill.seller)
  return {
    number: bill.number,
    issueDate: bill.documentCreationDate,
    dueDate: bill.dueDate,
    currency: 'EUR',
    kind: 'invoice',
    iban: bill.iban,
    lines: [
      {
        text: `${words.transport} ${bill.lane}`,
        netCents: bill.amountCents,
        vatBp: bill.vatBp,
        category: bill.vatBp === 0 ? 'AE' : 'S',
      },
    ],
    servicePeriod: { from: bill.servicePeriodFrom, to: bill.servicePeriodTo },
    seller: { ...seller, vatNumber: seller.vatNumber! },
    buyer: firm(bill.buyer),
    orderReference: bill.order,
    note: `${words.dates[3]} ${bill.order}`,
    terms: `${words.terms} ${bill.dueDate}`,
  }
}

function speech({ language: given }: Billed) {
  const language = given ?? 'en'
  const locale = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }[language]
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 })
  const day = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
  return {
    language,
    words: WORDS[language],
    money: (cents: number) => money.format(cents / 100),
    date: (date: string) => day.format(new Date(date)),
  }
}

/** What the paper says, worded and formatted; each carrier has one look of its own. */
function paperOf(bill: Billed) {
  const { words, money, date } = speech(bill)
  const { seller, buyer, carrierId } = bill
  const shown = (firm: Firm) => ({
    title: firm.title,
    address: firm.address ?? '',
    town: townOf(firm),
    vatNumber: formatVatNumber(firm.vatNumber),
  })
  const rate = `${bill.vatBp / 100} %`
  const service = [`${words.transport} ${bill.lane}`, bill.plateNumber].filter(Boolean).join(', ')
  return {
    layout: LAYOUTS[carrierId % LAYOUTS.length],
    colour: COLOURS[carrierId % COLOURS.length],
    initials: seller.title.replace(/[^\p{Lu}]/gu, '').slice(0, 2),
    slogan: words.slogan,
    words,
    number: bill.number,
    seller: shown(seller),
    buyer: shown(buyer),
    dates: [bill.documentCreationDate, bill.servicePeriodTo, bill.dueDate]
      .map((day, index): [string, string] => [words.dates[index]!, date(day)])
      .concat([[words.dates[3], bill.order]]),
    columns: words.columns,
    lines: [['1', service, rate, money(bill.amountCents)]],
    sums: [
      [words.sums[0], `${money(bill.amountCents)} EUR`],
      [`${words.sums[1]} ${rate}`, `${money(bill.vatCents)} EUR`],
      [words.sums[2], `${money(bill.totalCents)} EUR`],
    ],
    notes: [
      ...(bill.vatBp === 0 ? [words.reverse] : []),
      `${words.terms} ${date(bill.dueDate)}. ${words.pay} ${grouped(bill.iban)}.`,
    ],
    footer: [
      [seller.title, seller.address, townOf(seller)],
      [words.contact, seller.phone, seller.email],
      [words.bank, grouped(bill.iban), formatVatNumber(seller.vatNumber)],
    ].map((part) => part.filter((line) => line !== null && line !== '')),
  }
}

async function fileOf(pdf: PdfRenderer, bill: Billed, way: Way): Promise<Buffer> {
  if (way === 'ubl') return Buffer.from(ublOf(written(bill)))
  if (way === 'ksef') return Buffer.from(ksefOf(written(bill)))
  const { language, words } = speech(bill)
  return pdf.renderPdf({
    template: 'carrier-invoice',
    data: paperOf(bill),
    language,
    title: `${words.invoice} ${bill.number}`,
    createdAt: new Date(bill.createdAt),
    attachments:
      way === 'zugferd'
        ? [
            {
              filename: 'factur-x.xml',
              content: Buffer.from(ciiOf(written(bill))),
              contentType: 'text/xml',
              relationship: 'alternative',
              description: 'Factur-X',
            },
          ]
        : [],
  })
}

/** A paper that was set, and of which invoice. */
interface MadePaper {
  bill: Billed
  way: Way
  file: KeptFile
}

/** Sets the papers of the newest invoices of each state, and keeps them. */
export async function makeCarrierPapers(db: Db, files: FileStore, kept: string[]): Promise<MadePaper[]> {
  const bills = await billsWithPapers(db)
  const ways = waysOf(bills)
  const pdf = createPdfRenderer({ templateDir: fileURLToPath(new URL('papers', import.meta.url)) })
  try {
    return await inLanes(4, bills, async (bill) => {
      const way = ways.get(bill) ?? null
      const file = await keepFile(files, await fileOf(pdf, bill, way))
      kept.push(file.fileKey)
      return { bill, way, file }
    })
  } finally {
    pdf.close()
  }
}

/** Stores the rows of the papers. */
export async function seedCarrierPapers(db: Db, papers: readonly MadePaper[]): Promise<void> {
  const ids = await takeIds(db, 'document', papers.length)
  await insertRows(
    db,
    'document',
    papers.map(({ bill, way, file }, index) => {
      const isXml = way === 'ubl' || way === 'ksef'
      return {
        id: ids[index],
        ownerKind: 'invoice',
        ownerId: bill.id,
        documentType: 'CARRIER_INVOICE',
        title: `${bill.number.replaceAll(/[\\/ ]/g, '-')}.${isXml ? 'xml' : 'pdf'}`,
        contentType: isXml ? 'application/xml' : 'application/pdf',
        ...file,
        expiredAt: null,
        orderCarrier: null,
        eInvoice: way,
        userId: null,
        createdAt: bill.createdAt,
      }
    }),
  )
}
