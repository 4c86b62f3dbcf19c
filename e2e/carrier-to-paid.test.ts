import type { Browser, Locator, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { giveCarrierPapers } from './support/carrier-papers.ts'
import { addPaidCarrier, addPayingCompany, done } from './support/payables.ts'
import { addPerson, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { addTransport, pdf } from './support/transport.ts'

const CARRIER = 'Wkra Trans s.c.'
const [KNOWN, CHANGED] = ['PL38124015290000120309876601', 'PL76102010680000310209876544']
const TO = 'dispo@wkra-trans.example'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

/** The page of a link on a phone that has never been there, in English. */
async function openOnPhone(browser: Browser, link: string): Promise<Page> {
  const phone = await (await browser.newContext(PHONE)).newPage()
  await phone.goto(link)
  await phone.getByRole('button', { name: 'EN', exact: true }).tap()
  return phone
}

const fileRow = (phone: Page, name: string): Locator => phone.getByRole('listitem').filter({ hasText: name })

async function putFile(phone: Page, kind: 'pod' | 'invoice', name: string): Promise<void> {
  const input = phone.locator(`[data-kind="${kind}"]`)
  await input.setInputFiles({ name, mimeType: 'application/pdf', buffer: pdf(name) })
  await expect(fileRow(phone, name)).toContainText('uploaded, not sent yet')
}

async function send(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'Send documents' }).tap()
  await expect(phone.getByRole('heading', { name: 'Thank you, everything has arrived.' })).toBeVisible()
}

const queueRow = (page: Page, total: string): Locator =>
  page.getByRole('complementary', { name: 'Queue' }).getByRole('link').filter({ hasText: total })

