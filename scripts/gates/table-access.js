import { files, isCode, isTest, lineAt, parse, walk, wholeText } from './sources.js'

/** In its `*.table.ts` a module declares the tables that are its own. */
function ownersOf() {
  const owners = new Map()
  for (const file of files.filter((name) => /^server\/src\/modules\/[^/]+\/(.*\/)?[^/]+\.table\.ts$/.test(name))) {
    walk(parse(file).program, (node) => {
      if (node.type !== 'TSInterfaceDeclaration' || node.id.name !== 'Tables') return
      for (const { key } of node.body.body) owners.set(key.name ?? key.value, file.split('/')[3])
    })
  }
  return owners
}

const READS = [
  'selectFrom',
  'from',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'crossJoin',
  'fullJoin',
  'innerJoinLateral',
  'leftJoinLateral',
  'using',
]
const WRITES = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']

const isSql = (tag) => tag?.name === 'sql' || tag?.property?.name === 'sql'

// SQL is also written into plain texts, for `query()` and `sql.raw`, whole or in parts. A sentence is none.
const readsAsSql =
  /\bselect\b[^]*\bfrom\b|\b(insert|merge)\s+into\b|\bupdate\s+\S+\s[^]*\bset\b|\bdelete\s+from\b|\btruncate\s/
const isPartOfSql = /^\s*(with|from|((left|right|inner|cross|full)\s+)?join|using|exists)\b/

