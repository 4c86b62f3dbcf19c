import type { TrackingPage } from '@waybill/contract/public/tracking-link'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { pageView } from '../src/public/track/page-view.ts'
import { wordsOf } from '../src/public/track/track-words.ts'

const pageOf = (given: Partial<TrackingPage> = {}): TrackingPage => ({
  language: 'en',
  reference: '4500129877',
  number: '26-00007',
  state: 'delivered',
  stop: null,
  delay: null,
  plateNumbers: [],
  carriers: [],
  stops: [],
  hasMap: false,
  files: [],
  contact: { name: 'Anna Petersen', phone: '+49 40 123456' },
  company: { title: 'Waybill Spedition GmbH', email: 'dispo@waybill.example' },
  at: '2026-11-30T09:00:00Z',
  expiresAt: '2027-01-31T09:00:00Z',
  mark: 'a',
  ...given,
})
const CMR = { key: 'cmr', title: 'POD_26-00007_1.pdf', sizeBytes: 40_000 }
const PHOTO = { key: 'photo', title: 'POD_26-00007_2.jpg', sizeBytes: 900_000 }

const show = (given: Partial<TrackingPage>) =>
  document.body.replaceChildren(
    pageView({ page: pageOf(given), words: wordsOf('en'), addressOf: (key) => `#${key}`, mapAddress: '' }),
  )
afterEach(() => document.body.replaceChildren())

test('the main button downloads what was delivered, one file or all, and calls while there is none', async () => {
  const link = page.getByRole('link', { name: 'Download the proof of delivery' })
  show({ files: [CMR] })
  await expect.element(link).toHaveAttribute('href', '#cmr')
  await expect.element(link).toHaveAttribute('download', CMR.title)

  show({ files: [CMR, PHOTO] })
  const downloaded: string[] = []
  document.body.addEventListener('click', (event) => {
    const { file } = (event.target as HTMLElement).dataset
    if (file === undefined) return
    event.preventDefault()
    downloaded.push(file)
  })
  await page.getByRole('button', { name: 'Download all files (2)' }).click()
  expect(downloaded).toEqual(['cmr', 'photo'])

  show({ files: [CMR], state: 'onTheWay' })
  await expect
    .element(page.getByRole('link', { name: 'Call Anna Petersen' }))
    .toHaveAttribute('href', 'tel:+4940123456')
})
