import { z } from 'zod'
import { ERRORS } from '@waybill/contract/errors'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { pageOfValues } from '@waybill/contract/kit/paging'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import type { Access } from '@waybill/contract/permissions'

type Json = Record<string, unknown>

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json
  return rest
}

const describeAccess = ({ access, inPerson }: Pick<Endpoint, 'access' | 'inPerson'>): string =>
  accessWords(access) + (inPerson && access !== 'public' ? ' Not with a key.' : '')

const accessWords = (access: Access): string =>
  access === 'public'
    ? 'Open to everybody.'
    : access === 'signedIn'
      ? 'Open to any signed-in user.'
      : access === 'administrator'
        ? 'Administrators only.'
        : `Needs one of: ${access.anyOf.join(', ')}.`

function parametersOf(endpoint: Endpoint): Json[] {
  const named = (schema: z.ZodType, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
      properties?: Record<string, Json>
      required?: string[]
    }
    return Object.entries(properties).map(([name, described]) => {
      const isList = described.type === 'array'
      const isObject = described.type === 'object'
      return {
        name: isList ? `${name}[]` : name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: described,
        ...(isObject && { style: 'deepObject', explode: true }),
      }
    })
  }
  const parameters = [...named(endpoint.params, 'path'), ...named(endpoint.query, 'query')]
  if (endpoint.needsVersion)
    parameters.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      schema: { type: 'string', description: 'The version read, in quotes; or `version` in the body' },
    } as never)
  if (endpoint.method === 'POST')
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    } as never)
  return parameters
}

const problem = { $ref: '#/components/responses/Problem' }

/** What is sent to an endpoint, and what it answers. */
export interface ApiExample {
  readonly body?: unknown
  readonly reply?: unknown
}

/** By method and path, as `GET /orders/:id`. */
export type ApiExamples = Readonly<Record<string, ApiExample>>

function operationOf(endpoint: Endpoint, { body, reply: answer }: ApiExample = {}, alternative?: Endpoint): Json {
  const reply = alternative
    ? { oneOf: [endpoint.reply, pageOfValues, alternative.reply].map((one) => jsonSchema(one, 'output')) }
    : jsonSchema(endpoint.reply, 'output')
  const bodyType = endpoint.shape === 'multipart' ? 'multipart/form-data' : 'application/json'
  // A DELETE has a body only where it asks for something: RFC 9110 gives it no meaning of its own.
  const isEmpty = endpoint.body instanceof z.ZodObject && Object.keys(endpoint.body.shape).length === 0
  const hasBody = endpoint.method !== 'GET' && (endpoint.method !== 'DELETE' || !isEmpty)
  return {
    summary: endpoint.summary,
    description: alternative
      ? `With the header \`additional-groups: detailed\` full rows, with \`fields[]\` lists of these values, as ` +
        `they were named: ${describeAccess(endpoint)} Without the header id and title: ${describeAccess(alternative)}`
      : describeAccess(endpoint),
    parameters: parametersOf(endpoint),
    ...(endpoint.access === 'public' ? { security: [] } : endpoint.inPerson ? { security: [{ bearer: [] }] } : {}),
    ...(hasBody && {
      requestBody: {
        required: true,
        content: {
          [bodyType]: { schema: jsonSchema(endpoint.body, 'input'), ...(body !== undefined && { example: body }) },
        },
      },
    }),
    responses: {
      [endpoint.status]: {
        description: 'Done',
        ...(endpoint.shape === 'file' || endpoint.shape === 'stream'
          ? { content: { [endpoint.shape === 'file' ? 'application/octet-stream' : 'text/event-stream']: {} } }
          : endpoint.status !== 204 && {
              content: { 'application/json': { schema: reply, ...(answer !== undefined && { example: answer }) } },
            }),
      },
      default: problem,
    },
  }
}

/** The API's own description, made from the contract and never written beside it (api, General). OpenAPI 3.1. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  resources: readonly ResourceApi[],
  { version, examples = {} }: { version: string; examples?: ApiExamples },
): Json {
  const paths: Record<string, Json> = {}
  const add = (endpoint: Endpoint, alternative?: Endpoint) => {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(
        endpoint,
        examples[`${endpoint.method} ${endpoint.path}`],
        alternative,
      ),
    }
  }
  for (const endpoint of endpoints) add(endpoint)
  for (const api of resources) {
    add(api.list, api.compact)
    for (const endpoint of [api.export, api.create, api.get, api.replace, api.patch, api.remove]) add(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Waybill', version },
    paths,
    security: [{ bearer: [] }, { key: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a session' },
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'wbk_…', description: 'A key that an administrator made' },
      },
      responses: {
        Problem: {
          description: 'application/problem+json, RFC 9457',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: {
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
          properties: {
            type: { const: 'about:blank' },
            title: { type: 'string' },
            status: { type: 'integer' },
            code: { enum: Object.keys(ERRORS) },
            detail: { type: 'string' },
            requestId: { type: 'string' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  }
}
