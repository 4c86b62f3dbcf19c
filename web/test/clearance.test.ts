import { listEmailRefusals } from '@waybill/contract/email'
import { listEndingPapers, listReleaseRequests, type EndingPaper } from '@waybill/contract/order/clearance/release'
import { askForPaper } from '@waybill/contract/public/paper-page'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { TRANSWARTA } from './records/master-data.ts'

const paperOf = (given: Partial<EndingPaper> = {}): EndingPaper => ({
  carrierCompany: TRANSWARTA,
  documentType: 'INSURANCE_DOCUMENT',
  endsOn: '2026-11-20',
  plannedRoutes: 2,
  to: 'dispo@transwarta.example',
  askedAt: null,
  isWaiting: false,
  ...given,
})
const ending = page.getByRole('region', { name: 'Documents that end' })
const ask = ending.getByRole('button', { name: `Ask ${TRANSWARTA.title} for a new one: Insurance` })

beforeEach(() => {
  signIn({ permissions: ['CARRIER_MANAGEMENT'] })
  server.answer(listReleaseRequests, { items: [] })
  server.answer(listEmailRefusals, { items: [] })
})

test('asks a carrier for a new paper, and says why it could not', async () => {
  server.answer(listEndingPapers, { items: [paperOf()] })
  server.answer(
    askForPaper,
    refusal('validation', {
      errors: [{ path: 'documentType', code: 'recipient_missing', message: 'No address' }],
    }),
  )
  await visit('/carrier-companies/clearance')
  await ask.click()
  await expect.element(page.getByText('Not asked')).toBeVisible()
  server.answer(askForPaper, { to: 'dispo@transwarta.example', askedAt: '2026-11-24T09:00:00.000Z' })
  server.answer(listEndingPapers, { items: [paperOf({ askedAt: '2026-11-24T09:00:00.000Z' })] })
  await ask.click()
  await expect.element(page.getByText('dispo@transwarta.example is asked for a new one')).toBeVisible()
  await expect.element(ending.getByText(/^asked /)).toBeVisible()
  expect(server.calls(askForPaper)).toMatchObject([
    { params: { id: TRANSWARTA.id }, body: { documentType: 'INSURANCE_DOCUMENT' } },
    { params: { id: TRANSWARTA.id } },
  ])
  await expectAccessibleInBothLooks()
})

test('leads to a new paper that waits, and asks for no other', async () => {
  server.answer(listEndingPapers, { items: [paperOf({ isWaiting: true })] })
  await visit('/carrier-companies/clearance')
  await expect
    .element(ending.getByRole('link', { name: 'A new one has come: please check' }))
    .toHaveAttribute('href', `/carrier-companies/${TRANSWARTA.id}/edit?tab=documents`)
  await expect.element(ask).not.toBeInTheDocument()
})

test('says whom it would ask, where a mail server refused that address, and where there is none', {
  tags: 'long',
}, async () => {
  server.answer(listEndingPapers, { items: [paperOf()] })
  server.answer(listEmailRefusals, {
    items: [{ address: 'dispo@transwarta.example', at: '2026-11-20T10:00:00Z', words: '550 no such user' }],
  })
  await visit('/carrier-companies/clearance')
  await expect.element(ending.getByText('dispo@transwarta.example')).toBeVisible()
  await expect.element(ending.getByTitle('550 no such user')).toHaveTextContent('refused on 20 Nov 2026')
  await expect.element(ask).toBeEnabled()
  await expectAccessibleInBothLooks()
  server.answer(listEndingPapers, { items: [paperOf({ to: null })] })
  await visit('/carrier-companies/clearance')
  await expect.element(ending.getByText('no email address')).toBeVisible()
  await expect.element(ask).toBeDisabled()
})
