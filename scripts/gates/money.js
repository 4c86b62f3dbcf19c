import { files, isCode, isTest, lineAt, parse } from './sources.js'

/** Where money may be divided or written, by file and the name of what does it, each with its reason. */
const ALLOWED = {
  // Rates as words and codes show them: 1900 is 19.
  'contract/src/invoice/ksef/rules.ts ksefRate': 'the code of a rate is its percent',
  'server/src/modules/correspondence/document-words.ts formatRate': 'Intl writes a percent from a fraction',
  'server/src/modules/invoice/invoice.rules.ts rateText': 'Intl writes a percent from a fraction',
  'server/src/modules/invoice/e-invoice/content.rules.ts paymentTermsOf': 'XRechnung wants two places of a percent',
  // Cents as whole euros, a separator, and the rest.
  'server/src/modules/invoice/e-invoice/xml-writer.rules.ts amount': 'writes cents into XML',
  'server/src/modules/bookkeeping/datev-file.rules.ts euros': 'writes cents into the file for DATEV',
  'server/src/modules/invoice/invoice.builder.ts carrierDraft': 'the limit that an error names in euros',
  // In whole numbers.
  'server/src/modules/bookkeeping/booked-rows.rules.ts spread': 'divides BigInt, and the last part takes the rest',
}

const MONEY = /^(cents|bp)$|(Cents|Bp)$/

/** The name of a variable, a property or a call on one; undefined for everything else. */
function nameOf(node) {
  if (node?.type === 'Identifier') return node.name
  if (node?.type === 'MemberExpression') return node.computed ? undefined : node.property.name
  return undefined
}

const isFunction = (node) => /Function(Expression|Declaration)?$/.test(node.type)

/** The parts of an expression that are worked with: not those of functions in it. */
function* partsOf(node) {
  yield node
  for (const key in node) {
    const value = node[key]
    for (const part of Array.isArray(value) ? value : [value])
      if (part && typeof part.type === 'string' && !isFunction(part)) yield* partsOf(part)
  }
}

const isMoney = (node) => {
  for (const part of partsOf(node)) if (MONEY.test(nameOf(part) ?? '')) return true
  return false
}

const isFraction = (node) => node.type === 'Literal' && typeof node.value === 'number' && !Number.isInteger(node.value)

const calls = (node, name) => node.type === 'CallExpression' && nameOf(node.callee) === name

/** What turns money into a fraction here, as a sentence; undefined where nothing does. */
function faultOf(node, mayDivide) {
  if (node.type === 'BinaryExpression') {
    const { operator, left, right } = node
    if (operator === '/' && !mayDivide && (isMoney(left) || isMoney(right)))
      return 'is divided, let roundHalfAwayFromZero do it'
    if (operator === '*' && ((isFraction(left) && isMoney(right)) || (isFraction(right) && isMoney(left))))
      return 'is multiplied by a decimal fraction'
  }
  if (calls(node, 'toFixed') && isMoney(node.callee.object)) return 'is written by toFixed'
  const [target, value] = {
    VariableDeclarator: [node.id, node.init],
    AssignmentExpression: [node.left, node.right],
    Property: [node.key, node.value],
  }[node.type] ?? [undefined, undefined]
  if (!value || !MONEY.test(nameOf(target) ?? '') || isFunction(value)) return undefined
  for (const part of partsOf(value)) if (calls(part, 'parseFloat')) return 'is read by parseFloat'
  return undefined
}

/** Calls `visit` for every node with the name of the outermost function or variable that it stands in. */
function visitNamed(node, place, visit) {
  if (!node || typeof node.type !== 'string') return
  const own = place ?? (['FunctionDeclaration', 'VariableDeclarator'].includes(node.type) ? node.id?.name : undefined)
  visit(node, own)
  for (const key in node) {
    const value = node[key]
    for (const part of Array.isArray(value) ? value : [value]) visitNamed(part, own, visit)
  }
}

/**
 * Money is whole cents, and rates whole hundredths of a percent: what is called so is never divided, multiplied by a
 * decimal fraction, or read or written as one, outside of the places that are named above. The web divides what it
 * shows, as the length of a bar; what it sends and what it sums come from the contract.
 */
export function checkMoney() {
  const problems = []
  const used = new Set()
  for (const file of files.filter(
    (name) => /^(contract|server|web)\/src\//.test(name) && isCode(name) && !isTest(name),
  ))
    visitNamed(parse(file).program, undefined, (node, place) => {
      const fault = faultOf(node, file.startsWith('web/'))
      if (fault === undefined) return
      const key = `${file} ${place}`
      used.add(key)
      if (!(key in ALLOWED)) problems.push(`${file}:${lineAt(file, node.start)}: money ${fault} (in ${place})`)
    })
  for (const key of Object.keys(ALLOWED))
    if (!used.has(key) && files.includes(key.split(' ')[0])) problems.push(`${key} no longer needs to be allowed`)
  return problems
}
