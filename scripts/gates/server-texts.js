import { files, isCode, isTest, lineAt, parse, walk } from './sources.js'

const pluralSuffix = /_(zero|one|two|few|many|other)$/
const readers = new Set(['textsOf', 'wordingsOf'])

// The reader itself takes any name.
const reader = 'server/src/kit/texts/texts.ts'

const sources = () =>
  files.filter((file) => file.startsWith('server/src/') && isCode(file) && !isTest(file) && file !== reader)

/** The name that a step of a path has in the code, `*` where it is computed. */
const stepOf = ({ computed, property }) =>
  !computed ? property.name : property.type === 'Literal' ? String(property.value) : '*'

/** `{ ...these, ...those }` has the texts of both. */
const isMerger = (node) =>
  node?.type === 'ObjectExpression' && node.properties.every(({ type }) => type === 'SpreadElement')

/** Calls `visit` for every node with those above it, the nearest last. */
function walkWithParents(node, visit, parents = []) {
  visit(node, parents)
  for (const key in node) {
    const value = node[key]
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof child.type === 'string')
        walkWithParents(child, visit, [...parents, node])
  }
}

/**
 * What a file asks of the locale files: `{ namespace, path }`, a path as `['columns', '*']`. A variable stands for
 * the place that it was given; what is handed on to a function is asked for as a whole.
 */
function usesIn(file) {
  /** variable → the places that it may stand for; `isByLanguage`: the next step is a language */
  const known = new Map()
  const uses = []
  const problems = []

  const placesOf = (node) => {
    if (!node) return []
    if (node.type === 'Identifier') return known.get(node.name) ?? []
    if (node.type === 'CallExpression' && readers.has(node.callee.name)) {
      const [name] = node.arguments
      if (typeof name?.value !== 'string') return []
      return [{ namespace: name.value, path: [], isByLanguage: node.callee.name === 'textsOf' }]
    }
    if (node.type === 'MemberExpression')
      return placesOf(node.object).map((place) =>
        place.isByLanguage ? { ...place, isByLanguage: false } : { ...place, path: [...place.path, stepOf(node)] },
      )
    if (isMerger(node)) return node.properties.flatMap((part) => placesOf(part.argument))
    return []
  }

  let isGrowing = true
  const learn = (name, places) => {
    const before = known.get(name) ?? []
    const isNew = ({ namespace, path }) =>
      !before.some((place) => place.namespace === namespace && place.path.join('.') === path.join('.'))
    const added = places.filter(isNew)
    if (added.length === 0) return
    known.set(name, [...before, ...added])
    isGrowing = true
  }
  const declare = (target, places) => {
    if (target.type === 'Identifier') learn(target.name, places)
    if (target.type !== 'ObjectPattern') return
    for (const { key, value } of target.properties)
      if (key?.name && value?.type === 'Identifier')
        learn(
          value.name,
          places.map((place) =>
            place.isByLanguage ? { ...place, isByLanguage: false } : { ...place, path: [...place.path, key.name] },
          ),
        )
  }
  const { program } = parse(file)
  while (isGrowing) {
    isGrowing = false
    walk(program, (node) => {
      if (node.type === 'VariableDeclarator' && node.init) declare(node.id, placesOf(node.init))
    })
  }

  walkWithParents(program, (node, parents) => {
    const parent = parents.at(-1)
    if (node.type === 'CallExpression' && readers.has(node.callee.name) && typeof node.arguments[0]?.value !== 'string')
      problems.push(`${file}:${lineAt(file, node.start)}: ${node.callee.name} takes its name written out`)
    if (node.type === 'CallExpression' && node.callee.name === 'counted')
      for (const place of placesOf(node.arguments[1]))
        uses.push({ ...place, path: [...place.path, node.arguments[2]?.value ?? '*'] })
    if (!['Identifier', 'MemberExpression', 'CallExpression'].includes(node.type)) return
    // Only the end of a chain asks for something, and only where it is not given to a variable or written as a name.
    if (parent?.type === 'MemberExpression' && (parent.object === node || !parent.computed)) return
    if (parent?.type === 'Property' && parent.key === node && parent.value !== node) return
    if (parent?.type === 'VariableDeclarator') return
    if (isMerger(parents.at(-2)) && parents.at(-3)?.type === 'VariableDeclarator') return
    if (parent?.type === 'CallExpression' && parent.callee.name === 'counted' && parent.arguments[1] === node) return
    if (parents.some(({ type }) => type === 'ObjectPattern' || type === 'ImportDeclaration')) return
    uses.push(...placesOf(node))
  })
  return { uses, problems }
}

/** A path asks for every key that begins with it; one that goes on after a text (`texts.title.en`), for that text. */
function asksFor(path, key) {
  const steps = key.replace(pluralSuffix, '').split('.')
  return path
    .slice(0, steps.length)
    .every((step, index) => step === '*' || step === steps[index] || step === key.split('.')[index])
}

/** Every key of the server that is there is asked for; that what is asked for is there, the compiler says. */
export function checkServerUses(all) {
  const problems = []
  const used = new Map([...all.keys()].map((namespace) => [namespace, new Set()]))
  for (const file of sources()) {
    const found = usesIn(file)
    problems.push(...found.problems)
    for (const { namespace, path } of found.uses)
      for (const key of all.get(namespace)?.get('en')?.keys() ?? [])
        if (asksFor(path, key)) used.get(namespace).add(key)
  }
  for (const [namespace, byLanguage] of all)
    for (const key of byLanguage.get('en')?.keys() ?? [])
      if (!used.get(namespace).has(key))
        problems.push(`server/locales/en/${namespace}.json: nothing asks for ${key}: delete it in all languages`)
  return problems
}

// Names of languages for Intl and shapes of dates are no words.
const wordless = /^([a-z]{2}-[A-Z]{2}|dd[./-]mm[./-]yyyy)$/

/** Texts in three languages that stand in the server's code instead of a locale file. */
export function checkTextsInCode(languages) {
  const problems = []
  const hasWords = (node) => {
    let found = false
    walk(node, (inner) => {
      const text =
        inner.type === 'TemplateElement' ? inner.value.raw : inner.type === 'Literal' && !inner.regex && inner.value
      if (typeof text === 'string' && /\p{Letter}/u.test(text) && !wordless.test(text)) found = true
    })
    return found
  }
  const why = 'a text in three languages is written into the code: move it to server/locales'
  for (const file of sources()) {
    walk(parse(file).program, (node) => {
      if (node.type !== 'ObjectExpression') return
      const values = new Map(node.properties.map(({ key, value }) => [key?.name ?? key?.value, value]))
      if (languages.every((language) => values.has(language)) && languages.some((one) => hasWords(values.get(one))))
        problems.push(`${file}:${lineAt(file, node.start)}: ${why}`)
    })
  }
  return problems
}
