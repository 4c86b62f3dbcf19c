import { sql } from 'kysely'
import { invoiceNumber } from '@waybill/contract/company'
import { InvoiceWrite, type Invoice } from '@waybill/contract/invoice/invoice'
import { dueDate as dueDateOf } from '@waybill/contract/invoice/totals'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { invoiceMailData, mailText } from '../../../src/modules/correspondence/index.ts'
import {
  billedBefore,
  correctionDraft,
  customerDraft,
  fileNameOf,
  pdfDataOf,
  printedCorrection,
  type Draft,
} from '../../../src/modules/invoice/index.ts'
import { standardText } from '../../../src/modules/mail-template/index.ts'
import type { Bill, ExtraLine } from './bills.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, HOUR, iso, MINUTE } from '../calendar.ts'
import { seedExtras } from './extras.ts'
import { inLanes, keepFile, type KeptFile } from '../files.ts'
import { issueInKsef, ksefPaperOf, storeKsef, type SentInvoice } from './ksef.ts'
import type { NewMail } from '../mails.ts'
import { seedPayments } from './payments.ts'
import type { JournalEntry, World } from '../world.ts'

/** An invoice that is drafted, with what it will come to. */
interface Drafted {
  id: number
  bill: Bill
  draft: Draft
  createdAt: number
  /** after now: still a draft */
  sentAt: number
  correctionOf: Drafted | null
  correctionReason: string | null
  number: string | null
  invoiceDate: string | null
  dueDate: string | null
}

type Seller = Parameters<typeof invoiceMailData>[0]['facts']['us']
type Period = Pick<Invoice, 'servicePeriodFrom' | 'servicePeriodTo'>
type Lines = NonNullable<InvoiceWrite['lines']>
type PdfData = Awaited<ReturnType<typeof pdfDataOf>>
type VatLine = Pick<Lines[number], 'vatBp' | 'vatCategory'>

const lineOf = (
  { text, quantity, unitPriceCents }: ExtraLine,
  { vatBp, vatCategory }: VatLine,
  orderId: number,
): Lines[number] => ({
  kind: 'extra',
  text,
  quantity,
  unitPriceCents,
  vatBp,
  vatCategory,
  orderId,
  routeId: null,
  extraId: null,
})

/** The product's own proposal for the orders, changed where the year had it otherwise. */
async function draftOf(ctx: Ctx, { orders, extra, wrongCents, isTakenBack }: Bill): Promise<Draft> {
  const body = (lines: Lines | null) =>
    InvoiceWrite.parse({ entityType: 'customer', orderIds: orders.map(({ id }) => id), lines })
  const proposal = await customerDraft(ctx, body(null))
  const plain = proposal.lines.map(({ netCents: _net, billsFreight: _bills, billsExtra: _extra, ...line }) => line)
  const changed = extra
    ? [lineOf(extra, plain[0]!, orders[0]!.id)]
    : wrongCents !== null
      ? [{ ...plain[0]!, unitPriceCents: wrongCents }]
      : null
  const draft = changed ? await customerDraft(ctx, body(changed)) : proposal
  return isTakenBack ? { ...draft, lines: draft.lines.map((line) => ({ ...line, billsFreight: false })) } : draft
}

/** The line of a correction that gives the first line of its original the right price. */
async function linesAt(ctx: Ctx, originalId: number, unitPriceCents: number): Promise<Lines> {
  const [first] = (await billedBefore(ctx, originalId, null)).lines
  const { id, kind, text, quantity, vatBp, vatCategory, orderId } = first!
  const corrected = { correctsLineId: id, correctedQuantity: quantity, correctedUnitPriceCents: unitPriceCents }
  const line = { kind, text, quantity, unitPriceCents, vatBp, vatCategory, orderId, routeId: null, extraId: null }
  return [{ ...line, ...corrected }]
}

const parsed = (json: unknown): unknown => (typeof json === 'string' ? JSON.parse(json) : json)

const NOT_CORRECTED = { correctsLineId: null, correctedQuantity: null, correctedUnitPriceCents: null }

