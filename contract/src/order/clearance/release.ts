import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { id, idText, reference, text } from '../../kit/fields.ts'
import { RENEWED_PAPERS } from '../../kit/expiry.ts'
import { can, ORDER_ACCESS } from '../../permissions.ts'
import { CarrierPapers, CarrierRelease, RELEASE_DECISIONS } from './clearance.ts'

const byId = z.strictObject({ id: idText })

/**
 * What is on file of a carrier that may be put on a route; `routeId` is that route, left out where it is not saved yet.
 * Errors: `not_found`, for the carrier and for the route.
 */
export const getCarrierPapers = endpoint({
  method: 'GET',
  path: '/carrier-companies/:id/clearance',
  access: ORDER_ACCESS,
  summary: 'Licences, insurances and blocks of a carrier, by which it is cleared for a transport',
  params: byId,
  query: z.strictObject({ routeId: idText.optional() }),
  reply: z.object({
    papers: CarrierPapers,
    /** what the department of the order demands to be insured */
    demandedCents: z.number().int().nullable(),
    /** the newest one of this carrier on this route */
    release: CarrierRelease.nullable(),
  }),
})

/**
 * Asks that a carrier may drive a route although it is not cleared for it. Errors: `not_found`; `conflict` where
 * nothing keeps it back, it is blocked, or somebody has asked already.
 */
export const askRelease = endpoint({
  method: 'POST',
  path: '/routes/:id/carrier-releases',
  access: ORDER_ACCESS,
  summary: 'Ask for the release of a carrier that is not cleared for a route',
  params: byId,
  body: z.strictObject({ carrierCompanyId: id, reason: text(2000) }),
  reply: CarrierRelease,
  status: 201,
  location: null,
})

/** A request with what one must know to decide it. */
const ReleaseRequest = CarrierRelease.extend({
  order: reference,
  routeNumber: z.string(),
  carrierCompany: reference,
})
export type ReleaseRequest = z.output<typeof ReleaseRequest>

/** More requests than anybody leaves open. */
export const MOST_RELEASE_REQUESTS = 200

export const listReleaseRequests = endpoint({
  method: 'GET',
  path: '/carrier-releases',
  access: can('CARRIER_MANAGEMENT'),
  summary: 'Requests for the release of carriers that nobody has decided, the oldest first',
  reply: z.object({ items: z.array(ReleaseRequest) }),
})

/** Decides another person's request. Errors: `not_found`, `second_person_needed`, `conflict` where it is decided. */
export const decideRelease = endpoint({
  method: 'POST',
  path: '/carrier-releases/:id/decide',
  access: can('CARRIER_MANAGEMENT'),
  summary: 'Grant or refuse the release of a carrier for a route',
  // By a key its maker could be the second person.
  inPerson: true,
  params: byId,
  body: z.strictObject({ decision: z.enum(RELEASE_DECISIONS), reason: text(2000) }),
  reply: CarrierRelease,
})

/** How many days before their end papers are asked for again. */
export const ENDING_STEPS = [3, 14, 30] as const

/** A licence or an insurance of a carrier that has ended, or ends within thirty days. */
const EndingPaper = z.object({
  carrierCompany: reference,
  documentType: z.enum(RENEWED_PAPERS),
  endsOn: z.string(),
  /** its routes that are planned, or not unloaded yet */
  plannedRoutes: z.number().int(),
  /** whom a mail would ask for a new one; null: the carrier has no address */
  to: z.string().nullable(),
  /** when the carrier was asked last for a new one in place of this (decision 123) */
  askedAt: z.string().nullable(),
  /** a new one has come through its link, and waits for somebody to look at it */
  isWaiting: z.boolean(),
})
export type EndingPaper = z.output<typeof EndingPaper>

/** As many as are listed. */
export const MOST_ENDING_PAPERS = 500

export const listEndingPapers = endpoint({
  method: 'GET',
  path: '/carrier-companies/ending-papers',
  access: can('CARRIER_MANAGEMENT'),
  summary: 'Licences and insurances of active carriers that end within 30 days, or have ended; the first to end first',
  reply: z.object({ items: z.array(EndingPaper) }),
})
