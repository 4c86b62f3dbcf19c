import type { Page } from '@playwright/test'
import { settled } from './support/settled.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'
import { addTransport } from './support/transport.ts'

const PDF = Buffer.from(
  [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ].join(' '),
)
const PLACE = 'GPS 52.4064N'

/** A photo as phones make them: lying on its side, with its upright direction and its place in the head. */
async function photo(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 3200, height: 1800 })
    canvas.getContext('2d')!.fillRect(0, 0, 900, 900)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
    return [...new Uint8Array(await blob!.arrayBuffer())]
  })
  const tiff = Buffer.from(`MM\0*\0\0\0\x08\0\x01${'\0'.repeat(16)}${PLACE}`, 'latin1')
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(6, 18)
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([Buffer.from(drawn.slice(0, 2)), head, content, Buffer.from(drawn.slice(2))])
}

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every wrong link is one page in three languages, which no search engine keeps', async ({
    page,
    context,
    expectAccessible,
    shoot,
  }) => {
    const answer = await page.goto('/upload-documents/not-a-link')
    expectPublicHeaders(answer)
    await expect(page.getByRole('heading', { name: 'This link is no longer valid.' })).toBeVisible()
    // Whom to ask is the same for everybody: the office of our main company.
    const office = page.locator('address')
    await expect(office).toContainText('Waybill Spedition GmbH')
    await expect(office).toContainText('Veddeler Damm 12, 20457 Hamburg, Germany')
    await expect(office.getByRole('link', { name: '+49 40 5550 100' })).toHaveAttribute('href', 'tel:+49405550100')
    await expectAccessible(page)
    await shoot(page, 'upload-wrong-link')
    await page.getByRole('button', { name: 'DE' }).click()
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr.' })).toBeVisible()
    await page.getByRole('button', { name: 'PL' }).click()
    await expect(page.getByRole('heading', { name: 'Ten link jest już nieważny.' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
  })

  test('photo, invoice and details arrive through a lost connection and a reload, and more is taken later', async ({
    page,
    context,
    waybill,
    partners,
    expectAccessible,
    shoot,
  }) => {
    const { orderId, path } = await addTransport(waybill, partners)
    await page.goto(path)
    // The carrier's own language first; the chosen one stays on the device.
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Dokumenty do transportu')
    await page.getByRole('button', { name: 'EN', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Documents for transport')
    await expect(page.getByRole('button', { name: 'Take a photo' }).first()).toBeVisible()
    await expect(page.getByText('Łódź')).toBeVisible()
    await expect(page.getByText('PO 7K412')).toBeVisible()
    await expect(page.getByText('1,180.00 €').first()).toBeVisible()
    await expect(page.getByText('Nordlicht Maschinenbau GmbH')).toBeVisible()
    await expect(page.getByText('the signed proof of delivery and your invoice')).toBeVisible()
    await expect(page.getByText(/\d+ days after invoice and proof of delivery have arrived/)).toBeVisible()
    await expect(page.getByText('Waybill Spedition GmbH').first()).toBeVisible()
    await shoot(page, 'upload-first')
    await expectAccessible(page)

    // A photo: upright, smaller, and without its place.
    const taken = await photo(page)
    expect(taken.includes(PLACE)).toBe(true)
    const sent = page.waitForRequest((request) => request.url().endsWith('/files') && request.method() === 'POST')
    await page
      .locator('[data-photo="pod"]')
      .setInputFiles({ name: 'IMG_0815.jpeg', mimeType: 'image/jpeg', buffer: taken })
    await sent
    await expect(rowOf(page, 'IMG_0815.jpg')).toContainText('uploaded, not sent yet')
    await page
      .locator('[data-kind="pod"]')
      .setInputFiles([{ name: 'wrong.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF at all') }])
    await expect(rowOf(page, 'wrong.pdf')).toContainText('Please send a PDF or a picture')
    await page.getByRole('button', { name: 'Remove wrong.pdf' }).click()
    await expect(rowOf(page, 'wrong.pdf')).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: 'wrong.pdf was removed' })).toHaveCount(1)

    // The connection goes: the invoice waits, and what is typed is checked all the same.
    await context.setOffline(true)
    await page
      .locator('[data-kind="invoice"]')
      .setInputFiles({ name: 'FV-88.pdf', mimeType: 'application/pdf', buffer: PDF })
    await expect(rowOf(page, 'FV-88.pdf')).toContainText('no connection')
    await page.getByRole('button', { name: 'Send documents' }).click()
    await expect(page.getByRole('alert')).toContainText('Invoice number: Please fill this in')
    await expect(page.getByLabel('Invoice number')).toBeFocused()
    await page.getByLabel('Invoice number').fill('FV/2026/12/0088')
    await page.getByLabel('Invoice date').fill('2026-11-20')
    await page.getByLabel('Amount without VAT').fill('1,200')
    await page.getByLabel('VAT', { exact: true }).fill('23')
    await expect(page.getByLabel('Total with VAT')).toHaveValue('1,476.00')
    await expect(page.getByText('20.00 € more than agreed')).toBeVisible()
    await expect(page.getByText('0 % expected')).toBeVisible()
    await page.getByLabel('Why does the amount differ?').fill('Waiting time in Frechen')
    await page.getByLabel('IBAN').fill('PL74 1090 1014 0000 0712 1981 2932')
    await page.getByLabel('IBAN').blur()
    await expect(page.getByText('This IBAN has a typing error')).toBeVisible()
    // An account that no other journey puts on the carrier's record.
    await page.getByLabel('IBAN').fill('PL74109010140000071219812931')
    await expect(page.getByText('It will be confirmed first')).toBeVisible()
    await shoot(page, 'upload-hints')
    await expectAccessible(page)

    // Back online; a reload loses nothing, and the file is there once.
    await context.setOffline(false)
    await expect(rowOf(page, 'FV-88.pdf')).toContainText('uploaded, not sent yet')
    await page.reload()
    await expect(page.getByLabel('Invoice number')).toHaveValue('FV/2026/12/0088')
    await expect(page.getByLabel('Why does the amount differ?')).toHaveValue('Waiting time in Frechen')
    await expect(rowOf(page, 'FV-88.pdf')).toHaveCount(1)
    await expect(rowOf(page, 'IMG_0815.jpg')).toHaveCount(1)

    await page.getByRole('button', { name: 'Send documents' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, everything has arrived.' })).toBeVisible()
    const [arrived] = (await waybill.api('GET', `invoices?orderId[]=${orderId}&entityType=carrier`)).body.items
    const payDay = new Date(arrived.dueDate).toLocaleDateString('en-GB', {
      day: '2-digit',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    await expect(page.getByText(`We check the documents and pay by ${payDay}`)).toBeVisible()
    await settled(page)
    await shoot(page, 'upload-done')
    await expectAccessible(page)

    // What staff have of it.
    const { body: invoices } = await waybill.api('GET', `invoices?orderId[]=${orderId}&entityType=carrier`)
    expect(invoices.items).toMatchObject([{ number: 'FV/2026/12/0088', status: 'received', totalCents: 147_600 }])
    const { body: documents } = await waybill.api('GET', `documents?orderId=${orderId}`)
    expect(documents.items).toMatchObject([{ documentType: 'PROOF_OF_DELIVERY', acceptance: 'toCheck' }])
    const kept = await waybill.file(`documents/${documents.items[0].id}/file`)
    expect(Buffer.from(kept).includes(PLACE)).toBe(false)
    const size = await page.evaluate(
      async (bytes) => {
        const { width, height } = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
        return { width, height }
      },
      [...kept],
    )
    expect(size).toEqual({ width: 1406, height: 2500 })

    // The second visit says so, and takes more; Back leads to what arrived.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'These documents have arrived already.' })).toBeVisible()
    await shoot(page, 'upload-again')
    // Set aside, it says so; what has not been written to the carrier is not told.
    const problemPath = `invoices/${arrived.id}/problem`
    const problem = { kind: 'iban', text: 'The account is not theirs' }
    const held = await waybill.api('POST', problemPath, problem, { 'If-Match': `"${arrived.version}"` })
    expect(held.status, JSON.stringify(held.body)).toBe(200)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'We have a question about your invoice' })).toBeVisible()
    await expect(page.getByText('is set aside until a question about it is settled')).toBeVisible()
    await shoot(page, 'upload-set-aside')
    await page.getByRole('button', { name: 'Add a page or send a correction' }).click()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'We have a question about your invoice' })).toBeVisible()
    await page.goForward()
    // The connection is cut in the middle: it goes on by itself.
    await page.route('**/files', (route) => route.abort('internetdisconnected'), { times: 1 })
    await page
      .locator('[data-kind="pod"]')
      .setInputFiles({ name: 'page-2.pdf', mimeType: 'application/pdf', buffer: PDF })
    await expect(rowOf(page, 'page-2.pdf')).toContainText('no connection')
    await expect(rowOf(page, 'page-2.pdf')).toContainText('uploaded, not sent yet')
    await page.getByRole('button', { name: 'Send documents' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you, everything has arrived.' })).toBeVisible()
    await expect(rowOf(page, 'page-2.pdf')).toContainText('being checked')

    // Approved, it takes nothing more; paid, it says so.
    const move = async (to: string, more: object = {}) => {
      const [{ id, version }] = (await waybill.api('GET', `invoices?orderId[]=${orderId}&entityType=carrier`)).body
        .items
      const answer = await waybill.api('POST', `invoices/${id}/status`, { to, ...more }, { 'If-Match': `"${version}"` })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      await page.reload()
    }
    await move('received')
    await move('approved', { reason: 'seen' })
    await expect(page.getByRole('heading', { name: 'Your invoice is approved.' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a page or send a correction' })).toHaveCount(0)
    await shoot(page, 'upload-approved')
    await move('paid')
    await expect(page.getByRole('heading', { name: 'Your invoice is paid.' })).toBeVisible()
    await shoot(page, 'upload-paid')
    expect(await context.cookies()).toEqual([])
  })
})

test('at the desk a proof of delivery is sent with the keyboard alone, in the language that was chosen', async ({
  page,
  waybill,
  partners,
}) => {
  const { path } = await addTransport(waybill, partners)
  await page.goto(path)
  const press = async (name: string) => {
    for (let tab = 0; tab < 60; tab += 1) {
      await page.keyboard.press('Tab')
      if (await page.getByRole('button', { name }).evaluate((button) => button === document.activeElement)) break
    }
    await expect(page.getByRole('button', { name })).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  await press('DE')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dokumente zum Transport')
  await press('Dokumente senden')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByRole('alert')).toContainText('Wählen Sie zuerst')
  const chooser = page.waitForEvent('filechooser')
  await press('Dateien wählen')
  await (await chooser).setFiles({ name: 'CMR.pdf', mimeType: 'application/pdf', buffer: PDF })
  await expect(rowOf(page, 'CMR.pdf')).toContainText('hochgeladen, noch nicht gesendet')
  await press('Dokumente senden')
  await expect(page.getByRole('heading', { name: 'Vielen Dank, das ist angekommen.' })).toBeFocused()
  await expect(page.getByText('Es fehlt noch: Ihre Rechnung')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Diese Dokumente sind schon angekommen.' })).toBeVisible()
})
