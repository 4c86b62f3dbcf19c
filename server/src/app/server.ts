import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import type { Clock, Ports } from '../kit/context/context.ts'
import { WAYBILL_VERSION } from '../kit/context/version.ts'
import type { Database } from '../kit/database/db.ts'
import { openDoor, type Standby } from '../kit/database/standby.ts'
import { AppError } from '../kit/context/errors.ts'
import { openApiDocument, type ApiExamples } from '../kit/http/openapi.ts'
import { answerError } from '../kit/http/problem.ts'
import { jsonText } from '../kit/http/json-body.ts'
import { MAX_PAIRS, pairsIn, parseQueryString } from '../kit/http/query-string.ts'
import type { Host } from '../kit/http/routes.ts'
import { nameAskers } from '../kit/http/askers.ts'
import { cutOffSlowRequests, LEAST_SPEED, type LeastSpeed } from '../kit/http/slow-requests.ts'
import { keyAuthenticator } from '../modules/api-key/index.ts'
import { authenticator } from '../modules/session/index.ts'
import type { Metrics } from './metrics.ts'
import { bindOperations, type Health } from './operations.ts'
import { owners } from './owners.ts'
import { bindRoutes } from './routes.ts'
import { subscriptions } from './subscriptions.ts'
import { serveWeb } from './web-files.ts'

interface ServerOptions {
  database: Database
  /** connections for who is calling and for readiness alone: they answer while all others are taken */
  doorDatabase?: Database
  /** takes what people read; left out where there is none */
  standby?: Standby | null
  ports: Ports
  clock: Clock
  health: Health
  /** null: say nothing */
  logger: FastifyBaseLogger | null
  /** the built web application; left out where only the API is wanted */
  webDir?: string
  /** true where the public address is https */
  isSecure?: boolean
  /** proxies on other machines whose word about a caller's address counts: addresses and ranges */
  trustedProxies?: readonly string[]
  /** hears of every request and answer; left out where nobody watches */
  metrics?: Metrics
  /** how slowly a request may be sent */
  leastSpeed?: LeastSpeed
}

const REQUEST_ID = /^[A-Za-z0-9-]{1,64}$/
// 500 cargo lines with long texts, or a mail's html, stay well below; files go by multipart.
const MAX_BODY_BYTES = 4 * 1024 * 1024

// A request's head comes at once; 25 MB through a telephone take minutes.
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 300_000

const OF_ONE_ANSWER = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
])

/**
 * The headers that helmet chooses: asked once, because it works them out anew for each answer and they never differ.
 */
async function securityHeaders(isSecure: boolean, tilesUrl: string | null): Promise<Record<string, string>> {
  const asked = fastify()
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library sizes things with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Map tiles come from where the settings say, and from nowhere else.
        imgSrc: ["'self'", 'data:', 'blob:', ...(tilesUrl === null ? [] : [new URL(tilesUrl).origin])],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        // PDF and image previews are blobs that the page fetched with its token.
        frameSrc: ["'self'", 'blob:'],
        // The browser's own PDF viewer is an embedded object of the blob's page, which inherits this policy.
        objectSrc: ["'self'", 'blob:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isSecure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: 'no-referrer' },
  })
  asked.get('/', (_request, reply) => reply.send(''))
  const { headers } = await asked.inject('/')
  await asked.close()
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.has(name))) as Record<
    string,
    string
  >
}

/** The HTTP application, ready to listen or to be called in a test. */
export async function buildServer({
  database,
  doorDatabase = database,
  standby = null,
  ports,
  clock,
  health,
  logger,
  webDir,
  isSecure = false,
  trustedProxies = [],
  metrics,
  leastSpeed = LEAST_SPEED,
}: ServerOptions): Promise<{ app: FastifyInstance; host: Host }> {
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    // Behind a proxy on this machine, or one that the settings name, a caller's address is the one that the proxy
    // adds; callers from elsewhere are believed nothing.
    trustProxy: ['loopback', ...trustedProxies],
    forceCloseConnections: 'idle',
    // While it goes down it answers what reaches it; readiness alone says no.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    // An address that cannot be read is refused before any route is found, and in the framework's own words otherwise.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    routerOptions: {
      querystringParser: parseQueryString as (text: string) => Record<string, unknown>,
      maxParamLength: 500,
    },
  }) as unknown as FastifyInstance
  const security = await securityHeaders(isSecure, ports.tiles?.url ?? null)
  app.addHook('onRequest', (request, reply, done) => {
    metrics?.began(request)
    // What is beyond would be dropped without a word.
    if (pairsIn(request.url) > MAX_PAIRS) return done(new AppError('malformed'))
    void reply.headers(security).header('X-Request-Id', request.id)
    // Answers carry people's data: no shared cache, no copy on disk.
    if (request.url.startsWith('/api/')) void reply.header('Cache-Control', 'no-store')
    done()
  })
  nameAskers(app)
  cutOffSlowRequests(app, leastSpeed)
  // One line for a request, once it is answered: the route and a record's id, not the address, which may hold names
  // that were searched for or a link's token.
  app.addHook('onResponse', (request, reply, done) => {
    metrics?.answered(request, reply)
    const { id } = (request.params ?? {}) as { id?: string }
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    done()
  })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      parseJson(request, jsonText(bytes as Buffer), done)
    } catch (error) {
      done(error as Error)
    }
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerError(new AppError('not_found'), request, reply))

  await app.register(multipart, {
    limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 20, fieldSize: 10_000, parts: 30 },
  })

  const door = openDoor(doorDatabase.pool, standby?.pool ?? null)
  const [holderOf, callerOf] = [authenticator(door, clock), keyAuthenticator(door, doorDatabase, clock)]
  const host: Host = {
    app,
    database,
    standby,
    clock,
    ports,
    subscriptions,
    owners,
    authenticate: async (token, mayBeBehind) => {
      const caller = await callerOf(token, mayBeBehind)
      return caller === undefined ? holderOf(token, mayBeBehind) : caller
    },
  }
  bindOperations(host, health, { version: WAYBILL_VERSION, commit: null, database: doorDatabase, requests: database })
  bindRoutes(host)

  // Described when somebody first asks: it took nine tenths of the time in which the application is put together.
  let described: object | undefined
  const describe = () =>
    openApiDocument(ENDPOINTS, RESOURCES, {
      version: WAYBILL_VERSION,
      examples: JSON.parse(readFileSync(new URL('api-examples.json', import.meta.url), 'utf8')) as ApiExamples,
    })
  const document = { toJSON: () => (described ??= describe()) }
  app.get('/api/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false })

  if (webDir && existsSync(join(webDir, 'index.html'))) await serveWeb(app, webDir)
  return { app, host }
}
