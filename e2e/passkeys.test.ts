import type { CDPSession, Page } from '@playwright/test'
import { addPerson, fillLogin } from './support/people.ts'
import { expect, test } from './support/test.ts'

/** A device of this browser that holds passkeys, with the right finger on it. */
async function plugIn(page: Page): Promise<{ device: CDPSession; authenticatorId: string }> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { device, authenticatorId }
}

test('adds a passkey, signs in with it alone, and gives it beside the password', { tag: '@long' }, async ({
  page,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  const { device, authenticatorId } = await plugIn(page)
  const profile = `${waybill.publicUrl}/profile/${person.id}/edit`
  const section = page.getByRole('region', { name: 'Passkeys' })
  const title = page.getByRole('heading', { name: 'Your profile' })
  const signOut = () => page.evaluate(() => localStorage.clear())

  await page.goto(profile)
  await expect(page.getByLabel('Email')).toBeVisible()
  await fillLogin(page, person)
  await section.getByRole('button', { name: 'Add' }).click()
  await section.getByRole('textbox', { name: 'Name', exact: true }).fill('Office key')
  await section.getByLabel('Current password').fill(person.password)
  await expectAccessible(page)
  await shoot(page, 'profile adding a passkey')
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await expect(section.getByRole('listitem')).toContainText('Office key')
  await waybill.mails.waitFor(({ subject }) => subject === 'A passkey was added to your access')

  // Alone: the person is asked for neither address nor password.
  await signOut()
  await page.goto(profile)
  const alone = page.getByRole('button', { name: 'Sign in with a passkey' })
  await expect(alone).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'sign-in with a passkey')
  await alone.click()
  await expect(title).toBeVisible()
  await expect(section.getByRole('listitem')).toContainText('last used')

  // After the password, which is not enough any more.
  await signOut()
  await page.goto(profile)
  await fillLogin(page, person)
  await expect(page.getByText('asks for your passkey beside the password')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'passkey as second factor')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(title).toBeVisible()

  // Without the right finger it lets nobody in.
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await signOut()
  await page.goto(profile)
  await alone.click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used')
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await alone.click()
  await section.getByRole('button', { name: 'Remove: Office key' }).click()
  await section.getByLabel('Current password').fill(person.password)
  await section.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(section).toContainText('None yet')
  await waybill.mails.waitFor(({ subject }) => subject === 'A passkey was removed from your access')
})
