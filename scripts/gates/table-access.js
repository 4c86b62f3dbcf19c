import { files, isCode, isTest, lineAt, parse, walk } from './sources.js'

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
  'fullJoin',
  'innerJoinLateral',
  'leftJoinLateral',
  'using',
]
const WRITES = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']
const IN_SQL = /\b(from|join|using|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/gi

/** `{ table, isWrite, offset }` of every table that a file names, in calls of the query builder and in SQL. */
function tablesIn(file) {
  const found = []
  const add = (table, isWrite, offset) => found.push({ table, isWrite, offset })
  walk(parse(file).program, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const verb = node.callee.property.name
      const [first] = node.arguments
      if (typeof first?.value !== 'string' || ![...READS, ...WRITES].includes(verb)) return
      add(first.value.split(' ')[0], WRITES.includes(verb), node.start)
    } else if (node.type === 'TaggedTemplateExpression' && isSql(node.tag)) {
      for (const { value, start } of node.quasi.quasis) {
        for (const [whole, verb, table] of value.raw.matchAll(IN_SQL)) {
          const isWrite =
            ['into', 'update'].includes(verb.toLowerCase()) ||
            /delete\s+from/i.test(`${value.raw.slice(0, value.raw.indexOf(whole))}${verb}`.slice(-20))
          add(table, isWrite, start + value.raw.indexOf(whole))
        }
      }
    }
  })
  return found
}

const isSql = (tag) => tag.name === 'sql' || tag.property?.name === 'sql'

// Which module reads the tables of which other one. Names and titles beside a record are read where they are shown,
// in one statement; everything else a module asks for, or is told. A new edge is a decision, not a convenience.
const readEdges = {
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
    // rows of the planning board, and what carriers answer for what is for sale (decision 107)
    'price-round',
    'vehicle',
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
  reminder: ['claim', 'company', 'country', 'customer', 'document', 'invoice', 'user'],
  intake: ['company', 'country', 'customer', 'department', 'order', 'type-list', 'user'],
  claim: ['company', 'customer', 'invoice', 'payment', 'user'],
  bookkeeping: ['carrier-company', 'claim', 'company', 'country', 'customer', 'invoice', 'payment', 'user'],
  vehicle: ['carrier-company', 'type-list', 'user'],
  'load-carrier': ['carrier-company', 'country', 'customer', 'order', 'user'],
  'upload-link': ['carrier-company', 'company', 'country', 'department', 'document', 'invoice', 'order', 'user'],
  'tracking-link': ['company', 'country', 'customer', 'department', 'document', 'email', 'order', 'user'],
  'driver-link': ['carrier-company', 'company', 'country', 'department', 'document', 'order', 'user'],
  'price-round': ['carrier-company', 'company', 'country', 'department', 'order', 'type-list', 'user'],
  quote: [
    'carrier-company',
    'company',
    'country',
    'customer',
    'department',
    'order',
    'price-round',
    'type-list',
    'user',
  ],
  'recurring-order': ['carrier-company', 'company', 'country', 'customer', 'department', 'order', 'type-list', 'user'],
  // Those who watch are told how many there are (decision 113).
  operations: ['document', 'email', 'session'],
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
// moves its company's counter.
const writeEdges = { session: ['user'], invoice: ['company'] }

/** A table has one owner; its neighbours read it where that is listed, and leave writing to it. */
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
      if (!files.some((file) => file.startsWith(`server/src/modules/${from}/`) || from === 'kit')) continue
      for (const owner of owned) {
        if (![...owners.values()].includes(owner)) continue
        if (!used.has(`${verb} ${from} ${owner}`))
          problems.push(`${from} ${verb} nothing of ${owner} any more: strike the edge`)
      }
    }
  }
  return problems
}
