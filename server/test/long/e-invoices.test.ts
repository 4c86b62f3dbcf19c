// 400 invoices and corrections of all kinds, sent through the API: row, XML and PDF say the same amounts, the reader of
// received invoices reads them, and neither our rules nor the published schemas find anything.
import { expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { differencesOf, sendGenerated, type Generated } from '../e-invoices/generated-invoices.ts'
import { sendOfOrders, sendPolish } from '../e-invoices/generated-sales.ts'

const INVOICES = 400
const POLISH = 100
/** of each format, beside the combined one */
const OF_ONE_ORDER = 9
const app = useTestApp()

interface Row {
  kind: string
  format: string
  made: number
  right: number
}

/** How many were made of each kind in each format, and how many of them are right. */
function tableOf(checked: readonly { one: Generated; isRight: boolean }[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { one, isRight } of checked) {
    for (const kind of one.kinds) {
      const row = rows.get(`${kind} ${one.format}`) ?? { kind, format: one.format, made: 0, right: 0 }
      rows.set(`${kind} ${one.format}`, row)
      row.made += 1
      row.right += isRight ? 1 : 0
    }
  }
  return [...rows.values()].toSorted((a, b) => a.kind.localeCompare(b.kind) || a.format.localeCompare(b.format))
}

it('400 generated invoices and corrections are right in every format', { timeout: 1_800_000 }, async () => {
  const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
  console.log(`electronic invoices: WAYBILL_SEED=${seed}`)
  const ofOrders = await sendOfOrders(app, seed, OF_ONE_ORDER)
  const typed = await sendGenerated(app, seed, INVOICES - POLISH - ofOrders.length)
  const sent = [...ofOrders, ...typed, ...(await sendPolish(app, seed, POLISH))]
  expect(sent.length).toBe(INVOICES)
  const checked: { one: Generated; isRight: boolean }[] = []
  const faults: string[] = []
  for (const one of sent) {
    const differences = await differencesOf(app, one)
    checked.push({ one, isRight: differences.length === 0 })
    faults.push(...differences.map((fault) => `seed ${one.seed}, ${one.format}, invoice ${one.id}: ${fault}`))
  }
  console.table(tableOf(checked))
  expect(faults).toEqual([])
})
