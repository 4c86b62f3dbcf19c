import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { mayAccess } from '@waybill/contract/permissions'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { Page } from '@waybill/contract/kit/paging'
import type { ListQueryOf, ResourceApi, RowOf, ViewOf, WriteOf } from '@waybill/contract/kit/resource'
import { compactQuery, type CompactRow } from '@waybill/contract/kit/paging'
import {
  actorOf,
  inTransaction,
  type Actor,
  type Clock,
  type Ctx,
  type Owners,
  type Ports,
  type Subscriptions,
} from '../context/context.ts'
import type { Database } from '../database/db.ts'
import type { AsOf, Standby } from '../database/standby.ts'
import { AppError } from '../context/errors.ts'
import { exportList } from '../tables/export-list.ts'
import { answered, bodyHash, once, type Answer } from './idempotency.ts'
import { audit } from '../records/audit.ts'
import { mergePatch, withoutReadOnly, writable } from '../records/merge.ts'
import { languageOf } from './problem.ts'
import { packed } from './packed.ts'
import type { SheetOf } from '../tables/sheet.ts'
import { parseInput, parseReply, parseValues } from './validation.ts'

/** Who calls, and how far the database was when they came. */
export interface Caller extends AsOf {
  actor: Actor
}

/** What the binder needs to serve endpoints; made once in `app/`. */
export interface Host {
  app: FastifyInstance
  database: Database
  /** takes what people read; null where there is none */
  standby: Standby | null
  clock: Clock
  ports: Ports
  subscriptions: Subscriptions
  owners: Owners
  /**
   * who holds this access token now, or calls with this key; null = nobody. Who only reads may be answered by a standby
   * while the primary is away
   */
  authenticate(token: string, mayBeBehind: boolean): Promise<Caller | null>
}

export interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  /** the version read; only where the endpoint needs one */
  version: number
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<z.input<E['reply']>>

// What is taken out of the house is told, by whom and what, before it leaves.
const EXPORT = '/export'
const auditExport = (ctx: Ctx, path: string): Promise<void> =>
  audit(ctx, {
    ownerKind: 'user',
    ownerId: actorOf(ctx).userId,
    action: 'exported',
    after: { list: path.slice(1, -EXPORT.length) },
  })

interface BindOptions {
  /** The handler opens its own transactions: sign-in must keep what it counted although it refuses. */
  ownTransaction?: boolean
}

const callers = new WeakMap<FastifyRequest, Caller | null>()
const BEARER = /^Bearer ([A-Za-z0-9_-]{20,200})$/

/** What only reads, and is over with its answer. */
const isRead = ({ method, shape }: Pick<Endpoint, 'method' | 'shape'>): boolean =>
  method === 'GET' && shape !== 'stream'

/** Runs before the body is read: an unknown caller costs nothing. */
async function admit(
  host: Host,
  request: FastifyRequest,
  { access, inPerson, method, shape }: Pick<Endpoint, 'access' | 'inPerson' | 'method' | 'shape'>,
): Promise<void> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const caller = token ? await host.authenticate(token, isRead({ method, shape })) : null
  const actor = caller?.actor ?? null
  callers.set(request, caller)
  if (access === 'public') return
  if (!actor) throw new AppError('unauthenticated')
  if ((inPerson && actor.keyId !== undefined) || !mayAccess(access, actor)) throw new AppError('forbidden')
}

function contextOf(host: Host, request: FastifyRequest): Ctx {
  const actor = callers.get(request)?.actor ?? null
  const group = request.headers['group-filter']
  const companyFilter =
    actor?.isAdmin && typeof group === 'string' && /^[1-9]\d{0,15}$/.test(group) ? Number(group) : null
  return {
    db: host.database.db,
    actor,
    clock: host.clock,
    language: languageOf(request.headers['accept-language']),
    requestId: request.id,
    companyFilter,
    ports: host.ports,
    subscriptions: host.subscriptions,
    owners: host.owners,
    log: request.log,
  }
}

/**
 * Reads from the standby where there is one. What it cannot do (a row is locked or written, it is stopped, a statement
 * was in the way of what it replays) the primary does, as long as nothing of the answer has left.
 */
