import { describe, expect, it } from 'vitest'
import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { mayAccess, PERMISSIONS, type Access, type Permission } from '@waybill/contract/permissions'
import type { Caller } from './app.ts'
import { useTestApp } from './app.ts'
import { RIGHTS_OF_RECORDS } from '../../contract/test/rights-of-records.ts'

const test = useTestApp()

interface Row {
  endpoint: Endpoint
  access: Access
  compact: boolean
}

// Every endpoint of the contract, each resource's verbs included; lists twice, once per representation.
const ROWS: Row[] = [
  ...ENDPOINTS.map((endpoint) => ({ endpoint, access: endpoint.access, compact: false })),
  ...RESOURCES.flatMap((api) => [
    ...[api.list, api.export, api.get, api.create, api.replace, api.patch, api.remove].map((endpoint) => ({
      endpoint,
      access: endpoint.access,
      compact: false,
    })),
    { endpoint: api.compact, access: api.compact.access, compact: true },
  ]),
]

// The rights (domain, People and rights; api, Resources), written down a second time on purpose: a right that changes
// in the contract must be changed here by somebody. Those of records stand in contract/test/rights-of-records.ts.
const EXPECTED: Record<string, string> = {
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /version': 'public',
  'POST /token': 'public',
  'POST /token/two-factor': 'public',
  'POST /token/two-factor/setup': 'public',
  'POST /token/two-factor/passkey': 'public',
  'POST /token/two-factor/passkey/answer': 'public',
  'POST /token/passkey': 'public',
  'POST /token/passkey/answer': 'public',
  'GET /token/ways': 'public',
  'POST /token/provider': 'public',
  'POST /token/provider/answer': 'public',
  'POST /token/refresh': 'public',
  'POST /token/logout': 'public',
  'GET /changes': 'signedIn',
  'GET /profile': 'signedIn',
  'PATCH /profile': 'signedIn',
  'POST /profile/change-password': 'signedIn',
  'POST /profile/recover_password_mail': 'public',
  'POST /profile/reset_password': 'public',
  'POST /profile/two-factor': 'signedIn',
  'POST /profile/two-factor/confirm': 'signedIn',
  'DELETE /profile/two-factor': 'signedIn',
  'GET /profile/passkeys': 'signedIn',
  'POST /profile/passkeys/options': 'signedIn',
  'POST /profile/passkeys': 'signedIn',
  'PATCH /profile/passkeys/:id': 'signedIn',
  'DELETE /profile/passkeys/:id': 'signedIn',
  'GET /profile/sessions': 'signedIn',
  'DELETE /profile/sessions': 'signedIn',
  'DELETE /profile/sessions/:id': 'signedIn',
  'GET /api-keys': 'administrator',
  'POST /api-keys': 'administrator',
  'POST /api-keys/:id/revoke': 'administrator',
  'GET /api-keys/rights/:userId': 'administrator',
  'GET /webhooks': 'administrator',
  'POST /webhooks': 'administrator',
  'PUT /webhooks/:id': 'administrator',
  'DELETE /webhooks/:id': 'administrator',
  'POST /webhooks/:id/rotate-secret': 'administrator',
  'POST /webhooks/:id/pause': 'administrator',
  'POST /webhooks/:id/resume': 'administrator',
  'POST /webhooks/:id/test': 'administrator',
  'GET /webhook-deliveries': 'administrator',
  'POST /webhook-deliveries/:id/send-again': 'administrator',
  'GET /profile/preferences': 'signedIn',
  'PATCH /profile/preferences': 'signedIn',
  'GET /profile/views': 'signedIn',
  'POST /profile/views': 'signedIn',
  'PATCH /profile/views/:id': 'signedIn',
  'DELETE /profile/views/:id': 'signedIn',
  'GET /vat-proposal': 'signedIn',
  'GET /bookkeeping/next-number': 'CUSTOMER_MANAGEMENT|CARRIER_MANAGEMENT|INVOICES_PROCESSING',
  'GET /places': 'signedIn',
  'GET /places/map': 'signedIn',
  'GET /places/distance': 'signedIn',
  'GET /documents': 'signedIn',
  'POST /upload': 'signedIn',
  'GET /documents/:id/file': 'signedIn',
  'GET /documents/:id/e-invoice': 'signedIn',
  'POST /invoices/read-e-invoice': 'INVOICES_PROCESSING',
  'GET /invoices/:id/e-invoice': 'INVOICES_PROCESSING',
  'GET /invoices/:id/e-invoice/xml': 'INVOICES_PROCESSING',
  'POST /invoices/:id/ksef/number': 'INVOICES_PROCESSING',
  'POST /invoices/:id/ksef/without': 'INVOICES_PROCESSING',
  'POST /invoices/:id/ksef/offline': 'INVOICES_PROCESSING',
  'POST /invoices/:id/ksef/again': 'INVOICES_PROCESSING',
  'GET /invoices/ksef': 'INVOICES_PROCESSING',
  'GET /invoices/ksef/not-issued/export': 'INVOICES_PROCESSING',
  'GET /companies/:id/ksef-certificates': 'SETTINGS_ACCESS',
  'PUT /companies/:id/ksef-certificates/:kind': 'SETTINGS_ACCESS',
  'PUT /nbp-rates/:day': 'INVOICES_PROCESSING',
  'PATCH /documents/:id': 'signedIn',
  'DELETE /documents/:id': 'signedIn',
  'POST /documents/:id/accept': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING|CARRIER_MANAGEMENT',
  'POST /documents/:id/refuse': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING|CARRIER_MANAGEMENT',
  'POST /documents/:id/undo': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING|CARRIER_MANAGEMENT',
  'GET /departments/:id/snippets': 'SETTINGS_ACCESS|ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING',
  'GET /emails': 'signedIn',
  'GET /emails/:id': 'signedIn',
  'GET /emails/:id/rendered': 'signedIn',
  'POST /emails': 'signedIn',
  'POST /emails/:id/cancel': 'signedIn',
  'POST /emails/:id/send-now': 'signedIn',
  'POST /emails/:id/undo-cancel': 'signedIn',
  'GET /email-refusals': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING|CUSTOMER_MANAGEMENT|CARRIER_MANAGEMENT',
  'GET /intake-mails': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/counts': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/:id': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/upload': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/:id/file': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/:id/attachments/:place': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/take': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/assign': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/close': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/reopen': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/read': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/file-with': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/:id/learned-rules': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'DELETE /intake-mails/:id/learned-rules/:ruleId': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /intake-mails/:id/drafts': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/drafts/:position/order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/drafts/:position/second-order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /intake-mails/:id/drafts/:position/quote': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /customers/:id/credit': 'INVOICES_PROCESSING',
  'GET /open-items/credit': 'INVOICES_PROCESSING',
  'GET /customers/:id/credit-standing': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /customers/:id/credit-lifts': 'INVOICES_PROCESSING',
  'POST /credit-lifts/:id/end': 'INVOICES_PROCESSING',
  'GET /reminders/due': 'INVOICES_PROCESSING',
  'POST /reminders/preview': 'INVOICES_PROCESSING',
  'POST /reminders/letter': 'INVOICES_PROCESSING',
  'POST /reminders': 'INVOICES_PROCESSING',
  'POST /load-carriers/bill': 'INVOICES_PROCESSING',
  'GET /orders/:id/stops/:stopId/load-carriers': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'PUT /orders/:id/stops/:stopId/load-carriers': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /claims': 'INVOICES_PROCESSING',
  'POST /claims/pay': 'INVOICES_PROCESSING',
  'POST /claims/waive': 'INVOICES_PROCESSING',
  'POST /claims/bookings/:id/reverse': 'INVOICES_PROCESSING',
  'GET /invoices/:id/extras': 'INVOICES_PROCESSING',
  'GET /invoices/:id/sale': 'INVOICES_PROCESSING',
  'GET /invoices/:id/reminders': 'INVOICES_PROCESSING',
  'POST /emails/preview': 'signedIn',
  'POST /emails/resend': 'signedIn',
  'POST /emails/:id/resend': 'signedIn',
  'GET /audit-entries': 'signedIn',
  'GET /audit': 'administrator',
  'GET /operations': 'administrator',
  'GET /operations/licences': 'administrator',
  'GET /operations/paper-periods': 'administrator',
  'PUT /operations/paper-periods': 'administrator',
  'GET /operations/paper-periods/preview': 'administrator',
  'GET /operations/retention': 'administrator',
  'PUT /operations/retention': 'administrator',
  'GET /operations/retention/preview': 'administrator',
  'POST /operations/held': 'administrator',
  'POST /operations/numbers': 'administrator',
  'POST /operations/jobs/:name/:id/retry': 'administrator',
  'DELETE /operations/jobs/:name/:id': 'administrator',
  'GET /events': 'signedIn',
  'POST /bank-accounts/:id/confirm': 'SETTINGS_ACCESS',
  'GET /companies/:id/invoice-counter': 'SETTINGS_ACCESS',
  'GET /companies/:id/logo': 'SETTINGS_ACCESS',
  'PUT /companies/:id/logo': 'SETTINGS_ACCESS',
  'GET /customers/lookalikes': 'CUSTOMER_MANAGEMENT',
  'GET /carrier-companies/lookalikes': 'CARRIER_MANAGEMENT',
  'GET /customers/:id/for-order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /customers/:id/learned-rules': 'CUSTOMER_MANAGEMENT',
  'DELETE /customers/:id/learned-rules/:ruleId': 'CUSTOMER_MANAGEMENT',
  'POST /customers/:id/vat-check': 'CUSTOMER_MANAGEMENT',
  'POST /carrier-companies/:id/bank-accounts/:bankAccountId/confirm': 'CARRIER_MANAGEMENT',
  'GET /carrier-companies/:id/clearance': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /orders/:id/routes/:routeId/carriers': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /carrier-companies/ending-papers': 'CARRIER_MANAGEMENT',
  'POST /carrier-companies/:id/paper-requests': 'CARRIER_MANAGEMENT',
  'GET /carrier-releases': 'CARRIER_MANAGEMENT',
  'POST /carrier-releases/:id/decide': 'CARRIER_MANAGEMENT',
  'POST /routes/:id/carrier-releases': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /carrier-companies/:id/for-order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /orders/import': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /planning': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /planning/for-sale/export': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /planning/routes/:id/attached': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /reports/margin': 'ORDERS_MANAGEMENT',
  'GET /reports/margin/export': 'ORDERS_MANAGEMENT',
  'GET /reports/punctuality': 'ORDERS_MANAGEMENT',
  'GET /reports/punctuality/export': 'ORDERS_MANAGEMENT',
  'GET /reports/spans': 'ORDERS_MANAGEMENT',
  'GET /reports/spans/export': 'ORDERS_MANAGEMENT',
  'GET /reports/open-pods': 'ORDERS_MANAGEMENT',
  'GET /reports/open-pods/export': 'ORDERS_MANAGEMENT',
  'GET /reports/losses': 'ORDERS_MANAGEMENT',
  'GET /reports/losses/export': 'ORDERS_MANAGEMENT',
  'GET /reports/emission': 'ORDERS_MANAGEMENT',
  'GET /reports/emission/export': 'ORDERS_MANAGEMENT',
  'GET /orders/:id/emission': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /orders/:id/billed': 'INVOICES_PROCESSING',
  'POST /orders/:id/billed/keep': 'INVOICES_PROCESSING',
  'POST /orders/:id/duplicate': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /orders/:id/extras': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING',
  'POST /orders/:id/extras/:extraId/state': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS|INVOICES_PROCESSING',
  'GET /our-office': 'public',
  'GET /routes/:id/price-round': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /routes/:id/price-round': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /routes/:id/price-round/:roundId/close': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /routes/:id/price-round/:roundId/take': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes/costs': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /quotes': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes/:id': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'PUT /quotes/:id': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /quotes/:id/withdraw': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /quotes/:id/lose': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /quotes/:id/order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes/export': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes/:id/paper': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /quotes/:id/mail': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /quotes/:id/send': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /recurring-orders': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /recurring-orders': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /recurring-orders/:id': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'PUT /recurring-orders/:id': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'PUT /recurring-orders/:id/template': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /recurring-orders/:id/state': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /recurring-orders/:id/take-over': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /recurring-orders/:id/make': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /orders/:id/recurring-order': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /statement/:token': 'public',
  'POST /statement/:token/answer': 'public',
  'GET /quote/:token': 'public',
  'POST /quote/:token/accept': 'public',
  'POST /quote/:token/refuse': 'public',
  'GET /new-papers/:token': 'public',
  'POST /new-papers/:token': 'public',
  'GET /price/:token': 'public',
  'POST /price/:token': 'public',
  'POST /price/:token/decline': 'public',
  'GET /upload-documents/:token': 'public',
  'POST /upload-documents/:token': 'public',
  'POST /upload-documents/:token/opened': 'public',
  'POST /upload-documents/:token/files': 'public',
  'DELETE /upload-documents/:token/files/:id': 'public',
  'POST /upload-documents/:token/proofs': 'public',
  'GET /routes/:id/upload-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /routes/:id/upload-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'DELETE /routes/:id/upload-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /drive/:token': 'public',
  'POST /drive/:token/reports': 'public',
  'POST /drive/:token/files': 'public',
  'GET /routes/:id/driver-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /routes/:id/driver-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'DELETE /routes/:id/driver-link': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'GET /vehicles/:id/driver-links/:day': 'ORDERS_MANAGEMENT',
  'POST /vehicles/:id/driver-links/:day': 'ORDERS_MANAGEMENT',
  'DELETE /vehicles/:id/driver-links/:day': 'ORDERS_MANAGEMENT',
  'GET /track/:token': 'public',
  'GET /track/:token/mark': 'public',
  'GET /track/:token/map': 'public',
  'GET /track/:token/files/:key': 'public',
  'GET /orders/:id/tracking-links': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /orders/:id/tracking-links': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'DELETE /orders/:id/tracking-links/:customerId': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
  'POST /orders/:id/documents': 'ORDERS_MANAGEMENT|ASSIGNED_ORDERS',
}
const inWords = (access: Access): string => (typeof access === 'string' ? access : access.anyOf.join('|'))

