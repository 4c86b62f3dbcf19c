import {
  assignIntakeMail,
  closeIntakeMail,
  countIntakeMails,
  getIntakeMail,
  listIntakeMails,
  takeIntakeMail,
  type IntakeMail,
  type IntakeMailbox,
  type IntakeRow,
} from '@waybill/contract/intake/intake'
import { listTaughtRules } from '@waybill/contract/intake/learned-rule'
import {
  getMailDrafts,
  type ChangedOrder,
  type Draft,
  type DraftChange,
  type MailDrafts,
} from '@waybill/contract/order/intake/mail-draft'
import { pageOf, server } from '../kit/fake-server.ts'
import { answerOrderEntry } from './customer.ts'
import { ANNA, GERMANY, NORDLICHT, POLAND } from './master-data.ts'

const MAIL_TEXT = 'Auftrag 4711: 4 Europaletten, 1.180 kg, von 22113 Hamburg nach 60-189 Poznań'

/** A mail that nobody has in hand. */
export const mailOf = (given: Partial<IntakeMail> = {}): IntakeMail => ({
  id: 7,
  version: 1,
  state: 'new',
  source: 'mailbox',
  receivedAt: '2026-11-23T15:40:00Z',
  fromName: 'Silke Jansen',
  fromAddress: 'disposition@nordlicht.example',
  subject: 'Auftrag 4711',
  kind: 'order',
  summary: {
    from: { countryCode: 'DE', city: 'Hamburg' },
    to: { countryCode: 'PL', city: 'Poznań' },
    moreCount: 0,
    loadingDate: '2026-11-30',
    loadingTime: '08:00',
    sureCount: 8,
    checkCount: 2,
    missingCount: 1,
    references: [],
  },
  customer: NORDLICHT,
  fileName: 'mail.eml',
  reason: null,
  assignedTo: null,
  broughtInBy: null,
  orders: [],
  quotes: [],
  text: MAIL_TEXT,
  isCut: false,
  parts: [],
  unread: [],
  attachments: [],
  mayReopen: false,
  sameText: null,
  ...given,
})

const STOP: Draft['values']['locations'][number] = {
  kind: 'loading',
  termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00', dateTo: null, timeTo: null },
  companyTitle: 'Nordlicht',
  address: 'Billbrookdeich 210',
  countryId: GERMANY.id,
  postal: '22113',
  city: 'Hamburg',
  contactPerson: null,
  phone: null,
  reference: null,
  specialInstructions: null,
}

export const lineOf = (given: Partial<Draft['values']['cargo'][number]> = {}): Draft['values']['cargo'][number] => ({
  title: 'Maschinenteile',
  unitTypeId: 62,
  quantity: 4,
  packages: null,
  lengthCm: 120,
  widthCm: 80,
  heightCm: null,
  stackingFactor: null,
  weightKg: 1180,
  ldm: null,
  volumeM3: null,
  valueCents: null,
  temperatureFrom: null,
  temperatureTo: null,
  adr: null,
  from: 0,
  to: 1,
  ...given,
})

/** A draft that can be saved as it is. */
export function draftOf({
  values,
  ...given
}: Partial<Omit<Draft, 'values'>> & { values?: Partial<Draft['values']> } = {}): Draft {
  return {
    position: 0,
    attachment: null,
    order: null,
    isSaved: false,
    values: {
      customerId: NORDLICHT.id,
      contactPersonId: null,
      billingCustomerId: null,
      customerOrderNumber: '4711',
      customerPriceCents: 118_000,
      paymentPeriodDays: null,
      vehicleTypeId: null,
      description: null,
      isLiftRequired: false,
      isTransshipmentForbidden: false,
      cargo: [lineOf()],
      locations: [
        STOP,
        {
          ...STOP,
          kind: 'unloading',
          termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00', dateTo: null, timeTo: null },
          companyTitle: 'Wielkopolska Tech',
          address: 'ul. Bukowska 285',
          countryId: POLAND.id,
          postal: '60-189',
          city: 'Poznań',
        },
      ],
      ...values,
    },
    marks: [],
    missing: [],
    customer: { found: NORDLICHT, by: 'address', proposed: null },
    again: null,
    ...given,
  }
}

/** A value as it is marked in a draft. */
export const markOf = (given: Partial<Draft['marks'][number]> & { path: string }): Draft['marks'][number] => ({
  state: 'check',
  span: null,
  isLearned: false,
  said: null,
  others: [],
  ...given,
})

/** A change of a quantity to 7, in a mail that names an order by `4711`. */
export const changeOf = (given: Partial<DraftChange> = {}): DraftChange => ({
  reference: '4711',
  order: null,
  field: 'cargo.quantity',
  path: null,
  of: null,
  now: null,
  after: 7,
  said: null,
  stop: null,
  line: null,
  extra: null,
  isSure: false,
  span: null,
  ...given,
})

/** An order as a mail was compared with it. */
export const changedOrderOf = (given: Partial<ChangedOrder> = {}): ChangedOrder => ({
  id: 7,
  title: '26-00007',
  version: 1,
  status: 'new',
  isCertain: true,
  toldCarriers: [],
  ...given,
})

/** Keeps a mail with its drafts: it can be taken in hand, given to others and closed. */
export function keepMail(
  mail: IntakeMail,
  drafts: Partial<MailDrafts> = {},
): { now: () => IntakeMail; change: (fields: Partial<IntakeMail>) => IntakeMail } {
  let now = mail
  const change = (fields: Partial<IntakeMail>) => (now = { ...now, ...fields, version: now.version + 1 })
  answerOrderEntry()
  server.answer(getIntakeMail, () => now)
  server.answer(getMailDrafts, { drafts: [draftOf()], changes: [], orders: [], ...drafts })
  server.answer(takeIntakeMail, () => change({ state: 'drafted', assignedTo: ANNA }))
  server.answer(assignIntakeMail, ({ body }) =>
    change({ state: 'new', assignedTo: body.userId === null ? null : ANNA }),
  )
  server.answer(closeIntakeMail, () => change({ state: 'not_order' }))
  server.answer(listTaughtRules, { items: [] })
  keepMailList([])
  return { now: () => now, change }
}

/** The list has these mails, whatever is asked. */
export function keepMailList(rows: IntakeRow[], mailbox: IntakeMailbox | null = null): void {
  const count = (state: IntakeRow['state']) => rows.filter((row) => row.state === state).length
  server.answer(listIntakeMails, pageOf(rows))
  server.answer(countIntakeMails, {
    byState: { new: count('new'), drafted: count('drafted'), saved: count('saved'), not_order: count('not_order') },
    mailbox,
  })
}
