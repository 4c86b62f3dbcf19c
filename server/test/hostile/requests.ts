// Requests that no page of ours sends: of every endpoint, made from what it takes, with something of each spoilt.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { Random } from '../long/writers.ts'
import { FILES } from '../upload.ts'
import { plainValue, type Schema } from './plain-values.ts'
import { KNOWN } from './values.ts'

export interface HostileRequest {
  /** what of it is spoilt */
  spoilt: string
  method: string
  /** as it is sent, below `/api` */
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

const jsonSchema = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!

/** Ids of nothing, of others, and what is none at all. */
const IDS = [
  '0',
  '-1',
  '999999',
  '2147483648',
  '9007199254740993',
  '99999999999999999999999',
  '1.0',
  '1e3',
  '0x10',
  '01',
  '%201',
  '1;drop%20table%20"order"',
  "1'%20or%20'1'='1",
  'null',
  'NaN',
  'constructor',
  '__proto__',
  '..',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%00',
  '%',
  '%zz',
  '%c0%ae',
  '%F0%9F%9A%9A',
  'x'.repeat(600),
  '1,2',
  '*',
]

const TYPES = [null, true, false, 0, -1, 1.5, 1e308, -0, '', '1', 'true', [], {}, [[]], [null], { id: 1 }, [1, 'a', {}]]

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown

const SIZES: readonly (() => unknown)[] = [
  () => 'x'.repeat(100_000),
  () => '\u{1F69A}'.repeat(30_000),
  () => Array.from({ length: 5_000 }, (_, index) => index),
  () => Array.from({ length: 2_000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, index])),
  () => deep(400),
  () => Number.MAX_SAFE_INTEGER,
  () => -Number.MAX_SAFE_INTEGER,
  () => 2 ** 31,
  () => 1e21,
  () => '9'.repeat(400),
]

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'version',
  'isAdmin',
  'permissions',
  '$where',
  '',
]

type Place = [holder: Record<string, unknown>, key: string]

/** Every place of a value where something stands, the whole itself left out. */
function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key])
    placesIn((value as Record<string, unknown>)[key], found)
  }
  return found
}

/** Puts something wrong into a body; answers what. */
function spoilValue(body: unknown, random: Random): string {
  const places = placesIn(body)
  if (places.length === 0 || random(8) === 0) {
    const name = pick(NAMES, random)
    // Not by assignment, which would set what the name means.
    if (typeof body === 'object' && body !== null)
      Object.defineProperty(body, name, { value: pick(TYPES, random), enumerable: true, configurable: true })
    return `a field ${name}`
  }
  const [holder, key] = pick(places, random)
  const kind = random(10)
  if (kind < 5) {
    holder[key] = structuredClone(pick(TYPES, random))
    return `the type of ${key}`
  }
  if (kind < 7) {
    holder[key] = pick(SIZES, random)()
    return `the size of ${key}`
  }
  if (kind < 9) {
    holder[key] = pick(KNOWN, random)
    return `the text of ${key}`
  }
  delete holder[key]
  return `no ${key}`
}

const JSON_TYPE = 'application/json'

const cutAt = (bytes: Buffer, at: number) => bytes.subarray(0, at)
const withBytes = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])

