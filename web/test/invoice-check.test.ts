import { acceptDocument, getDocumentFile } from '@waybill/contract/document'
import { CHECK_KEYS } from '@waybill/contract/invoice/check'
import {
  approveInvoice,
  getInvoiceCheck,
  getProblemMail,
  holdInvoice,
  listInvoicesToCheck,
  type InvoiceCheck,
  type InvoiceToCheck,
} from '@waybill/contract/invoice/checking'
import { getEInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { listEmailRefusals } from '@waybill/contract/email'
import { listWaitingExtras } from '@waybill/contract/invoice/waiting-extras'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { changeLanguage } from '../src/kit/i18n/i18n.ts'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { documentOf } from './records/document.ts'

const CARRIER = { id: 3, title: 'Wolski Transport' }
const PAGE = 50

const checkOf = (id: number, given: Partial<InvoiceCheck> = {}): InvoiceCheck => ({
  id,
  version: 1,
  status: 'received',
  number: `FV/${id}`,
  innerNumber: `26-${id}`,
  carrierCompany: CARRIER,
  company: null,
  amountCents: 118_000,
  totalCents: 118_000,
  currency: 'EUR',
  dueDate: '2026-12-24',
  receivedAt: '2026-11-24T09:00:00Z',
  isFromLink: true,
  notes: null,
  checks: CHECK_KEYS.map((key) => ({
    key,
    level: 'ok',
    found: null,
    expected: { says: 'numberNew', values: {} },
  })),
  verdict: { level: 'ok', keys: [] },
  orders: [],
  routes: [],
  margin: null,
  marginWarningBp: 500,
  papers: [],
  transportOrders: [],
  pods: [],
  problem: null,
  differenceKind: null,
  approvalReason: null,
  seen: 'a',
  ...given,
})

/** The ids that wait, the oldest first; the server gives them by the page. */
let waiting: number[]

function offerQueue(): void {
  server.answer(listInvoicesToCheck, ({ query: { status, after, before, limit } }) => {
    const all = status === 'received' ? waiting : []
    const fitting = all.filter((id) => (after === undefined || id > after) && (before === undefined || id < before))
    const ids = before === undefined ? fitting.slice(0, limit) : fitting.slice(-limit)
    return {
      items: ids.map(
        (id): InvoiceToCheck => ({
          id,
          number: `FV/${id}`,
          innerNumber: `26-${id}`,
          carrier: CARRIER.title,
          totalCents: 118_000,
          currency: 'EUR',
          ageDays: 2,
          verdict: { level: 'ok', keys: [] },
          problemKind: null,
        }),
      ),
      next: ids.length < fitting.length ? ids.at(-1)! : null,
      counts: { received: waiting.length, in_progress: 0 },
      totalCents: 118_000 * waiting.length,
      approvedToday: { count: 0, totalCents: 0 },
    }
  })
}

const open = (id: number) => visit(`/invoices/check?invoice=${id}`)
const isShown = async (id: number): Promise<void> => {
  await expect.element(page.getByRole('heading', { level: 1, name: `FV/${id}` })).toBeVisible()
}

beforeEach(() => {
  signIn()
  waiting = Array.from({ length: 120 }, (_, index) => 1001 + index)
  offerQueue()
  server.answer(getInvoiceCheck, ({ params }) => checkOf(params.id))
  server.answer(listWaitingExtras, { items: [] })
  server.answer(approveInvoice, ({ params }) => {
    waiting = waiting.filter((id) => id !== params.id)
    return checkOf(params.id, { status: 'approved', version: 2 })
  })
})

test('J goes on behind the last row that is loaded', { tags: 'long' }, async () => {
  const last = waiting[PAGE - 1]!
  // The rows behind it come late: the key asks for the next one by itself.
  const letGo = server.holdBack(listInvoicesToCheck, ({ query }) => query.limit === PAGE && query.after !== undefined)
  await open(last)
  await isShown(last)
  await expect.element(page.getByRole('button', { name: 'Show more' })).toBeInTheDocument()
  await press('j')
  await isShown(last + 1)
  letGo()
  await expect.element(page.getByRole('complementary', { name: 'Queue' }).getByRole('listitem').nth(PAGE)).toBeVisible()
  await press('k')
  await isShown(last)
})

test('near the end of the rows more are fetched before they are asked for', { tags: 'long' }, async () => {
  const more = server.next(listInvoicesToCheck, ({ query }) => query.after === waiting[PAGE - 1])
  await open(waiting[PAGE - 3]!)
  await more
  await isShown(waiting[PAGE - 3]!)
  const rows = page.getByRole('complementary', { name: 'Queue' }).getByRole('listitem')
  // Two pages, and what shows more.
  await expect.element(rows.nth(2 * PAGE)).toBeInTheDocument()
})

test('an invoice opened by a link keeps its place far behind the rows', { tags: 'long' }, async () => {
  await open(1090)
  await isShown(1090)
  await press('j')
  await isShown(1091)
  await press('k', 'k')
  await isShown(1089)
  await press('a')
  await isShown(1090)
  expect(server.calls(approveInvoice).map(({ params }) => params.id)).toEqual([1089])
})

test('behind the last one of the queue the one before it comes', async () => {
  await open(1120)
  await isShown(1120)
  await press('j')
  await press('a')
  await isShown(1119)
  expect(server.calls(approveInvoice)).toHaveLength(1)
})

const utf8 = new TextEncoder()

/** A PDF of one page that says each of these lines; `content` says what draws it, if not they. */
function pdfOf(lines: readonly string[], content?: { dictionary: string; bytes: Uint8Array }): Blob {
  const words = lines.map((line, index) => `1 0 0 1 60 ${780 - 24 * index} Tm (${line}) Tj`).join(' ')
  const { dictionary, bytes } = content ?? { dictionary: '', bytes: utf8.encode(`BT /F 12 Tf ${words} ET`) }
  const parts = [
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj `,
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>endobj `,
    `4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj `,
    `5 0 obj<<${dictionary}/Length ${bytes.length}>>stream\n`,
  ]
  return new Blob([...parts, new Uint8Array(bytes), '\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'], {
    type: 'application/pdf',
  })
}

const PAPER = { documentId: 71, title: 'FV.pdf', contentType: 'application/pdf', createdAt: '2026-11-24T09:00:00Z' }

function offerPaper(blob: Blob, paper: InvoiceCheck['papers'][number] = PAPER): void {
  const found = { number: 'FV/1001', date: '2026-11-20', amount: 118_000, iban: 'PL61109010140000071219812874' }
  server.answer(getInvoiceCheck, ({ params }) => {
    const check = checkOf(params.id, { papers: [paper] })
    return {
      ...check,
      checks: check.checks.map((line) =>
        line.key in found
          ? {
              ...line,
              found: found[line.key as 'iban'],
              level: line.key === 'iban' ? ('stop' as const) : ('ok' as const),
            }
          : line,
      ),
    }
  })
  server.answer(getDocumentFile, { blob, fileName: 'FV.pdf' })
}

const marks = () => page.css('[data-mark]')

test.each([
  ['that is broken', new Blob(['%PDF-1.7 and nothing more'], { type: 'application/pdf' })],
  ['with pictures that only the browser can draw', pdfOf(['FV/1001 /JBIG2Decode'])],
])('a paper %s is left to the browser', async (_what, blob) => {
  offerPaper(blob)
  await open(1001)
  await expect.element(page.getByText('This browser shows PDF files in a window of their own.')).toBeVisible()
  expect(marks().elements()).toEqual([])
})

test('a paper that keeps its reader busy is left to the browser, and the next one is read', {
  tags: 'long',
}, async () => {
  const words = utf8.encode('(a) Tj '.repeat(10_000))
  const [packed, times] = [new CompressionStream('deflate'), 4_000]
  const writer = packed.writable.getWriter()
  const bytes = new Response(packed.readable).arrayBuffer()
  await writer.write(utf8.encode('BT /F 12 Tf '))
  for (let time = 0; time < times; time += 1) await writer.write(words)
  await writer.close()
  offerPaper(pdfOf([], { dictionary: '/Filter/FlateDecode', bytes: new Uint8Array(await bytes) }))
  await open(1001)
  await expect.element(page.getByText('This browser shows PDF files in a window of their own.')).toBeVisible()
  offerPaper(pdfOf(['Faktura FV/1002', 'FV/1001']))
  await open(1002)
  await expect.element(marks().first()).toBeVisible()
})

test('a paper shows where it says what was compared, and what it does not say is named', async () => {
  offerPaper(pdfOf(['Faktura VAT FV/1001', 'Data 20.11.2026', 'Razem netto 1 180,00 EUR', 'LT58 9999 0004 1277 0316']))
  await open(1001)
  await expect.element(marks().nth(2)).toBeVisible()
  expect(
    marks()
      .elements()
      .map((mark) => (mark as HTMLElement).dataset.mark),
  ).toEqual(['number', 'date', 'amount'])
  await expect.element(page.getByText('Not in its text: IBAN.')).toBeVisible()
  // Its words can be read out, and taken with the pointer.
  await expect.element(page.getByRole('group', { name: 'FV.pdf' }).getByText('Faktura VAT FV/1001')).toBeInTheDocument()
  await expectAccessibleInBothLooks()
})

test('an invoice without a picture is marked where the product shows it', async () => {
  offerPaper(new Blob(), { ...PAPER, title: 'FV.xml', contentType: 'application/xml' })
  const nobody = { name: null, vatNumber: null, address: null, postal: null, city: null, countryCode: null }
  server.answer(getEInvoice, {
    format: 'ubl',
    profile: null,
    kind: 'invoice',
    number: 'FV/1001',
    issueDate: '2026-11-20',
    dueDate: null,
    servicePeriodFrom: null,
    servicePeriodTo: null,
    currency: 'EUR',
    netCents: 118_000,
    vatCents: 0,
    totalCents: 118_000,
    payableCents: 118_000,
    vatGroups: [],
    iban: 'PL61109010140000071219812874',
    seller: nobody,
    buyer: nobody,
    buyerReference: null,
    orderReference: null,
    lines: [],
    notes: [],
    paymentTerms: null,
    attachmentCount: 0,
    warnings: [],
  })
  await open(1001)
  await expect.element(page.getByText('Marked: what the checks compared.')).toBeVisible()
  const marked = (name: string) => [...(CSS.highlights.get(name) ?? [])].map((range) => textOf(range))
  expect(marked('paper-mark')).toEqual(expect.arrayContaining(['FV/1001', '20 Nov 2026', '1,180.00']))
  expect(marked('paper-mark-off')).toEqual(['PL61 1090 1014 0000 0712 1981 2874'])
  await changeLanguage('de')
  await expect.poll(() => marked('paper-mark')).toEqual(expect.arrayContaining(['FV/1001', '20.11.2026', '1.180,00']))
  await changeLanguage('en')
  await press('o')
  await expect.poll(() => CSS.highlights.size).toBe(0)
})

/** What a range of one text says, its blanks as one types them. */
const textOf = ({ startContainer, startOffset, endOffset }: AbstractRange): string =>
  startContainer.textContent!.slice(startOffset, endOffset).replaceAll('\u00A0', ' ')

test('P says what is wrong, O and I show the POD and the invoice', async () => {
  server.answer(getProblemMail, { mail: null })
  await open(1001)
  await isShown(1001)
  const tab = (name: string) => page.getByRole('navigation', { name: 'Papers' }).getByRole('button', { name })
  await press('o')
  await expect.element(tab('POD')).toHaveAttribute('aria-current', 'page')
  await press('i')
  await expect.element(tab('Invoice')).toHaveAttribute('aria-current', 'page')
  await press('p')
  const problem = page.getByRole('dialog', { name: 'FV/1001' })
  await expect.element(problem).toBeVisible()
  // The keys of the page rest while it is open.
  await press('j')
  await expect.element(problem).toBeVisible()
  await isShown(1001)
})

test('the mail about a problem names an address that a mail server refused, until another one is typed', async () => {
  server.answer(getProblemMail, {
    mail: {
      to: 'old@wolski.example',
      language: 'pl',
      subject: 'FV/1001',
      text: 'Prosimy',
      hasLink: false,
      html: '<p>Prosimy</p>',
    },
  })
  server.answer(listEmailRefusals, ({ query: { address } }) => ({
    items: address.includes('old@wolski.example')
      ? [{ address: 'old@wolski.example', at: '2026-11-20T10:00:00Z', words: '550 no such user' }]
      : [],
  }))
  await open(1001)
  await isShown(1001)
  await press('p')
  const problem = page.getByRole('dialog', { name: 'FV/1001' })
  await expect.element(problem.getByText('old@wolski.example refused on')).toBeVisible()
  await expect.element(problem.getByText('the mail has no upload link')).toBeVisible()
  await problem.getByRole('textbox', { name: 'To' }).fill('dispo@wolski.example')
  await expect.element(problem.getByText('refused on')).not.toBeInTheDocument()
})

test('what is typed of a problem is there again after a reload, until it is given up', { tags: 'long' }, async () => {
  server.answer(getProblemMail, { mail: null })
  await open(1001)
  await isShown(1001)
  await press('p')
  const problem = page.getByRole('dialog', { name: 'FV/1001' })
  const note = problem.getByRole('textbox', { name: 'Note' })
  await note.fill('Two hours of waiting are not signed')
  await problem.getByRole('radio', { name: 'VAT wrong' }).click()
  await open(1001)
  await isShown(1001)
  await press('p')
  await expect.element(note).toHaveValue('Two hours of waiting are not signed')
  await expect.element(problem.getByRole('radio', { name: 'VAT wrong' })).toBeChecked()
  await problem.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(problem).not.toBeInTheDocument()
  await press('p')
  await expect.element(note).toHaveValue('')
})

test('a POD of several customers asks which deliveries it proves', { tags: 'long' }, async () => {
  const stops = [
    { id: 11, position: 2, place: 'Poznań', note: 'Hansa Bau' },
    { id: 12, position: 3, place: 'Łódź', note: 'Nordlicht' },
  ]
  const pod = {
    documentId: 7,
    version: 4,
    title: 'CMR 26-00001.pdf',
    contentType: 'application/pdf',
    createdAt: '2026-11-24T09:00:00Z',
    acceptance: 'toCheck' as const,
    refusalReason: null,
    stops,
  }
  server.answer(getInvoiceCheck, ({ params }) => checkOf(params.id, { pods: [pod] }))
  server.answer(getDocumentFile, { blob: new Blob(['%PDF-1.7'], { type: 'application/pdf' }), fileName: 'CMR.pdf' })
  server.answer(acceptDocument, ({ params }) =>
    documentOf({ id: params.id, version: 5, acceptance: 'accepted', locationIds: [12] }),
  )
  await open(1001)
  await isShown(1001)
  await press('o')
  await page.getByRole('button', { name: 'Accept' }).click()
  const asked = page.getByRole('dialog', { name: 'Which deliveries does it prove?' })
  await expect.element(asked.getByRole('checkbox', { name: /Poznań.*Hansa Bau/ })).toBeVisible()
  // The keys of the page rest while it is open.
  await press('j')
  await asked.getByRole('button', { name: 'Accept' }).click()
  await expect.element(asked.getByRole('alert')).toBeVisible()
  expect(server.calls(acceptDocument)).toEqual([])
  await asked.getByRole('checkbox', { name: /Łódź/ }).click()
  await asked.getByRole('button', { name: 'Accept' }).click()
  await expect.element(asked).not.toBeInTheDocument()
  expect(server.calls(acceptDocument)).toMatchObject([{ params: { id: 7 }, version: 4, body: { locationIds: [12] } }])
  await isShown(1001)
})

const PROBLEM: NonNullable<InvoiceCheck['problem']> = {
  kind: 'amount',
  text: 'Amount differs',
  waitsFor: 'carrier',
  stopsTerm: false,
  isTold: false,
  openedAt: '2026-11-24T09:00:00Z',
  openedBy: null,
}
const heldWith = (text: string) =>
  server.answer(getInvoiceCheck, ({ params }) =>
    checkOf(params.id, { status: 'in_progress', problem: { ...PROBLEM, text } }),
  )

test('what was said of a problem stands beside its kind, which is said once', async () => {
  heldWith('Amount differs')
  await open(1001)
  await isShown(1001)
  const notice = page.getByRole('region', { name: 'Checks' }).getByText('Amount differs')
  await expect.element(notice).toBeVisible()
  await expect.element(page.getByText('Amount differs: ')).not.toBeInTheDocument()
  heldWith('1,180 was agreed')
  await open(1001)
  await isShown(1001)
  await expect.element(page.getByText(': 1,180 was agreed')).toBeVisible()
})

test('a problem is told with the note and with the words typed for the mail', { tags: 'long' }, async () => {
  server.answer(getProblemMail, {
    mail: {
      to: 'a@wolski.example',
      language: 'pl',
      subject: 'FV/1001',
      text: 'Prosimy',
      hasLink: true,
      html: '<p>Prosimy</p>',
    },
  })
  server.answer(listEmailRefusals, { items: [] })
  server.answer(holdInvoice, ({ params }) => checkOf(params.id, { status: 'in_progress', version: 2 }))
  await open(1001)
  await isShown(1001)
  const problem = page.getByRole('dialog', { name: 'FV/1001' })
  const set = async () => {
    await problem.getByRole('button', { name: 'Set aside and write' }).click()
    await expect.element(problem).not.toBeInTheDocument()
    return server.calls(holdInvoice).at(-1)!.body.text
  }
  await press('p')
  await problem.getByRole('radio', { name: 'Amount differs' }).click()
  await expect.element(problem.getByRole('textbox', { name: 'Subject' })).toHaveValue('FV/1001')
  // What was proposed is nobody's words.
  expect(await set()).toBe('Amount differs')
  await open(1001)
  await isShown(1001)
  await press('p')
  await problem.getByRole('radio', { name: 'Amount differs' }).click()
  await problem.getByRole('textbox', { name: 'What is wrong' }).fill('Uzgodniono 1180')
  await problem.getByRole('textbox', { name: 'Note' }).fill('Asked by telephone')
  expect(await set()).toBe('Asked by telephone\nUzgodniono 1180')
})

test('what is answered of an invoice is there again after a reload, and is of no other', async () => {
  const asked = (id: number) =>
    checkOf(id, {
      checks: CHECK_KEYS.map((key) => ({
        key,
        level: 'look',
        found: null,
        expected: { says: 'numberNew', values: {} },
        ...(key === 'number' && { answer: 'reason' as const }),
      })),
    })
  server.answer(getInvoiceCheck, ({ params }) => asked(params.id))
  const reason = page.getByRole('textbox', { name: 'Why is it approved all the same?' })
  await open(1001)
  await isShown(1001)
  await reason.fill('The carrier has a new series')
  await open(1001)
  await isShown(1001)
  await expect.element(reason).toHaveValue('The carrier has a new series')
  await page.getByRole('heading', { level: 1, name: 'FV/1001' }).click()
  await press('j')
  await isShown(1002)
  await expect.element(reason).toHaveValue('')
  await press('k')
  await isShown(1001)
  await expect.element(reason).toHaveValue('The carrier has a new series')
})
