import { countIntakeMails, listIntakeMails, type IntakeMailbox } from '@waybill/contract/intake/intake'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'

async function openWith(mailbox: Partial<IntakeMailbox> | null): Promise<void> {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  server.answer(listIntakeMails, { items: [], page: 1, perPage: 25, total: 0, totalIsExact: true, nextCursor: null })
  server.answer(countIntakeMails, {
    byState: { new: 0, drafted: 0, saved: 0, not_order: 0 },
    mailbox: mailbox && {
      name: 'orders@waybill.example',
      readAt: '2026-11-24T08:15:00Z',
      fault: null,
      faultSince: null,
      refusedCount: 0,
      refusedFolder: 'Waybill refused',
      ...mailbox,
    },
  })
  await visit('/intake')
}

test('a mailbox that cannot be read is said above the mails, with the reason and since when', async () => {
  await openWith({ fault: 'login', faultSince: '2026-11-24T08:16:00Z' })
  await expect
    .element(page.getByText('The mailbox orders@waybill.example refuses user or password.'))
    .toMatchTextContent('since 24 Nov 2026, 09:16')
  await expectAccessibleInBothLooks()
})

test('a mailbox that is read says when, and one that was not yet says so', async () => {
  await openWith({})
  await expect
    .element(page.getByText('Mailbox orders@waybill.example'))
    .toMatchTextContent('read last at 24 Nov 2026, 09:15')
  await openWith({ readAt: null })
  await expect.element(page.getByText('Mailbox orders@waybill.example, not read yet')).toBeVisible()
})

test('says how many mails could not be taken in, and where they lie', async () => {
  await openWith({ refusedCount: 3 })
  await expect
    .element(page.getByText('3 mails could not be taken in'))
    .toMatchTextContent('in the folder “Waybill refused” of the mailbox')
  await openWith({})
  await expect.element(page.getByText('Mailbox orders@waybill.example')).toBeVisible()
  await expect.element(page.getByText('could not be taken in')).not.toBeInTheDocument()
})

test('without a mailbox nothing is said of one', async () => {
  await openWith(null)
  await expect.element(page.getByText('No mails here')).toBeVisible()
  await expect.element(page.getByText('Mailbox')).not.toBeInTheDocument()
})
