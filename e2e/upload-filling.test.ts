// What fills the upload page by itself: electronic invoices, and what becomes of photos on the phone.
import type { Page } from '@playwright/test'
import { ciiOf, exampleInvoice, hybridPdf, ublOf } from '../server/test/e-invoice-examples.ts'
import { exifOf, placeBytes, POZNAN, withExif } from '../server/test/exif.ts'
import { expect, test } from './support/test.ts'
import { addTransport } from './support/transport.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const IBAN = 'PL61109010140000071219812874'
const invoice = (more: Parameters<typeof exampleInvoice>[0] = {}) =>
  exampleInvoice({
    number: 'FV/2026/12/0088',
    issueDate: '2026-11-20',
    dueDate: '2027-01-20',
    iban: IBAN,
    lines: [{ text: 'Transport Łódź – Frechen', netCents: 118_000, vatBp: 0, category: 'AE' }],
    seller: { name: 'Transwarta Sp. z o.o.', vatNumber: 'PL7831812692', countryCode: 'PL' },
    ...more,
  })
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const drop = (page: Page, name: string, buffer: Buffer, kind: 'invoice' | 'pod' = 'invoice') =>
  page.locator(`[data-kind="${kind}"]`).setInputFiles({ name, mimeType: '', buffer })
const speakEnglish = (page: Page) => page.getByRole('button', { name: 'EN', exact: true }).click()

test('an electronic invoice fills the details, asks where they differ, and is sent as it was confirmed', {
  tag: '@long',
}, async ({ page, waybill, partners, expectAccessible, shoot }) => {
  const { orderId, path } = await addTransport(waybill, partners)
  await page.goto(path)
  await speakEnglish(page)
  const field = (name: string) => page.getByRole('textbox', { name })
  const number = field('Invoice number')
  const asked = page.getByRole('group', { name: 'Your electronic invoice says something else' })

  // All seven at once; and they go with the file.
  await drop(page, 'FV-88.pdf', await hybridPdf(ciiOf(invoice())))
  await expect(page.getByText('Electronic invoice read (ZUGFeRD).')).toBeVisible()
  await expect(number).toHaveValue('FV/2026/12/0088')
  await expect(page.getByLabel('Invoice date')).toHaveValue('2026-11-20')
  await expect(page.getByLabel('Due date')).toHaveValue('2027-01-20')
  await expect(field('Amount without VAT')).toHaveValue('1,180.00')
  await expect(page.locator('#vat')).toHaveValue('0')
  await expect(field('Total with VAT')).toHaveValue('1,180.00')
  await expect(field('IBAN')).toHaveValue('PL61 1090 1014 0000 0712 1981 2874')
  await expect(page.getByText('Same amount as in our order')).toBeVisible()
  await page.getByText('Electronic invoice read').scrollIntoViewIfNeeded()
  await shoot(page, 'upload-filled')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove FV-88.pdf' }).click()
  await expect(number).toHaveValue('')
  await expect(page.getByText('Electronic invoice read')).toHaveCount(0)

  // What is typed stays, and is asked; it cannot be sent before that is answered.
  await number.fill('FV/2026/12/0099')
  await field('Amount without VAT').fill('1,200')
  await drop(page, 'FV-88.xml', Buffer.from(ublOf(invoice())))
  await expect(asked).toBeVisible()
  await expect(number).toHaveValue('FV/2026/12/0099')
  await expect(field('Amount without VAT')).toHaveValue('1,200')
  await expect(page.getByLabel('Invoice date')).toHaveValue('2026-11-20')
  await expect(asked.getByRole('listitem')).toHaveCount(2)
  await asked.scrollIntoViewIfNeeded()
  await shoot(page, 'upload-differs')
  await expectAccessible(page)
  await field('Why does the amount differ?').fill('Waiting time')
  await page.getByRole('button', { name: 'Send documents' }).click()
  await expect(page.getByRole('alert')).toContainText('Please choose what is right')

  // The answers stand a reload; one is taken over, one is left as it was typed.
  await asked.getByRole('button', { name: 'Keep as entered: Invoice number' }).click()
  await expect(asked.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(asked.getByRole('listitem')).toHaveCount(1)
  await asked.getByRole('button', { name: 'Take from the invoice: Amount without VAT' }).click()
  await expect(field('Amount without VAT')).toHaveValue('1,180.00')
  await expect(field('Total with VAT')).toHaveValue('1,180.00')
  await expect(asked).toHaveCount(0)
  await page.getByRole('button', { name: 'Send documents' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you, this has arrived.' })).toBeVisible()

  const { body } = await waybill.api('GET', `invoices?orderId[]=${orderId}&entityType=carrier`)
  expect(body.items).toMatchObject([{ number: 'FV/2026/12/0099', totalCents: 118_000 }])
})

test('another addressee is said, and a credit note is not taken', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const { path } = await addTransport(waybill, partners)
  await page.goto(path)
  await speakEnglish(page)
  const buyer = { name: 'Nordlicht Maschinenbau GmbH', vatNumber: 'DE136695976', countryCode: 'DE' }
  await drop(page, 'FV-89.xml', Buffer.from(ublOf(invoice({ buyer }))))
  await expect(page.getByText('This invoice is addressed to Nordlicht Maschinenbau GmbH, DE136695976.')).toBeVisible()
  await drop(page, 'KOR-1.xml', Buffer.from(ublOf(invoice({ kind: 'creditNote' }))))
  await expect(rowOf(page, 'KOR-1.xml')).toContainText('This is a credit note')
  await expect(page.getByLabel('Invoice number')).toHaveValue('FV/2026/12/0088')
})

/** A photo of twelve megapixels that no JPEG makes small, lying on its side, with one red corner. */
async function photo(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 4000, height: 3000 })
    const pen = canvas.getContext('2d')!
    const grain = pen.createImageData(4000, 3000)
    let state = 1
    for (let at = 0; at < grain.data.length; at += 4) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      grain.data.fill(state >>> 24, at, at + 3)
      grain.data[at + 3] = 255
    }
    pen.putImageData(grain, 0, 0)
    pen.fillStyle = '#f00'
    pen.fillRect(0, 0, 800, 800)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
    const reader = new FileReader()
    reader.readAsDataURL(blob!)
    await new Promise((resolve) => reader.addEventListener('load', resolve))
    return (reader.result as string).split(',')[1]!
  })
  const exif = exifOf({ orientation: 6, place: POZNAN, make: 'Fotofix 12', takenAt: '2026:12:04 09:41:07' })
  return withExif(Buffer.from(drawn, 'base64'), exif)
}

