import { files, importsOf, isCode, isTest, lineAt, parse, textOf, walk } from './sources.js'

const kits = /^(contract\/src\/kit|server\/src\/kit|web\/src\/kit|web\/src\/ui)\//

/** The environment is read in one place, so that every setting is checked, named and documented. */
export function checkEnvironment() {
  const problems = []
  for (const file of files.filter(
    (name) => /^(contract|server|web)\/(src|migrations|seeds)\//.test(name) && isCode(name) && !isTest(name),
  )) {
    if (file === 'server/src/config.ts') continue
    walk(parse(file).program, (node) => {
      if (node.type !== 'MemberExpression' || node.object.name !== 'process') return
      if (node.property.name === 'env' || node.property.value === 'env')
        problems.push(`${file}:${lineAt(file, node.start)}: process.env is read by server/src/config.ts alone`)
    })
  }
  return problems
}

const tradeWords = new Set(['order', 'invoice', 'customer', 'carrier', 'cargo'])
// "order" is also a word of lists, of SQL and of CSS.
const otherOrder =
  /order(ed)? ?by|(sort|tab|display|column|row|merge|stacking)[ _-]?order|border|reorder|wrapper ?order|order-[0-9]/gi

/** A kit with a word of the trade in it has begun to be a module. */
export function checkKitWords() {
  const problems = []
  for (const file of files.filter((name) => kits.test(name) && isCode(name) && !isTest(name))) {
    const seen = new Set()
    const look = (text, offset) => {
      const words = text
        .replace(otherOrder, ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z]+/)
      const found = words.find((word) => tradeWords.has(word) || tradeWords.has(word.replace(/s$/, '')))
      if (!found || seen.has(found)) return
      seen.add(found)
      problems.push(
        `${file}:${lineAt(file, offset)}: "${found}" is a word of the trade; a kit serves every module alike`,
      )
    }
    walk(parse(file).program, (node) => {
      if (node.type === 'Identifier' || node.type === 'JSXIdentifier') look(node.name, node.start)
      else if (node.type === 'Literal' && typeof node.value === 'string') look(node.value, node.start)
      else if (node.type === 'TemplateElement') look(node.value.raw, node.start)
      else if (node.type === 'JSXText') look(node.value, node.start)
    })
  }
  return problems
}

// Started by its owner as a thread, not imported; it is a part of that file.
const isPartOfAnother = (file) => file.endsWith('-worker.ts')

const sameKit = (one, other) => kits.exec(one)?.[0] !== undefined && kits.exec(one)?.[0] === kits.exec(other)?.[0]

/**
 * Code with one user belongs to that user. A part of a kit that only the kit itself uses, and machinery that the app
 * wires once for all modules, are what a kit is for; a single module is not. Folders of the web's kit are one unit.
 */
export function checkKitUsers() {
  const unitOf = (file) => /^web\/src\/kit\/[^/]+\//.exec(file)?.[0] ?? file
  const users = new Map()
  for (const file of files.filter(
    (name) =>
      kits.test(name) && isCode(name) && !isTest(name) && !isPartOfAnother(name) && !name.startsWith('web/src/ui/'),
  ))
    users.set(unitOf(file), new Set())
  for (const file of files.filter((name) => isCode(name) && !/\.test\.tsx?$/.test(name))) {
    for (const { target } of importsOf(file)) {
      const unit = target && unitOf(target)
      if (unit && users.has(unit) && unitOf(file) !== unit) users.get(unit).add(file)
    }
  }
  const problems = []
  for (const [unit, found] of users) {
    const [only] = found
    if (found.size === 0) problems.push(`${unit} has no user`)
    else if (found.size === 1 && !sameKit(only, unit) && !/\/app\/|\/main\.tsx?$/.test(only))
      problems.push(`${unit} has one user, ${only}: it belongs there`)
  }
  return problems
}

