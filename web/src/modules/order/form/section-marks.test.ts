import { expect, test } from 'vitest'
import { emptyAssignment, emptyOrder, routeOver, tidyOrder, type OrderValues } from '../values/draft.ts'
import { sectionMarks, type SectionFacts } from './section-marks.ts'

const facts: SectionFacts = {
  status: 'new',
  documents: 0,
  podMissing: 'pod' as const,
  emails: [],
  hasExtras: false,
  customerInvoices: 0,
  carrierInvoices: 0,
}
const blank = tidyOrder(emptyOrder({ departmentId: 1, caseWorkerId: 1 }))
const marks = (values: Partial<OrderValues>, more: Partial<SectionFacts> = {}) =>
  sectionMarks({ ...blank, ...values }, { ...facts, ...more })
const routed = (assignment: object) => [{ ...routeOver([]), assignment: { ...emptyAssignment(), ...assignment } }]

test('a section without anything is empty, not wrong', () => {
  expect(marks({ customerIds: [1] })).toMatchObject({
    general: { state: 'done' },
    cargo: { state: 'empty' },
    locations: { state: 'empty' },
    routes: { state: 'empty' },
    documents: { state: 'empty' },
  })
})

test('what the next step needs is missing', () => {
  const started = emptyOrder({ departmentId: null, caseWorkerId: 1 })
  const cargo = [{ ...started.cargo[0]!, title: 'Pallets' }]
  expect(marks({ departmentId: null }).general.state).toBe('missing')
  expect(marks({ cargo }).cargo).toEqual({
    state: 'missing',
    count: 1,
    why: { missing: 'stopOfLine', path: 'cargo.0' },
  })
  expect(marks({ cargo, locations: started.locations })).toMatchObject({
    cargo: { state: 'done', count: 1 },
    locations: { state: 'missing' },
  })
  expect(marks({ routes: routed({}) }).routes).toEqual({
    state: 'missing',
    count: 1,
    why: { missing: 'carrier', path: 'routes.0.assignment.carrierCompanyId' },
  })
  expect(marks({ routes: routed({ carrierCompanyId: 3 }) }).routes).toEqual({
    state: 'missing',
    count: 1,
    why: { missing: 'plate', path: 'routes.0.assignment.plateNumber' },
  })
  expect(marks({ routes: routed({ carrierCompanyId: 3, plateNumber: 'PO 4X221' }) }).routes).toEqual({
    state: 'done',
    count: 1,
  })
  expect(marks({}, { status: 'scheduled' }).routes.state).toBe('missing')
})

test('delivered without a POD asks for it', () => {
  expect(marks({}, { status: 'delivered' }).documents.state).toBe('missing')
  expect(marks({}, { status: 'delivered', podMissing: 'podToCheck', documents: 1 }).documents).toEqual({
    state: 'missing',
    count: 1,
    why: { missing: 'podToCheck', path: null },
  })
  expect(marks({}, { status: 'delivered', podMissing: null, documents: 2 }).documents).toEqual({
    state: 'done',
    count: 2,
  })
})

test('failed mails come before waiting ones', () => {
  expect(marks({}, { emails: [{ status: 'sent' }, { status: 'waiting' }] }).emails).toEqual({
    state: 'waiting',
    count: 1,
  })
  expect(marks({}, { emails: [{ status: 'failed' }, { status: 'waiting' }] }).emails).toEqual({
    state: 'missing',
    count: 1,
    why: { missing: 'failedMail', path: null },
  })
})