async function payFrom(page: Page, company: string): Promise<void> {
  await page.goto('/invoices/payment-runs')
  const account = page.getByRole('combobox', { name: 'From' })
  await account.click()
  await page.getByRole('option', { name: new RegExp(`^${company}`) }).click()
  await expect(account).toHaveValue(new RegExp(`^${company}`))
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

test('what a carrier sends by its link is set aside, sent better, and paid to an account that two people saw', {
  tag: '@long',
}, async ({ page, browser, waybill, partners, signIn, shoot }) => {
  // Two people, either of whom may do everything here.
  const permissions = ['CARRIER_MANAGEMENT', 'SETTINGS_ACCESS', 'INVOICES_PROCESSING'] as const
  const second = await addPerson(waybill, { permissions })
  const tokens = await tokensOf(waybill, second)
  const title = 'Wesertal Fracht GmbH'
  const companyId = await addPayingCompany(waybill, tokens, {
    title,
    code: 'UNTER',
    iban: 'DE61370400440532013019',
    fourEyesRuns: true,
  })
  const department = await done(waybill, 'POST', 'departments', {
    abbreviation: 'FTL Weser',
    companyId,
    countryId: await waybill.idOf('countries', 'Germany'),
    phone: '+49 421 555 0140',
  })
  const carrierCompanyId = await addPaidCarrier(waybill, tokens, { title: CARRIER, country: 'Poland', iban: KNOWN })
  await giveCarrierPapers(waybill, carrierCompanyId)
  const { orderId, path } = await addTransport(waybill, partners, {
    departmentId: department.id,
    carrierCompanyId,
    disponentEmail: TO,
    // Due within the days that a new run proposes.
    paymentPeriodDays: 7,
  })
  const invoiceNow = async () =>
    (await done(waybill, 'GET', `invoices?orderId[]=${orderId}&entityType=carrier`)).items[0]

  // The carrier: proof of delivery, and an invoice over more than was agreed.
  const first = await openOnPhone(browser, waybill.url + path)
  await putFile(first, 'pod', 'CMR.pdf')
  await putFile(first, 'invoice', 'FV-12.pdf')
  await first.getByLabel('Invoice number').fill('FV/WKRA/12')
  await first.getByLabel('Invoice date').fill('2026-11-20')
  await first.getByLabel('Amount without VAT').fill('1,265')
  await first.getByLabel('VAT', { exact: true }).fill('0')
  await first.getByLabel('Why does the amount differ?').fill('Waiting time in Frechen')
  await first.getByLabel('IBAN').fill(KNOWN)
  await send(first)
  await first.context().close()

  // Staff: set aside with a problem, of which the carrier hears.
  await signIn()
  await page.goto('/invoices/check')
  await queueRow(page, '1,265.00').last().click()
  await expect(page.getByRole('heading', { level: 1, name: 'FV/WKRA/12' })).toBeVisible()
  await page.keyboard.press('7')
  await page.keyboard.press('a')
  const problem = page.getByRole('dialog', { name: 'Problem with FV/WKRA/12' })
  await expect(problem.getByRole('textbox', { name: /^To/ })).toHaveValue(TO)
  await problem.getByRole('textbox', { name: /What is wrong/ }).fill('Uzgodniono 1180,00 EUR; nie było przestoju.')
  await problem.getByRole('button', { name: 'Set aside and write' }).click()
  await expect(page.getByText('FV/WKRA/12 waits with a problem')).toBeVisible()
  expect(await invoiceNow()).toMatchObject({ status: 'in_progress' })

  // The carrier: by the mail's link on another phone; a better invoice, with another account.
  const mail = await waybill.mails.waitFor(({ text }) => text?.includes('nie było przestoju') ?? false)
  const link = /href="(https?:\/\/[^"]+\/upload-documents\/[^"]+)"/.exec(mail.html!)![1]!
  const better = await openOnPhone(browser, link)
  await shoot(better, 'carrier-to-paid-problem')
  await better.getByRole('button', { name: 'Add a page or send a correction' }).tap()
  await putFile(better, 'invoice', 'FV-12-2.pdf')
  await better.getByLabel('Invoice number').fill('FV/WKRA/12')
  await better.getByLabel('Invoice date').fill('2026-11-21')
  await better.getByLabel('Amount without VAT').fill('1,180')
  await better.getByLabel('VAT', { exact: true }).fill('0')
  await better.getByLabel('IBAN').fill(CHANGED)
  await expect(better.getByText('It will be confirmed first')).toBeVisible()
  await shoot(better, 'carrier-to-paid-better')
  await send(better)

  // Staff: the paper seen and accepted, and the invoice approved by keys.
  await queueRow(page, '1,180.00').last().click()
  await expect(page.getByRole('heading', { level: 1, name: 'FV/WKRA/12' })).toBeVisible()
  await page.keyboard.press('o')
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('POD on file, accepted')).toBeVisible()
  await shoot(page, 'carrier-to-paid-check')
  await page.keyboard.press('a')
  await expect(page.getByText('FV/WKRA/12 approved')).toBeVisible()
  await better.reload()
  await expect(better.getByRole('heading', { name: 'Your invoice is approved.' })).toBeVisible()

  // The account is changed on the carrier's record, where the same person has nothing to confirm with.
  const accounts = page.getByRole('table', { name: 'Bank accounts' })
  await page.goto(`/carrier-companies/${carrierCompanyId}/edit`)
  const iban = page.locator('[data-path="bankAccounts.0.iban"] input, input[name="bankAccounts.0.iban"]').first()
  await iban.fill(CHANGED)
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(accounts).toContainText('by someone else')
  await expect(accounts.getByRole('button', { name: 'Confirm', exact: true })).toHaveCount(0)
  await shoot(page, 'carrier-to-paid-own-account')
  const carrier = await done(waybill, 'GET', `carrier-companies/${carrierCompanyId}`)
  const confirming = `carrier-companies/${carrierCompanyId}/bank-accounts/${carrier.bankAccounts[0].id}/confirm`
  const refused = await waybill.api('POST', confirming, { version: carrier.version })
  expect(refused.body).toMatchObject({ code: 'second_person_needed' })
  await payFrom(page, title)
  const left = page.getByRole('listitem').filter({ hasText: CARRIER })
  await expect(left).toContainText('The bank account waits for a second person')

  // The second person confirms it.
  await page.evaluate(() => localStorage.clear())
  await signIn(second)
  await page.goto(`/carrier-companies/${carrierCompanyId}/edit`)
  await expect(accounts.getByRole('cell', { name: 'entered by Administrator' })).toBeVisible()
  await accounts.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(accounts.getByRole('cell', { name: 'Person' })).toBeVisible()

  // The first one makes the run and its file; who made it cannot confirm it.
  await page.evaluate(() => localStorage.clear())
  await signIn()
  await payFrom(page, title)
  await expect(page.getByText('1 of 1 selected')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const made = page.getByRole('dialog')
  await expect(made).toContainText('1 invoice in 1 payment, 1,180.00 €')
  const saving = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Download file' }).click()
  const xml = await readFile(await (await saving).path(), 'utf8')
  expect(xml).toContain(`<IBAN>${CHANGED}</IBAN>`)
  expect(xml).toContain('<CtrlSum>1180.00</CtrlSum>')
  expect(xml).not.toContain(KNOWN)
  await made.getByRole('button', { name: 'Show the run' }).click()
  await expect(page.getByRole('button', { name: 'Confirm as paid' })).toBeDisabled()
  expect(await invoiceNow()).toMatchObject({ status: 'approved' })
  const run = page.url()

  await page.evaluate(() => localStorage.clear())
  await signIn(second)
  await page.goto(run)
  await page.getByRole('button', { name: 'Confirm as paid' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm as paid' }).click()
  await expect(page.getByRole('region', { name: 'Payment runs' })).toContainText('Paid')
  expect(await invoiceNow()).toMatchObject({ status: 'paid' })

  // And the carrier reads so.
  await better.reload()
  await expect(better.getByRole('heading', { name: 'Your invoice is paid.' })).toBeVisible()
  await shoot(better, 'carrier-to-paid-paid')
  await better.context().close()
})
