import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

// Spec §5: 25 MB.
const MOST_BYTES = 26_214_400

/** One page with a word on it, blown up behind its end: readers stop there. */
function pdfOf(size = 0): Buffer {
  const text = 'BT /F1 24 Tf 72 700 Td (Versicherung 4711) Tj ET'
  const parts = ['%PDF-1.4\n']
  const places: number[] = []
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  objects.forEach((object, index) => {
    places.push(parts.join('').length)
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`)
  })
  const start = parts.join('').length
  parts.push(
    'xref\n0 6\n0000000000 65535 f \n',
    ...places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`),
    `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
  const pdf = Buffer.from(parts.join(''), 'latin1')
  return size === 0 ? pdf : Buffer.concat([pdf], size)
}

/** A file of that size on disk: bytes handed to the page go through its script, which takes five seconds for 25 MB. */
function fileOf(name: string, size: number): string {
  const path = test.info().outputPath(name)
  writeFileSync(path, pdfOf(size))
  return path
}

async function openFiles(page: Page, { api, idOf }: Waybill, partners: Partners) {
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
  })
  await page.goto(`/orders/${order.id as number}/edit`)
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Choose files' }).waitFor()
  return files
}

test.beforeEach(({ signIn }) => signIn())

test('takes a file of exactly 25 MB and refuses one byte more before it travels', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const files = await openFiles(page, waybill, partners)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/upload') && sent.push(request.url()))
  const chooser = files.locator('input[type="file"]')
  await chooser.setInputFiles(fileOf('too-much.pdf', MOST_BYTES + 1))
  await expect(files.getByText('The file exceeds the maximum allowed size of 25 MB.')).toBeVisible()
  expect(sent).toHaveLength(0)
  await chooser.setInputFiles(fileOf('just-fits.pdf', MOST_BYTES))
  await expect(files.getByRole('button', { name: 'just-fits.pdf', exact: true })).toBeVisible()
  await expect(files.getByText('26.2 MB')).toBeVisible()
  expect(sent).toHaveLength(1)
  await expectAccessible(page)
  await files.getByRole('button', { name: 'Dismiss too-much.pdf' }).click()
  await expect(files.getByText('too-much.pdf')).toHaveCount(0)
})

test('refuses one byte more than 25 MB on the way too, where the page could not know', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const files = await openFiles(page, waybill, partners)
  // As a file that has grown since it was chosen.
  await page.evaluate(() => Object.defineProperty(File.prototype, 'size', { get: () => 1000 }))
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/upload'))
  await files.locator('input[type="file"]').setInputFiles(fileOf('has-grown.pdf', MOST_BYTES + 1))
  expect((await answer).status()).toBe(413)
  await expect(files.getByText('The file exceeds the maximum allowed size of 25 MB.')).toBeVisible()
  await page.reload()
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Choose files' }).waitFor()
  await expect(files.getByText('has-grown.pdf')).toHaveCount(0)
})

test('shows how far a file is, lets it be stopped, and keeps nothing of it', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const files = await openFiles(page, waybill, partners)
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 1_000_000,
  })
  await files.locator('input[type="file"]').setInputFiles(fileOf('slow.pdf', MOST_BYTES))
  const progress = files.getByRole('progressbar', { name: 'slow.pdf is being uploaded' })
  await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0.05)
  expect(Number(await progress.getAttribute('value'))).toBeLessThan(1)
  await files.getByRole('button', { name: 'Stop uploading slow.pdf' }).click()
  await expect(progress).toHaveCount(0)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await page.reload()
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Choose files' }).waitFor()
  await expect(files.getByText('slow.pdf')).toHaveCount(0)
})

test('says why a file did not arrive, and sends it once more when asked', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const files = await openFiles(page, waybill, partners)
  await files.locator('input[type="file"]').setInputFiles({
    name: 'program.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`MZ\u0090${'\0'.repeat(200)}`, 'latin1'),
  })
  await expect(files.getByText('This type of file is not allowed.')).toBeVisible()
  await files.getByRole('button', { name: 'Dismiss program.pdf' }).click()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await files
    .locator('input[type="file"]')
    .setInputFiles({ name: 'cmr.pdf', mimeType: 'application/pdf', buffer: pdfOf() })
  const again = files.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await again.click()
  await expect(files.getByRole('button', { name: 'cmr.pdf', exact: true })).toHaveCount(1)
  await expect(again).toHaveCount(0)
})

test('shows a PDF in the page, says what it is and until when, and removes it after asking', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  // The browser without a window has no viewer of its own: what the page hands to one is asked here.
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }))
  const files = await openFiles(page, waybill, partners)
  // Not a proof of delivery: that one is mailed to the customer after eight seconds, and stays from then on.
  await files.getByLabel('Document type').click()
  await page.getByRole('option', { name: 'Pallet note' }).click()
  // As from a desktop: dragged in and let go.
  const carried = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'policy.pdf', { type: 'application/pdf' }))
      return data
    },
    [...pdfOf()],
  )
  await files.getByText('Drop files here or').dispatchEvent('drop', { dataTransfer: carried })
  const policy = files.getByRole('button', { name: 'policy.pdf', exact: true })
  await policy.click()
  const preview = page.getByRole('dialog', { name: 'policy.pdf' })
  await expect(preview.locator('object')).toHaveAttribute('data', /^blob:/)
  await shoot(page, 'document-preview')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await preview.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('policy.pdf')
  await preview.getByRole('button', { name: 'Close' }).click()
  await expect(preview).toHaveCount(0)

  await files.getByRole('button', { name: 'Edit policy.pdf' }).click()
  const edit = page.getByRole('dialog', { name: 'policy.pdf' })
  await edit.getByLabel('Document type').click()
  await page.getByRole('option', { name: 'Other document' }).click()
  await edit.getByLabel('Valid until').fill('31.2.2027')
  await edit.getByLabel('Valid until').press('Enter')
  await edit.getByLabel('Valid until').blur()
  await expect(edit.getByText('This date does not exist')).toBeVisible()
  await edit.getByLabel('Valid until').fill('+10')
  await edit.getByLabel('Valid until').press('Enter')
  await expect(edit).toHaveCount(0)
  await expect(files.getByText('10 days left')).toBeVisible()
  await expect(files.getByRole('list').first().getByText('Other document')).toBeVisible()

  await files.getByRole('button', { name: 'Remove policy.pdf' }).click()
  const asked = page.getByRole('dialog', { name: 'Remove file?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toHaveCount(0)
  await files.getByRole('button', { name: 'Remove policy.pdf' }).click()
  await asked.getByRole('button', { name: 'Remove' }).click()
  await expect(policy).toHaveCount(0)
})
