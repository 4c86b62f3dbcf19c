import {
  decideHeld,
  getOperations,
  listLicences,
  noteNumber,
  removeJob,
  retryJob,
  type Operations,
} from '@waybill/contract/operations/overview'
import {
  getPaperPeriods,
  previewPaperPeriods,
  setPaperPeriods,
  type PaperPeriods,
} from '@waybill/contract/operations/paper-periods'
import { getRetention, previewRetention, setRetention, type Retention } from '@waybill/contract/operations/retention'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { offerMasterData } from './records/master-data.ts'

const JOB = {
  id: '5f0c6a52-0b9e-4c0e-8d2f-6f1f3d0f9a11',
  name: 'make_paper',
  failedAt: '2026-11-24T09:00:00Z',
  tries: 9,
}
const RESTORED = '2026-11-25T10:00:00.000Z'

const standing: Operations = {
  version: '0.1.0',
  node: 'waybill-1',
  startedAt: '2026-11-20T06:00:00Z',
  nodes: [],
  database: { version: '18.4', bytes: 840_500_000 },
  jobs: [
    { name: 'deliver_email', waiting: 0, active: 0, failed: 0, oldestSeconds: 0 },
    { name: 'make_paper', waiting: 3, active: 1, failed: 1, oldestSeconds: 240 },
  ],
  failedJobs: [JOB],
  mails: { planned: 4, queued: 1, waiting: 0, held: 2, failed: 5 },
  sessions: 12,
  files: { count: 81_204, bytes: 12_600_000_000, isExact: true },
  backups: { isScheduled: true, lastAt: '2026-11-24T01:30:00Z', failedAt: null, faultyFiles: 0, areOldOnesLeft: false },
  audit: {
    sealedAt: '2026-11-25T10:04:00Z',
    unsealed: 3,
    checkedAt: '2026-11-25T03:40:00Z',
    faultCount: 0,
    faults: [],
  },
  held: {
    backupAt: '2026-11-24T01:30:00.000Z',
    restoredAt: RESTORED,
    kinds: [
      { kind: 'email', count: 3 },
      { kind: 'invoice_run', count: 1 },
    ],
  },
  numbers: [],
}

const KEPT: Retention = {
  version: 0,
  periods: {
    driver: null,
    carrierContact: null,
    customerContact: null,
    user: null,
    routePerson: null,
    stopContact: null,
  },
  lastRun: null,
}

const NEVER = { mail: null, transportPaper: null, invoicePaper: null, payment: null }
const PAPERS: PaperPeriods = {
  version: 0,
  countries: [
    { id: 1, code: 'DE', title: 'Germany', years: NEVER },
    { id: 2, code: 'PL', title: 'Poland', years: NEVER },
  ],
  lastRun: null,
}

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getOperations, standing)
  server.answer(getRetention, KEPT)
  server.answer(getPaperPeriods, PAPERS)
})

test('shows who would become anonymous before a period is chosen, asks, and writes over nobody’s choice', async () => {
  server.answer(previewRetention, {
    dueCount: 1204,
    due: [{ id: 7, title: 'Łukasz Żak', owner: 'Trans-Wielkopolska Sp. j.', lastUsedAt: '2022-03-01T10:00:00Z' }],
    stays: [
      { reason: 'recent', count: 312 },
      { reason: 'openOrder', count: 1 },
    ],
  })
  server.answer(setRetention, refusal('stale_version'))
  await visit('/operations')
  const drivers = page.getByRole('combobox', { name: 'Drivers of carriers' })
  await expect.element(drivers).toHaveValue('never')
  const look = page.getByRole('button', { name: 'Who would that be? Drivers of carriers' })
  await expect.element(look).toBeDisabled()
  await drivers.click()
  await page.getByRole('option', { name: '3 years' }).click()
  await look.click()
  const found = page.getByRole('dialog')
  await expect.element(found.getByText('1,204 would become anonymous tonight.')).toBeVisible()
  await expect.element(found.getByRole('cell', { name: 'Łukasz Żak' })).toBeVisible()
  await expect.element(found.getByText('1 with orders that have not ended')).toBeVisible()
  expect(server.calls(previewRetention).at(-1)?.query).toEqual({ kind: 'driver', months: 36 })
  await expectAccessibleInBothLooks()
  await found.getByRole('button', { name: 'Close' }).last().click()

  const save = page.getByRole('region', { name: 'Persons become anonymous' }).getByRole('button', { name: 'Save' })
  await save.click()
  expect(server.calls(setRetention)).toEqual([])
  server.answer(getRetention, { ...KEPT, version: 3, periods: { ...KEPT.periods, driver: 60 } })
  await page.getByRole('dialog').getByRole('button', { name: 'Make anonymous' }).click()
  await expect.element(page.getByText('Somebody else has changed the periods')).toBeVisible()
  expect(server.calls(setRetention).at(-1)).toMatchObject({ body: { periods: { driver: 36, user: null } } })
  await expect.element(drivers).toHaveValue('5 years')

  // A longer one makes nobody anonymous: it is saved at once.
  server.answer(setRetention, { ...KEPT, version: 4 })
  await drivers.click()
  await page.getByRole('option', { name: 'never' }).click()
  await save.click()
  await expect.element(page.getByText('The periods are saved')).toBeVisible()
})

