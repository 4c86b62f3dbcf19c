import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

export const getLive = endpoint({
  method: 'GET',
  path: '/health/live',
  access: 'public',
  summary: 'The process answers',
  reply: z.object({ status: z.literal('ok') }),
})

/** Parts that must answer before the service can work; 503 names those that do not (api, Operations). */
export const getReady = endpoint({
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  summary: 'Database, storage and queue answer',
  reply: z.object({ status: z.enum(['ok', 'unavailable']), parts: z.record(z.string(), z.boolean()) }),
})

export const getVersion = endpoint({
  method: 'GET',
  path: '/version',
  access: 'public',
  summary: 'What is running',
  reply: z.object({ version: z.string(), commit: z.string().nullable() }),
})
