import { putTemplate } from '@waybill/contract/email/template'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { keepTemplates, words } from './records/mail-template.ts'
import { FTL_WEST, LTL_EAST, offerMasterData } from './records/master-data.ts'

const KEY = 'driver_information.first.en'
const dialog = page.getByRole('dialog', { name: 'Take over from another department' })
const department = dialog.getByRole('combobox', { name: 'Department' })
const take = dialog.getByRole('button', { name: 'Take over', exact: true })

let texts: ReturnType<typeof keepTemplates>

/** Two departments, each with words of its own in one mail. */
beforeEach(() => {
  signIn()
  offerMasterData()
  texts = keepTemplates([FTL_WEST, LTL_EAST])
  const { blocks } = texts.write(KEY, { subject: [words('Ours')], isOn: false })
  texts.write(KEY, { subject: [words('Theirs')], blocks: blocks.slice(-2), replyTo: 'department' }, LTL_EAST)
})

test('takes the text of another department over in the editor, and saves it as a new version', {
  tags: 'long',
}, async () => {
  await visit(`/departments/${FTL_WEST.id}/edit/${KEY}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take over from another department' }).click()
  await expect.element(take).toBeDisabled()
  await department.fill('FTL West')
  await page.getByRole('option', { name: 'FTL West' }).click()
  await expect.element(dialog).toMatchTextContent('Choose another department')
  await department.fill('LTL East')
  await page.getByRole('option', { name: 'LTL East' }).click()
  await expect.element(dialog).toMatchTextContent('Theirs')
  await expect.element(dialog).toMatchTextContent('Subject and text in the editor are replaced')
  await expectAccessible()
  await take.click()
  await expect.element(page.getByRole('textbox', { name: 'Subject', exact: true })).toHaveTextContent('Theirs')
  expect(server.calls(putTemplate)).toEqual([])
  await press('Control+s')
  await expect.element(page.getByText('Email template saved, version 2')).toBeVisible()
  const { subject, blocks } = texts.now(KEY, LTL_EAST)
  expect(server.calls(putTemplate).map(({ params, version, body }) => ({ id: params.id, version, body }))).toEqual([
    { id: FTL_WEST.id, version: 1, body: { subject, blocks, replyTo: 'caseWorker', isOn: false } },
  ])
})

test('takes it over from the list by a key, asks before, and not over what was saved meanwhile', {
  tags: 'long',
}, async () => {
  await visit(`/departments/${FTL_WEST.id}/edit?tab=emails`)
  const own = page.getByRole('link', { name: /^Off\s*Own/ })
  await expect.element(own).toBeVisible()
  ;(own.element() as HTMLElement).focus()
  await press('c')
  await department.fill('LTL East')
  await page.getByRole('option', { name: 'LTL East' }).click()
  await expect.element(dialog).toMatchTextContent('Theirs')
  await expect.element(dialog).toMatchTextContent('The own text of this department in English is replaced')
  await expectAccessible()

  texts.write(KEY, { subject: [words('Meanwhile')] })
  await take.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  expect(texts.now(KEY).subject).toEqual([words('Meanwhile')])

  await take.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(texts.now(KEY)).toMatchObject({ subject: [words('Theirs')], isOn: false })
  expect(server.calls(putTemplate).map(({ version }) => version)).toEqual([1, 2])
})
