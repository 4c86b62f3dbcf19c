import { expect } from '@playwright/test'
import { dayFromToday } from './days.ts'
import type { Partners } from './partners.ts'
import type { Waybill } from './waybill.ts'

interface Wanted {
  departmentId?: number
  carrierCompanyId?: number
  disponentEmail?: string
  paymentPeriodDays?: number
}

/** A transport of a carrier from Poland for 1,180.00 €, and the path of its upload link. */
export async function addTransport({ api, idOf }: Waybill, partners: Partners, wanted: Wanted = {}) {
  const { departmentId = await idOf('departments', 'FTL West'), ...named } = wanted
  const stop = (key: string, kind: string, countryId: number, city: string, action: string, day: string) => ({
    key,
    kind,
    city,
    countryId,
    termin: { kind: 'fix', dateFrom: day },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId,
    cargo: [{ key: 'a', title: 'Maschinenteile', quantity: 3 }],
    locations: [
      stop('from', 'loading', poland, 'Łódź', 'PICK_UP', '2026-12-03'),
      stop('to', 'unloading', germany, 'Frechen', 'DROP_OFF', '2026-12-04'),
    ],
    routes: [
      {
        locationKeys: ['from', 'to'],
        assignment: {
          carrierCompanyId: partners.transwarta,
          plateNumber: 'PO 7K412',
          costCents: 118_000,
          vatBp: 0,
          ...named,
        },
      },
    ],
  })
  const { status, body } = await api(
    'POST',
    `routes/${order.routes[0].id}/upload-link`,
    { linkId: null },
    { 'If-Match': `"${order.version}"` },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return { orderId: order.id as number, path: new URL(body.link.url).pathname }
}

export const pdf = (mark: string): Buffer =>
  Buffer.from(
    [
      `%PDF-1.4\n% ${mark}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj`,
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    ].join(' '),
  )

/** What the carrier does on the page of its link. */
export async function sendAsCarrier({ url }: Waybill, token: string, invoice: object, files: Record<string, string>) {
  for (const [name, kind] of Object.entries(files)) {
    const form = new FormData()
    form.append('kind', kind)
    form.append('file', new Blob([new Uint8Array(pdf(`${token} ${name}`))], { type: 'application/pdf' }), name)
    const sent = await fetch(`${url}/api/upload-documents/${token}/files`, { method: 'POST', body: form })
    expect(sent.status, await sent.text()).toBe(201)
  }
  const answer = await fetch(`${url}/api/upload-documents/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      documentCreationDate: dayFromToday(0),
      vatBp: 0,
      iban: 'PL52124015290000120309876543',
      dueDate: dayFromToday(40),
      ...invoice,
    }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}