/** Bytes that are no JSON, or are not what their heads say. */
const ENCODINGS: readonly (readonly [
  name: string,
  (json: string, random: Random) => { body: Buffer; headers?: Record<string, string> },
])[] = [
  ['Latin-1', (json) => ({ body: Buffer.from(json.replace('"', '"\u00e4\u00f6\u00fc'), 'latin1') })],
  ['UTF-16', (json) => ({ body: Buffer.from(`\uFEFF${json}`, 'utf16le') })],
  ['a byte order mark', (json) => ({ body: Buffer.from(`\uFEFF${json}`) })],
  ['cut off', (json, random) => ({ body: cutAt(Buffer.from(json), random(json.length + 1)) })],
  ['more behind it', (json) => ({ body: Buffer.from(`${json}{}`) })],
  [
    'bytes that are no UTF-8',
    (json, random) => ({
      body: withBytes(Buffer.from(json), random(json.length + 1), Buffer.from([0xc0, 0x80, 0xff, 0xed, 0xa0, 0x80])),
    }),
  ],
  ['a NUL', (json, random) => ({ body: withBytes(Buffer.from(json), random(json.length + 1), Buffer.from([0])) })],
  ['half a character', (json) => ({ body: Buffer.from(json.replace('"', '"\\ud800')) })],
  ['a field twice', (json) => ({ body: Buffer.from(json.replace('{', '{"id":1,"id":{},"version":1,"version":"1",')) })],
  ['a prototype', () => ({ body: Buffer.from('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"a":1}}}') })],
  ['20,000 deep', () => ({ body: Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) })],
  ['20,000 deep and open', () => ({ body: Buffer.from('{"a":'.repeat(20_000)) })],
  ['no number', (json) => ({ body: Buffer.from(json.replace(/\d+/, '1e400')) })],
  ['empty', () => ({ body: Buffer.alloc(0) })],
  ['null', () => ({ body: Buffer.from('null') })],
  ['a text', () => ({ body: Buffer.from('"text"') })],
  ['a list', () => ({ body: Buffer.from('[]') })],
  ['blanks', (json) => ({ body: Buffer.from(`${' '.repeat(100_000)}${json}`) })],
  ...(
    [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json; charset=utf-16',
      'application/json; charset=klingon',
      'application/merge-patch+json',
      'nonsense',
      '',
    ] as const
  ).map(
    (type) =>
      [
        `content type ${type}`,
        (json: string) => ({ body: Buffer.from(json), headers: { 'content-type': type } }),
      ] as const,
  ),
  ['gzip that is none', (json) => ({ body: Buffer.from(json), headers: { 'content-encoding': 'gzip' } })],
  ['gzip', (json) => ({ body: gzipSync(json), headers: { 'content-encoding': 'gzip' } })],
  ['brotli', (json) => ({ body: brotliCompressSync(json), headers: { 'content-encoding': 'br' } })],
]

/** What a head may hold that no page sends. */
const HEADS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['if-match', ['1', 'W/"1"', '*', '""', '"-1"', '"99999999999"', '"1", "2"', '"1\' or 1=1"']],
  ['idempotency-key', ['', ' ', 'x'.repeat(256), 'x'.repeat(255), "';--", '\u00e4\u00ff', 'same-for-all']],
  ['accept-language', ['', '*', 'xx', 'de;q=99999', ',,,,', 'x'.repeat(4_000), 'en-\u00ff']],
  ['additional-groups', ['', 'detailed,detailed', '__proto__', 'x'.repeat(2_000)]],
  ['group-filter', ['0', '-1', '1', '999999', '1 or 1=1', '9'.repeat(17), 'x']],
  ['range', ['bytes=0-', 'bytes=5-2', 'bytes=-1', 'bytes=0-0,1-1', 'items=1', `bytes=${'0-0,'.repeat(500)}0-0`]],
  ['accept-encoding', ['', 'gzip', 'br', 'identity;q=0', 'nonsense', '*;q=0']],
  ['accept', ['', 'text/html', 'nonsense', 'image/*;q=x']],
  ['if-none-match', ['*', '"x"', 'W/"', 'x'.repeat(3_000)]],
  ['if-modified-since', ['yesterday', 'Tue, 99 Foo 2026 99:99:99 GMT']],
  ['x-request-id', ['', 'a b', 'x'.repeat(3_000), '{"a":1}']],
  ['x-forwarded-for', ['', 'nonsense', '1.2.3.4, 5.6.7.8, ::1', '999.1.1.1', `1.1.1.1${', 2.2.2.2'.repeat(200)}`]],
  ['x-forwarded-proto', ['gopher', 'https,http']],
  ['x-forwarded-host', ['evil.example']],
  ['origin', ['null', 'https://evil.example', 'x']],
  ['cookie', ['', '=', ';;;;', `a=${'x'.repeat(4_000)}`, '__Host-device=%00; device=%zz']],
  ['last-event-id', ['', '-1', '9'.repeat(30), 'x', '1.5']],
  ['expect', ['100-continue']],
  [
    'authorization',
    ['', 'Bearer', 'Bearer ', `Bearer ${'x'.repeat(200)}`, 'Basic YTpi', 'bearer null', 'Bearer a b c'],
  ],
]