const VERB = /\b(delete\s+from|from|join|using|into|update|truncate(?:\s+table)?|lock\s+table)\s+/gi
const isWritingVerb = (verb) => /^(delete|into|update|truncate|lock)/i.test(verb)
const takesList = (verb) => !/^(join|into|update)/i.test(verb)
const NAME = /^\s*(?:only\s+)?"?([a-z_]+)"?(?!["\w.])/i
// Behind the tables; "order" in quotes is one.
const endsList =
  /^(where|group|order|having|union|except|limit|offset|for|returning|set|when|on|join|left|right|full|cross)\b/i

/** Where the parts of a list begin that stands behind a verb: commas in brackets are not its own. */
function partsFrom(text, start) {
  const parts = [start]
  let depth = 0
  for (let at = start; at < text.length && depth >= 0; at++) {
    const sign = text[at]
    if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (depth > 0) continue
    else if (sign === ';') break
    else if (sign === ',') parts.push(at + 1)
    else if (/\s/.test(text[at - 1] ?? ' ') && endsList.test(text.slice(at, at + 12))) break
  }
  return parts
}

/** `{ table, isWrite, at }` of every table that a text of SQL names. */
function tablesInSql(text) {
  const found = []
  const read = text.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
  for (const match of read.matchAll(VERB)) {
    const [whole, verb] = match
    const begin = match.index + whole.length
    for (const at of takesList(verb) ? partsFrom(read, begin) : [begin]) {
      const table = NAME.exec(read.slice(at, at + 80))?.[1]
      if (table !== undefined) found.push({ table, isWrite: isWritingVerb(verb), at })
    }
  }
  return found
}

/** `sql.table('name')` as the name that it puts there. */
const namedTable = (node) =>
  node?.type === 'CallExpression' && node.callee.property?.name === 'table' && isSql(node.callee.object)
    ? wholeText(node.arguments[0])
    : undefined

/** `{ table, isWrite, offset }` of every table that a file names, in calls of the query builder and in SQL. */
function tablesIn(file) {
  const found = []
  const put = new Set()
  const add = (table, isWrite, offset) => found.push({ table, isWrite, offset })
  // A text as it will be read: a hole is a word of its own, a table in it that table.
  const look = (parts, holes, isTagged) => {
    let text = ''
    const places = []
    for (const [index, { value, start }] of parts.entries()) {
      places.push([text.length, start])
      text += value
      if (index < holes.length) text += ` ${namedTable(holes[index]) ?? '?'} `
      put.add(holes[index])
    }
    if (!isTagged && !readsAsSql.test(text) && !isPartOfSql.test(text)) return
    for (const { table, isWrite, at } of tablesInSql(text)) {
      const [begin, start] = places.findLast(([place]) => place <= at)
      add(table, isWrite, start + at - begin)
    }
  }
  const tagged = new Set()
  walk(parse(file).program, (node) => {
    if (node.type === 'CallExpression') {
      const verb = node.callee.property?.name ?? node.callee.name
      const [first] = node.arguments
      if (namedTable(node) !== undefined && !put.has(node)) add(namedTable(node), false, node.start)
      if (![...READS, ...WRITES].includes(verb)) return
      for (const one of first?.type === 'ArrayExpression' ? first.elements : [first]) {
        const table = wholeText(one)?.split(' ')[0]
        if (table !== undefined) add(table, WRITES.includes(verb), node.start)
      }
    } else if (node.type === 'TaggedTemplateExpression' && isSql(node.tag)) tagged.add(node.quasi)
    else if (node.type === 'TemplateLiteral') {
      const parts = node.quasis.map(({ value, start }) => ({ value: value.raw, start }))
      look(parts, node.expressions, tagged.has(node))
    } else if (node.type === 'Literal' && typeof node.value === 'string')
      look([{ value: node.value, start: node.start }], [], false)
  })
  return found
}

// Which module reads the tables of which other one. Names and titles beside a record are read where they are shown,
// in one statement; everything else a module asks for, or is told. A new edge is a decision, not a convenience.
const readEdges = {
  // what the next invoices would be called after a restore (decision 126)
  backup: ['company'],
  // how far the history is sealed (decision 136)
  doctor: ['audit-entry'],
  // who serves, and when a driver's link is over, where links end with their key (decision 137)
  keys: ['operations', 'order'],
  kit: ['country', 'user'],
  partner: ['country'],
  place: ['country'],
  salutation: ['country'],
  preferences: ['user'],
  'api-key': ['user'],
  webhook: ['document', 'invoice', 'order', 'user'],
  'audit-entry': ['api-key', 'user'],
  company: ['country', 'user'],
  department: ['company', 'country'],
  user: ['department'],
  session: ['user'],
  document: ['intake', 'upload-link', 'user'],
  email: [
    'carrier-company',
    'company',
    'customer',
    'department',
    'document',
    'invoice',
    'load-carrier',
    'order',
    'paper-link',
    'quote',
    'tracking-link',
    'upload-link',
    'user',
  ],
  'mail-template': ['department', 'email', 'invoice', 'order', 'user'],
  customer: ['country', 'user'],
  'carrier-company': ['country', 'invoice', 'type-list', 'user'],
  order: [
    'carrier-company',
    'company',
    'country',
    'customer',
    'department',
    'document',
    'email',
    'invoice',
    'place',
    'type-list',
    'user',
    // when a carrier was asked for a new paper (decision 123)
    'paper-link',
    // rows of the planning board, and what carriers answer for what is for sale (decision 107)
    'price-round',
    'vehicle',
    // which routes wait for their proof of delivery, as the report counts them (decision 134)
    'report',
    // what ends with a route on the board, and does not come back (decision 129)
    'driver-link',
    'upload-link',
  ],
  invoice: [
    'carrier-company',
    'company',
    'country',
    'customer',
    'department',
    'document',
    'email',
    'order',
    'reminder',
    'upload-link',
    'user',
  ],
  payment: ['carrier-company', 'claim', 'company', 'customer', 'invoice', 'user'],
  'payment-file': ['carrier-company', 'company', 'country', 'invoice', 'order', 'user'],
  'bank-statement': ['company', 'customer', 'invoice', 'payment', 'payment-file', 'user'],
  credit: ['company', 'country', 'customer', 'department', 'invoice', 'order', 'user'],
  reminder: ['claim', 'company', 'country', 'customer', 'document', 'invoice', 'payment', 'user'],
  intake: ['company', 'country', 'customer', 'department', 'order', 'quote', 'type-list', 'user'],
  claim: ['company', 'customer', 'invoice', 'payment', 'user'],
  bookkeeping: [
    'carrier-company',
    'claim',
    'company',
    'country',
    'customer',
    'invoice',
    'payment',
    'payment-file',
    'user',
  ],
  vehicle: ['carrier-company', 'type-list', 'user'],
  // pictures of pallet notes go along with a statement, and its page names us (decision 163)
  'load-carrier': [
    'carrier-company',
    'company',
    'country',
    'customer',
    'department',
    'document',
    'driver-link',
    'invoice',
    'order',
    'user',
  ],
  'upload-link': [
    'carrier-company',
    'company',
    'country',
    'department',
    'document',
    'invoice',
    'order',
    'payment-file',
  ],
  'tracking-link': ['company', 'country', 'customer', 'department', 'document', 'email', 'order'],
  // of a truck: its plate, and the language of who drives it (decision 109)
  'driver-link': ['carrier-company', 'company', 'country', 'department', 'document', 'order', 'user', 'vehicle'],
  'paper-link': ['carrier-company', 'company', 'country', 'department', 'document', 'order', 'user'],
  'price-round': ['carrier-company', 'company', 'country', 'department', 'order', 'type-list', 'user'],
  quote: ['carrier-company', 'company', 'country', 'customer', 'department', 'order', 'price-round', 'type-list'],
  'recurring-order': ['carrier-company', 'company', 'country', 'customer', 'department', 'order', 'type-list', 'user'],
  // Since when nobody has used a person's record, and in whose language it is called then (decision 167); since when a
  // mail or paper is kept, and in which country (decision 171).
  retention: [
    'bank-statement',
    'bookkeeping',
    'company',
    'country',
    'department',
    'document',
    'email',
    'intake',
    'invoice',
    'order',
    'payment',
    'payment-file',
    'user',
  ],
  // Those who watch are told how many there are (decision 113).
  operations: ['audit-entry', 'document', 'email', 'session'],
  emission: ['country', 'customer', 'department', 'order', 'type-list'],
  report: ['carrier-company', 'company', 'customer', 'department', 'user'],
  correspondence: [
    'carrier-company',
    'company',
    'country',
    'customer',
    'department',
    'document',
    'email',
    'invoice',
    'order',
    'quote',
    'salutation',
    'type-list',
    'user',
  ],
}

// Who writes into a table of another one: the way in keeps a person's password and second factor, sending an invoice
// moves its company's counter, and of a restored backup what would leave once more is dropped before any module runs
// (decision 095), sign-ins end, the last invoice number that was used is noted (decision 126), and the nodes of the
// other installation are forgotten (decision 138).
const writeEdges = {
  session: ['user'],
  invoice: ['company'],
  backup: ['company', 'email', 'invoice', 'operations', 'session', 'webhook'],
}

/**
 * A table has one owner; its neighbours read it where that is listed, and leave writing to it. A view is a table of the
 * module that declares it; what is inside of it stands in the migration that made it.
 */
export function checkTableAccess() {
  const owners = ownersOf()
  const problems = []
  const used = new Set()
  for (const file of files.filter((name) => name.startsWith('server/src/') && isCode(name) && !isTest(name))) {
    const [, , room, name] = file.split('/')
    const from = room === 'modules' ? name : room
    for (const { table, isWrite, offset } of tablesIn(file)) {
      const owner = owners.get(table)
      if (!owner || owner === from) continue
      const edges = isWrite ? writeEdges : readEdges
      used.add(`${isWrite ? 'writes' : 'reads'} ${from} ${owner}`)
      if (edges[from]?.includes(owner)) continue
      const what = isWrite ? 'writes into' : 'reads'
      const way = isWrite ? 'let it do that itself' : 'ask it, or list the edge with a decision'
      problems.push(`${file}:${lineAt(file, offset)}: ${from} ${what} ${table}, a table of ${owner}: ${way}`)
    }
  }
  // Planted houses have few modules; in the real one a line that nobody needs any more goes.
  for (const [verb, edges] of [
    ['reads', readEdges],
    ['writes', writeEdges],
  ]) {
    for (const [from, owned] of Object.entries(edges)) {
      if (!files.some((file) => /^server\/src\/(?:modules\/)?([^/]+)\//.exec(file)?.[1] === from)) continue
      for (const owner of owned) {
        if (![...owners.values()].includes(owner)) continue
        if (!used.has(`${verb} ${from} ${owner}`))
          problems.push(`${from} ${verb} nothing of ${owner} any more: strike the edge`)
      }
    }
  }
  return problems
}
