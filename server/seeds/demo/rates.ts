import { isPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { addDays } from '@waybill/contract/kit/local-time'
import type { Db } from '../../src/kit/database/db.ts'
import { insertRows } from './bulk.ts'
import { createRandom } from './random.ts'

/** The days before the first one, whose invoices take the rate of the working day before. */
const BEFORE = 14
/** As long as the demo's year is, and those. */
const DAYS = 401 + BEFORE
/** Working days of a year before a day, for the numbers of the tables. */
function tableOf(day: string): string {
  const year = day.slice(0, 4)
  let number = 0
  for (let one = `${year}-01-01`; one <= day; one = addDays(one, 1)) if (isPolishWorkingDay(one)) number += 1
  return `${String(number).padStart(3, '0')}/A/NBP/${year}`
}

/** The euro in złoty since the start, as NBP's table A would say it; made up, around 4.26. */
export async function seedRates(db: Db, startedAt: string): Promise<void> {
  const random = createRandom(4262)
  const start = addDays(startedAt.slice(0, 10), -BEFORE)
  const days = Array.from({ length: DAYS }, (_, index) => addDays(start, index))
  await insertRows(
    db,
    'nbp_rate',
    days.filter(isPolishWorkingDay).map((day) => ({
      day,
      tableNumber: tableOf(day),
      rateE4: 42_600 + Math.round(random.normal() * 200),
      enteredAt: startedAt,
    })),
  )
}
