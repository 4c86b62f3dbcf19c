import { acceptDocument, getDocumentFile, type Document } from '@waybill/contract/document'
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
import { listEmailRefusals } from '@waybill/contract/email'
import { listWaitingExtras } from '@waybill/contract/invoice/waiting-extras'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'

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
  server.answer(acceptDocument, ({ params }) => accepted(params.id))
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

const accepted = (id: number): Document => ({
  id,
  version: 5,
  documentType: 'PROOF_OF_DELIVERY',
  title: 'CMR 26-00001.pdf',
  contentType: 'application/pdf',
  sizeBytes: 8,
  expiredAt: null,
  insuredCents: null,
  orderCarrier: null,
  scan: null,
  acceptance: 'accepted',
  refusalReason: null,
  checkedBy: null,
  checkedAt: null,
  locationIds: [12],
  eInvoice: null,
  owner: { kind: 'order', id: 1 },
  user: null,
  createdAt: '2026-11-24T09:00:00Z',
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
