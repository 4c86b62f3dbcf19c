import { files, importsOf, isCode, isTest } from './sources.js'

// Which module of the server may use which other, through its index.ts. A new edge is a decision, not a convenience;
// one that nothing uses any more goes. What partners of all kinds have in common (VAT numbers, bank accounts, rows of
// an import) is `partner`, which has no table.
const moduleEdges = {
  // Which words of people may go into mails is asked where they are written (decision 122).
  document: ['e-invoice', 'email'],
  'mail-template': ['email'],
  company: ['partner'],
  session: ['user'],
  customer: ['partner'],
  'carrier-company': ['document', 'partner'],
  order: ['credit'],
  // It says what its transports emitted, to who wants to know (decision 115).
  invoice: ['document', 'e-invoice', 'emission', 'mail-template', 'order'],
  // A mail that somebody brings in is a file, names towns, and becomes orders, or a quote.
  intake: ['document', 'order', 'place', 'quote'],
  // A run pays invoices, and a payment that came back leaves an account unconfirmed.
  'payment-file': ['carrier-company', 'document', 'invoice'],
  // A reminder without an address is a mail that is held (decision 146).
  reminder: ['email'],
  // What customers pay moves their invoices.
  payment: ['document', 'invoice'],
  // What the bank says is booked as payments, and confirms runs.
  'bank-statement': ['payment', 'payment-file'],
  // What is paid of a claim leaves the customer's account as payments do.
  claim: ['payment'],
  // A batch of bookings gives numbers to the customers and carriers that have none, and is a file.
  bookkeeping: ['customer', 'carrier-company', 'document'],
  // What a carrier sends becomes files of its order, and an invoice.
  'upload-link': ['order', 'invoice', 'document'],
  // What a customer follows is an order with its proofs of delivery; wrong tokens are counted with those of carriers.
  'tracking-link': ['order', 'document', 'upload-link'],
  // What a driver tells is written into its order, pictures as files of it, cleaned as those of carriers, and load
  // carriers into their accounts (decision 110).
  'driver-link': ['order', 'document', 'load-carrier', 'upload-link'],
  // A new paper is a file of its carrier, looked through as those of transports (decision 123).
  'paper-link': ['document', 'upload-link'],
  // A price that is taken is a save of its order; guesses of links are counted together.
  'price-round': ['order', 'upload-link'],
  // A quote becomes an order; guesses of links are counted together (decision 111).
  quote: ['order', 'upload-link'],
  // What recurs becomes orders (decision 114).
  'recurring-order': ['order'],
  // Stops are of orders, and who may see an order sees what was exchanged there (decision 110); what a holder keeps
  // becomes an invoice (decision 153); guesses of links are counted together (decision 163).
  'load-carrier': ['invoice', 'order', 'upload-link'],
  // Which orders lost money is what the list of orders finds (decision 162).
  report: ['order'],
  // Who becomes anonymous, and what is deleted, each in its own module (decisions 167, 170 and 171).
  retention: ['carrier-company', 'customer', 'document', 'email', 'intake', 'order', 'user'],
  // Who sees an order sees what it emits (decision 115).
  emission: ['order'],
  // What is written to partners is made of records of all kinds.
  correspondence: [
    'document',
    'email',
    'invoice',
    'load-carrier',
    'mail-template',
    'order',
    'payment',
    'quote',
    'reminder',
    'tracking-link',
    'upload-link',
  ],
}

// Inside a module calls go downwards only: a higher number may use a lower or an equal one.
const layers = {
  table: 0,
  rules: 1,
  repository: 1,
  query: 1,
  policy: 1,
  builder: 1,
  mail: 2,
  document: 2,
  service: 2,
  job: 3,
  routes: 3,
  index: 4,
}
const actionLayer = 2

function layerOf(file) {
  const name = file.split('/').at(-1)
  if (name === 'index.ts') return layers.index
  const suffix = name.split('.').at(-2)
  return name.split('.').length > 2 && suffix in layers ? layers[suffix] : actionLayer
}

