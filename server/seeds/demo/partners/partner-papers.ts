import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import type { DocumentType } from '@waybill/contract/document'
import type { Language } from '@waybill/contract/errors'
import { addDays } from '@waybill/contract/kit/local-time'
import { fold } from '@waybill/contract/kit/text'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { Db } from '../../../src/kit/database/db.ts'
import type { FileStore } from '../../../src/kit/files/files.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, iso } from '../calendar.ts'
import { inLanes, keepFile, type KeptFile } from '../files.ts'
import { createRandom, type Random } from '../random.ts'
import type { User, World } from '../world.ts'

/** What a paper says of the firm it is about. */
interface Firm {
  id: number
  title: string
  vatNumber: string | null
  address: string
  postal: string
  city: string
  createdAt: string
}

interface Paper {
  ownerKind: 'customer' | 'carrierCompany'
  firm: Firm
  documentType: DocumentType
  title: string
  heading: string
  issuer: string
  lines: readonly string[]
  createdAt: string
  /** local date; null for what does not run out */
  expiredAt: string | null
  /** of an insurance: for how much a loss is insured */
  insuredCents?: number
  user: User
}

type Words = Readonly<Record<Language, string>>

const TITLES = {
  licence: { en: 'Community licence', de: 'Gemeinschaftslizenz', pl: 'Licencja wspólnotowa' },
  insurance: { en: 'CMR insurance', de: 'CMR-Versicherung', pl: 'Polisa OCP' },
  register: { en: 'Register extract', de: 'Handelsregisterauszug', pl: 'Odpis KRS' },
  evaluation: { en: 'Supplier evaluation', de: 'Lieferantenbewertung', pl: 'Ocena dostawcy' },
  agreement: { en: 'Framework agreement', de: 'Rahmenvertrag', pl: 'Umowa ramowa' },
  tariff: { en: 'Price list', de: 'Preisliste', pl: 'Cennik' },
  credit: { en: 'Credit report', de: 'Bonitätsauskunft', pl: 'Raport kredytowy' },
} as const satisfies Record<string, Words>

const INSURERS = [
  'Nordmark Transportversicherung AG',
  'Polisa Cargo S.A.',
  'Baltic Freight Insurance UAB',
  'Helvia Assekuranz AG',
]

const dayOf = (epoch: number): string => iso(epoch).slice(0, 10)
const money = (euros: number): string => `EUR ${String(euros).replace(/\B(?=(\d{3})+$)/g, '.')}`

/**
 * In days from today: most insurances run for months yet, some end within weeks, and a few were not renewed in time.
 */
const insuranceEnd = (random: Random): number =>
  random.weighted([
    [random.int(35, 330), 84],
    [random.int(1, 28), 11],
    [-random.int(1, 25), 5],
  ])

