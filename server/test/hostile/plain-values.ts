// Values that a JSON Schema takes, most of them: what a hostile request is made of before something of it is spoilt.
import type { Random } from '../long/writers.ts'

export type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  $ref?: string
  $defs?: Record<string, Schema>
}

/** Records of a fresh installation have such ids. */
const KNOWN_IDS = 40

// Addresses lead nowhere, so that nothing leaves this machine.
const TEXTS = [
  'Elbwiesen Gartenbedarf GmbH',
  'ul. Bukowska 12',
  '21129',
  'H',
  'DE',
  'PL5261040828',
  'DE811569869',
  'DE89370400440532013000',
  'COBADEFFXXX',
  'dispo@hansa-bau.example',
  'https://127.0.0.1:9/hook',
  '2026-12-01',
  '2026-12',
  '2026',
  '2026-12-01T08:00:00.000Z',
  '2026-12-01T08:00:00+01:00',
  '08:00',
  'Europe/Berlin',
  '4500087123',
  'pallets',
  '123456',
  'Str0ng-Pass-For-Them!',
  '#1d4ed8',
  '5c1f7a60-3c1e-4e9b-9f2b-0a2f3f6c7d81',
  'aGVsbG8gd29ybGQ',
  'x'.repeat(43),
  'a'.repeat(64),
]

const textsOf = new WeakMap<Schema, string[]>()

function textFor(schema: Schema, random: Random): string {
  let texts = textsOf.get(schema)
  if (texts === undefined) {
    const { pattern, minLength = 0, maxLength = Infinity } = schema
    const shape = pattern === undefined ? null : new RegExp(pattern, 'u')
    const ids = Array.from({ length: KNOWN_IDS }, (_, index) => String(index + 1))
    const fits = (text: string) =>
      text.length >= minLength && text.length <= maxLength && (shape === null || shape.test(text))
    // What names a record by its id is text in a path and in a query.
    texts = (shape?.test('1') && !shape.test('H') ? ids : TEXTS).filter(fits)
    if (texts.length === 0) texts = ['x'.repeat(Math.min(Math.max(minLength, 1), 1000))]
    textsOf.set(schema, texts)
  }
  return texts[random(texts.length)]!
}

function numberFor({ minimum, exclusiveMinimum, maximum = Infinity, type }: Schema, random: Random): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  const from = Math.max(least, Math.min(0, maximum))
  const whole = from + random(Math.max(1, Math.min(KNOWN_IDS, maximum - from + 1)))
  return type === 'number' && random(4) === 0 && whole + 0.5 <= maximum ? whole + 0.5 : whole
}

/** A value that `schema` takes, as far as its rules can be read from it. `root` holds what it refers to. */
export function plainValue(schema: Schema, random: Random, root: Schema = schema): unknown {
  const { $ref: named } = schema
  if (named !== undefined)
    return plainValue(named === '#' ? root : root.$defs![named.slice('#/$defs/'.length)]!, random, root)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[random(schema.enum.length)]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return plainValue(choices[random(choices.length)]!, random, root)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => plainValue(part, random, root)))
  const type = Array.isArray(schema.type) ? schema.type[random(schema.type.length)] : schema.type
  switch (type) {
    case 'string':
      return textFor(schema, random)
    case 'integer':
    case 'number':
      return numberFor(schema, random)
    case 'boolean':
      return random(2) === 0
    case 'null':
      return null
    case 'array': {
      const { items, minItems = 0 } = schema
      if (!items) return []
      return Array.from({ length: minItems + random(3) }, () => plainValue(items, random, root))
    }
    case 'object': {
      const { properties = {}, required = [], additionalProperties: more } = schema
      const given = Object.entries(properties).filter(([name]) => required.includes(name) || random(2) === 0)
      const record = Object.fromEntries(given.map(([name, value]) => [name, plainValue(value, random, root)]))
      return typeof more === 'object' && more.type ? { ...record, 1: plainValue(more, random, root) } : record
    }
    default:
      return textFor({}, random)
  }
}