function roomOf(file) {
  const [workspace, src, room, name] = file.split('/')
  if (workspace === 'contract' && src === 'src')
    return { side: 'contract', room: room === 'kit' ? 'kit' : 'entity', name: room.replace(/\.ts$/, '') }
  if (workspace === 'server' && src === 'src')
    return {
      side: 'server',
      room: ['kit', 'modules', 'app'].includes(room) ? room : 'main',
      name: room === 'modules' ? name : undefined,
    }
  if (workspace === 'server') return { side: 'server', room: src }
  if (workspace === 'web' && src === 'src')
    return {
      side: 'web',
      room: ['ui', 'locales', 'kit', 'modules', 'app'].includes(room) ? room : 'main',
      name: room === 'modules' ? name : undefined,
    }
  return { side: workspace, room: undefined }
}

const sharedOfContract = ['errors', 'permissions']
// What the contracts of several entities hold: an order's mail and an invoice's consist of the same blocks, a file and
// an invoice may be an electronic invoice, what a customer may take off counts for its payments, what reminders claim
// is said by companies and countries, companies, customers and carriers have accounts in bookkeeping, and staff and
// drivers count the same pieces.
const partOfEntities = [...sharedOfContract, 'mail-blocks', 'e-invoice', 'skonto', 'reminder', 'bookkeeping', 'pieces']
// What a kit may know of the contract: how calls, errors, rights and the session look, and nothing of the trade.
const kitMayKnow = [...sharedOfContract, 'session', 'preferences', 'event']
// The rooms of the orders' screens, from the lowest to the highest (decision 038): a room uses those before it.
const orderRooms = [
  'values',
  'rail',
  'grid',
  'choice',
  'merge',
  'papers',
  'cargo',
  'copy',
  'extras',
  'stops',
  'blocks',
  'status',
  'driver',
  'planning',
  'routes',
  'intake',
  'form',
  'list',
  'dashboard',
  'new',
]
const orderRoomOf = (file) => /^web\/src\/modules\/order\/([^/]+)\//.exec(file)?.[1]
const webOrder = ['ui', 'locales', 'kit', 'modules', 'app', 'main']
const madeForNeighbours = /-(select|link|section)\.tsx?$/

