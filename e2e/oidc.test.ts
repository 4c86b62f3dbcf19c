import { openOpenIdServer, type OpenIdServer } from '../server/test/openid-server.ts'
import { addPerson } from './support/people.ts'
import { expect, test as base } from './support/test.ts'
import { startWaybill } from './support/waybill.ts'

const test = base.extend<object, { provider: OpenIdServer }>({
  provider: [
    async ({}, use) => {
      const provider = await openOpenIdServer()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  waybill: [
    async ({ provider: { issuer, client, register } }, use) => {
      const waybill = await startWaybill({
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: client.clientId,
        OIDC_CLIENT_SECRET: client.clientSecret,
        OIDC_LABEL: 'Forwarder ID',
      })
      register(`${waybill.publicUrl}/auth/provider`)
      await use(waybill)
      await waybill.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test('signs in by the identity provider, to the page that was asked for, and is told when nobody is known', {
  tag: '@long',
}, async ({ page, waybill, provider, expectAccessible, shoot }) => {
  const person = await addPerson(waybill, { isAdmin: true })
  provider.accounts.anna = { name: 'Anna Petersen', email: person.email, email_verified: true }
  provider.accounts.eve = { name: 'Eve', email: 'eve@elsewhere.example', email_verified: true }
  const button = page.getByRole('button', { name: 'Sign in with Forwarder ID' })
  const signInThere = async (name: string) => {
    await button.click()
    await page.getByPlaceholder('Enter any login').fill(name)
    await page.getByPlaceholder('and password').fill('any')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  // The provider’s pages ask for a font from elsewhere.
  await page.route(/^https:/, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  await page.goto(`${waybill.publicUrl}/users?perPage=25`)
  await expect(button).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'sign-in with an identity provider')
  await signInThere('eve')
  await expect(page.getByRole('alert')).toContainText('There is no account in Waybill for you')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()

  // The provider still knows Eve: Anna comes with a browser of her own there.
  await page.context().clearCookies({ name: /^_/ })
  await signInThere('anna')
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  expect(page.url()).toBe(`${waybill.publicUrl}/users?perPage=25`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
})