const encodeQuery = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => encodeQuery(`${name}[]`, one))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => encodeQuery(`${name}[${key}]`, one))
  return [`${name}=${encodeURIComponent(String(value).toWellFormed())}`]
}

const TAILS = ['%', '%zz', '%c3%28', '%00', '%ff', '&&&==', '[]=1', '[[]]=1', 'a[b][c][d]=1', '__proto__[x]=1']
const LISTS = ['page', 'perPage', 'cursor', 'sort', 'query', 'search', 'fields', 'id', 'ids', 'from', 'to', 'filter']

/** Spoils pairs of a query; answers what. */
function spoilQuery(pairs: string[], random: Random): string {
  const names = pairs.map((pair) => pair.split(/[[=]/)[0]!)
  const name = names.length > 0 && random(3) > 0 ? pick(names, random) : pick(LISTS, random)
  const value = () => encodeURIComponent(pick([...IDS.slice(0, 14), ...KNOWN], random).toWellFormed())
  const ways: (() => string)[] = [
    () => (pairs.push(`${name}=${value()}`), `${name} once more`),
    () => (pairs.push(`${name}[]=${value()}`), `${name} as a list`),
    () => (pairs.push(`${name}[from]=${value()}`, `${name}[to]=${value()}`), `${name} as a span`),
    () => (pairs.push(`${name}.x[y]=${value()}`), `${name} as an object`),
    () => (pairs.splice(0, pairs.length, `${name}=${value()}`), `${name} alone`),
    () => (pairs.push(pick(TAILS, random)), 'what cannot be read'),
    () => (pairs.push(...Array.from({ length: 499 + random(4) }, () => `${name}[]=1`)), '500 pairs'),
    () => (pairs.push(`${name}=${'x'.repeat(6_000)}`), 'a long value'),
    () => (pairs.push(`${name}=${'1'.repeat(300)}`), 'a long number'),
    () => (pairs.push(`nothing${random(9)}=1`), 'an unknown name'),
  ]
  return pick(ways, random)()
}

const FILE_NAMES = [
  'Frachtbrief.pdf',
  '../../etc/passwd',
  'x'.repeat(400),
  '',
  'a\u0000b.pdf',
  'CON',
  '"; name="x',
  'ł.pdf',
]
const FILE_KINDS: readonly (() => Uint8Array)[] = [
  () => FILES.pdf(),
  () => FILES.png(),
  () => FILES.exe(),
  () => FILES.html(),
  () => new Uint8Array(0),
  () => Buffer.alloc(20_000, 0xff),
  () => Buffer.from('Kunde;Betrag\r\nHansa Bau;"1\r\n;;;;;\r\n'),
  () => Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
  () => Buffer.from(`<?xml version="1.0"?>${'<a>'.repeat(5_000)}`),
  () => Buffer.from('504b0304140000000800', 'hex'),
  () =>
    Buffer.from(
      'From: a@b.example\r\nSubject: =?utf-8?B?????=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x',
    ),
  () => Buffer.from(':20:STARTUMSE\r\n:25:x/y\r\n:28C:\r\n:60F:C999999EUR,\r\n:61:x\r\n-'),
]

/** A form with a file, with something of it spoilt. */
function formOf(fields: Record<string, unknown>, random: Random): { body: Buffer; type: string; spoilt: string } {
  const boundary = 'waybill-hostile-form'
  const part = (head: string, bytes: Uint8Array) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ])
  const text = (name: string, value: unknown) =>
    part(`name="${name}"`, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
  const file = (name = 'file') =>
    part(`name="${name}"; filename="${pick(FILE_NAMES, random)}"`, pick(FILE_KINDS, random)())
  const parts = [...Object.entries(fields).map(([name, value]) => text(name, value)), file()]
  const ways: readonly (readonly [string, () => void])[] = [
    ['nothing but the file', () => {}],
    ['two files', () => parts.push(file('other'))],
    ['no file', () => parts.pop()],
    ['a text for a file', () => parts.splice(-1, 1, text('file', 'x'))],
    ['a file for a field', () => parts.unshift(file(pick(Object.keys(fields).concat('documentType'), random)))],
    ['forty fields', () => parts.unshift(...Array.from({ length: 40 }, (_, n) => text(`n${n}`, 'x')))],
    ['a long field', () => parts.unshift(text('remark', 'x'.repeat(12_000)))],
    ['a field of no name', () => parts.unshift(text('', 'x'))],
    ['a prototype', () => parts.unshift(text('__proto__', '{"a":1}'))],
    ['a part without a head', () => parts.unshift(Buffer.from(`--${boundary}\r\n\r\nx\r\n`))],
    ['a part of an odd head', () => parts.unshift(Buffer.from(`--${boundary}\r\nContent-Disposition: x\r\n\r\nx\r\n`))],
  ]
  const [spoilt, spoil] = pick(ways, random)
  spoil()
  const isOpen = random(8) === 0
  return {
    body: Buffer.concat([...parts, Buffer.from(isOpen ? '' : `--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${random(20) === 0 ? 'another' : boundary}`,
    spoilt: `${spoilt}${isOpen ? ', and no end' : ''}`,
  }
}

/**
 * Makes requests to an endpoint: by the same random numbers the same. `links` are tokens of public pages that open
 * something; a fifth of all is spoilt in nothing but whose records it names.
 */
export function hostileRequests(endpoint: Endpoint, links: readonly string[]): (random: Random) => HostileRequest {
  const [params, query, body] = [endpoint.params, endpoint.query, endpoint.body].map(jsonSchema) as [
    Schema,
    Schema,
    Schema,
  ]
  const hasBody = !['GET', 'DELETE'].includes(endpoint.method) || Object.keys(body.properties ?? {}).length > 0
  return (random) => {
    const spoilt: string[] = []
    const where = random(16)
    const given = plainValue(params, random) as Record<string, string>
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
      if (name === 'token' && links.length > 0 && random(2) === 0) return pick(links, random)
      if (where > 1 || random(2) === 0) return encodeURIComponent(given[name] ?? '1')
      spoilt.push(`the ${name} in the path`)
      return pick(IDS, random)
    })
    const pairs = Object.entries(plainValue(query, random) as Record<string, unknown>).flatMap(([name, value]) =>
      encodeQuery(name, value),
    )
    if (where === 2 || (where < 6 && pairs.length > 0)) spoilt.push(`the query: ${spoilQuery(pairs, random)}`)

    const headers: Record<string, string> = {}
    let bytes: Buffer | null = null
    if (endpoint.shape === 'multipart') {
      const form = formOf(plainValue(body, random) as Record<string, unknown>, random)
      bytes = form.body
      headers['content-type'] = form.type
      spoilt.push(`the form: ${form.spoilt}`)
    } else if (hasBody) {
      const value = plainValue(body, random)
      if (where > 2 && where < 7) spoilt.push(`the body: ${spoilValue(value, random)}`)
      const json = JSON.stringify(value)
      headers['content-type'] = JSON_TYPE
      if (where === 7) {
        const [name, encode] = pick(ENCODINGS, random)
        const encoded = encode(json, random)
        bytes = encoded.body
        Object.assign(headers, encoded.headers)
        spoilt.push(`the encoding: ${name}`)
      } else bytes = Buffer.from(json)
    }
    if (endpoint.needsVersion || random(10) === 0) headers['if-match'] = `"${1 + random(3)}"`
    if (random(2) === 0) headers['additional-groups'] = 'detailed'
    if (where === 8)
      for (let heads = 1 + random(2); heads > 0; heads -= 1) {
        const [name, values] = pick(HEADS, random)
        headers[name] = pick(values, random)
        spoilt.push(`the head ${name}`)
      }
    let { method } = endpoint as { method: string }
    if (random(50) === 0) {
      method = pick(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'PROPFIND', 'TRACE'], random)
      spoilt.push(`the method ${method}`)
    }
    return {
      spoilt: spoilt.join(', ') || 'whose records it names',
      method,
      path: `${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
      headers,
      body: bytes,
    }
  }
}
