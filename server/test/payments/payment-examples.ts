import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CarrierCompany } from '@waybill/contract/carrier-company'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { expect } from 'vitest'
import type { Caller, TestApp } from '../app.ts'

/** What a published schema says against a file that banks read or write; nothing where it is valid. */
export async function schemaFaults(
  path: string,
  schema: 'pain.001.001.09' | 'camt.053.001.08' = 'pain.001.001.09',
): Promise<string> {
  const published = join(import.meta.dirname, `../schemas/${schema}.xsd`)
  return promisify(execFile)('xmllint', ['--nonet', '--noout', '--schema', published, path]).then(
    () => '',
    (error: { stderr?: string; message: string }) => error.stderr ?? error.message,
  )
}

/** An IBAN with its right check digits (ISO 13616); `length` is that of the country. */
export function ibanOf(countryCode: string, length: number, account: number): string {
  const rest = String(account).padStart(length - 4, '0')
  const digits = `${rest}${countryCode}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = 98n - (BigInt(digits) % 97n)
  return `${countryCode}${String(check).padStart(2, '0')}${rest}`
}

export interface PaymentWorld {
  companyId: number
  /** our account, confirmed */
  debtorBankId: number
  /** who enters accounts, and who confirms them */
  first: Caller
  second: Caller
  clerk: Caller
  /** a carrier with an account that a second person has confirmed, unless `isConfirmed` is false */
  carrier(title: string, more?: Record<string, unknown> & { iban?: string; isConfirmed?: boolean }): Promise<Paid>
  /** a carrier's invoice that is approved, unless `isApproved` is false */
  invoice(carrier: Paid, more?: Record<string, unknown> & { isApproved?: boolean }): Promise<Invoice>
}

export interface Paid {
  id: number
  iban: string
}

/** People, an account of ours, and carriers and invoices as they are asked for. */
export async function paymentWorld(test: TestApp): Promise<PaymentWorld> {
  const { body: companies } = await test.admin.get('companies')
  let company = (await test.admin.get(`companies/${companies.items[0].id}`)).body
  company = (
    await test.admin.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ bankName: 'Hausbank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }] },
      { version: company.version },
    )
  ).body
  const [{ id: debtorBankId }] = company.bankAccounts as [{ id: number }]
  const other = (await test.userWith('SETTINGS_ACCESS')).caller
  const confirmed = await other.post(`bank-accounts/${debtorBankId}/confirm`, {}, { version: company.version })
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
  const [first, second, clerk] = await Promise.all([
    test.userWith('CARRIER_MANAGEMENT').then(({ caller }) => caller),
    test.userWith('CARRIER_MANAGEMENT').then(({ caller }) => caller),
    test.userWith('INVOICES_PROCESSING').then(({ caller }) => caller),
  ])
  const countryId = await test.idOf('country', 'code', 'PL')
  let count = 0
  return {
    companyId: company.id,
    debtorBankId,
    first,
    second,
    clerk,
    async carrier(title, { iban, isConfirmed = true, bic = null, ...more } = {}) {
      count += 1
      const account = iban ?? ibanOf('PL', 28, 1000 + count)
      const { status, body } = await first.post<CarrierCompany>('carrier-companies', {
        title,
        countryId,
        city: 'Łódź',
        bankAccounts: [{ iban: account, bic }],
        ...more,
      })
      expect(status, JSON.stringify(body)).toBe(201)
      if (isConfirmed) {
        const path = `carrier-companies/${body.id}/bank-accounts/${body.bankAccounts[0]!.id}/confirm`
        expect((await second.post(path, {}, { version: body.version })).status).toBe(200)
      }
      return { id: body.id, iban: account }
    },
    async invoice(carrier, { isApproved = true, ...more } = {}) {
      count += 1
      const { status, body } = await clerk.post<Invoice>('invoices', {
        entityType: 'carrier',
        companyId: company.id,
        carrierCompanyId: carrier.id,
        number: `FV ${count}/2026`,
        amountCents: 100_00,
        iban: carrier.iban,
        dueDate: '2026-12-01',
        ...more,
      })
      expect(status, JSON.stringify(body)).toBe(201)
      if (!isApproved) return body
      const approved = await clerk.post<Invoice>(
        `invoices/${body.id}/status`,
        { to: 'approved', ...(more.currency !== undefined && { reason: 'paid by hand' }) },
        { version: body.version },
      )
      expect(approved.status, JSON.stringify(approved.body)).toBe(200)
      return approved.body
    },
  }
}