test('a photo of twelve megapixels is upright, without a mark and a place, and at most 3 MB', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const { orderId, path } = await addTransport(waybill, partners)
  await page.goto(path)
  await speakEnglish(page)
  const taken = await photo(page)
  expect(taken.length).toBeGreaterThan(3_500_000)
  const sent = page.waitForRequest((request) => request.url().endsWith('/files') && request.method() === 'POST')
  await page
    .locator('[data-photo="pod"]')
    .setInputFiles({ name: 'IMG_0815.jpeg', mimeType: 'image/jpeg', buffer: taken })
  expect(Number((await (await sent).allHeaders())['content-length'])).toBeLessThan(3_001_000)
  await expect(rowOf(page, 'IMG_0815.jpg')).toContainText('uploaded, not sent yet')
  await page.getByRole('button', { name: 'Send documents' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you, this has arrived.' })).toBeVisible()

  const { body: documents } = await waybill.api('GET', `documents?orderId=${orderId}`)
  const kept = Buffer.from(await waybill.file(`documents/${documents.items[0].id}/file`))
  expect(kept.length).toBeLessThanOrEqual(3_000_000)
  for (const gone of [...placeBytes(POZNAN), Buffer.from('Exif'), Buffer.from('Fotofix')])
    expect(kept.includes(gone)).toBe(false)
  const shown = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    // As it lies in the file: no mark turns it.
    const picture = await createImageBitmap(new Blob([bytes]), { imageOrientation: 'none' })
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: picture.width, height: picture.height })
    const pen = canvas.getContext('2d')!
    pen.drawImage(picture, 0, 0)
    const [red, green] = pen.getImageData(picture.width - 100, 100, 1, 1).data
    return { width: picture.width, height: picture.height, isRed: red! > 200 && green! < 80 }
  }, kept.toString('base64'))
  expect(shown).toEqual({ width: 1875, height: 2500, isRed: true })
})

test('a picture that the browser cannot draw is refused with what to do, in three languages', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const { path } = await addTransport(waybill, partners)
  await page.goto(path)
  await speakEnglish(page)
  const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(40)])
  for (const [language, word] of [
    ['EN', 'iPhone: Settings, Camera, Formats, Most Compatible'],
    ['DE', 'iPhone: Einstellungen, Kamera, Formate, Maximale Kompatibilität'],
    ['PL', 'iPhone: Ustawienia, Aparat, Formaty, Największa zgodność'],
  ] as const) {
    await page.getByRole('button', { name: language, exact: true }).click()
    await drop(page, `IMG_${language}.HEIC`, heic, 'pod')
    await expect(rowOf(page, `IMG_${language}.HEIC`)).toContainText(word)
  }
})
