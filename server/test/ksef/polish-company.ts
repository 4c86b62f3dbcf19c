import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ksefCheckSigns } from '@waybill/contract/invoice/ksef/numbers'
import { rateDay } from '@waybill/contract/invoice/ksef/rate'
import type { TestApp } from '../app.ts'

export const SELLER_NIP = '7822345674'

/** A company of ours in Poland; without a mode it hands files over by hand. */
export async function polishCompany(test: TestApp, more: object = {}): Promise<{ id: number; version: number }> {
  const { body, status } = await test.admin.post('companies', {
    title: 'Waybill Polska Sp. z o.o.',
    code: 'WBPL',
    vatNumber: `PL${SELLER_NIP}`,
    address: 'ul. Bałtycka 64',
    postal: '61-017',
    city: 'Poznań',
    countryId: await test.idOf('country', 'code', 'PL'),
    email: 'biuro@waybill-polska.example',
    phone: '+48 61 555 30 00',
    timeZone: 'Europe/Warsaw',
    language: 'pl',
    invoiceNumberPattern: 'WP/{N}/{YYYY}',
    bankAccounts: [{ bankName: 'Bank Wielkopolski', iban: 'PL61109010140000071219812874', bic: 'WBKPPLPPXXX' }],
    ...more,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

let customers = 0

/** A customer that gets PDFs, in Poland where nothing else is said. */
export async function newCustomer(test: TestApp, country = 'PL', more: object = {}): Promise<number> {
  customers += 1
  const { body, status } = await test.admin.post('customers', {
    title: `Odlewnia Dębowiec & Synowie ${customers}`,
    address: 'ul. Hutnicza 101B',
    postal: '62-300',
    city: 'Września',
    countryId: await test.idOf('country', 'code', country),
    language: 'pl',
    invoiceEmail: 'faktury@debowiec.example',
    ...more,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id as number
}

/** Enters the euro rate that an invoice of today needs. */
export async function enterRate(test: TestApp, rateE4 = 42_662, servicePeriodTo: string | null = null) {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(test.clock.now())
  const day = rateDay(servicePeriodTo, today)
  const { status, body } = await test.admin.put(`nbp-rates/${day}`, {
    tableNumber: `226/A/NBP/${day.slice(0, 4)}`,
    rateE4,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return day
}

let given = 0

/** A number as KSeF would give it to an invoice of this seller. */
export function ksefNumber(nip = SELLER_NIP): string {
  given += 1
  const first = `${nip}-20261123-${given.toString(16).toUpperCase().padStart(12, '0')}`
  return `${first}-${ksefCheckSigns(first)}`
}

// The published schemas are no part of the project.
const SCHEMAS = process.env.E_INVOICE_SCHEMAS

/** What FA(3)'s schema has against an XML; nothing where its folder is not named. */
export function fa3Faults(xml: Buffer): string {
  if (SCHEMAS === undefined) return ''
  const folder = mkdtempSync(join(tmpdir(), 'ksef-'))
  try {
    const file = join(folder, 'invoice.xml')
    writeFileSync(file, xml)
    const schema = join(SCHEMAS, 'ksef-fa3/schemat_FA(3)_v1-0E.xsd')
    const env = { ...process.env, XML_CATALOG_FILES: join(SCHEMAS, 'ksef-fa3/catalog.xml') }
    execFileSync('xmllint', ['--nonet', '--noout', '--schema', schema, file], { stdio: 'pipe', env })
    return ''
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
