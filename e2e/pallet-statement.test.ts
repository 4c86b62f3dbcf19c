import { linkIn } from './support/people.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'

test('a carrier objects to its pallet statement on a phone, agrees to the next one, and the office sees both', {
  tag: '@long',
}, async ({ page, browser, baseURL, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  // Its own: what others give to the carrier of all journeys would stand in its account.
  const { body: holder } = await api('POST', 'carrier-companies', {
    title: 'Paletowy Trans Sp. z o.o.',
    countryId: await idOf('countries', 'Poland'),
  })
  const { body: types } = await api('GET', 'load-carrier-types')
  const [euro] = types.items as { id: number; title: string }[]
  const move = (given: number, received: number, noteNumber: string) =>
    api('POST', 'load-carriers/movements', {
      holder: { kind: 'carrier', id: holder.id },
      movedOn: '2026-11-20',
      typeId: euro!.id,
      given,
      received,
      noteNumber,
    })
  const send = async (to: string): Promise<string> => {
    await page.goto(`/load-carriers?holder=carrier&account=${holder.id as number}`)
    const account = page.getByRole('region', { name: holder.title as string })
    await account.getByRole('button', { name: /Send statement/ }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('textbox', { name: 'To' }).fill(to)
    await window.getByRole('button', { name: 'Send statement' }).click()
    await expect(page.getByText(`Statement sent to ${to}`)).toBeVisible()
    return new URL(await linkIn(waybill, to, '/statement/')).pathname
  }
  await move(33, 20, 'WT 0931')
  await signIn()
  const first = await send('first@transwarta.example')
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL,
    locale: 'en-GB',
  })
  const carrier = await phone.newPage()
  expectPublicHeaders(await carrier.goto(first))
  await carrier.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(carrier.getByText('you hold 13 of ours')).toBeVisible()
  await expect(carrier.getByRole('cell', { name: 'WT 0931' })).toBeVisible()
  await expectAccessible(carrier)
  await shoot(carrier, 'statement-page')
  // Nothing is sent without a name, nor an objection without a reason.
  await carrier.getByRole('button', { name: 'The balance is right' }).click()
  await expect(carrier.getByRole('alert')).toHaveText('Please enter your name.')
  await carrier.getByRole('button', { name: 'I object …' }).click()
  await carrier.getByLabel('Your name').fill('Anna Żak')
  await carrier.getByRole('button', { name: 'Send the objection' }).click()
  await expect(carrier.getByRole('alert')).toHaveText('Please tell us which line you see differently.')
  await expectAccessible(carrier)
  await carrier.getByLabel('What do you see differently?').fill('On 20 Nov we gave 4 more back: WT 0977')
  // A telephone that dropped the page has it again.
  await carrier.reload()
  await expect(carrier.getByLabel('What do you see differently?')).toHaveValue(/WT 0977/)
  await carrier.getByRole('button', { name: 'Send the objection' }).click()
  await expect(carrier.getByRole('heading', { name: 'Thank you, we look into it.' })).toBeVisible()
  await shoot(carrier, 'statement-objected')

  await page.goto('/load-carriers?tab=notAgreed')
  const row = page.getByRole('row', { name: holder.title as string })
  await expect(row).toContainText('WT 0977')
  await move(0, 4, 'WT 0977')
  const second = await send('second@transwarta.example')
  await carrier.goto(first)
  await expect(carrier.getByRole('heading', { name: 'Thank you, we look into it.' })).toBeVisible()
  await carrier.goto(second)
  await expect(carrier.getByText('you hold 9 of ours')).toBeVisible()
  await carrier.getByLabel('Your name').fill('Anna Żak')
  await carrier.getByRole('button', { name: 'The balance is right' }).click()
  await expect(carrier.getByRole('heading', { name: 'Thank you: the balance is agreed.' })).toBeVisible()
  expect(await phone.cookies()).toEqual([])
  await carrier.goto('/statement/not-a-link')
  await expect(carrier.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await phone.close()
  await page.goto(`/load-carriers?holder=carrier&account=${holder.id as number}`)
  await expect(page.getByText(/Last statement .*, agreed/)).toBeVisible()
})
