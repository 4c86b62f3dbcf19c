import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { countryCode } from '../kit/fields.ts'

/** Where a person reaches us whose link opens nothing: our main company, the oldest one in use. */
export const OurOffice = z.object({
  title: z.string(),
  address: z.string().nullable(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  countryCode,
  phone: z.string().nullable(),
  email: z.string().nullable(),
})
export type OurOffice = z.output<typeof OurOffice>

/** The same for everybody: a link that opens nothing may not tell which of our companies it was of. */
export const getOurOffice = endpoint({
  method: 'GET',
  path: '/our-office',
  access: 'public',
  summary: 'Name, address and phone of our main company, for pages of links that open nothing',
  reply: OurOffice,
})
