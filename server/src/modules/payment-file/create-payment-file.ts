import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import {
  LAST_PAYMENT_DAY,
  type createPaymentFile as endpoint,
  type PaymentFile,
} from '@waybill/contract/payment-file/payment-file'
import { isSepaCountry, isTargetClosed } from '@waybill/contract/payment-file/sepa'
import { APPROVED_INVOICE } from '@waybill/contract/invoice/status'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { payerOf, type Payer } from './debtor-bank.query.ts'
import { findPayables, whyNot, type FoundPayable } from './payable.query.ts'
import { insertRun, lockInvoices, nextRunNumber } from './payment-file.repository.ts'
import { runView } from './payment-file.query.ts'
import { isOfFilter } from './payment-file.policy.ts'
import { planPayments } from './plan-payments.rules.ts'
import { countryOf, paymentFileXml } from './sepa-file.rules.ts'
import { sepaText, type Umlauts } from './sepa-text.rules.ts'

type Body = z.output<typeof endpoint.body>

// Without letters and digits that are mistaken for each other.
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const RANDOM_SIGNS = 10
const randomMark = (): string => Array.from({ length: RANDOM_SIGNS }, () => SIGNS[randomInt(SIGNS.length)]).join('')

function checkDay(date: string, today: string): void {
  if (date < today) throw fieldError('executionDate', 'in_the_past')
  if (date > addDays(today, LAST_PAYMENT_DAY))
    throw fieldError('executionDate', 'payment_day_far', { max: LAST_PAYMENT_DAY })
  if (isTargetClosed(date)) throw fieldError('executionDate', 'target_closed')
}