async function insertDrafts(
  ctx: Ctx,
  world: World,
  drafted: readonly Drafted[],
  innerNumberOf: (invoice: Drafted) => string,
): Promise<void> {
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const rowOf = (invoice: Drafted) => {
    const { id, draft, createdAt, correctionOf, correctionReason } = invoice
    const { columns } = draft
    return {
      ...columns,
      vatGroups: parsed(columns.vatGroups),
      seller: parsed(columns.seller),
      buyer: parsed(columns.buyer),
      id,
      version: 1,
      entityType: 'customer',
      innerNumber: innerNumberOf(invoice),
      status: 'created',
      statusDate: iso(createdAt),
      createdStatusAt: iso(createdAt),
      correctionOfId: correctionOf?.id ?? null,
      correctionReason,
      creatorId: accountant.id,
      createdAt: iso(createdAt),
      searchKey: '',
    }
  }
  await insertRows(ctx.db, 'invoice', drafted.map(rowOf))
  const lines = drafted.flatMap(({ id, draft }) =>
    draft.lines.map((line, position) => ({ ...NOT_CORRECTED, ...line, invoiceId: id, position })),
  )
  const lineIds = await takeIds(ctx.db, 'invoice_line', lines.length)
  await insertRows(
    ctx.db,
    'invoice_line',
    lines.map((line, index) => ({ ...line, id: lineIds[index] })),
  )
  await insertRows(
    ctx.db,
    'invoice_order',
    drafted.flatMap(({ id, draft }) => draft.orderIds.map((orderId) => ({ invoiceId: id, orderId }))),
  )
}

/** What an invoice bills beside the freight is an approved extra of its order. */
async function billExtras(ctx: Ctx, world: World, drafted: readonly Drafted[]): Promise<void> {
  const billing = drafted.flatMap((invoice) => (invoice.bill.extra ? [{ invoice, extra: invoice.bill.extra }] : []))
  const ids = await seedExtras(
    ctx.db,
    world,
    billing.map(({ invoice: { bill, createdAt }, extra: { quantity, unitPriceCents } }) => ({
      orderId: bill.orders[0]!.id,
      kind: 'waiting_time',
      quantity,
      unit: 'hour',
      priceCents: unitPriceCents,
      costCents: null,
      state: 'approved',
      createdAt: createdAt - 3 * HOUR,
    })),
  )
  billing.forEach(({ invoice: { draft } }, index) =>
    Object.assign(draft.lines[0]!, { extraId: ids[index], billsExtra: true }),
  )
}

/**
 * Numbers in the order in which the invoices went out: none twice, none left out, a counter for each company and year
 * (domain, Invoices).
 */
async function giveNumbers(ctx: Ctx, world: World, drafted: readonly Drafted[]): Promise<Drafted[]> {
  const { rows: companies } = await sql<{
    id: number
    pattern: string
    timeZone: string
  }>`select id, "invoiceNumberPattern" as pattern, "timeZone" from company`.execute(ctx.db)
  const counters = new Map<string, { companyId: number; year: number; last: number; lastDate: string }>()
  const sent = drafted.filter(({ sentAt }) => sentAt <= world.now).sort((a, b) => a.sentAt - b.sentAt)
  for (const invoice of sent) {
    const company = companies.find(({ id }) => id === invoice.draft.columns.companyId)!
    invoice.invoiceDate = localOf(iso(invoice.sentAt), company.timeZone).date
    invoice.dueDate = dueDateOf(invoice.invoiceDate, invoice.draft.columns.paymentPeriodDays!)
    const year = Number(invoice.invoiceDate.slice(0, 4))
    const counter = counters.get(`${company.id} ${year}`) ?? {
      companyId: company.id,
      year,
      last: 0,
      lastDate: invoice.invoiceDate,
    }
    counter.last += 1
    counter.lastDate = invoice.invoiceDate
    counters.set(`${company.id} ${year}`, counter)
    invoice.number = invoiceNumber(company.pattern, year, counter.last)
  }
  await insertRows(ctx.db, 'invoice_counter', [...counters.values()])
  return sent
}

interface Status {
  status: 'sent' | 'paid' | 'canceled'
  at: string
  paidAt: string | null
  canceledAt: string | null
}

