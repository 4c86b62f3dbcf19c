import { z as zod } from 'zod'
import { beforeAll, describe, expect, test } from 'vitest'
import { z as late } from './src/kit/shapes/late-zod.ts'

const z = late as typeof zod
const def = (shape: unknown) => (shape as { def: Record<string, unknown> }).def

const Stop = z.strictObject({ id: z.number(), city: z.string().trim().min(1), times: z.array(z.string()).default([]) })

test('a shape that checks before what checks is there says so', async () => {
  // One of its own: another file of tests may have fetched what checks.
  const apart = './src/kit/shapes/late-zod.ts?apart'
  const { z: anew } = (await import(apart)) as { z: typeof zod }
  expect(() => anew.string().safeParse('')).toThrow('before kit/shapes/check.ts is there')
})

describe('of a shape the fields are known without what checks', () => {
  const names = (shape: unknown) => Object.keys((shape as { shape: object }).shape)

  test('of an object, also where something is said of the whole of it', () => {
    expect(names(Stop)).toEqual(['id', 'city', 'times'])
    expect(names(Stop.refine(() => true).superRefine(() => undefined))).toEqual(['id', 'city', 'times'])
    expect(def(Stop)).toMatchObject({ type: 'object', shape: { id: Stop.shape.id } })
  })

  test('of one that is made of another', () => {
    expect(names(Stop.extend({ zip: z.string() }))).toEqual(['id', 'city', 'times', 'zip'])
    expect(names(Stop.omit({ id: true }))).toEqual(['city', 'times'])
    expect(names(Stop.pick({ id: true }))).toEqual(['id'])
    expect(names(Stop.partial())).toEqual(['id', 'city', 'times'])
    expect(def(Stop.partial().shape.id)).toMatchObject({ type: 'optional', innerType: Stop.shape.id })
    expect(names(z.object({ ...Stop.shape, at: z.string() }))).toEqual(['id', 'city', 'times', 'at'])
  })

  test('and what lies around a shape is told apart from it', () => {
    expect((Stop.nullable() as unknown as { shape: unknown }).shape).toBeUndefined()
    expect(def(Stop.nullable().default(null))).toMatchObject({ type: 'default' })
    expect(def(def(Stop.nullable().default(null)).innerType)).toMatchObject({ type: 'nullable', innerType: Stop })
    expect(def(Stop.array())).toMatchObject({ type: 'array', element: Stop })
    expect(def(z.array(Stop).max(3))).toMatchObject({ type: 'array', element: Stop })
    expect(def(Stop.transform(String))).toMatchObject({ type: 'pipe', in: Stop })
    expect(def(z.string().min(1))).toEqual({ type: 'string' })
  })
})

describe('once what checks is there', () => {
  beforeAll(() => import('./src/kit/shapes/check.ts'))

  test('shapes check as those of zod do', () => {
    const said = (by: typeof zod) =>
      by
        .strictObject({
          kind: by.enum(['road', 'rail']).default('road'),
          cargo: by.array(by.strictObject({ weight: by.number().int().min(0).nullable().default(null) })).max(2),
          at: by.iso.datetime().optional(),
          mark: by.union([by.literal('').transform(() => null), by.string().regex(/^[A-Z]+$/)]),
          even: by.string().transform((value, context) => {
            if (Number(value) % 2 === 0) return Number(value)
            context.addIssue({ code: 'custom', message: 'odd' })
            return by.NEVER
          }),
        })
        .refine(({ kind, cargo }) => kind === 'road' || cargo.length > 0, { message: 'empty' })
    const values = [
      { cargo: [{ weight: 3 }, {}], mark: '', even: '4' },
      { kind: 'rail', cargo: [], mark: 'A', even: '2', at: '2026-12-04T10:00:00Z' },
      { kind: 'sea', cargo: [{ weight: 1.5 }, { weight: -1, more: 1 }, {}], mark: 'a', even: '3', at: 'soon' },
      null,
    ]
    for (const value of values) {
      const own = said(z).safeParse(value, { reportInput: true })
      const real = said(zod).safeParse(value, { reportInput: true })
      expect(own.data).toEqual(real.data)
      expect(own.error?.issues).toEqual(real.error?.issues)
    }
    expect(said(z).safeParse(values[0]).success).toBe(true)
  })
})