const serverSuffixes = [
  'table',
  'repository',
  'query',
  'rules',
  'policy',
  'service',
  'routes',
  'mail',
  'document',
  'job',
  'builder',
  'test',
]

/** Names are found by guessing only if they follow one rule. */
export function checkNames() {
  const problems = []
  for (const file of files.filter(
    (name) => /^(contract|server|web|e2e|bench|scripts)\//.test(name) && (isCode(name) || name.endsWith('.css')),
  )) {
    const parts = file.split('/')
    const name = parts.at(-1)
    if (
      parts.some(
        (part) =>
          /^(utils?|helpers?|common|misc|managers?)(\.|$)/.test(part) || /-(utils?|helpers?|manager)\./.test(part),
      )
    )
      problems.push(`${file}: a name that says nothing about what is inside`)
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z-]+)*\.(ts|tsx|js|mjs|css)$/.test(name))
      problems.push(`${file}: file names are kebab-case`)
    const suffix = name.split('.').slice(1, -1)
    if (file.startsWith('server/src/') && suffix.some((part) => !serverSuffixes.includes(part)))
      problems.push(`${file}: the suffix .${suffix.join('.')} is not one of ${serverSuffixes.join(', ')}`)
    if (name === 'index.ts' && !/^server\/src\/modules\/[^/]+\/index\.ts$/.test(file))
      problems.push(`${file}: only a module of the server has an index.ts`)
    if (/\bexport default\b/.test(textOf(file)) && !isDefaultAsked(file)) {
      walk(parse(file).program, (node) => {
        if (node.type === 'ExportDefaultDeclaration')
          problems.push(`${file}:${lineAt(file, node.start)}: exports have names`)
      })
    }
  }
  return problems
}

// Configurations and vitest's global setup are read by their default export.
const isDefaultAsked = (file) =>
  file.endsWith('.config.ts') || file === 'server/test/database/global-setup.ts' || file.endsWith('.css')

const testWords = ['it', 'test', 'describe', 'suite']
const leavesOut = ['skip', 'skipIf', 'runIf', 'only', 'todo', 'fixme', 'fail', 'fails']
// As older programs of tests call them.
const leftOutName = /^[xf](it|test|describe|suite)$/

const memberOf = (node) => node.property.name ?? node.property.value

/** Of `test.describe.skip` and of `test.each([1])('…')`: `test`. */
function rootOf(node) {
  let inner = node
  while (inner) {
    if (inner.type === 'Identifier') return inner.name
    inner = inner.object ?? inner.callee ?? inner.tag
  }
  return undefined
}

/** What a call is given as options that leave its test out. */
const optionsOf = (node) =>
  node.arguments
    .flatMap((given) => (given.type === 'ObjectExpression' ? given.properties : []))
    .filter(({ key, value }) => leavesOut.includes(key?.name ?? key?.value) && value.value !== false)

/**
 * A test that does not run proves nothing: neither one that is left out by its name, however it is called, nor by its
 * options, nor one that leaves itself out (`ctx.skip()`).
 */
export function checkTestsRun() {
  const problems = []
  for (const file of files.filter((name) => isCode(name) && (isTest(name) || /\.spec\.tsx?$/.test(name)))) {
    const refuse = (node, how) => problems.push(`${file}:${lineAt(file, node.start)}: ${how} leaves tests out`)
    walk(parse(file).program, (node) => {
      if (node.type === 'MemberExpression' && leavesOut.includes(memberOf(node))) {
        if (testWords.includes(rootOf(node))) refuse(node, `${rootOf(node)}.${memberOf(node)}`)
      } else if (node.type === 'CallExpression') {
        const { callee } = node
        const name = callee.name ?? (callee.property && memberOf(callee))
        const isOfTests = testWords.includes(rootOf(callee))
        if (leftOutName.test(callee.name ?? '') || (name === 'skip' && !isOfTests)) refuse(node, name)
        if (isOfTests) for (const { key } of optionsOf(node)) refuse(node, key.name ?? key.value)
      }
    })
  }
  return problems
}