function statusOf({ now }: World, { bill, sentAt, correctionOf }: Drafted): Status {
  const none = { paidAt: null, canceledAt: null }
  if (!correctionOf && bill.isTakenBack && bill.correction!.sentAt <= now)
    return { ...none, status: 'canceled', at: iso(bill.correction!.sentAt), canceledAt: iso(bill.correction!.sentAt) }
  // What was taken back in full is never paid; what took it back is settled with the next account.
  const paidAt = correctionOf && bill.isTakenBack ? sentAt + 5 * DAY : Math.max(bill.paidAt, sentAt + MINUTE)
  if (paidAt > now) return { ...none, status: 'sent', at: iso(sentAt) }
  return { ...none, status: 'paid', at: iso(paidAt), paidAt: iso(paidAt) }
}

/** Freezes what was sent: number, dates, document, status; from here on the database lets nothing else change. */
async function freeze(
  ctx: Ctx,
  world: World,
  sent: readonly Drafted[],
  documentIds: readonly (number | null)[],
): Promise<void> {
  const rows = sent.map((invoice, index) => {
    const { status, at, paidAt, canceledAt } = statusOf(world, invoice)
    const { id, number, invoiceDate, dueDate, sentAt } = invoice
    return {
      id,
      number,
      invoiceDate,
      dueDate,
      documentId: documentIds[index],
      frozenAt: iso(sentAt),
      sentAt: iso(sentAt),
      status,
      statusDate: at,
      paidAt,
      canceledAt,
      version: status === 'sent' ? 2 : 3,
    }
  })
  await sql`
    update invoice i set number = x.number, "invoiceDate" = x."invoiceDate", "dueDate" = x."dueDate",
      "documentId" = x."documentId", "frozenAt" = x."frozenAt", "sentAt" = x."sentAt",
      status = x.status, "statusDate" = x."statusDate", "paidAt" = x."paidAt", "canceledAt" = x."canceledAt",
        version = x.version
    from jsonb_populate_recordset(null::invoice, ${JSON.stringify(rows)}::jsonb) x where x.id = i.id
  `.execute(ctx.db)
}

function journalOf(world: World, invoice: Drafted, { fileTitle }: { fileTitle: string | null }): JournalEntry[] {
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const { id, createdAt, sentAt, number, invoiceDate, dueDate, correctionReason } = invoice
  const entry = (
    at: string,
    action: string,
    changes: JournalEntry['changes'],
    reason: string | null = null,
  ): JournalEntry => ({ at, actorId: accountant.id, ownerKind: 'invoice', ownerId: id, action, changes, reason })
  const created = entry(iso(createdAt), 'created', [], correctionReason)
  if (number === null) return [created]
  const { status, at } = statusOf(world, invoice)
  const added = [
    { path: 'documentType', from: null, to: 'CUSTOMER_INVOICE' },
    { path: 'title', from: null, to: fileTitle },
  ]
  const file = fileTitle === null ? [] : [entry(iso(sentAt), 'invoiceFileAdded', added)]
  const sent = entry(iso(sentAt), 'sent', [
    { path: 'status', from: 'created', to: 'sent' },
    { path: 'number', from: null, to: number },
    { path: 'invoiceDate', from: null, to: invoiceDate },
    { path: 'dueDate', from: null, to: dueDate },
  ])
  return [
    created,
    ...file,
    sent,
    ...(status === 'sent' ? [] : [entry(at, 'moved', [{ path: 'status', from: 'sent', to: status }])]),
  ]
}

