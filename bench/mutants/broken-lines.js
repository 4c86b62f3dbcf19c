// Lines of the product that are broken one at a time, chosen by a seed: what can be wrong with a line without the
// compiler seeing it at once.
import { createHash } from 'node:crypto'
import { files, isCode, isTest, lineAt, parse, textOf } from '../../scripts/gates/sources.js'

const OPPOSITES = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
}
/** What these leave out or put in order stays, or stays as it came. */
const LEFT_OUT = new Set(['filter', 'toSorted', 'slice', 'trim', 'toReversed', 'flat', 'toLowerCase'])
/** What of an element makes it do something. */
const DOES_SOMETHING = /^(?:on[A-Z]|disabled$|required$|readOnly$|checked$|hidden$|error$|is(?!Flush|Narrow|Wide)[A-Z])/

const isText = ({ type, value }) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

/** Each way to break something at a node: from where to where, and what stands there then. */
function waysAt(node, text) {
  const whole = (what) => [{ start: node.start, end: node.end, what }]
  const between = (from, to, operator, what) => {
    const start = text.indexOf(operator, from)
    return start >= 0 && start < to ? [{ start, end: start + operator.length, what }] : []
  }
  const of = ({ start, end }) => text.slice(start, end)
  switch (node.type) {
    case 'LogicalExpression':
    case 'BinaryExpression':
      if (node.operator === '??') return whole(`(${of(node.right)})`)
      if (!(node.operator in OPPOSITES) || isText(node.left) || isText(node.right)) return []
      return between(node.left.end, node.right.start, node.operator, OPPOSITES[node.operator])
    case 'IfStatement':
    case 'ConditionalExpression':
      return [{ start: node.test.start, end: node.test.end, what: `!(${of(node.test)})` }]
    case 'UnaryExpression':
      return node.operator === '!' ? whole(of(node.argument)) : []
    case 'Literal':
      if (typeof node.value === 'boolean') return whole(String(!node.value))
      return typeof node.value === 'number' ? whole(node.value === 0 ? '1' : '0') : []
    case 'ExpressionStatement':
      return /^(?:Call|Await|Assignment)Expression$/.test(node.expression.type) ? whole('void 0') : []
    case 'CallExpression':
      return node.callee.type === 'MemberExpression' && LEFT_OUT.has(node.callee.property.name)
        ? whole(of(node.callee.object))
        : []
    case 'JSXAttribute':
      return DOES_SOMETHING.test(node.name.name) ? whole('') : []
    default:
      return []
  }
}

// Types are no code; how wide or how far apart something is drawn is seen, not tested.
const IS_LEFT_ALONE = /^(?:TS|Import|ExportAll)/

function waysIn(node, text, found = []) {
  if (Array.isArray(node)) for (const one of node) waysIn(one, text, found)
  else if (typeof node === 'object' && node !== null) {
    if (IS_LEFT_ALONE.test(node.type ?? '') && !/^TS(?:As|NonNull|Satisfies)/.test(node.type)) return found
    if (node.type !== undefined) found.push(...waysAt(node, text))
    if (node.type === 'JSXAttribute' && !DOES_SOMETHING.test(node.name.name)) return found
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') waysIn(child, text, found)
  }
  return found
}

/** In an order that a seed gives, and that of the rest stays when a line is added or changed. */
const placeOf = (seed, { file, text, which, was, what }) =>
  createHash('sha256').update([seed, file, text, which, was, what].join('\0')).digest('hex')

/** Each way to break a file: `{ id, file, line, start, end, what, was }`; the id holds while its line is as it is. */
function waysOf(file, seed) {
  const text = textOf(file)
  const lines = text.split('\n')
  const seen = new Map()
  return waysIn(parse(file).program, text).map((way) => {
    const line = lineAt(file, way.start)
    const one = { file, text: lines[line - 1].trim(), was: text.slice(way.start, way.end), what: way.what }
    const same = JSON.stringify(one)
    const which = seen.get(same) ?? 0
    seen.set(same, which + 1)
    return { id: placeOf(seed, { ...one, which }), line, ...way, ...one }
  })
}

/** So many broken lines of a workspace, in the order of their choice, each line once. */
export function brokenLines(workspace, count, seed) {
  const taken = new Set()
  return files
    .filter((one) => one.startsWith(`${workspace}/src/`) && isCode(one) && !isTest(one))
    .flatMap((file) => waysOf(file, seed))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .filter(({ file, line }) => !taken.has(`${file}:${line}`) && taken.add(`${file}:${line}`))
    .slice(0, count)
}
