import type { Page } from '@playwright/test'
import { textOf } from './support/pdf.ts'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

/** Order 2: one pick-up, two drop-offs, each with its own cargo. */
async function twoDrops(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
  withRoute = true,
): Promise<{ id: number; number: string; version: number }> {
  const [PL, DE] = [await idOf('countries', 'Poland'), await idOf('countries', 'Germany')]
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 145_000,
    cargo: [
      {
        key: 'a',
        title: 'Meble tapicerowane',
        quantity: 9,
        lengthCm: 200,
        widthCm: 120,
        heightCm: 110,
        weightKg: 2790,
      },
      { key: 'b', title: 'Szafy „Łabędź”', quantity: 6, lengthCm: 120, widthCm: 80, heightCm: 220, weightKg: 1680 },
    ],
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', timeTo: '14:00' },
        countryId: PL,
        postal: '93-490',
        city: 'Łódź',
        companyTitle: 'Fabryka Mebli Łódź S.A.',
        cargoActions: ['a', 'b'].map((cargoKey) => ({ cargoKey, action: 'PICK_UP' })),
      },
      {
        kind: 'unloading',
        termin: { kind: 'before', dateFrom: '2026-12-03', timeFrom: '16:00' },
        countryId: DE,
        postal: '33689',
        city: 'Bielefeld',
        companyTitle: 'Möbelhaus Kröger',
        cargoActions: [{ cargoKey: 'a', action: 'DROP_OFF' }],
      },
      {
        kind: 'unloading',
        termin: { kind: 'period', dateFrom: '2026-12-04', timeFrom: '08:00', timeTo: '10:00' },
        countryId: DE,
        postal: '50226',
        city: 'Frechen',
        companyTitle: 'Wohnwelt Rhein GmbH',
        cargoActions: [{ cargoKey: 'b', action: 'DROP_OFF' }],
      },
    ],
    routes: withRoute
      ? [
          {
            assignment: {
              carrierCompanyId: partners.transwarta,
              plateNumber: 'PO 1A234',
              costCents: 98_000,
              vatBp: 2300,
            },
          },
        ]
      : [],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; number: string; version: number }
}

async function openFiles(page: Page, id: number) {
  await page.goto(`/orders/${id}/edit`)
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).click()
  return { files, dialog: page.getByRole('dialog') }
}

test.beforeEach(({ signIn }) => signIn())

test('says before the click what a paper needs', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const order = await twoDrops(waybill, partners, 'PAPER-0', false)
  const { files, dialog } = await openFiles(page, order.id)
  await expect(dialog.getByText('A route is needed')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'generate-document-needs-route')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(files.getByText('A route is needed')).toBeVisible()
})

test('makes one consignment note for each pair, in the languages that are chosen, and a transport order', {
  tag: '@long',
}, async ({ page, waybill, partners, expectAccessible, shoot }) => {
  const order = await twoDrops(waybill, partners, 'PAPER-1')
  const { files, dialog } = await openFiles(page, order.id)
  await dialog.getByRole('combobox', { name: 'Second language' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await dialog.getByText('More for the boxes of the form').click()
  await dialog.getByRole('textbox', { name: /Documents attached/ }).fill('Lieferschein 4711')
  await dialog.getByRole('textbox', { name: /Cash on delivery/ }).fill('plenty')
  await expect(dialog.getByText('The value is not allowed here')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: /Cash on delivery/ }).fill('1,200.50')
  await expectAccessible(page)
  await shoot(page, 'generate-document-cmr')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText('2 documents were generated')).toBeVisible()
  await expect(
    files.getByRole('button', { name: `CMR_${order.number}-1_Łódź – Bielefeld.pdf`, exact: true }),
  ).toBeVisible()

  const { body } = await waybill.api('GET', `documents?orderId=${order.id}`)
  const frechen = (body.items as { id: number; title: string }[]).find(({ title }) => title.includes('Frechen'))!
  await files.getByRole('button', { name: frechen.title, exact: true }).scrollIntoViewIfNeeded()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: `Download ${frechen.title}` }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const text = textOf(Buffer.concat(chunks))
  for (const part of [
    'Egzemplarz dla nadawcy / Copy for sender',
    'Wohnwelt Rhein GmbH',
    'Szafy „Łabędź”',
    '1 680',
    'Lieferschein 4711',
    '1 200,50 EUR',
    'PO 1A234',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('Kröger')

  await files.getByRole('button', { name: 'Generate document' }).click()
  await dialog.getByRole('combobox', { name: 'Document' }).click()
  await page.getByRole('option', { name: 'Transport order', exact: true }).click()
  await dialog.getByRole('button', { name: 'Extended' }).click()
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Behind the standard conditions' }).fill('Palety do wymiany')
  await shoot(page, 'generate-document-order')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(
    files.getByRole('button', {
      name: `Zlecenie transportowe_${order.number}-1_Transwarta Sp. z o.o.pdf`,
      exact: true,
    }),
  ).toBeVisible()
})

test('saves what was typed before a paper is made of it', { tag: '@long' }, async ({ page, waybill, partners }) => {
  const order = await twoDrops(waybill, partners, 'PAPER-2')
  await page.goto(`/orders/${order.id}/edit`)
  await page.locator('[name="customerOrderNumber"]').fill('PAPER-2-B')
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Your changes are saved first.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(
    files.getByRole('button', { name: `CMR_${order.number}-1_Łódź – Frechen.pdf`, exact: true }),
  ).toBeVisible()
  expect((await waybill.api('GET', `orders/${order.id}`)).body.customerOrderNumber).toBe('PAPER-2-B')
})