async function reading<T>(
  host: Host,
  { request, reply, ctx }: { request: FastifyRequest; reply: FastifyReply; ctx: Ctx },
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { position } = callers.get(request) ?? {}
  if (host.standby === null || position === undefined) return work(ctx)
  try {
    return await host.standby.read(position, (db) => work({ ...ctx, db }))
  } catch (error) {
    if (error instanceof AppError || reply.raw.headersSent) throw error
    return work(ctx)
  }
}

/** `If-Match` and `version` in the body; both and different is malformed, none is 428 (api, One record). */
function versionOf(request: FastifyRequest, isNeeded: boolean): number | null {
  const body = request.body as { version?: unknown } | null | undefined
  const inBody = typeof body === 'object' && body !== null && !Array.isArray(body) ? body.version : undefined
  const header = request.headers['if-match']
  let version: number | null = null
  if (header !== undefined) {
    const match = /^"(0|[1-9]\d{0,9})"$/.exec(header)
    if (!match) throw new AppError('malformed')
    version = Number(match[1])
  }
  if (inBody !== undefined) {
    if (typeof inBody !== 'number' || !Number.isInteger(inBody) || inBody < 0)
      throw new AppError('validation', { fields: [{ path: 'version', code: 'invalid_type' }] })
    if (version !== null && version !== inBody) throw new AppError('malformed')
    version = inBody
  }
  if (version === null && isNeeded) throw new AppError('version_required')
  return version
}

function withoutVersion(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('version' in body)) return body
  const { version: _version, ...rest } = body
  return rest
}

function parseParams<E extends Endpoint>(endpoint: E, request: FastifyRequest): z.output<E['params']> {
  const parsed = endpoint.params.safeParse(request.params)
  // An id that cannot be one names nothing.
  if (!parsed.success) throw new AppError('not_found')
  return parsed.data as z.output<E['params']>
}

/** What an endpoint does in its transaction, once everything that takes long is done. */
type Deed = (inner: Ctx) => Promise<unknown>

interface AnswerOptions extends BindOptions {
  endpoint: Endpoint
  request: FastifyRequest
  /** True where the deed has to be prepared first, which a repeat must not cost again */
  isPrepared?: boolean
  after?: After | undefined
}

/** What is done once the transaction has committed, of a repeat too; answers the body as it is then. */
type After = (ctx: Ctx, body: unknown) => Promise<unknown>

async function answer(
  ctx: Ctx,
  { endpoint, request, ownTransaction = false, isPrepared = false, after }: AnswerOptions,
  begin: () => Promise<Deed>,
): Promise<Answer> {
  const finished = async (given: Answer): Promise<Answer> =>
    after ? { ...given, body: parseReply(endpoint.reply, await after(ctx, given.body)) } : given
  const run = async (inner: Ctx, deed: Deed): Promise<Answer> => {
    const value = await deed(inner)
    // The schema is the only way out: a column that nobody named cannot leak.
    const body = endpoint.status === 204 ? undefined : parseReply(endpoint.reply, value)
    const id = (body as { id?: number } | undefined)?.id
    return {
      status: endpoint.status,
      location:
        endpoint.status === 201 && id !== undefined && endpoint.location !== null
          ? `/api${endpoint.location}/${id}`
          : null,
      body,
    }
  }
  if (endpoint.method === 'GET') return run(ctx, await begin())
  const key = request.headers['idempotency-key']
  if (key !== undefined && (typeof key !== 'string' || key.length < 1 || key.length > 255))
    throw new AppError('malformed')
  if (ownTransaction) return run(ctx, await begin())
  const isRepeatable = endpoint.method === 'POST' && key !== undefined
  // A key may do less than its owner, and is answered nothing that the owner was.
  const caller = ctx.actor?.keyId === undefined ? (ctx.actor?.userId ?? 'public') : `key ${ctx.actor.keyId}`
  const scope = `${caller} POST ${request.url.split('?')[0]} ${key}`
  const asked = async () => (isRepeatable && isPrepared ? answered(ctx, scope, bodyHash(request.body)) : null)
  const known = await asked()
  if (known !== null) return finished(known)
  let deed: Deed
  try {
    deed = await begin()
  } catch (error) {
    // The first request may have been answered meanwhile: what it did is why this one cannot be done any more.
    const meanwhile = await asked()
    if (meanwhile === null) throw error
    return finished(meanwhile)
  }
  return finished(
    await inTransaction(ctx, (inner) =>
      isRepeatable ? once(inner, scope, bodyHash(request.body), () => run(inner, deed)) : run(inner, deed),
    ),
  )
}