const isText = (file) =>
  /\.(ts|tsx|js|mjs|json|md|css|html|sql|typ|ya?ml|sh)$/.test(file) || !/\.[a-z0-9]+$/i.test(file.split('/').at(-1))

/** A clone stands alone: no folder of the machine it was written on, no host it was installed from. */
export function checkForeignPaths() {
  const problems = []
  const patterns = [
    [/(?<![\w.~/-])\/(?:work|root|home)\/[\w.]/g, 'a folder of one machine'],
    [/\.\.\/shared\b/g, 'a folder beside the clone'],
    [/https?:\/\/[\w.-]*(?:npmjs|artifactory|verdaccio|nexus)[\w.-]*/gi, 'a download host'],
  ]
  for (const file of files.filter((name) => isText(name))) {
    for (const [pattern, what] of patterns) {
      for (const match of textOf(file).matchAll(pattern))
        problems.push(`${file}:${lineAt(file, match.index)}: ${match[0]} is ${what}`)
    }
  }
  return problems
}

/** What the engine's library for languages holds for a formatter is freed in the middle of the work. */
export function checkFormatters() {
  const making = /\bnew Intl\.(?:DateTimeFormat|NumberFormat|PluralRules|DisplayNames|ListFormat|RelativeTimeFormat)\b/g
  const kept = 'contract/src/kit/intl.ts'
  return files
    .filter((file) => /^(?:contract|server)\/src\//.test(file) && isCode(file) && !isTest(file) && file !== kept)
    .flatMap((file) =>
      [...textOf(file).matchAll(making)].map(
        ({ 0: made, index }) => `${file}:${lineAt(file, index)}: ${made}: ask ${kept}, which makes each once`,
      ),
    )
}

const mostInARoom = 20
const mostInALine = 120
const mostInAMedianFile = 80
// Dated lists, not rooms: one file more with each change of the schema.
const isList = (folder) => folder === 'server/migrations'

/** A folder that one takes in at a glance. Tests and styles stand beside what they belong to and do not count. */
export function checkRooms() {
  const rooms = new Map()
  for (const file of files.filter(
    (name) => /^(contract|server|web|e2e|bench|scripts)\//.test(name) && isCode(name) && !/\.test\.tsx?$/.test(name),
  )) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    rooms.set(folder, (rooms.get(folder) ?? 0) + 1)
  }
  return [...rooms]
    .filter(([folder, count]) => count > mostInARoom && !isList(folder))
    .map(
      ([folder, count]) =>
        `${folder} holds ${count} files of code: ` +
        `sort them by what they are about, at most ${mostInARoom} in one folder`,
    )
}

/** Half of the files of code are read without scrolling. Tests, which list cases, do not count. */
export function checkMedian() {
  const lengths = files
    .filter((name) => /^(contract|server|web|e2e|bench|scripts)\//.test(name) && isCode(name) && !isTest(name))
    .map((file) => textOf(file).split('\n').length - 1)
    .sort((one, other) => one - other)
  const median = lengths[Math.floor(lengths.length / 2)]
  return median > mostInAMedianFile
    ? [`half of the files of code have ${median} lines or more, at most ${mostInAMedianFile}: cut the long ones`]
    : []
}

/** The formatter breaks code, not words: sentences, comments and statements of SQL are broken by hand. */
export function checkLineLength() {
  const problems = []
  for (const file of files.filter((name) => /\.(ts|tsx|js|mjs|css|typ|ya?ml)$|(^|\/)Dockerfile$/.test(name))) {
    for (const [index, line] of textOf(file).split('\n').entries()) {
      if (line.length > mostInALine)
        problems.push(`${file}:${index + 1}: ${line.length} characters, at most ${mostInALine}`)
    }
  }
  return problems
}