test('proposes the usual periods of papers, shows what would go, asks, and writes over nobody’s choice', async () => {
  server.answer(previewPaperPeriods, {
    kinds: [
      {
        kind: 'mail',
        dueCount: 12_480,
        dueBytes: 734_003_200,
        firstYear: 2016,
        lastYear: 2019,
        stays: [
          { reason: 'recent', count: 90_311 },
          { reason: 'open', count: 4 },
        ],
      },
      { kind: 'invoicePaper', dueCount: 0, dueBytes: 0, firstYear: null, lastYear: null, stays: [] },
    ],
  })
  server.answer(setPaperPeriods, refusal('stale_version'))
  await visit('/operations')
  const papers = page.getByRole('region', { name: 'Mails and papers are deleted' })
  const germany = papers.getByRole('group', { name: 'Companies in Germany' })
  const invoices = germany.getByRole('combobox', { name: 'Papers of invoices' })
  await expect.element(invoices).toHaveValue('never')
  const look = papers.getByRole('button', { name: 'What would that be? Germany' })
  await expect.element(look).toBeDisabled()
  await papers.getByRole('button', { name: 'Take what is usual: Germany' }).click()
  await expect.element(invoices).toHaveValue('8 years')
  await expect.element(papers.getByRole('button', { name: 'What would that be? Poland' })).toBeDisabled()
  await look.click()
  const found = page.getByRole('dialog')
  await expect.element(found.getByRole('row', { name: /^Mails and order mails/ })).toMatchTextContent('12,480')
  await expect.element(found).toMatchTextContent('2016–2019, 734.0 MB')
  await expect.element(found.getByText('4 not ended')).toBeVisible()
  expect(server.calls(previewPaperPeriods).at(-1)?.query).toEqual({
    countryId: 1,
    mail: 6,
    transportPaper: 6,
    invoicePaper: 8,
    payment: 8,
  })
  await expectAccessibleInBothLooks()
  await found.getByRole('button', { name: 'Close' }).last().click()

  await invoices.click()
  await page.getByRole('option', { name: '7 years' }).click()
  const save = papers.getByRole('button', { name: 'Save' })
  await save.click()
  await expect.element(found.getByText('A period is shorter than is usual in its country.')).toBeVisible()
  expect(server.calls(setPaperPeriods)).toEqual([])
  const theirs = { ...NEVER, mail: 10 as const }
  server.answer(getPaperPeriods, {
    ...PAPERS,
    version: 3,
    countries: [{ ...PAPERS.countries[0]!, years: theirs }, PAPERS.countries[1]!],
  })
  await found.getByRole('button', { name: 'Delete each night' }).click()
  await expect.element(page.getByText('Somebody else has changed the periods')).toBeVisible()
  expect(server.calls(setPaperPeriods).at(-1)).toMatchObject({
    body: {
      countries: [
        { id: 1, years: { mail: 6, transportPaper: 6, invoicePaper: 7, payment: 8 } },
        { id: 2, years: NEVER },
      ],
    },
  })
  await expect.element(invoices).toHaveValue('never')

  // A longer one deletes nothing more: it is saved at once.
  server.answer(setPaperPeriods, { ...PAPERS, version: 4 })
  await germany.getByRole('combobox', { name: 'Mails and order mails' }).click()
  await page.getByRole('option', { name: '12 years' }).click()
  await save.click()
  await expect.element(page.getByText('The periods are saved')).toBeVisible()
})