/** Each rule gets both ends of an import and answers why it is wrong, or nothing. */
const rules = [
  (from, to) =>
    from.side === 'web' &&
    to.side === 'server' &&
    "the browser must never load the server's code: share through the contract",
  (from, to) =>
    from.side === 'server' &&
    to.side === 'web' &&
    "the server must run without the web's sources: share through the contract",
  (from, to) =>
    from.side === 'contract' &&
    to.side !== 'contract' &&
    'the contract stands on nothing but zod, so that both sides can load it',
  (from, to) =>
    from.side === 'contract' &&
    from.room === 'kit' &&
    to.room === 'entity' &&
    !sharedOfContract.includes(to.name) &&
    "the contract's kit knows no entity",
  (from, to) =>
    from.side === 'contract' &&
    from.room === 'entity' &&
    from.name !== 'api' &&
    to.room === 'entity' &&
    from.name !== to.name &&
    !partOfEntities.includes(to.name) &&
    "an entity's contract does not know another entity: refer to it with the reference shape of the kit",
  (from, to) =>
    from.side === 'server' &&
    from.room === 'kit' &&
    to.side === 'server' &&
    !['kit', 'locales'].includes(to.room) &&
    "the server's kit serves every module, so it can know none, nor the configuration",
  (from, to) =>
    ['server', 'web'].includes(from.side) &&
    from.room === 'kit' &&
    to.side === 'contract' &&
    to.room === 'entity' &&
    !kitMayKnow.includes(to.name) &&
    "a kit knows the contract's kit, not an entity",
  (from, to) =>
    ['server', 'web'].includes(from.side) &&
    from.room === 'ui' &&
    to.side === 'contract' &&
    !['kit', ...sharedOfContract].includes(to.room === 'kit' ? 'kit' : to.name) &&
    'what only looks knows no entity',
  (from, to) =>
    from.side === to.side &&
    from.room === 'modules' &&
    to.room === 'app' &&
    'nothing imports the app: it wires the modules, not the other way round',
  (from, to) =>
    from.side === to.side &&
    from.room === 'modules' &&
    to.room === 'main' &&
    'a module gets what it needs in its context, not from the start of the program',
  (from, to, imported) => {
    if (
      from.side !== 'server' ||
      from.room !== 'modules' ||
      to.room !== 'modules' ||
      to.side !== 'server' ||
      from.name === to.name
    )
      return
    if (imported.target.split('/').length !== 5 || !imported.target.endsWith('/index.ts'))
      return 'another module is used through its index.ts, so that its inside can change'
    if (!moduleEdges[from.name]?.includes(to.name))
      return (
        `no edge from ${from.name} to ${to.name} is listed: ` +
        'let it react to an event, or list the edge with a decision'
      )
  },
  (from, to, imported, file) =>
    from.side === 'server' &&
    from.room === 'modules' &&
    to.room === 'modules' &&
    from.name === to.name &&
    layerOf(imported.target) > layerOf(file) &&
    'inside a module calls go down: ' +
      'routes, then services and actions, then policy, rules, repository and query, then table',
  (from, to, imported, file) =>
    from.side === 'server' &&
    from.room === 'modules' &&
    file.endsWith('.routes.ts') &&
    imported.target.endsWith('.table.ts') &&
    'routes ask a service or an action; the tables are not theirs',
  (from, to) =>
    from.side === 'web' &&
    to.side === 'web' &&
    webOrder.indexOf(to.room) > webOrder.indexOf(from.room) &&
    'the web is built in one direction: ui, kit, modules, app',
  (_from, _to, imported, file) => {
    const [room, used] = [orderRoomOf(file), orderRoomOf(imported.target)]
    if (room === undefined || used === undefined) return
    const unknown = [room, used].find((one) => !orderRooms.includes(one))
    if (unknown !== undefined) return `the room ${unknown} has no place in the order of the rooms`
    if (orderRooms.indexOf(used) > orderRooms.indexOf(room))
      return 'of the rooms of orders each uses those below it: what two need lies in the lower one'
  },
  (from, to, imported) =>
    from.side === 'web' &&
    from.room === 'modules' &&
    to.side === 'web' &&
    to.room === 'modules' &&
    from.name !== to.name &&
    !madeForNeighbours.test(imported.target) &&
    'between modules of the web only files made for it: *-select, *-link, *-section',
]

function packageRule(from, request) {
  const name = request.startsWith('@') ? request.split('/').slice(0, 2).join('/') : request.split('/')[0]
  if (from.side === 'contract' && name !== 'zod') return 'the contract stands on nothing but zod'
  if (from.side === 'web' && (request.startsWith('node:') || ['kysely', 'pg', 'fastify'].includes(name)))
    return 'this does not exist in a browser'
  if (from.side === 'server' && /^(react|react-dom|@mantine\/.*|@tanstack\/.*)$/.test(name))
    return 'the server draws no screens'
  return undefined
}

function findCycles() {
  const problems = []
  const state = new Map()
  const stack = []
  const visit = (file) => {
    state.set(file, 'open')
    stack.push(file)
    // Imports of types and those that wait inside a function count: to read the one one has to read the other.
    for (const { target } of importsOf(file)) {
      if (!target || !isCode(target) || !files.includes(target)) continue
      if (state.get(target) === 'open') {
        const cycle = [...stack.slice(stack.indexOf(target)), target]
        problems.push(`${cycle.join(' → ')}: a cycle; neither file can be read or tested without the other`)
      } else if (!state.has(target)) visit(target)
    }
    stack.pop()
    state.set(file, 'done')
  }
  for (const file of files.filter(isCode)) if (!state.has(file)) visit(file)
  return problems
}

