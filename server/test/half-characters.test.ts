// Half a character (one half of a surrogate pair) is no text that PostgreSQL keeps: what comes with a body to be kept
// refuses it in words, or it would be a fault of the server.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { EVERY_ENDPOINT } from './hostile/endpoints.ts'

const HALVES = ['\ud83d', 'half \ud83d', '+\ud83d', 'half a character at the end of a long text \ud83d']

/** Parts that the same text has to meet, and parts of which each has a text of its own. */
const SAME = ['in', 'innerType', 'options', 'left', 'right']
const OWN = { shape: '.', element: '[]', items: '[]', keyType: '{key}', valueType: '{}', catchall: '{}' }

const isShape = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** Where in a shape a text may hold half a character; `whole` is what such a text has to meet. */
function takers(shape: z.ZodType, path = '', whole = shape): string[] {
  const def: { type: string } & Record<string, unknown> = { ...shape.def }
  if (['string', 'any', 'unknown'].includes(def.type))
    return HALVES.some((half) => whole.safeParse(half).success) ? [path] : []
  if (def.type === 'lazy') return takers((def.getter as () => z.ZodType)(), path, whole)
  const same = SAME.flatMap((part) => def[part]).filter(isShape)
  const own = Object.entries(OWN).flatMap(([part, sign]) => {
    const value = def[part]
    if (part === 'shape') return Object.entries(value ?? {}).map(([key, one]) => [one, `${path}${sign}${key}`] as const)
    return [value].flat().map((one) => [one, `${path}${sign}`] as const)
  })
  return [
    ...same.flatMap((one) => takers(one, path, whole)),
    ...own.flatMap(([one, at]) => (isShape(one) ? takers(one, at) : [])),
  ]
}

/** What is not kept as it comes, by endpoint and path. */
const NOT_KEPT: Record<string, RegExp> = {
  'compared with what is kept, or hashed':
    / \/(token|profile)\b.* \.(email|(current|confirm)?[pP]assword|code|challenge|key|refreshToken|state|error|iss)$/,
  'ties parts of one body together': / \.(cargo|locations|routes)\[\](\.\w+\[\])?\.(key|cargoKey|locationKeys\[\])$/,
  'one of a list that we know, looked up when it is used': /(\.attrs\.key|\.onlyIf\.variable|\.rows\[\]\.variable)$/,
  'what a mail is compared with before it leaves': / \/(emails|invoices)\b.* \.(variant|seen)$/,
  'read as something else first':
    /( \/\w+(-\w+)*\/import \.(columns|fixes)|\/upload \.locationIds|ksef.* \.(certificate|privateKey|passphrase))$/,
}

const TAKERS = EVERY_ENDPOINT.flatMap(({ name, endpoint }) =>
  [...new Set(takers(endpoint.body))].map((path) => `${name} ${path}`),
)

it('half a character is refused in every text of every body but those that are not kept', () => {
  expect(TAKERS.filter((taker) => !Object.values(NOT_KEPT).some((takes) => takes.test(taker)))).toEqual([])
})

it.for(Object.entries(NOT_KEPT))('a text that takes half a character may be %s', ([, takes]) => {
  expect(TAKERS.filter((taker) => takes.test(taker))).not.toEqual([])
})

it('a text that takes half a character is found wherever it stands', () => {
  const whole = z.string().refine((text) => text.isWellFormed())
  const shape = z.object({
    a: z.array(z.object({ text: z.string().nullable(), other: whole })),
    b: z.record(z.string(), z.union([z.number(), z.string().optional()])),
    c: z.string().transform((text) => text.trim()),
    d: z.string().pipe(whole),
    e: z.tuple([z.lazy(() => z.string())]),
    f: z
      .string()
      .transform((text) => text.trim())
      .pipe(whole),
  })
  expect(takers(shape)).toEqual(['.a[].text', '.b{key}', '.b{}', '.c', '.e[]'])
})
