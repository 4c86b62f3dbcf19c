import type { Plugin } from 'vite'
import { nodesIn, withoutProperty, type Node } from './lean-code.ts'

/*
 * The contract says what each side sends, for the types of both and for the API's document. The browser trusts its own
 * server and reads no answer against it, and the server reads what the browser sends: of an endpoint the browser needs
 * the way and, to read something, the query, by which lists read their address. Forms are checked by what a resource
 * writes.
 */

/** What of the argument of these calls the browser does not need. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  endpoint: ['reply', 'summary', 'params', 'body'],
  resource: ['view', 'row', 'name'],
}

/** What an endpoint holds that names nothing: made for the server, and all of zod where a page needs nothing else. */
const NOTHING = 'z.strictObject({})'

type Property = Node & { key?: { name?: string }; value?: { value?: unknown } }

const isRead = (properties: readonly Property[]): boolean =>
  properties.some(({ key, value }) => key?.name === 'method' && value?.value === 'GET')

/** The spans of code that go, and those that are made to go where nobody uses what they say. */
function findSpans(program: Node) {
  const unused: Node[] = []
  for (const call of nodesIn(program)) {
    if (call.type !== 'CallExpression') continue
    const names = UNUSED[(call.callee as { name?: string }).name ?? '']
    const [argument] = call.arguments as { type: string; properties?: Property[] }[]
    if (names === undefined || argument?.type !== 'ObjectExpression') continue
    const properties = argument.properties!
    const gone = isRead(properties) ? names : [...names, 'query']
    unused.push(...properties.filter(({ key }) => gone.includes(key?.name ?? '')))
  }
  const shapes = (program.body as Node[]).flatMap((statement) => {
    const { declarations, kind } = ((statement.declaration as Node | null) ?? statement) as Partial<Node>
    if (kind !== 'const') return []
    return (declarations as { init: Node }[]).map(({ init }) => init).filter(({ type }) => type === 'CallExpression')
  })
  return { unused, shapes }
}

/**
 * Leaves what only the server and the types need out of the browser's copy of the contract, some 10 kB on the pages of
 * orders: the shapes of answers, and every shape that nothing else names.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    transform(code, id) {
      if (!/\/contract\/src\/.*\.ts$/.test(id)) return null
      if (id.endsWith('/kit/endpoint.ts')) {
        if (!code.includes(NOTHING)) throw new Error('endpoints have no empty shape where it is looked for')
        return { code: code.replace(NOTHING, 'undefined'), map: null }
      }
      const taken = findSpans(this.parse(code) as unknown as Node)
      let lean = taken.unused.toSorted((one, other) => other.start - one.start).reduce(withoutProperty, code)
      // A call may do anything, as far as the build knows; one of a function that is marked pure may go.
      const { shapes } = findSpans(this.parse(lean) as unknown as Node)
      for (const { start, end } of shapes.toSorted((one, other) => other.start - one.start))
        lean = `${lean.slice(0, start)}/* @__PURE__ */(() => ${lean.slice(start, end)})()${lean.slice(end)}`
      return { code: lean, map: null }
    },
  }
}