/** The invoices of a body, in its order, each of which may be paid. Errors at `invoiceIds.<n>`. */
async function invoicesOf(ctx: Ctx, { invoiceIds, executionDate }: Body, companyId: number): Promise<FoundPayable[]> {
  const found = new Map(
    (await findPayables(ctx, sql`i.id = any(${invoiceIds}::bigint[]) and i.state = 'active'`, invoiceIds.length)).map(
      (one) => [one.id, one],
    ),
  )
  const fields = invoiceIds.flatMap((id, index): FieldFault[] => {
    const at = (code: FieldFault['code']): FieldFault[] => [{ path: `invoiceIds.${index}`, code }]
    const one = found.get(id)
    if (!one || !isOfFilter(ctx, one.companyId)) return at('unknown_reference')
    if (invoiceIds.indexOf(id) < index) return at('duplicate_key')
    if (one.entityType !== 'carrier') return at('invalid_value')
    const reason = whyNot(one, companyId, executionDate)
    return reason === null ? [] : at(reason)
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return [...found.values()]
}

const APPROVED = sql`i."entityType" = 'carrier' and i.state = 'active' and i.currency = 'EUR'
  and i.status = ${APPROVED_INVOICE}`

/** The credit notes of the carriers of invoices, which two runs at once may not both leave out. */
async function creditsOf(ctx: Ctx, invoiceIds: readonly number[], companyId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from invoice i where ${APPROVED} and i."companyId" = ${companyId} and i."totalCents" < 0
      and i."carrierCompanyId" in (select o."carrierCompanyId" from invoice o where o.id = any(${invoiceIds}::bigint[]))
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Refuses to pay a carrier that would owe us afterwards: `credit_balance` at its invoices. */
async function refuseDebtors(
  ctx: Ctx,
  invoices: readonly FoundPayable[],
  asked: readonly number[],
  companyId: number,
): Promise<void> {
  const carriers = [...new Set(invoices.map(({ carrierCompanyId }) => carrierCompanyId))]
  const { rows } = await sql<{ carrierCompanyId: number }>`
    select i."carrierCompanyId" from invoice i
      where ${APPROVED} and i."companyId" = ${companyId} and i."carrierCompanyId" = any(${carriers}::bigint[])
        and i.id <> all(${asked}::bigint[]) and not exists (select 1 from payment_file_item item
          where item."invoiceId" = i.id and item."isValid")
      group by i."carrierCompanyId" having sum(i."totalCents") < 0
  `.execute(ctx.db)
  const debtors = new Set(rows.map(({ carrierCompanyId }) => carrierCompanyId))
  const fields = asked.flatMap((id, index): FieldFault[] => {
    const { carrierCompanyId } = invoices.find((one) => one.id === id)!
    return debtors.has(carrierCompanyId) ? [{ path: `invoiceIds.${index}`, code: 'credit_balance' }] : []
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
}

// A number that has no sign a bank takes is still named.
const referenceOf = ({ id, number }: FoundPayable, umlauts: Umlauts): string =>
  sepaText(number, 100, umlauts) || String(id)

interface Writing extends Pick<Body, 'debtorBankId' | 'executionDate' | 'combine'> {
  payer: Payer
  /** each of which may be paid */
  invoices: readonly FoundPayable[]
  /** RFC 3339 */
  createdAt: string
  createdById: number | null
}

/** Writes a run and its file; returns its id, or the credit notes that cannot be set off. */
export async function writeRun(
  ctx: Ctx,
  { payer, invoices, debtorBankId, executionDate, combine, createdAt, createdById }: Writing,
): Promise<{ id: number; left: [] } | { id: null; left: readonly FoundPayable[] }> {
  const { companyId, debtor, timeZone, umlauts } = payer
  const carriers = Map.groupBy(
    invoices.map((one) => ({ ...one, reference: referenceOf(one, umlauts) })),
    ({ carrierCompanyId }) => carrierCompanyId,
  )
  const plans = [...carriers.values()].map((ofCarrier) => planPayments(ofCarrier, { combine }))
  const left = plans.flatMap((plan) => plan.left)
  if (left.length > 0) return { id: null, left }

  const number = await nextRunNumber(ctx, Number(localOf(createdAt, timeZone).date.slice(0, 4)))
  const messageId = `WB${number}-${randomMark()}`
  const payments = plans
    .flatMap((plan) => plan.payments)
    .map((payment, index) => {
      const creditor = payment.items.find(({ iban }) => iban === payment.iban)!
      return { ...payment, creditor, endToEndId: `${messageId}-${String(index + 1).padStart(4, '0')}` }
    })
  const xml = Buffer.from(
    paymentFileXml({
      messageId,
      createdAt,
      executionDate,
      debtor,
      umlauts,
      payments: payments.map(({ creditor, iban, ...payment }) => ({ ...payment, creditor: { ...creditor, iban } })),
    }),
  )
  const id = await insertRun(ctx, {
    xml,
    run: {
      number,
      companyId,
      debtorBankId,
      debtor: JSON.stringify(debtor),
      executionDate,
      combine,
      messageId,
      fileName: `pain001-${number}.xml`,
      sizeBytes: xml.length,
      sha256: createHash('sha256').update(xml).digest('hex'),
      paymentCount: payments.length,
      invoiceCount: invoices.length,
      totalCents: payments.reduce((sum, { amountCents }) => sum + amountCents, 0),
      createdAt,
      createdById,
    },
    payments: payments.map(({ creditor, items, iban, amountCents, remittance, endToEndId }) => ({
      payment: {
        carrierCompanyId: creditor.carrierCompanyId,
        creditorName: creditor.title,
        iban,
        bic: creditor.bic,
        amountCents,
        remittance,
        endToEndId,
      },
      items: items.map((item) => ({ invoiceId: item.id, amountCents: item.totalCents })),
    })),
  })
  return { id, left: [] }
}

/**
 * Makes a run and its file in one transaction: the invoices are locked first, so that of two who want the same one gets
 * a file and the other a refusal. Errors: as the contract names them.
 */
export async function createPaymentFile(ctx: Ctx, body: Body): Promise<PaymentFile> {
  const payer = await payerOf(ctx, body.debtorBankId)
  if (!payer.isConfirmed) throw fieldError('debtorBankId', 'debtor_unconfirmed')
  if (!isSepaCountry(countryOf(payer.debtor.iban), body.executionDate)) throw fieldError('debtorBankId', 'outside_sepa')
  checkDay(body.executionDate, localOf(nowOf(ctx), payer.timeZone).date)
  await lockInvoices(ctx, [...body.invoiceIds, ...(await creditsOf(ctx, body.invoiceIds, payer.companyId))])
  const invoices = await invoicesOf(ctx, body, payer.companyId)
  await refuseDebtors(ctx, invoices, body.invoiceIds, payer.companyId)
  const { invoiceIds: asked, ...rest } = body
  const { id, left } = await writeRun(ctx, {
    ...rest,
    payer,
    invoices,
    createdAt: nowOf(ctx),
    createdById: ctx.actor?.userId ?? null,
  })
  if (id === null)
    throw new AppError('validation', {
      fields: left.map((one) => ({ path: `invoiceIds.${asked.indexOf(one.id)}`, code: 'credit_too_big' })),
    })
  await audit(ctx, { ownerKind: 'paymentFile', ownerId: id, action: 'created' })
  return runView(ctx, id)
}