test('says why periods cannot be read, and tries again', async () => {
  server.answer(getRetention, refusal('forbidden'))
  server.answer(getPaperPeriods, refusal('forbidden'))
  await visit('/operations')
  for (const [section, field] of [
    ['Persons become anonymous', 'Drivers of carriers'],
    ['Mails and papers are deleted', 'Papers of invoices'],
  ]) {
    const shown = page.getByRole('region', { name: section })
    const again = shown.getByRole('button', { name: 'Try again' })
    await expect.element(again).toBeVisible()
    server.answer(getRetention, KEPT)
    server.answer(getPaperPeriods, PAPERS)
    await again.click()
    await expect.element(shown.getByRole('combobox', { name: field }).first()).toBeVisible()
  }

  server.answer(previewPaperPeriods, refusal('unavailable'))
  const papers = page.getByRole('region', { name: 'Mails and papers are deleted' })
  await papers.getByRole('button', { name: 'Take what is usual: Poland' }).click()
  await papers.getByRole('button', { name: 'What would that be? Poland' }).click()
  const again = page.getByRole('dialog').getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  server.answer(previewPaperPeriods, { kinds: [] })
  await again.click()
  await expect.element(page.getByRole('dialog').getByRole('table')).toBeVisible()
})

test('shows how Waybill stands, lets failed jobs be seen to, what waits be dropped, licences found', {
  tags: 'long',
}, async () => {
  server.answer(retryJob, refusal('not_found'))
  server.answer(removeJob, {})
  server.answer(decideHeld, {})
  server.answer(listLicences, {
    items: [
      { name: 'fastify', version: '5.12.8', licence: 'MIT' },
      { name: 'saxes', version: '6.0.0', licence: 'ISC' },
    ],
  })
  await visit('/operations')
  await expect.element(page.getByText('waybill-1')).toBeVisible()
  await expect.element(page.getByText('840.5 MB')).toBeVisible()
  await expect.element(page.getByText('12.6 GB')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: '5', exact: true }))
    .toHaveAttribute('href', '/mails?status[]=failed')
  await expectAccessibleInBothLooks()

  // Somebody else was first.
  await page.getByRole('button', { name: 'Retry: Make a document' }).click()
  await expect.element(page.getByText('That was not done')).toBeVisible()
  expect(server.calls(retryJob).at(-1)).toMatchObject({ params: { id: JOB.id, name: JOB.name } })

  await page.getByRole('button', { name: 'Remove: Make a document' }).click()
  expect(server.calls(removeJob)).toEqual([])
  server.answer(getOperations, { ...standing, failedJobs: [] })
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('No job has failed within the last 24 hours.')).toBeVisible()
  expect(server.calls(removeJob)).toHaveLength(1)

  await expect.element(page.getByText('3 mails and 1 run of invoices')).toBeVisible()
  await page.getByRole('button', { name: 'Drop them' }).click()
  server.answer(getOperations, { ...standing, failedJobs: [], held: null })
  await page.getByRole('dialog').getByRole('button', { name: 'Drop them' }).click()
  await expect.element(page.getByText('What waited was dropped')).toBeVisible()
  expect(server.calls(decideHeld).at(-1)?.body).toEqual({ word: 'drop', restoredAt: RESTORED })
  await expect.element(page.getByRole('button', { name: 'Let them go' })).not.toBeInTheDocument()

  expect(server.calls(listLicences)).toEqual([])
  await page.getByRole('button', { name: 'Software of others and its licences' }).click()
  await page.getByRole('textbox', { name: 'Name or licence' }).fill('isc')
  await expect.element(page.getByRole('cell', { name: 'saxes' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'fastify' })).not.toBeInTheDocument()
})

