import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { keepMail, mailOf } from './records/intake.ts'
import { offerMasterData } from './records/master-data.ts'

const pane = page.getByRole('complementary', { name: 'The customer’s mail' })

beforeEach(() => {
  signIn()
  offerMasterData()
})

test('says when the same words came in before, and which order they became', async () => {
  const before = { id: 3, receivedAt: '2026-11-20T08:10:00Z', orders: [{ id: 81, title: '26-01758' }] }
  keepMail(mailOf({ sameText: before }))
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('The same words came in before: 20 Nov')
  await expect.element(pane.getByRole('link', { name: '26-01758' })).toHaveAttribute('href', '/orders/81/edit')
})
