import { expect, test } from './support/test.ts'

test.beforeEach(({ signIn }) => signIn())

test('says on leaving a field that its text cannot be one, and no longer once it can', async ({ page }) => {
  await page.goto('/customer/create?tab=payment')
  const mail = page.locator('[name="invoiceEmail"]')
  await mail.fill('accounts at hamburg')
  await expect(page.getByText('Invalid email format')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(mail).toHaveAttribute('aria-invalid', 'true')
  await mail.fill('accounts@hamburg.example')
  await expect(mail).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Tab')
  await expect(mail).not.toHaveAttribute('aria-invalid', 'true')
})

test('keeps what is wrong in sight, with the parts that it stands in, and in no message that covers the page', async ({
  page,
  shoot,
}) => {
  await page.goto('/customer/create?tab=contacts')
  for (let row = 0; row < 30; row += 1) {
    await page.getByRole('button', { name: 'Add a contact person' }).click()
    await page.locator(`[name="contactPersons.${row}.email"]`).fill('nobody')
  }
  await page.keyboard.press('Control+s')
  const summary = page.getByRole('alert').filter({ hasText: 'Validation Error' })
  await expect(summary).toHaveCount(1)
  await expect(summary).toContainText('Not saved yet: check 62 entries')
  await page.mouse.wheel(0, 4000)
  await expect(page.locator('[name="contactPersons.29.fullName"]')).toBeInViewport()
  await expect(summary).toBeInViewport()
  await expect(page.getByRole('button', { name: /^General/ })).toBeInViewport()
  await shoot(page, 'form-errors')
})

test('leads a new order to the first that is wrong as the page is read, and says at a cell what is wrong', async ({
  page,
  partners,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await page.goto('/orders/create')
  const department = page.getByRole('combobox', { name: 'Department' })
  await department.fill('')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+s')
  await expect(page.locator('[name="customerIds"]')).toBeFocused()

  await page.locator('[name="customerIds"]').fill('fabryka meb')
  await page.getByRole('option', { name: /^Fabryka Mebli Łódź S.A./ }).click()
  // Rows without a word were taken out before the save.
  await page.getByRole('button', { name: 'Add stop' }).click()
  await page.getByRole('button', { name: 'Add line' }).click()
  const termin = page.locator('[name="locations.0.termin"]')
  await termin.fill('some day')
  const weight = page.locator('[name="cargo.0.weightKg"]')
  await weight.fill('much')
  await page.keyboard.press('Control+s')
  await expect(termin).toHaveAccessibleDescription(/not|understood|date/i)
  await expect(weight).toHaveAccessibleDescription('The value has the wrong type')
  await weight.focus()
  await expect(page.getByText('The value has the wrong type').last()).toBeVisible()
})