test('is for administrators alone', async () => {
  signIn({ permissions: ['FULL_ACCESS'] })
  await visit('/operations')
  await expect.poll(() => location.pathname).toBe('/403')
  expect(server.calls(getOperations)).toEqual([])
})

test('names the entries of the audit that were changed past Waybill, and how far it is sealed', async () => {
  await visit('/operations')
  await expect.element(page.getByText('3 entries to be sealed')).toBeVisible()
  await expect.element(page.getByText(/^Looked through on/)).toBeVisible()
  expect(page.getByText(/changed past Waybill/).elements()).toEqual([])

  const at = '2026-11-24T09:12:00Z'
  server.answer(getOperations, {
    ...standing,
    audit: {
      ...standing.audit!,
      faultCount: 2,
      faults: [
        { firstId: 1041, lastId: 1057, at, fault: 'content' },
        { firstId: 1058, lastId: 1059, at, fault: 'count' },
      ],
    },
  })
  await visit('/operations')
  await expect.element(page.getByText('The audit was changed past Waybill, in 2 places:')).toBeVisible()
  await expect.element(page.getByText(/^Entries 1,041 to 1,057, .* at least one was changed$/)).toBeVisible()
  await expect.element(page.getByText(/^Entries 1,058 to 1,059, .* some were added or taken away$/)).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('lists the servers where there are several, and names those with another version or other settings', async () => {
  const node = {
    host: 'waybill-1',
    port: 3000,
    version: '0.1.0',
    startedAt: '2026-11-20T06:00:00Z',
    seenAt: '2026-11-25T10:04:00Z',
    isThis: false,
    isSilent: false,
    isOtherVersion: false,
    otherSettings: [],
  }
  server.answer(getOperations, { ...standing, nodes: [{ ...node, isThis: true }] })
  await visit('/operations')
  await expect.element(page.getByText('Running since', { exact: false }).first()).toBeVisible()
  expect(page.getByText('Servers of this database').elements()).toEqual([])

  server.answer(getOperations, {
    ...standing,
    nodes: [
      { ...node, isThis: true },
      { ...node, host: 'waybill-2' },
      { ...node, host: 'waybill-3', version: '0.0.9', isOtherVersion: true, otherSettings: ['PUBLIC_URL', 'SMTP_URL'] },
      { ...node, host: 'waybill-4', isSilent: true },
    ],
  })
  await visit('/operations')
  const rows = page.getByRole('region', { name: 'Servers of this database' })
  await expect.element(rows.getByText('Same version, same settings')).toBeVisible()
  await expect.element(rows.getByText('another version; other values of PUBLIC_URL and SMTP_URL')).toBeVisible()
  await expect.element(rows.getByText(/^No sign of life since/)).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('takes the last invoice number of a company that sends none since a restore, and none too low', async () => {
  const held = {
    companyId: 3,
    title: 'Hansa Transport GmbH',
    year: 2026,
    last: 57,
    pattern: 'RE{YYYY}-{NNNNN}',
    backupAt: '2026-11-24T01:30:00.000Z',
    restoredAt: RESTORED,
  }
  server.answer(getOperations, { ...standing, held: null, numbers: [held] })
  server.answer(noteNumber, {})
  await visit('/operations')
  await expect.element(page.getByText(/^Hansa Transport GmbH sends no invoices/)).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Last number of 2026 that was used' })
  await expect.element(page.getByText('The next invoice will be RE2026-00058')).toBeVisible()
  await expectAccessibleInBothLooks()

  await field.fill('56')
  await expect.element(page.getByText('57 invoices are known here already')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send invoices again' })).toBeDisabled()
  await field.fill('97')
  await expect.element(page.getByText('The next invoice will be RE2026-00098')).toBeVisible()
  server.answer(getOperations, { ...standing, held: null, numbers: [] })
  await page.getByRole('button', { name: 'Send invoices again' }).click()
  await expect.element(page.getByText('Hansa Transport GmbH sends invoices again')).toBeVisible()
  expect(server.calls(noteNumber).at(-1)?.body).toEqual({ companyId: 3, last: 97, restoredAt: RESTORED })
  await expect.element(field).not.toBeInTheDocument()
})
