import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'
import { pdf } from './support/transport.ts'

const PDF = Buffer.from(
  [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ].join(' '),
)

test('a proof of delivery says what it proves, is refused with a reason, and accepted after all', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf } = waybill
  const germany = await idOf('countries', 'Germany')
  const customerIds: number[] = []
  for (const title of ['Glaswerk Lohr GmbH', 'Töpferei Höhr KG'])
    customerIds.push(
      (await api('POST', 'customers', { title, language: 'de', countryId: germany, city: 'Lohr' })).body.id,
    )
  const stop = (key: string, kind: string, city: string, cargo: string[], action: string) => ({
    key,
    kind,
    city,
    countryId: germany,
    termin: { kind: 'fix', dateFrom: '2026-12-01' },
    cargoActions: cargo.map((cargoKey) => ({ cargoKey, action })),
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds,
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [
      { key: 'a', title: 'Glas', quantity: 2, customerId: customerIds[0] },
      { key: 'b', title: 'Krüge', quantity: 3, customerId: customerIds[1] },
    ],
    locations: [
      stop('from', 'loading', 'Lohr', ['a', 'b'], 'PICK_UP'),
      stop('one', 'unloading', 'Ulm', ['a'], 'DROP_OFF'),
      stop('two', 'unloading', 'Passau', ['b'], 'DROP_OFF'),
    ],
    routes: [{ locationKeys: ['from', 'one', 'two'], assignment: { ownFleet: true } }],
  })
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  const section = page.getByRole('region', { name: 'Other documents' })
  await section.scrollIntoViewIfNeeded()

  // Two customers: which deliveries does it prove?
  await section
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Ulm.pdf', mimeType: 'application/pdf', buffer: PDF })
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Ulm.pdf')
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await shoot(page, 'pod-drop-offs')
  await expectAccessible(page)
  await dialog.getByRole('checkbox', { name: /Ulm/ }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const row = section.getByRole('listitem').filter({ hasText: 'Ulm.pdf' })
  await expect(row).toContainText('accepted')
  await expect(row).toContainText('for Ulm')

  // Refused: the reason is asked for, and survives that somebody else was faster.
  await row.getByRole('button', { name: 'Refuse Ulm.pdf' }).click()
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(dialog).toContainText('A reason is needed')
  await dialog.getByRole('textbox').fill('The signature is missing')
  const [stored] = (await api('GET', `documents?orderId=${order.id}`)).body.items
  await api('PATCH', `documents/${stored.id}`, { version: stored.version, locationIds: [order.locations[2].id] })
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(dialog).toContainText('Someone else has changed')
  await expect(dialog.getByRole('textbox')).toHaveValue('The signature is missing')
  await expect(row).toContainText('Passau')
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toContainText('refused')
  await expect(row).toContainText('The signature is missing')

  // Taken back while its mail waits, and refused once more; then accepted.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('accepted')
  await row.getByRole('button', { name: 'Refuse Ulm.pdf' }).click()
  await dialog.getByRole('textbox').fill('Page 2 is missing')
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(row).toContainText('Page 2 is missing')
  await settled(page, 300)
  await shoot(page, 'pod-refused')
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Accept Ulm.pdf' }).click()
  await expect(page.getByText('Ulm.pdf was accepted')).toBeVisible()
  await expect(row).toContainText('accepted')
  await expect(row).not.toContainText('Page 2 is missing')
})