async function send(request: FastifyRequest, reply: FastifyReply, given: Answer): Promise<FastifyReply> {
  // A handler that has chosen a status keeps it: readiness says 503 with the same body.
  const status = reply.statusCode === 200 ? given.status : reply.statusCode
  if (given.location) void reply.header('Location', given.location)
  const version = (given.body as { version?: unknown } | undefined)?.version
  if (typeof version === 'number') void reply.header('ETag', `"${version}"`)
  if (given.body === undefined) return reply.status(status).send()
  const bytes = await packed(request, reply, JSON.stringify(given.body))
  return reply.status(status).type('application/json; charset=utf-8').send(bytes)
}

const routePath = (endpoint: Endpoint) => `/api${endpoint.path}`

/** Serves one endpoint of the contract: its right, its input, its transaction, its reply. */
export function bindEndpoint<E extends Endpoint>(
  host: Host,
  endpoint: E,
  handler: Handler<E>,
  options: BindOptions = {},
): void {
  serve(host, endpoint, async (_ctx, input) => (inner) => handler(inner, input), options)
}

/**
 * Serves one endpoint that takes long: `prepare` draws, asks others and keeps files, and holds no connection while it
 * does; `handler` writes what came of it in its transaction, and looks again whether what it rests on still holds.
 * `after` does what takes long and may only begin once that has committed, again without a connection; it gets the
 * handler's reply, of a repeat the stored one, and answers what the caller gets.
 */
export function bindPrepared<E extends Endpoint, Prepared>(
  host: Host,
  endpoint: E,
  prepare: (ctx: Ctx, input: Input<E>) => Promise<Prepared>,
  handler: (ctx: Ctx, input: Input<E>, prepared: Prepared) => Promise<z.input<E['reply']>>,
  after?: (ctx: Ctx, reply: z.output<E['reply']>) => Promise<z.input<E['reply']>>,
): void {
  const begin = async (ctx: Ctx, input: Input<E>): Promise<Deed> => {
    const prepared = await prepare(ctx, input)
    return (inner) => handler(inner, input, prepared)
  }
  serve(host, endpoint, begin, { isPrepared: true, after: after as After | undefined })
}

function serve<E extends Endpoint>(
  host: Host,
  endpoint: E,
  begin: (ctx: Ctx, input: Input<E>) => Promise<Deed>,
  { ownTransaction = false, isPrepared = false, after }: BindOptions & Pick<AnswerOptions, 'isPrepared' | 'after'>,
): void {
  host.app.route({
    method: endpoint.method,
    url: routePath(endpoint),
    onRequest: (request) => admit(host, request, endpoint),
    handler: async (request, reply) => {
      const ctx = contextOf(host, request)
      const params = parseParams(endpoint, request)
      const query = parseInput(endpoint.query, request.query ?? {})
      const version = endpoint.shape === 'multipart' ? null : versionOf(request, endpoint.needsVersion)
      const isJson = endpoint.shape === 'json' && endpoint.method !== 'GET'
      const body = isJson
        ? parseInput(endpoint.body, (endpoint.needsVersion ? withoutVersion(request.body) : request.body) ?? {})
        : undefined
      const input = { params, query, body, version, request, reply } as Input<E>
      if (endpoint.shape === 'file' || endpoint.shape === 'stream') {
        if (endpoint.path.endsWith(EXPORT)) await auditExport(ctx, endpoint.path)
        // The handler has sent its bytes itself.
        const answerItself = async (inner: Ctx) => (await begin(inner, input))(inner)
        await (isRead(endpoint) ? reading(host, { request, reply, ctx }, answerItself) : answerItself(ctx))
        return reply
      }
      const options = {
        endpoint,
        request,
        isPrepared,
        after,
        ownTransaction: ownTransaction || endpoint.shape === 'multipart',
      }
      const answerOnce = (inner: Ctx) => answer(inner, options, () => begin(inner, input))
      return send(
        request,
        reply,
        await (isRead(endpoint) ? reading(host, { request, reply, ctx }, answerOnce) : answerOnce(ctx)),
      )
    },
  })
}