function papersOfCarrier(world: World, firm: Firm, language: Language): Paper[] {
  // A stream of its own: which files are made does not change what the rest of the year looks like.
  const random = createRandom(firm.id)
  const user = world.users.find(({ job }) => job === 'accountant')!
  const joined = Date.parse(firm.createdAt)
  const base = { ownerKind: 'carrierCompany', firm, user } as const
  const paper = (
    name: keyof typeof TITLES,
    documentType: DocumentType,
    {
      end,
      ...rest
    }: Pick<Paper, 'heading' | 'issuer' | 'lines' | 'insuredCents'> & { createdAt: string; end: string | null },
  ): Paper => ({ ...base, documentType, title: `${TITLES[name][language]}.pdf`, ...rest, expiredAt: end })
  const end = dayOf(world.now + insuranceEnd(random) * DAY)
  const policy = (from: string, to: string) => {
    const issuer = random.pick(INSURERS)
    const number = `${random.int(10, 99)}-${random.digits(7)}`
    const limit = random.pick([300_000, 600_000, 1_000_000])
    return {
      heading: 'Certificate of insurance',
      issuer,
      lines: [
        `Policy no. ${number}`,
        "Carrier's liability in international road transport (CMR)",
        `Limit per loss: ${money(limit)}`,
        `Insured from ${from} to ${to}`,
        'Cabotage included',
      ],
      insuredCents: limit * 100,
    }
  }
  const licensedUntil = addDays(dayOf(world.now), random.int(120, 3000))
  const papers = [
    paper('licence', 'EU_LICENSE', {
      heading: 'Community licence',
      issuer: 'Authority for road transport',
      createdAt: iso(joined + 2 * DAY),
      end: licensedUntil,
      lines: [
        `Licence no. ${random.letters(2)}/${random.digits(6)}`,
        'International carriage of goods by road for hire or reward',
        'Regulation (EC) No 1072/2009',
        `Valid until ${licensedUntil}`,
      ],
    }),
    // The policy that counts, and often the one before it: only the later is looked at.
    paper('insurance', 'INSURANCE_DOCUMENT', {
      ...policy(addDays(end, -364), end),
      createdAt: iso(Math.min(Math.max(joined + 2 * DAY, Date.parse(end) - 370 * DAY), world.now - DAY)),
      end,
    }),
    ...(random.chance(0.4)
      ? [
          paper('insurance', 'INSURANCE_DOCUMENT', {
            ...policy(addDays(end, -729), addDays(end, -365)),
            createdAt: iso(joined + DAY),
            end: addDays(end, -365),
          }),
        ]
      : []),
    paper('register', 'BUSINESS_REGISTRATION', {
      heading: 'Extract from the commercial register',
      issuer: 'Court of registration',
      createdAt: iso(joined + 2 * DAY),
      end: null,
      lines: [
        `Number ${random.digits(10)}`,
        `Object: carriage of goods by road`,
        `Share capital: ${money(random.pick([5000, 25_000, 50_000]))}`,
      ],
    }),
    ...(random.chance(0.35)
      ? [
          paper('evaluation', 'SUPPLIER_EVALUATION', {
            heading: 'Supplier evaluation',
            issuer: 'Purchasing',
            createdAt: iso(world.now - random.int(20, 300) * DAY),
            end: null,
            lines: [
              `On time: ${random.int(86, 99)} %`,
              `Papers complete: ${random.int(80, 99)} %`,
              `Losses: ${random.int(0, 2)}`,
              `Class ${random.pick(['A', 'A', 'B'])}`,
            ],
          }),
        ]
      : []),
  ]
  return papers
}

function papersOfCustomer(world: World, firm: Firm, language: Language, user: User): Paper[] {
  const random = createRandom(-firm.id)
  const joined = Date.parse(firm.createdAt)
  const today = dayOf(world.now)
  const base = { ownerKind: 'customer', firm, user } as const
  const creditedAt = Math.max(joined + DAY, world.now - random.int(10, 360) * DAY)
  const until = addDays(dayOf(creditedAt), 365)
  return [
    ...(random.chance(0.5)
      ? [
          {
            ...base,
            documentType: 'CUSTOMER_DOCUMENTS' as const,
            title: `${TITLES.agreement[language]}.pdf`,
            heading: 'Framework agreement on transport services',
            issuer: 'Waybill Spedition GmbH',
            createdAt: iso(joined + 3 * DAY),
            expiredAt: null,
            lines: [
              'ADSp 2017 apply',
              'Notice: three months to the end of a quarter',
              'Pallets are exchanged step by step',
            ],
          },
        ]
      : []),
    ...(random.chance(0.35)
      ? [
          {
            ...base,
            documentType: 'TARIFF_PRICE_LIST' as const,
            title: `${TITLES.tariff[language]} ${today.slice(0, 4)}.pdf`,
            heading: `Prices ${today.slice(0, 4)}`,
            issuer: 'Waybill Spedition GmbH',
            createdAt: iso(joined + 4 * DAY),
            expiredAt: `${today.slice(0, 4)}-12-31`,
            lines: [
              `Full truck, per km: EUR ${(random.int(128, 172) / 100).toFixed(2)}`,
              `Diesel floater from EUR 1.45 a litre`,
              `Standing time after two hours: EUR ${random.int(45, 65)} an hour`,
            ],
          },
        ]
      : []),
    ...(random.chance(0.45)
      ? [
          {
            ...base,
            documentType: 'CREDIT_INFORMATION' as const,
            title: `${TITLES.credit[language]}.pdf`,
            heading: 'Credit report',
            issuer: 'Creditwacht GmbH',
            createdAt: iso(creditedAt),
            expiredAt: until,
            lines: [
              `Index ${random.int(140, 290)}`,
              `Recommended limit: ${money(random.int(2, 30) * 5000)}`,
              `No negative entries`,
            ],
          },
        ]
      : []),
  ]
}

const INK = rgb(0.13, 0.13, 0.16)
const RULE = rgb(0.05, 0.39, 0.48)

// The standard fonts of PDF write Latin-1; other letters lose their marks.
const latin = (text: string): string =>
  text.replace(/[^\x20-\x7e\xa0-\xff]/g, (letter) =>
    (letter === letter.toLowerCase() ? fold(letter) : fold(letter).toUpperCase()).replace(/[^\x20-\x7e]/g, '-'),
  )

