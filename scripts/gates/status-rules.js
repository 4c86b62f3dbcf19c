import { files, isCode, isTest, lineAt, parse, textOf, walk } from './sources.js'

/** Where the statuses stand, each under its name, with everything that is asked of one. */
const tables = {
  'contract/src/order/status.ts': 'ORDER_STATUSES',
  'contract/src/invoice/status.ts': 'INVOICE_STATUSES',
}

/** What a value is, taken out of parentheses, assertions and optional chains. */
function bare(node) {
  let inner = node
  while (
    [
      'ParenthesizedExpression',
      'TSAsExpression',
      'TSSatisfiesExpression',
      'TSNonNullExpression',
      'ChainExpression',
    ].includes(inner?.type)
  )
    inner = inner.expression
  return inner
}

function statusesIn(file, list) {
  const found = []
  if (!files.includes(file)) return found
  walk(parse(file).program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.name !== list) return
    for (const element of bare(node.init).elements ?? []) found.push(element.value)
  })
  return found
}

// What a step leads from and to is a status, too, where it is compared with the word of one.
const calledStatus = /^(status|from|to|\w+Status)$/

function isCalledStatus(node) {
  const one = bare(node)
  if (one?.type === 'Identifier') return calledStatus.test(one.name)
  if (one?.type !== 'MemberExpression') return false
  return calledStatus.test(one.computed ? one.property.value : one.property.name)
}

/** Of a list or of a set. */
const isQuestion = (callee) => callee.type === 'MemberExpression' && ['includes', 'has'].includes(callee.property.name)

/** The list that a set is made of. */
function listOf(node) {
  const one = bare(node)
  return one?.type === 'NewExpression' && one.callee.name === 'Set' ? one.arguments[0] : one
}

/** A table by any text: a misspelt status in it would pass the compiler. */
const isByAnyText = ({ id }, file) =>
  /\bRecord<string,/.test(id.typeAnnotation ? textOf(file).slice(id.typeAnnotation.start, id.typeAnnotation.end) : '')

const equations = ['===', '!==', '==', '!=']
/** Of any name that ends so. */
const inSql =
  /status"?(?:::\w+)?\s*(?:=|<>|!=|(?:not\s+)?in\s*\(|is\s+(?:not\s+)?distinct\s+from)\s*('\w+'(?:\s*,\s*'\w+')*)/gi

/**
 * A status is compared beside its table alone: there a question has a name, and a new status is seen by every question.
 * Elsewhere the names are used, in SQL the sets; a list of statuses has its name there, too. Another table's statuses
 * (those of mails) are its own; a value that both have is refused, too.
 */
export function checkStatusWords() {
  const problems = []
  const statuses = new Set()
  for (const [file, list] of Object.entries(tables)) {
    const found = statusesIn(file, list)
    if (found.length === 0) problems.push(`${file}: ${list} is not found, so nothing can be checked against it`)
    for (const status of found) statuses.add(status)
  }
  const isStatus = (node) => {
    const one = bare(node)
    return one?.type === 'Literal' && statuses.has(one.value)
  }
  const holdsStatus = (node) => isStatus(node) || (bare(node)?.elements ?? []).some((element) => isStatus(element))

  for (const file of files.filter(
    (name) => /^(contract|server|web)\/src\//.test(name) && isCode(name) && !isTest(name) && !(name in tables),
  )) {
    const refuse = (offset) =>
      problems.push(
        `${file}:${lineAt(file, offset)}: a status is compared here; name the question beside the table of statuses`,
      )
    const look = (text, offset) => {
      for (const match of text.matchAll(inSql)) {
        if (match[1].split(',').some((value) => statuses.has(value.trim().slice(1, -1)))) refuse(offset + match.index)
      }
    }
    walk(parse(file).program, (node) => {
      if (node.type === 'BinaryExpression' && equations.includes(node.operator)) {
        const { left, right } = node
        if ((isCalledStatus(left) && isStatus(right)) || (isCalledStatus(right) && isStatus(left))) refuse(node.start)
      } else if (node.type === 'SwitchStatement' && isCalledStatus(node.discriminant)) {
        if (node.cases.some((one) => isStatus(one.test))) refuse(node.start)
      } else if (node.type === 'Property' && calledStatus.test(node.key.name ?? node.key.value)) {
        if (bare(node.value)?.type === 'ArrayExpression' && holdsStatus(node.value)) refuse(node.start)
      } else if (node.type === 'ArrayExpression' && node.elements.length > 1 && node.elements.every(isStatus)) {
        refuse(node.start)
      } else if (node.type === 'VariableDeclarator' && isByAnyText(node, file)) {
        const keys = (bare(node.init)?.properties ?? []).map(({ key }) => key?.name ?? key?.value)
        if (keys.length > 0 && keys.every((key) => statuses.has(key))) refuse(node.start)
      } else if (node.type === 'CallExpression') {
        const [first, , last] = node.arguments
        // Of the query builder, whether its function is called by its own name (`eb`) or of something.
        const isCondition =
          first?.type === 'Literal' && /(^|\.)(status|\w+Status)$/.test(first.value) && holdsStatus(last)
        const isAmong = isQuestion(node.callee) && isCalledStatus(first) && holdsStatus(listOf(node.callee.object))
        if (isAmong || isCondition) refuse(node.start)
      } else if (node.type === 'TemplateElement') look(node.value.raw, node.start)
      else if (node.type === 'Literal' && typeof node.value === 'string') look(node.value, node.start)
    })
  }
  return problems
}
