import { expect } from '@playwright/test'
import type { Partners } from './partners.ts'
import type { Waybill } from './waybill.ts'

/** A transport of a carrier from Poland for 1,180.00 €, and the path of its upload link. */
export async function addTransport({ api, idOf }: Waybill, partners: Partners) {
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
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [{ key: 'a', title: 'Maschinenteile', quantity: 3 }],
    locations: [
      stop('from', 'loading', poland, 'Łódź', 'PICK_UP', '2026-12-03'),
      stop('to', 'unloading', germany, 'Frechen', 'DROP_OFF', '2026-12-04'),
    ],
    routes: [
      {
        locationKeys: ['from', 'to'],
        assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 7K412', costCents: 118_000, vatBp: 0 },
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
