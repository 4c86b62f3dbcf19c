// 240 invoices to customers of all kinds and formats, sent through the API: row, XML and PDF say the same amounts, the
// reader of received invoices reads them, and the published schemas find nothing.
import { expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { differencesOf, sendGenerated } from '../e-invoices/generated-invoices.ts'

const INVOICES = 240
const app = useTestApp()

it('240 generated invoices and corrections are right in every format', { timeout: 1_800_000 }, async () => {
  const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
  console.log(`electronic invoices: WAYBILL_SEED=${seed}`)
  const sent = await sendGenerated(app, seed, INVOICES)
  expect(sent.length).toBe(INVOICES)
  for (const one of sent)
    expect(await differencesOf(app, one), `seed ${one.seed}, ${one.format}, invoice ${one.id}`).toEqual([])
})
