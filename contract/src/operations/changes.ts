import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

/** What is new, in English: the newest version first. */
const Changes = z.object({
  /** the one that runs */
  version: z.string(),
  releases: z.array(
    z.object({
      version: z.string(),
      /** `title` is what a line begins with; empty where it begins with nothing of its own */
      notes: z.array(z.object({ title: z.string(), text: z.string() })),
    }),
  ),
})
export type Changes = z.output<typeof Changes>

export const getChanges = endpoint({
  method: 'GET',
  path: '/changes',
  access: 'signedIn',
  summary: 'What is new in this version and those before',
  reply: Changes,
})