function expectedAccess({ endpoint, compact }: Row): string | undefined {
  const name = `${endpoint.method} ${endpoint.path}`
  if (name in EXPECTED) return EXPECTED[name]
  const record = RIGHTS_OF_RECORDS[endpoint.path.split('/')[1]!]
  if (compact && record?.isOpenInCompactForm) return 'signedIn'
  return (endpoint.method === 'GET' ? (record?.read ?? record?.right) : record?.right)?.join('|')
}

/** Calls an endpoint with nothing sensible in it: a right is decided before anything else is looked at. */
function knock(caller: Caller, { endpoint, compact }: Row) {
  const path = endpoint.path.slice(1).replace(/:\w+/g, '999999999')
  const options = { compact, version: 1 }
  if (endpoint.method === 'GET') return caller.get(path, { compact, isStream: endpoint.shape === 'stream' })
  if (endpoint.method === 'DELETE') return caller.delete(path)
  if (endpoint.method === 'POST') return caller.post(path, {}, options)
  return endpoint.method === 'PUT' ? caller.put(path, {}, options) : caller.patch(path, {}, options)
}

const isAdmitted = (status: number) => status !== 401 && status !== 403

describe('the access matrix', () => {
  it('has an expectation for every endpoint, and each endpoint has that right', () => {
    for (const row of ROWS)
      expect(inWords(row.access), `${row.endpoint.method} ${row.endpoint.path}`).toBe(expectedAccess(row))
  })

  it('is served as a whole: no endpoint of the contract is missing from the server', () => {
    for (const { endpoint } of ROWS)
      expect(
        test.app.hasRoute({ method: endpoint.method, url: `/api${endpoint.path}` }),
        `${endpoint.method} ${endpoint.path}`,
      ).toBe(true)
  })

  it('turns away those who are not signed in, with 401, from everything that is not public', async () => {
    for (const row of ROWS.filter(({ access }) => access !== 'public')) {
      expect((await knock(test.anonymous, row)).status, `${row.endpoint.method} ${row.endpoint.path}`).toBe(401)
    }
  })

  it.each([...PERMISSIONS, 'nothing'] as const)('lets %s in where it opens a door, and nowhere else', async (held) => {
    const permissions: Permission[] = held === 'nothing' ? [] : [held]
    const { caller } = await test.userWith(...permissions)
    for (const row of ROWS.filter(({ access }) => access !== 'public')) {
      const { status } = await knock(caller, row)
      const name = `${row.endpoint.method} ${row.endpoint.path}${row.compact ? ' (compact)' : ''}`
      const mayEnter = mayAccess(row.access, { isAdmin: false, permissions })
      expect(status === 403, `${name}: ${status}`).toBe(!mayEnter)
      expect(status, name).toBeLessThan(500)
    }
  })

  it('lets administrators in everywhere', async () => {
    for (const row of ROWS) {
      const { status } = await knock(test.admin, row)
      expect(
        isAdmitted(status) || row.access === 'public',
        `${row.endpoint.method} ${row.endpoint.path}: ${status}`,
      ).toBe(true)
      expect(status, row.endpoint.path).toBeLessThan(500)
    }
  })

  it('grants nothing through a disabled role', async () => {
    const { caller, id } = await test.userWith('SETTINGS_ACCESS')
    expect((await caller.get('countries')).status).toBe(200)
    await test.database.pool.query(
      'update user_role set "isEnabled" = false where id = (select "roleId" from "user" where id = $1)',
      [id],
    )
    expect((await caller.get('countries')).status).toBe(403)
  })
})
