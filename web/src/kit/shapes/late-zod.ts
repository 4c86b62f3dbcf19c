/*
 * Stands in for zod in the pages behind the sign-in (web/vite.config.ts). A form knows of a shape which fields it has;
 * what makes it check comes with the first check (check.ts): zod is 12 kB, and nobody has typed yet. Here a shape is
 * how it was said, `z.string().min(1)`; it is made with zod once it is asked to check something.
 */

type Zod = Readonly<Record<string, (...given: unknown[]) => unknown>>
type Fields = Readonly<Record<string, unknown>>

/** One call of how a shape was said: `z.array(given)`, or `.nullable()` of another. */
interface Said {
  of: Said | null
  call: string
  given: readonly unknown[]
  shape: unknown
  made?: unknown
  def?: object
}

let zod: Zod | null = null

/** From now on shapes can check. */
export const takeZod = (given: object): void => void (zod = given as Zod)

const saidBy = new WeakMap<object, Said>()
const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const mapped = (fields: Fields, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))

/** The same with zod: shapes in it, in lists and fields of it. */
function withZod(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withZod)
  if (isPlain(value)) return mapped(value, withZod)
  const said = typeof value === 'object' && value !== null ? saidBy.get(value) : undefined
  return said === undefined ? value : make(said)
}

function make(said: Said): Zod {
  if (zod === null) throw new Error('A shape checks before kit/shapes/check.ts is there')
  if (said.made === undefined) {
    const by = said.of === null ? zod : make(said.of)
    said.made = by[said.call]!(...said.given.map(withZod))
  }
  return said.made as Zod
}

const OBJECTS = ['object', 'strictObject']
const AROUND = ['optional', 'nullable', 'default', 'prefault']
// Behind these it is another shape, whose fields are not those of the one before.
const OTHERS = ['array', 'transform', 'pipe']

/** The fields of an object, or undefined where the shape is none. */
function fieldsOf({ of, call, given: [first] }: Said): Fields | undefined {
  if (of === null) return OBJECTS.includes(call) ? ((first ?? {}) as Fields) : undefined
  if (AROUND.includes(call) || OTHERS.includes(call)) return undefined
  const before = fieldsOf(of)
  if (before === undefined) return undefined
  const named = (isWanted: boolean) =>
    Object.fromEntries(Object.entries(before).filter(([name]) => name in (first as object) === isWanted))
  switch (call) {
    case 'extend':
      return { ...before, ...(first as Fields) }
    case 'omit':
      return named(false)
    case 'pick':
      return named(true)
    case 'partial':
      return mapped(before, (field) => (field as { optional: () => unknown }).optional())
    default:
      return before
  }
}

/** As zod's `def` says it, as far as a form looks into a shape. */
function defOf(said: Said): object {
  const { of, call, given } = said
  if (of === null && call === 'array') return { type: 'array', element: given[0] }
  const fields = fieldsOf(said)
  if (fields !== undefined) return { type: 'object', shape: fields }
  if (of === null) return { type: call }
  if (AROUND.includes(call)) return { type: call, innerType: of.shape }
  if (call === 'array') return { type: 'array', element: of.shape }
  if (call === 'transform' || call === 'pipe') return { type: 'pipe', in: of.shape }
  return defOf(of)
}

const CHECKS = ['safeParse', 'parse']

function shapeOf(of: Said | null, call: string, given: readonly unknown[]): unknown {
  const said: Said = { of, call, given, shape: undefined }
  const shape = new Proxy(Object.create(null) as object, {
    get(_target, name) {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      if (name === 'shape') return fieldsOf(said)
      if (name === 'def') return (said.def ??= defOf(said))
      if (CHECKS.includes(name)) return (...what: unknown[]) => make(said)[name]!(...what)
      return (...more: unknown[]) => shapeOf(said, name, more)
    },
  })
  said.shape = shape
  saidBy.set(shape, said)
  return shape
}

const say =
  (call: string) =>
  (...given: unknown[]) =>
    shapeOf(null, call, given)

/** What shapes are said with; `z.NEVER` is told by one that checks already. */
export const z: unknown = /* @__PURE__ */ new Proxy(Object.create(null) as object, {
  get(_target, name) {
    if (name === 'NEVER') return zod?.NEVER
    return name === 'iso' ? { datetime: say('datetime') } : say(name as string)
  },
})