test('what was done last can be undone for eight seconds, however soon it followed on the one before', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  const { api, idOf } = waybill
  const germany = await idOf('countries', 'Germany')
  const { body: customer } = await api('POST', 'customers', {
    title: 'Ziegelei Landshut GmbH',
    language: 'de',
    countryId: germany,
    city: 'Landshut',
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [{ key: 'a', title: 'Ziegel', quantity: 9, customerId: customer.id }],
    locations: ['loading', 'unloading'].map((kind, at) => ({
      key: kind,
      kind,
      city: ['Landshut', 'Ulm'][at],
      countryId: germany,
      termin: { kind: 'fix', dateFrom: '2026-12-01' },
      cargoActions: [{ cargoKey: 'a', action: ['PICK_UP', 'DROP_OFF'][at] }],
    })),
    routes: [{ locationKeys: ['loading', 'unloading'], assignment: { ownFleet: true } }],
  })
  await signIn()
  await page.clock.install()
  await page.goto(`/orders/${order.id}/edit`)
  const section = page.getByRole('region', { name: 'Other documents' })
  await section.scrollIntoViewIfNeeded()
  await section
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Ulm.pdf', mimeType: 'application/pdf', buffer: PDF })
  const row = section.getByRole('listitem').filter({ hasText: 'Ulm.pdf' })
  await expect(row).toContainText('accepted')

  const stand = async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await row.getByRole('button', { name: 'Refuse Ulm.pdf' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Page 2 is missing')
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(page.getByText('Ulm.pdf was refused')).toBeVisible()
  await stand()
  await row.getByRole('button', { name: 'Accept Ulm.pdf' }).click()
  const accepted = page.getByText('Ulm.pdf was accepted')
  await expect(accepted).toBeVisible()
  await page.clock.runFor(7_500)
  await expect(page.getByText('Ulm.pdf was refused')).toBeHidden()
  await expect(accepted).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  // What the server answers is told to the page a moment later, which a standing clock does not have.
  await page.clock.resume()
  await expect(row).toContainText('Page 2 is missing')
})

test('one file of a merged truck proves the deliveries of several customers, and each of their orders counts it', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, expectAccessible, shoot }) => {
  const { api, idOf, mails, url } = waybill
  const germany = await idOf('countries', 'Germany')
  const done = async (method: string, path: string, body: object, version?: number) => {
    const answer = await api(method, path, body, version === undefined ? undefined : { 'If-Match': `"${version}"` })
    expect([answer.status < 300, answer.body.errors ?? answer.body.code], `${method} ${path}`).toEqual([
      true,
      undefined,
    ])
    return answer.body
  }
  const sources: { id: number; number: string; to: string }[] = []
  for (const [title, city, day] of [
    ['Glaswerk Merzig GmbH', 'Ulm', '2026-12-02'],
    ['Töpferei Ransbach KG', 'Passau', '2026-12-03'],
  ] as const) {
    const to = `versand@${city.toLowerCase()}.example`
    const customer = await done('POST', 'customers', {
      title,
      language: 'en',
      countryId: germany,
      city: 'Merzig',
      contactPersons: [{ fullName: 'Dispatch', email: to }],
    })
    const stop = (kind: string, place: string, dateFrom: string, action: string) => ({
      kind,
      city: place,
      countryId: germany,
      termin: { kind: 'fix', dateFrom },
      cargoActions: [{ cargoKey: 'a', action }],
    })
    const order = await done('POST', 'orders', {
      customerIds: [customer.id],
      departmentId: await idOf('departments', 'FTL West'),
      customerPriceCents: 41_000,
      cargo: [{ key: 'a', title, quantity: 2 }],
      locations: [stop('loading', 'Merzig', '2026-12-01', 'PICK_UP'), stop('unloading', city, day, 'DROP_OFF')],
    })
    sources.push({ id: order.id, number: order.number, to })
  }
  const merged = await done('POST', 'orders/merge', {
    orderIds: sources.map(({ id }) => id),
    carrierCompanyId: partners.transwarta,
  })
  const result = () => api('GET', `orders/${merged.id as number}`).then(({ body }) => body)
  for (const to of ['scheduled', 'in_transit', 'delivered'])
    await done(
      'POST',
      `orders/${merged.id as number}/status`,
      { to, ...(to !== 'scheduled' && { at: new Date().toISOString() }) },
      (await result()).version,
    )

  // The carrier has one paper with the signatures of both consignees.
  const { version, routes, number } = await result()
  const { link } = await done('POST', `routes/${routes[0].id as number}/upload-link`, { linkId: null }, version)
  const token = new URL(link.url).pathname.split('/').at(-1)!
  const form = new FormData()
  form.append('kind', 'pod')
  form.append('file', new Blob([new Uint8Array(pdf(`merged ${token}`))], { type: 'application/pdf' }), 'CMR merged.pdf')
  expect((await fetch(`${url}/api/upload-documents/${token}/files`, { method: 'POST', body: form })).status).toBe(201)
  expect((await fetch(`${url}/api/upload-documents/${token}/proofs`, { method: 'POST' })).status).toBe(200)

  await signIn()
  await page.goto(`/orders/${merged.id as number}/edit`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(number)
  const section = page.getByRole('region', { name: 'Other documents' })
  await section.scrollIntoViewIfNeeded()
  const row = section.getByRole('listitem').filter({ hasText: 'CMR merged.pdf' })
  await expect(row).toContainText('to check')
  await row.getByRole('button', { name: 'Accept CMR merged.pdf' }).click()

  // Whose deliveries does it prove? Nobody is told of it before that is said.
  const asked = page.getByRole('dialog', { name: 'Which deliveries does it prove?' })
  await asked.getByRole('button', { name: 'Accept' }).click()
  await expect(asked.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'pod-of-merged')
  for (const city of ['Ulm', 'Passau']) await asked.getByRole('checkbox', { name: new RegExp(city) }).check()
  await asked.getByRole('button', { name: 'Accept' }).click()
  await expect(asked).toBeHidden()
  await expect(row).toContainText('accepted')
  await expect(row).toContainText(/Ulm.*Passau/)

  // Each customer gets the file once, and neither reads of the other.
  for (const { to } of sources) {
    const mail = await mails.waitFor(
      (one) => (one.to?.some(({ address }) => address === to) ?? false) && one.attachments.length > 0,
    )
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['CMR merged.pdf'])
    const other = sources.find((one) => one.to !== to)
    expect(mail.to!.map(({ address }) => address)).not.toContain(other!.to)
  }

  // It counts for the orders that were merged: each can be billed once the truck is done.
  await done('POST', `orders/${merged.id as number}/status`, { to: 'completed' }, (await result()).version)
  for (const { id } of sources) {
    expect((await api('GET', `orders/${id}`)).body).toMatchObject({ status: 'merged', hasPod: true })
    await done('POST', 'invoices', { entityType: 'customer', orderIds: [id] })
  }
})