/** The mail that carried an invoice, in the words that come with the product. */
function mailOf(
  world: World,
  { id, bill, draft, sentAt, correctionOf, correctionReason, number, invoiceDate, dueDate }: Drafted,
  documentId: number,
  correction: PdfData['correctionOf'],
): NewMail | null {
  const invoiceEmail = bill.customer.invoiceEmail ?? null
  const to = invoiceEmail ?? bill.customer.contacts.find((person) => person.email)?.email
  if (!to) return null
  const { columns } = draft
  const { department } = bill.orders[0]!.planned
  const seller = parsed(columns.seller) as Seller
  const type = correctionOf ? 'invoice_correction' : 'invoice'
  const { language } = columns
  const data = invoiceMailData({
    invoice: {
      ...(columns as Pick<Invoice, 'amountCents' | 'vatCents' | 'totalCents' | 'paymentPeriodDays'> & Period),
      number,
      invoiceDate,
      dueDate,
      correctionReason,
      orders: bill.orders.map((order) => ({ title: order.number })),
    },
    facts: {
      us: seller,
      logo: null,
      wantsMail: true,
      departmentId: department.id,
      department: { title: department.name, phone: null, email: null },
      caseWorker: null,
      buyer: parsed(columns.buyer) as Seller,
      invoiceEmail,
      contacts: [],
      customerOrderNumbers: [...new Set(bill.orders.flatMap(({ planned }) => planned.customerOrderNumber ?? []))],
      original: correctionOf && { number: correctionOf.number ?? '', invoiceDate: correctionOf.invoiceDate },
      correction: correction ?? null,
    },
    language,
    later: {},
  })
  const { subject, html } = mailText(standardText({ type, variant: 'standard', language }), data, language)
  const accountant = world.users.find((user) => user.job === 'accountant')!
  return {
    ownerKind: 'invoice',
    ownerId: id,
    type,
    to: [to],
    subject,
    html,
    documentIds: [documentId],
    createdById: accountant.id,
    queuedAt: iso(sentAt),
    frame: { language, sender: seller.title, footer: department.company.footer },
  }
}

/**
 * The customers' invoices of the year: drafted by the product's own proposal, numbered in the order of sending,
 * rendered, frozen. Returns their mails.
 */
