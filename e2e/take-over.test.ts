import type { Template, TemplateWrite } from '@waybill/contract/email/template'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const KEY = 'driver_information.first.en'
const ofVersion = (version: number) => ({ 'if-match': `"${version}"` })
const words = (text: string): TemplateWrite['subject'] => [{ type: 'text', text }]

const stored = async ({ api }: Waybill, department: number): Promise<Template> =>
  (await api('GET', `departments/${department}/email-templates/${KEY}`)).body as unknown as Template
const write = async ({ api }: Waybill, department: number, body: TemplateWrite, version: number) =>
  expect((await api('PUT', `departments/${department}/email-templates/${KEY}`, body, ofVersion(version))).status).toBe(
    200,
  )

/** Two departments, each with words of its own in one mail. */
async function twoDepartments(waybill: Waybill, abbreviation: string): Promise<[here: number, there: number]> {
  const here = await waybill.idOf('departments', 'FTL West')
  const { companyId, countryId } = (await waybill.api('GET', `departments/${here}`)).body
  const made = await waybill.api('POST', 'departments', { abbreviation, companyId, countryId })
  expect(made.status).toBe(201)
  const there = made.body.id as number
  const { subject: _, blocks, replyTo, isOn, version } = await stored(waybill, here)
  await write(waybill, here, { subject: words('Ours'), blocks, replyTo, isOn: false }, version)
  await write(waybill, there, { subject: words('Theirs'), blocks: blocks.slice(-2), replyTo: 'department', isOn }, 0)
  return [here, there]
}

test.afterEach(async ({ waybill }) => {
  const here = await waybill.idOf('departments', 'FTL West')
  const { version } = await stored(waybill, here)
  if (version > 0)
    await waybill.api('DELETE', `departments/${here}/email-templates/${KEY}`, undefined, ofVersion(version))
})

test('takes the text of another department over in the editor, and saves it as a new version', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
}) => {
  const [here, there] = await twoDepartments(waybill, 'Take A')
  const { version } = await stored(waybill, here)
  await signIn()
  await page.goto(`/departments/${here}/edit/${KEY}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take over from another department' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take over from another department' })
  const department = dialog.getByRole('combobox', { name: 'Department' })
  await expect(dialog.getByRole('button', { name: 'Take over', exact: true })).toBeDisabled()
  await department.fill('FTL West')
  await page.getByRole('option', { name: 'FTL West' }).click()
  await expect(dialog).toContainText('Choose another department')
  await department.fill('Take A')
  await page.getByRole('option', { name: 'Take A' }).click()
  await expect(dialog).toContainText('Theirs')
  await expect(dialog).toContainText('Subject and text in the editor are replaced')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Take over', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Subject', exact: true })).toHaveText('Theirs')
  expect((await stored(waybill, here)).subject).toEqual(words('Ours'))
  await page.keyboard.press('Control+s')
  await expect(page.getByText(`Email template saved, version ${version + 1}`)).toBeVisible()
  const [mine, theirs] = [await stored(waybill, here), await stored(waybill, there)]
  expect([mine.subject, mine.blocks]).toEqual([theirs.subject, theirs.blocks])
  expect([mine.replyTo, mine.isOn]).toEqual(['caseWorker', false])
})

test('takes it over from the list by a key, asks before, and not over what was saved meanwhile', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
}) => {
  const [here] = await twoDepartments(waybill, 'Take B')
  await signIn()
  await page.goto(`/departments/${here}/edit?tab=emails`)
  await page.getByRole('link', { name: /^Off\s*Own/ }).focus()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Take over from another department' })
  await dialog.getByRole('combobox', { name: 'Department' }).fill('Take B')
  await page.getByRole('option', { name: 'Take B' }).click()
  await expect(dialog).toContainText('Theirs')
  await expect(dialog).toContainText('The own text of this department in English is replaced')
  await expectAccessible(page)

  const { subject: _, version, blocks, replyTo, isOn } = await stored(waybill, here)
  await write(waybill, here, { subject: words('Meanwhile'), blocks, replyTo, isOn }, version)
  const take = dialog.getByRole('button', { name: 'Take over', exact: true })
  await take.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  expect((await stored(waybill, here)).subject).toEqual(words('Meanwhile'))

  await take.click()
  await expect(dialog).toHaveCount(0)
  const after = await stored(waybill, here)
  expect([after.subject, after.isOn]).toEqual([words('Theirs'), false])
})
