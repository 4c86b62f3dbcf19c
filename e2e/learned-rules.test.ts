import { expect, test } from './support/test.ts'

const mail = (number: string, weight: string) => `Von: Ole Jansen <jansen@nordlicht.example>
Betreff: Transport nach Poznań

Guten Tag,
Beladung: Nordlicht Maschinenbau GmbH, Billbrookdeich 210, 22113 Hamburg, Mo 30.11.2026 08:00–12:00 Uhr
Entladung: Wielkopolska Tech Sp. z o.o., ul. Bukowska 285, 60-189 Poznań, Di 01.12.2026 fix 07:00
4 Europaletten Maschinenteile
Bruttomasse gesamt: ${weight}
Vorgang: ${number}
`

test('what is corrected in one mail is read in the next, until it is deleted', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn()
  const paste = async (text: string) => {
    const { body } = await waybill.api('POST', 'intake-mails', { text })
    await page.goto(`/intake/${body.id as number}`)
    await expect(page.getByRole('heading', { name: 'Order from mail' })).toBeVisible()
    await expect(page.locator('[name="locations.1.city"]')).toHaveValue('Poznań')
  }
  const number = page.locator('[name="customerOrderNumber"]')
  await paste(mail('ZX 81-4', '1.840'))
  await expect(number).toHaveValue('')
  await number.fill('ZX 81-4')
  // Proposed once the customer is known.
  await expect(page.locator('[name="customerVatBp"]')).toHaveValue('19')
  await number.press('Control+Enter')
  await page.waitForURL(/\/orders\/\d+\/edit/)

  await paste(mail('ZX 90-1', '2.110'))
  await expect(number).toHaveValue('ZX 90-1')
  await expect(number).toHaveAttribute('data-learned', '')
  await number.click()
  await expect(page.getByText('read as corrected in an earlier mail of this customer')).toBeVisible()
  await shoot(page, 'learned draft')
  await expectAccessible(page)
  // Who types over it no longer has what was learned.
  await number.fill('ZX 90-2')
  await expect(number).not.toHaveAttribute('data-learned')

  await page.goto(`/customer/${partners.nordlicht}/edit?tab=learned`)
  const row = page.getByRole('row', { name: /Customer order number/ })
  await expect(row).toContainText('after “Vorgang”')
  await expect(row).toContainText('1 mail')
  await shoot(page, 'learned tab')
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Delete what was learned' }).press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Forget where “Customer order number” stands?')
  await shoot(page, 'learned question')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing learned yet')).toBeVisible()
  await shoot(page, 'learned empty')
  await expectAccessible(page)
  await paste(mail('ZX 91-1', '900'))
  await expect(number).toHaveValue('')
})