export async function seedCustomerInvoices(
  ctx: Ctx,
  world: World,
  bills: readonly Bill[],
  {
    say,
    kept,
    innerNumbers,
  }: { say: (line: string) => void; kept: string[]; innerNumbers: ReadonlyMap<object, string> },
): Promise<NewMail[]> {
  const corrected = bills.filter((bill) => bill.correction && bill.correction.createdAt <= world.now)
  const ids = await takeIds(ctx.db, 'invoice', bills.length + corrected.length)
  const base = { number: null, invoiceDate: null, dueDate: null }
  const innerNumberOf = ({ bill, correctionOf }: Drafted) => innerNumbers.get(correctionOf ? bill.correction! : bill)!
  const originals: Drafted[] = []
  for (const [index, bill] of bills.entries()) {
    originals.push({
      ...base,
      id: ids[index]!,
      bill,
      draft: await draftOf(ctx, bill),
      createdAt: bill.createdAt,
      sentAt: bill.sentAt,
      correctionOf: null,
      correctionReason: null,
    })
  }
  await billExtras(ctx, world, originals)
  await insertDrafts(ctx, world, originals, innerNumberOf)

  const corrections: Drafted[] = []
  for (const [index, bill] of corrected.entries()) {
    const original = originals.find((one) => one.bill === bill)!
    const { rightCents, reason, createdAt, sentAt } = bill.correction!
    const lines = rightCents === null ? null : await linesAt(ctx, original.id, rightCents)
    const draft = await correctionDraft(ctx, { correctionOfId: original.id }, { lines })
    corrections.push({
      ...base,
      id: ids[bills.length + index]!,
      bill,
      draft,
      createdAt,
      sentAt,
      correctionOf: original,
      correctionReason: reason,
    })
  }
  await insertDrafts(ctx, world, corrections, innerNumberOf)

  const sent = await giveNumbers(ctx, world, [...originals, ...corrections])
  const printed: PdfData[] = []
  for (const invoice of sent) {
    const { id, draft, number, invoiceDate, dueDate, correctionOf, correctionReason } = invoice
    const { columns } = draft
    const shown = {
      ...columns,
      vatCents: columns.vatCents ?? 0,
      id,
      number,
      innerNumber: innerNumberOf(invoice),
      invoiceDate,
      dueDate,
      vatGroups: parsed(columns.vatGroups),
      seller: parsed(columns.seller),
      buyer: parsed(columns.buyer),
      correctionOfId: null,
      correctionReason,
    }
    const data = await pdfDataOf(ctx, shown as Parameters<typeof pdfDataOf>[1])
    const original =
      correctionOf && (await printedCorrection(ctx, shown as Parameters<typeof printedCorrection>[1], correctionOf))
    printed.push({ ...data, correctionOf: original })
  }
  const titles = sent.map((invoice, index) =>
    fileNameOf(
      {
        number: invoice.number,
        innerNumber: innerNumberOf(invoice),
        correction: printed[index]!.correctionOf,
        buyer: printed[index]!.buyer,
      },
      invoice.draft.columns.language,
    ),
  )
  const corrects = new Set(sent.map(({ correctionOf }) => correctionOf))
  const asSent = sent.map((invoice, index): SentInvoice => {
    const { id, draft, invoiceDate, sentAt, correctionOf } = invoice
    const { columns } = draft
    return {
      id,
      columns: {
        ...columns,
        companyId: columns.companyId ?? null,
        billingCustomerId: columns.billingCustomerId ?? null,
      },
      shown: {
        seller: parsed(columns.seller) as SentInvoice['shown']['seller'],
        buyer: parsed(columns.buyer) as SentInvoice['shown']['buyer'],
      },
      invoiceDate: invoiceDate!,
      sentAt,
      title: titles[index]!,
      original: correctionOf && { id: correctionOf.id, invoiceDate: correctionOf.invoiceDate! },
      isAlone: correctionOf === null && !corrects.has(invoice),
      isPaid: statusOf(world, invoice).status !== 'sent',
    }
  })
  const issues = await issueInKsef(ctx, asSent, { printed, kept })
  await insertRows(
    ctx.db,
    'invoice_paper',
    issues.flatMap((issue, index) => (issue === null ? [] : [ksefPaperOf(asSent[index]!, issue, printed[index]!)])),
  )
  let done = 0
  const files = await inLanes(6, sent, async ({ draft }, index): Promise<KeptFile | null> => {
    const issue = issues[index]!
    if (issue?.state === 'awaited') return null
    const data = issue === null ? printed[index]! : { ...printed[index]!, ksefMark: issue.mark }
    const file = await keepFile(ctx.ports.files, await ctx.ports.invoicePdf(data, draft.columns.language))
    kept.push(file.fileKey)
    done += 1
    if (done % 500 === 0) say(`  ${done} of ${sent.length} invoices printed`)
    return file
  })
  const documentIds = await takeIds(ctx.db, 'document', sent.length)
  const accountant = world.users.find((user) => user.job === 'accountant')!
  await insertRows(
    ctx.db,
    'document',
    sent.flatMap(({ id, sentAt }, index) => {
      const file = files[index]!
      if (file === null) return []
      return {
        id: documentIds[index],
        ownerKind: 'invoice',
        ownerId: id,
        documentType: 'CUSTOMER_INVOICE',
        title: titles[index],
        contentType: 'application/pdf',
        ...file,
        expiredAt: null,
        orderCarrier: null,
        userId: accountant.id,
        createdAt: iso(sentAt),
      }
    }),
  )
  await freeze(
    ctx,
    world,
    sent,
    documentIds.map((id, index) => (issues[index] === null ? id : null)),
  )
  const inKsef = issues.flatMap((issue, index) => {
    const file = files[index]!
    const pdf = file && { ...file, documentId: documentIds[index]! }
    return issue === null ? [] : [{ invoice: asSent[index]!, issue, pdf }]
  })
  world.journal.push(...(await storeKsef(ctx, world, inKsef)))
  await seedPayments(
    ctx,
    world,
    sent.map((invoice) => {
      const { status, paidAt } = statusOf(world, invoice)
      const { id, draft, bill, sentAt, number, dueDate, correctionOf } = invoice
      return {
        id,
        number: number!,
        companyId: draft.columns.companyId!,
        customerId: draft.columns.billingCustomerId!,
        payer: bill.customer.title,
        totalCents: draft.columns.totalCents!,
        correctionOfId: correctionOf?.id ?? null,
        sentAt,
        dueDate: dueDate!,
        paidAt: status === 'paid' ? paidAt : null,
      }
    }),
  )
  const place = new Map(sent.map((invoice, index) => [invoice, index]))
  for (const invoice of [...originals, ...corrections])
    world.journal.push(
      ...journalOf(world, invoice, {
        fileTitle: files[place.get(invoice) ?? -1] ? titles[place.get(invoice)!]! : null,
      }),
    )
  return sent.flatMap((invoice, index) => {
    const mail = mailOf(world, invoice, documentIds[index]!, printed[index]!.correctionOf)
    if (mail === null) return []
    // It leaves once somebody has typed the number of KSeF, and its PDF is made.
    return files[index] === null ? { ...mail, documentIds: [], waitsForPaper: true } : mail
  })
}
