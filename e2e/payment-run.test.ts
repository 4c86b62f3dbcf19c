import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { addApprovedInvoice, addPaidCarrier, addPayingCompany, done } from './support/payables.ts'
import { addPerson, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'

const [GOOD, OTHER, WAITING] = ['PL52102010680000310201234567', 'NL19INGB0417164377', 'CZ6508000000192000145399']

/** Other companies of ours may have accounts, too. */
async function payFrom(page: Page, company: string) {
  const account = page.getByRole('combobox', { name: 'From' })
  await account.click()
  await page.getByRole('option', { name: new RegExp(`^${company}`) }).click()
  await expect(account).toHaveValue(new RegExp(`^${company}`))
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

test('pays two approved invoices by a file that a second person confirms; an IBAN that nobody confirmed waits', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const stateOf = async (id: number) => (await done(waybill, 'GET', `invoices/${id}`)).status
  const second = await addPerson(waybill, {
    permissions: ['CARRIER_MANAGEMENT', 'SETTINGS_ACCESS', 'INVOICES_PROCESSING'],
  })
  const clerk = await addPerson(waybill, { permissions: ['INVOICES_PROCESSING'] })
  const tokens = await tokensOf(waybill, second)

  // A company of its own: what other journeys approve is not in its proposal. It wants four eyes.
  const title = 'Elbtal Fracht GmbH'
  const companyId = await addPayingCompany(waybill, tokens, {
    title,
    code: 'ELBTAL',
    iban: 'DE18370400440532013017',
    fourEyesRuns: true,
  })
  const carrier = (name: string, country: string, iban: string, by: typeof tokens | null) =>
    addPaidCarrier(waybill, by, { title: name, country, iban })
  const invoice = (carrierCompanyId: number, number: string, amountCents: number, iban: string) =>
    addApprovedInvoice(waybill, { companyId, carrierCompanyId, number, amountCents, iban })
  const brda = await carrier('Brda Trans s.c.', 'Poland', GOOD, tokens)
  const merwe = await carrier('Merwezicht Transport B.V.', 'Netherlands', OTHER, tokens)
  const morava = await carrier('Morava Truck a.s.', 'Czechia', WAITING, null)
  const paid = [await invoice(brda, 'FV/118', 78_000, GOOD), await invoice(merwe, 'F26.10871', 79_500, OTHER)]
  const held = await invoice(morava, '260100412', 131_000, WAITING)

  await signIn(clerk)
  await page.goto('/invoices/payment-runs')
  await payFrom(page, title)
  const left = page.getByRole('listitem').filter({ hasText: 'Morava Truck a.s.' })
  await expect(left).toContainText('The bank account waits for a second person')
  await expect(page.getByText('2 of 2 selected')).toBeVisible()
  await expect(page.getByText('1,575.00 €')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'payment-run-new')

  // Also with the hand in a list.
  await page.getByRole('combobox', { name: 'From' }).focus()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/Run \d\d-\d{3} is made/)
  await expect(dialog).toContainText('2 invoices in 2 payments, 1,575.00 €')
  await expectAccessible(page)
  await shoot(page, 'payment-run-made')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download file' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^pain001-\d\d-\d{3}\.xml$/)
  const xml = await readFile(await file.path(), 'utf8')
  expect(xml).toContain('<CtrlSum>1575.00</CtrlSum>')
  expect([GOOD, OTHER].every((iban) => xml.includes(`<IBAN>${iban}</IBAN>`))).toBe(true)
  expect(xml).not.toContain(WAITING)

  // Who made it cannot confirm it.
  await dialog.getByRole('button', { name: 'Show the run' }).click()
  await expect(page.getByText('You made this run: somebody else must confirm it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm as paid' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'payment-run-runs')
  const address = page.url()

  await page.evaluate(() => localStorage.clear())
  await signIn(second)
  await page.goto(address)
  await page.getByRole('button', { name: 'Confirm as paid' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm as paid' }).click()
  await expect(page.getByRole('region', { name: 'Payment runs' })).toContainText('Paid')
  for (const id of paid) await expect.poll(() => stateOf(id)).toBe('paid')

  // A return that was noted on the wrong line is taken back.
  await page.getByRole('button', { name: 'Payment to Brda Trans s.c. came back …' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('AC04')
  await page.getByRole('dialog').getByRole('button', { name: 'Note as returned' }).click()
  const panel = page.getByRole('complementary', { name: /^Run / })
  await expect(panel).toContainText('AC04')
  await expect.poll(() => stateOf(paid[0]!)).toBe('approved')
  await shoot(page, 'payment-run-returned')
  await page.getByRole('button', { name: 'Payment to Brda Trans s.c. was not returned …' }).click()
  const back = page.getByRole('dialog')
  await expect(back).toContainText('stays unconfirmed until a second person confirms it')
  await expectAccessible(page)
  await back.getByRole('button', { name: 'Take the return back' }).click()
  await expect(back).toContainText('A reason is needed')
  await back.getByRole('textbox', { name: 'Reason' }).fill('Wrong line')
  await back.getByRole('button', { name: 'Take the return back' }).click()
  await expect(panel).not.toContainText('AC04')
  for (const id of paid) await expect.poll(() => stateOf(id)).toBe('paid')

  // The list as it is narrowed stands in the address, and is taken out so.
  await page.getByRole('textbox', { name: 'Find in this list' }).fill('Merwezicht')
  await expect(page).toHaveURL(/view=runs.*q=Merwezicht/)
  await page.reload()
  const list = page.getByRole('region', { name: 'Payment runs' })
  await expect(list.getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  const exporting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export this list' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const table = await readFile(await (await exporting).path(), 'utf8')
  expect(table.trim().split(/\r?\n/)).toHaveLength(2)
  expect(table).toContain(title)
  await page.getByRole('textbox', { name: 'Find in this list' }).fill('nobody')
  await expect(list).toContainText('Nothing found')
  await expect.poll(() => stateOf(held)).toBe('approved')

  // The second person confirms the account, and the next run takes the invoice.
  await page.goto(`/carrier-companies/${morava}/edit`)
  await expect(page.getByText(/entered by Administrator/)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Bank accounts' }).getByRole('cell', { name: 'Person' })).toBeVisible()
  await page.goto('/invoices/payment-runs')
  await payFrom(page, title)
  await expect(page.getByText('1 of 1 selected')).toBeVisible()
  await expect(page.getByText('1,310.00 €')).toBeVisible()
})
