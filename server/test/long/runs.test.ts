// 300 payment files against the published schema, and runs that are made while the server is killed: an invoice is in
// one of them at most, and what was acknowledged is there with its bytes.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { faultsOf, generatedRun } from '../payments/generated-runs.ts'
import { ibanOf, schemaFaults } from '../payments/payment-examples.ts'
import { newInstallation } from './installation.ts'

const FILES = 300
const MOST_PAYMENTS = 2000
const ROUNDS = 20
const INVOICES = 6
const CALLERS = 8

const base = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

it('300 generated runs of 1 to 2,000 payments are valid by the published schema', { timeout: 900_000 }, async () => {
  console.log(`payment runs: WAYBILL_SEED=${base}`)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-runs-'))
  for (let index = 0; index < FILES; index += 1) {
    const run = generatedRun(base + index, MOST_PAYMENTS)
    expect(faultsOf(run), `seed ${base + index}`).toEqual([])
    const path = join(folder, 'run.xml')
    await writeFile(path, run.xml)
    expect(await schemaFaults(path), `seed ${base + index}`).toBe('')
  }
  await rm(folder, { recursive: true })
})

it('20 kills while eight make runs leave every invoice in one run at most', { timeout: 900_000 }, async () => {
  const installation = await newInstallation()
  installation.start()
  await installation.untilReady(150_000)
  const database = openDatabase(installation.databaseUrl(), { max: 3 })
  const rowsOf = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await database.pool.query<Row>(text, values)).rows
  try {
    const token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token as string
    const call = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
      installation.call(method, path, { body, headers, token })
    const [country] = await rowsOf<{ id: number }>(`select id from country where code = 'PL'`)
    const [company] = await rowsOf<{ id: number }>('select id from company order by id')
    const [bank] = await rowsOf<{ id: number }>(
      `update company_bank_account set "confirmedById" = (select min(id) from "user"), "enteredById" = null
        where id = (select min(id) from company_bank_account where "companyId" = $1) returning id`,
      [company!.id],
    )
    const iban = ibanOf('PL', 28, 4711)
    const carrier = (await call('POST', 'carrier-companies', {
      title: 'Kill Trans',
      countryId: country!.id,
      bankAccounts: [{ iban }],
    }))!.body
    await rowsOf(
      `update carrier_bank_account set "enteredById" = null, "confirmedById" = (select min(id) from "user")
        where "carrierCompanyId" = $1`,
      [carrier.id],
    )
    const acknowledged = new Map<number, string>()
    for (let round = 1; round <= ROUNDS; round += 1) {
      const ids: number[] = []
      for (let n = 0; n < INVOICES; n += 1) {
        const { body } = (await call('POST', 'invoices', {
          entityType: 'carrier',
          companyId: company!.id,
          carrierCompanyId: carrier.id,
          number: `K ${round}/${n}`,
          amountCents: 1000 + n,
          iban,
        }))!
        await call('POST', `invoices/${body.id}/status`, { to: 'approved', version: body.version })
        ids.push(body.id)
      }
      const [{ day }] = (await rowsOf<{ day: string }>(
        `select to_char(d, 'YYYY-MM-DD') as day from generate_series(now() + interval '3 days',
          now() + interval '20 days', interval '1 day') d
          where extract(isodow from d) < 6 and to_char(d, 'MM-DD') not in ('01-01', '05-01', '12-25', '12-26')
          order by d offset 3 limit 1`,
      )) as [{ day: string }]
      const press = async (caller: number) => {
        // Each wants most of them, not the same ones.
        const invoiceIds = ids.filter((_, index) => index % CALLERS !== caller)
        const body = { invoiceIds, debtorBankId: bank!.id, executionDate: day }
        const answer = await call('POST', 'payment-files', body, { 'idempotency-key': `r${round}c${caller}` })
        if (answer === null) return
        expect([201, 422, 503], JSON.stringify(answer.body)).toContain(answer.status)
        // In the run of another, or paid by it as soon as that one is confirmed.
        if (answer.status === 422)
          for (const { code } of answer.body.errors) expect(['in_payment_run', 'pay_not_approved']).toContain(code)
        if (answer.status !== 201) return
        acknowledged.set(answer.body.id, answer.body.sha256)
        const confirmed = await call('POST', `payment-files/${answer.body.id}/confirm`, { version: 1 })
        if (confirmed !== null) expect([200, 503], JSON.stringify(confirmed.body)).toContain(confirmed.status)
      }
      const known = acknowledged.size
      let isOver = false
      const presses = Promise.all(Array.from({ length: CALLERS }, (_, caller) => press(caller))).finally(() => {
        isOver = true
      })
      // In every other round as soon as one has its file, while the others still ask; else at any moment before.
      if (round % 2 === 0) while (!isOver && acknowledged.size === known) await wait(1)
      else await wait((round * 97) % 1500)
      await installation.killServer()
      await presses
      installation.start()
      await installation.untilReady(150_000)

      expect(
        await rowsOf(`select "invoiceId" from payment_file_item where "isValid" group by 1 having count(*) > 1`),
      ).toEqual([])
      // A run is whole or not there: bytes, payments, items, and what became of its invoices.
      expect(
        await rowsOf(`
          select f.id from payment_file f
            left join payment_file_content c on c."paymentFileId" = f.id
            where c.xml is null or length(c.xml) <> f."sizeBytes"
              or f."invoiceCount" <> (select count(*) from payment_file_item i where i."paymentFileId" = f.id)
              or f."totalCents" <> (select sum(p."amountCents") from payment_file_payment p
                where p."paymentFileId" = f.id)
              or exists (select 1 from payment_file_item i join invoice v on v.id = i."invoiceId"
                where i."paymentFileId" = f.id
                  and v.status <> case f.status when 'confirmed' then 'paid' else 'approved' end)`),
      ).toEqual([])
      const kept = await rowsOf<{ id: number; xml: Buffer }>(
        `select "paymentFileId" as id, xml from payment_file_content`,
      )
      for (const [id, sha256] of acknowledged) {
        const found = kept.find((one) => one.id === id)
        expect(found && createHash('sha256').update(found.xml).digest('hex'), `run ${id}`).toBe(sha256)
      }
      const again = await installation.call('GET', 'payment-files', { token })
      expect(again === null ? 200 : again.status).toBe(200)
    }
    expect(acknowledged.size).toBeGreaterThan(0)
    console.log(`payment runs: ${acknowledged.size} acknowledged in ${ROUNDS} rounds`)
  } finally {
    await database.close()
    await installation.remove()
  }
})