/** The six verbs behind a resource's endpoints; every entity answers this, with its own functions where it differs. */
export interface ServiceOf<Api extends ResourceApi> {
  /** Where the query names `fields`, rows have these at least. */
  list(ctx: Ctx, query: ListQueryOf<Api>): Promise<Page<RowOf<Api>>>
  compact(ctx: Ctx, query: z.output<typeof compactQuery>): Promise<Page<CompactRow>>
  get(ctx: Ctx, id: number): Promise<ViewOf<Api>>
  create(ctx: Ctx, body: WriteOf<Api>): Promise<ViewOf<Api>>
  /** Errors: `not_found`, `stale_version` with the record as it is now. */
  update(ctx: Ctx, id: number, version: number, body: WriteOf<Api>): Promise<ViewOf<Api>>
  remove(ctx: Ctx, id: number, version: number | null): Promise<void>
}

/** Serves a resource: lists in both representations and as a file, and the six verbs over its service. */
export function bindResource<Api extends ResourceApi>(
  host: Host,
  api: Api,
  service: ServiceOf<Api>,
  sheet: SheetOf<RowOf<Api>>,
): void {
  const { list, compact } = api
  const isDetailed = (request: FastifyRequest) => request.headers['additional-groups'] === 'detailed'
  host.app.route({
    method: 'GET',
    url: routePath(list),
    onRequest: (request) => admit(host, request, isDetailed(request) ? list : compact),
    handler: async (request, reply) => {
      const ctx = contextOf(host, request)
      const listed = async (inner: Ctx): Promise<unknown> => {
        const query = parseInput(list.query, request.query ?? {}) as ListQueryOf<Api>
        const page = await service.list(inner, query)
        const { fields } = query as { fields?: readonly string[] }
        return fields ? parseValues(api.row, page as Page<object>, fields) : parseReply(list.reply, page)
      }
      const compactly = async (inner: Ctx): Promise<unknown> =>
        parseReply(compact.reply, await service.compact(inner, parseInput(compactQuery, request.query ?? {})))
      const body = await reading(host, { request, reply, ctx }, isDetailed(request) ? listed : compactly)
      return send(request, reply, { status: 200, location: null, body })
    },
  })

  bindEndpoint(host, api.export, async (ctx, { query, reply }) => {
    await exportList(ctx, api, service.list, sheet, query as never, reply)
    return {} as never
  })
  bindEndpoint(host, api.get, (ctx, { params }) => service.get(ctx, (params as { id: number }).id) as Promise<never>)
  bindEndpoint(host, api.create, (ctx, { body }) => service.create(ctx, body as WriteOf<Api>) as Promise<never>)
  bindEndpoint(host, api.remove, async (ctx, { params, version }) => {
    await service.remove(ctx, (params as { id: number }).id, version)
    return {} as never
  })

  // PUT and PATCH end in the same full write; they differ in what a missing field means.
  const change = (endpoint: Api['replace'], complete: (body: unknown, view: Record<string, unknown>) => unknown) =>
    host.app.route({
      method: endpoint.method,
      url: routePath(endpoint),
      onRequest: (request) => admit(host, request, endpoint),
      handler: async (request, reply) => {
        const ctx = contextOf(host, request)
        const { id } = parseParams(endpoint, request) as { id: number }
        const version = versionOf(request, true)!
        const sent = withoutVersion(request.body)
        if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new AppError('malformed')
        const changed = await answer(ctx, { endpoint, request }, async () => async (inner) => {
          const view = (await service.get(inner, id)) as Record<string, unknown>
          if (view.version !== version) throw new AppError('stale_version', { current: view })
          const body = parseInput(api.write, withoutReadOnly(api.write, complete(sent, view), view, api.changing))
          return service.update(inner, id, version, body as WriteOf<Api>)
        })
        return send(request, reply, changed)
      },
    })
  change(api.replace, (body) => body)
  change(api.patch, (body, view) => {
    const unknown = Object.fromEntries(Object.entries(body as object).filter(([key]) => !(key in api.write.shape)))
    return { ...(mergePatch(writable(api.write, view), body) as object), ...unknown }
  })
}