/**
 * A line that allows what nobody does is an invitation. Planted houses have few modules: of what is not there, nothing
 * is said.
 */
function findUnused(used) {
  const problems = []
  const isThere = (folder) => files.some((file) => file.startsWith(folder))
  for (const [from, edges] of Object.entries(moduleEdges)) {
    for (const to of edges) {
      if (!isThere(`server/src/modules/${from}/`) || !isThere(`server/src/modules/${to}/`)) continue
      if (!used.has(`${from} ${to}`)) problems.push(`${from} uses nothing of ${to} any more: strike the edge`)
    }
  }
  for (const [who, listed] of [
    ['kit', kitMayKnow],
    ["entity's contract", partOfEntities],
  ]) {
    for (const name of listed) {
      if (!isThere(`contract/src/${name}.ts`) && !isThere(`contract/src/${name}/`)) continue
      if (!used.has(`${who} ${name}`)) problems.push(`no ${who} knows ${name} of the contract any more: strike it`)
    }
  }
  return problems
}

// A process that reads one file starts for each of them: these took two thirds of its start, and it asks neither.
const HEAVY = ['zod', 'kysely']
// Stays for the next mail, and knows towns.
const STAYS = ['server/src/modules/intake/text/mail-reader.ts']

/** Files that run in a process of their own (`answerApart`) and load what they do not need. */
function findHeavyReaders() {
  const problems = []
  const isLoaded = ({ isType }) => !isType
  for (const reader of files.filter((file) => isCode(file) && !isTest(file) && !STAYS.includes(file))) {
    if (!importsOf(reader).some(({ target }) => target?.endsWith('/context/answer-apart.ts'))) continue
    const ways = new Map([[reader, reader]])
    for (const [file, way] of ways)
      for (const { request, target } of importsOf(file).filter(isLoaded)) {
        if (HEAVY.includes(request)) problems.push(`${way} imports ${request}: a process of its own starts without it`)
        else if (known(target) && !ways.has(target)) ways.set(target, `${way} → ${target}`)
      }
  }
  return problems
}
const known = (target) => target !== undefined && isCode(target) && files.includes(target)

/** What `findUnused` asks for: between modules, and what kits and entities know of the contract. */
function edgeOf(from, to) {
  if (from.room === 'modules' && from.side === 'server' && to.side === 'server') return `${from.name} ${to.name}`
  if (to.side !== 'contract') return undefined
  if (from.side !== 'contract') return from.room === 'kit' ? `kit ${to.name}` : undefined
  return from.room === 'entity' && from.name !== to.name ? `entity's contract ${to.name}` : undefined
}

/** Who may import whom. Tests stand outside the house and come in through the front door: only sides bind them. */
export function checkImports() {
  const problems = []
  const used = new Set()
  for (const file of files.filter(isCode)) {
    if (
      !/^(contract|server|web)\//.test(file) ||
      /(^|\/)((vite|vitest|playwright)\.config|web\/chunks)\.ts$/.test(file)
    )
      continue
    const from = roomOf(file)
    const applicable = isTest(file) ? rules.slice(0, 3) : rules
    for (const imported of importsOf(file)) {
      const where = `${file}:${imported.line} imports ${imported.request}`
      if (imported.target) {
        if (!isTest(file)) used.add(edgeOf(from, roomOf(imported.target)))
        for (const rule of applicable) {
          const why = rule(from, roomOf(imported.target), imported, file)
          if (why) problems.push(`${where}: ${why}`)
        }
      } else if (!isTest(file)) {
        const why = packageRule(from, imported.request)
        if (why) problems.push(`${where}: ${why}`)
      }
    }
  }
  return [...problems, ...findUnused(used), ...findHeavyReaders(), ...findCycles()]
}
