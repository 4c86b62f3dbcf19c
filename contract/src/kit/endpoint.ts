import { z } from 'zod'
import type { Access } from '../permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One HTTP endpoint as both sides know it. `path` is below `/api`, with `:name` holes described by `params`.
 * `needsVersion`: the version read must come with the call (api, One record).
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly reply: Reply
  readonly status: 200 | 201 | 204
  readonly needsVersion: boolean
  /** open to signed-in people alone: a key of another system is refused (decision 099) */
  readonly inPerson: boolean
  /**
   * `file` answers bytes, `stream` events as they happen, `multipart` takes a form with a file: they pass the JSON
   * machinery by.
   */
  readonly shape: 'json' | 'file' | 'stream' | 'multipart'
  /** where what a 201 has made is found: the path before its id; null = it has no address of its own */
  readonly location: string | null
}

const nothing = z.strictObject({})
export type Nothing = typeof nothing

interface EndpointDefinition<P, Q, B, R> {
  method: Method
  path: string
  access: Access
  summary: string
  params?: P
  query?: Q
  body?: B
  reply?: R
  status?: 200 | 201 | 204
  needsVersion?: boolean
  inPerson?: boolean
  shape?: 'json' | 'file' | 'stream' | 'multipart'
  location?: string | null
}

/** Describes an endpoint; what is left out is empty, a missing `status` is 200, or 204 where there is no reply. */
export function endpoint<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  R extends z.ZodType = Nothing,
>(definition: EndpointDefinition<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    method: definition.method,
    path: definition.path,
    access: definition.access,
    summary: definition.summary,
    params: definition.params ?? (nothing as unknown as P),
    query: definition.query ?? (nothing as unknown as Q),
    body: definition.body ?? (nothing as unknown as B),
    reply: definition.reply ?? (nothing as unknown as R),
    status:
      definition.status ??
      (definition.reply || definition.shape === 'file' || definition.shape === 'stream' ? 200 : 204),
    needsVersion: definition.needsVersion ?? false,
    inPerson: definition.inPerson ?? false,
    shape: definition.shape ?? 'json',
    location:
      definition.location ?? (definition.location === null || definition.path.includes(':') ? null : definition.path),
  }
}