type Printed = Pick<Paper, 'firm' | 'heading' | 'issuer' | 'lines' | 'createdAt'>

/** One page on which its issuer says something of a firm. */
export async function paperPdf({ firm, heading, issuer, lines, createdAt }: Printed): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.setTitle(heading)
  document.setCreationDate(new Date(createdAt))
  document.setModificationDate(new Date(createdAt))
  const [bold, plain] = [
    await document.embedFont(StandardFonts.HelveticaBold),
    await document.embedFont(StandardFonts.Helvetica),
  ]
  const page = document.addPage([595.28, 841.89])
  page.drawText(latin(issuer), { x: 60, y: 770, size: 10, font: plain, color: RULE })
  page.drawRectangle({ x: 60, y: 758, width: 475, height: 1.5, color: RULE })
  page.drawText(latin(heading), { x: 60, y: 712, size: 20, font: bold, color: INK })
  const holder = [
    firm.title,
    firm.address,
    `${firm.postal} ${firm.city}`,
    ...(firm.vatNumber === null ? [] : [`VAT ${formatVatNumber(firm.vatNumber)}`]),
  ]
  holder.forEach((line, index) =>
    page.drawText(latin(line), { x: 60, y: 672 - index * 15, size: 11, font: index === 0 ? bold : plain, color: INK }),
  )
  lines.forEach((line, index) =>
    page.drawText(latin(line), { x: 60, y: 580 - index * 20, size: 11, font: plain, color: INK }),
  )
  page.drawText(latin(`Issued ${createdAt.slice(0, 10)}`), { x: 60, y: 120, size: 9, font: plain, color: INK })
  return Buffer.from(await document.save())
}

/** Customers or carriers as papers name them. */
export const firmsOf = async (db: Db, table: 'customer' | 'carrier_company'): Promise<Map<number, Firm>> => {
  const { rows } =
    await sql<Firm>`select id, title, "vatNumber", address, postal, city, "createdAt" from ${sql.table(table)}`.execute(
      db,
    )
  return new Map(rows.map((firm) => [firm.id, { ...firm, createdAt: new Date(firm.createdAt).toISOString() }]))
}

/**
 * Makes the papers that carriers and customers have on file: licences, insurances some of which end soon, registers,
 * agreements, price lists, credit reports.
 */
export async function makePartnerPapers(
  db: Db,
  world: World,
  files: FileStore,
  kept: string[],
): Promise<readonly (Paper & KeptFile)[]> {
  const [carriers, customers] = [await firmsOf(db, 'carrier_company'), await firmsOf(db, 'customer')]
  const papers = [
    ...world.carriers.flatMap(({ id, language }) => papersOfCarrier(world, carriers.get(id)!, language)),
    ...world.customers.flatMap(({ id, language, responsible }) =>
      papersOfCustomer(world, customers.get(id)!, language, responsible),
    ),
  ]
  return inLanes(8, papers, async (paper) => {
    const file = await keepFile(files, await paperPdf(paper))
    kept.push(file.fileKey)
    return { ...paper, ...file }
  })
}

/** Stores their rows, and what the history says of them. */
export async function seedPartnerPapers(
  db: Db,
  { journal }: World,
  papers: readonly (Paper & KeptFile)[],
): Promise<void> {
  const ids = await takeIds(db, 'document', papers.length)
  await insertRows(
    db,
    'document',
    papers.map(
      (
        { ownerKind, firm, documentType, title, fileKey, sizeBytes, sha256, expiredAt, insuredCents, user, createdAt },
        index,
      ) => ({
        id: ids[index],
        ownerKind,
        ownerId: firm.id,
        documentType,
        title,
        contentType: 'application/pdf',
        fileKey,
        sizeBytes,
        sha256,
        expiredAt,
        insuredCents: insuredCents ?? null,
        orderCarrier: null,
        userId: user.id,
        createdAt,
      }),
    ),
  )
  for (const { ownerKind, firm, documentType, title, expiredAt, insuredCents = null, user, createdAt } of papers) {
    const changes = Object.entries({ documentType, title, expiredAt, insuredCents }).flatMap(([path, to]) =>
      to === null ? [] : [{ path, from: null, to }],
    )
    journal.push({
      at: createdAt,
      actorId: user.id,
      ownerKind,
      ownerId: firm.id,
      action: 'fileAdded',
      changes,
      reason: null,
    })
  }
}
