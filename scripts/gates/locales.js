import { checkServerUses, checkTextsInCode } from './server-texts.js'
import { files, isCode, isTest, lineAt, parse, textOf, walk } from './sources.js'

const languages = ['en', 'de', 'pl']
const pluralSuffix = /_(zero|one|two|few|many|other)$/

function flatten(value, prefix = '', found = new Map()) {
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix ? `${prefix}.${key}` : key
    if (inner && typeof inner === 'object' && !Array.isArray(inner)) flatten(inner, path, found)
    else found.set(path, inner)
  }
  return found
}

const rooms = { web: 'web/src/locales', server: 'server/locales' }

/** namespace → language → key → text, of one folder */
function readLocales(room) {
  const all = new Map()
  const problems = []
  for (const file of files) {
    if (!file.startsWith(`${room}/`)) continue
    const match = /^\/([a-z]+)\/([a-z0-9-]+)\.json$/.exec(file.slice(room.length))
    if (!match) continue
    const [, language, namespace] = match
    if (!all.has(namespace)) all.set(namespace, new Map())
    try {
      all.get(namespace).set(language, flatten(JSON.parse(textOf(file))))
    } catch (error) {
      problems.push(`${file}: ${error.message}`)
    }
  }
  return { all, problems }
}

function pluralBases(keys) {
  return new Set([...keys].filter((key) => pluralSuffix.test(key)).map((key) => key.replace(pluralSuffix, '')))
}

const holes = (text) =>
  [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)]
    .map((match) => match[1])
    .sort()
    .join(', ')

const unfilledHole = /(?<!\{)\{[a-z]\w*\}(?!\})/

// Words that an import recognises: as many as the language has for the thing, or none.
const isWordList = (value) =>
  Array.isArray(value) && value.every((word) => typeof word === 'string' && word.trim() !== '' && holes(word) === '')

/** The same keys in every language, each language's own plural forms, the same holes, nothing left in English. */
function checkNamespace(room, namespace, byLanguage) {
  const problems = []
  const english = byLanguage.get('en')
  for (const language of languages) {
    const where = `${room}/${language}/${namespace}.json`
    const texts = byLanguage.get(language)
    if (!texts || !english) {
      problems.push(`${where} is missing: every text exists in ${languages.join(', ')}`)
      continue
    }
    const plurals = new Set([...pluralBases(texts.keys()), ...pluralBases(english.keys())])
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const isPlural = (key) => pluralSuffix.test(key) && plurals.has(key.replace(pluralSuffix, ''))
    for (const base of plurals) {
      for (const form of forms)
        if (!texts.has(`${base}_${form}`))
          problems.push(`${where} lacks ${base}_${form}: ${language} has the plural forms ${forms.join(', ')}`)
      for (const key of texts.keys()) {
        const form = pluralSuffix.exec(key)?.[1]
        if (form && form !== 'zero' && key === `${base}_${form}` && !forms.includes(form))
          problems.push(`${where} has ${key}: ${language} has no such plural form`)
      }
    }
    for (const key of english.keys()) if (!isPlural(key) && !texts.has(key)) problems.push(`${where} lacks ${key}`)
    for (const [key, text] of texts) {
      if (!isPlural(key) && !english.has(key)) problems.push(`${where} has ${key}, which English has not`)
      if (room === rooms.server && (isWordList(text) || isWordList(english.get(key)))) {
        if (english.has(key) && !(isWordList(text) && isWordList(english.get(key))))
          problems.push(`${where}: ${key} is a list in one language and a text in another`)
        continue
      }
      if (typeof text !== 'string' || text.trim() === '') {
        problems.push(`${where}: ${key} is not a text`)
        continue
      }
      if (unfilledHole.test(text)) problems.push(`${where}: ${key} has a hole in single braces, which stays as it is`)
      const model = english.get(key) ?? english.get(key.replace(pluralSuffix, '_other'))
      if (typeof model !== 'string') continue
      // A plural form may say its number in words ("one order"); every other hole has to be filled in each language.
      const same = isPlural(key)
        ? holes(text.replace('{{count}}', '')) === holes(model.replace('{{count}}', ''))
        : holes(text) === holes(model)
      if (!same) problems.push(`${where}: ${key} has the holes "${holes(text)}", English has "${holes(model)}"`)
      const words = model.replace(/\{\{[^}]*\}\}/g, '').match(/\p{Letter}{2,}/gu) ?? []
      if (language !== 'en' && text === model && words.length >= 3)
        problems.push(`${where}: ${key} is still the English text`)
    }
  }
  return problems
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

let described
/** Where the records that are described rather than drawn have their words: `country`, `type-list:unit`. */
function wordsOfRecords() {
  if (described) return described
  described = []
  for (const file of files.filter((name) => name.startsWith('web/src/app/') && isCode(name) && !isTest(name)))
    walk(parse(file).program, (node) => {
      if (node.type !== 'CallExpression' || node.callee.name !== 'simpleRecordScreens') return
      const words = node.arguments[1]?.properties?.find(({ key }) => key?.name === 'words')?.value
      if (words) described.push({ file, offset: words.start, words: words.value })
    })
  return described
}

const WORDS_OF_RECORD = ['title', 'one', 'create', 'saved']
/** The words of described records as uses: their pages ask for them by a key that is put together. */
const usesOfRecords = () =>
  wordsOfRecords().flatMap(({ file, offset, words }) =>
    WORDS_OF_RECORD.map((word) => {
      const [namespace, part] = words.split(':')
      return { file, offset, key: part ? `${part}.${word}` : word, namespaces: [namespace] }
    }),
  )

/** What `record.texts` may be on the pages of described records: their own files, and what they share. */
const textsOfRecords = () => [...new Set([...wordsOfRecords().map(({ words }) => words.split(':')[0]), 'record'])]

const isTextsOfRecord = (node) =>
  (node.type === 'MemberExpression' ? node.property.name : node.type === 'Identifier' && node.name) === 'texts'

/** The calls of translation functions in a file: `{ key, pattern, namespaces, offset }`; no namespace means unknown. */
function usesIn(file) {
  const uses = []
  const visit = (node, scope) => {
    if (!node || typeof node.type !== 'string') return
    const inner = functions.has(node.type) || node.type === 'Program' ? new Map(scope) : scope
    if (inner !== scope) {
      // Declarations of this very function, not of functions inside it.
      const declare = (child) => {
        if (!child || typeof child !== 'object') return
        if (Array.isArray(child)) return child.forEach(declare)
        if (typeof child.type !== 'string' || functions.has(child.type)) return
        if (
          child.type === 'VariableDeclarator' &&
          child.init?.type === 'CallExpression' &&
          child.init.callee.name === 'useTranslation' &&
          child.id.type === 'ObjectPattern'
        ) {
          const first = child.init.arguments[0]
          const namespaces = !first
            ? ['common']
            : first.type === 'ArrayExpression'
              ? // The others are loaded only: their keys are asked for with their names before them.
                [first.elements[0].value]
              : first.type === 'Literal'
                ? [first.value]
                : isTextsOfRecord(first)
                  ? textsOfRecords()
                  : undefined
          for (const property of child.id.properties)
            if (property.key?.name === 't') inner.set(property.value.name, namespaces)
        }
        for (const key in child) if (key !== 'type') declare(child[key])
      }
      for (const key of ['body', 'params']) declare(node[key])
    }
    if (node.type === 'CallExpression') {
      const name =
        node.callee.type === 'Identifier'
          ? node.callee.name
          : node.callee.type === 'MemberExpression'
            ? node.callee.property.name
            : undefined
      if (name && (name === 't' || (node.callee.type === 'Identifier' && inner.has(name))))
        collect(node.arguments[0], inner.get(name), uses)
    }
    for (const key in node) {
      const value = node[key]
      if (Array.isArray(value)) for (const item of value) visit(item, inner)
      else if (value && typeof value === 'object') visit(value, inner)
    }
  }
  visit(parse(file).program, new Map())
  return uses
}

function collect(argument, namespaces, uses) {
  if (!argument) return
  if (argument.type === 'Literal' && typeof argument.value === 'string')
    uses.push({ ...split(argument.value, namespaces), offset: argument.start })
  else if (argument.type === 'TemplateLiteral') {
    const source = argument.quasis
      .map((part) => part.value.cooked.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\w.-]+')
    const explicit = /^([a-z][a-z0-9-]*):/.exec(source)
    uses.push({
      pattern: new RegExp(`^${explicit ? source.slice(explicit[0].length) : source}(_(zero|one|two|few|many|other))?$`),
      namespaces: explicit ? [explicit[1]] : namespaces,
      offset: argument.start,
    })
  } else if (argument.type === 'ConditionalExpression') {
    collect(argument.consequent, namespaces, uses)
    collect(argument.alternate, namespaces, uses)
  } else if (argument.type === 'ArrayExpression') for (const item of argument.elements) collect(item, namespaces, uses)
}

function split(text, namespaces) {
  const match = /^([a-z][a-z0-9-]*):(.+)$/.exec(text)
  return match ? { key: match[2], namespaces: [match[1]] } : { key: text, namespaces }
}

/** Every key asked for exists; every key that exists is asked for. */
function checkUses(all) {
  const problems = []
  const used = new Set()
  const sources = files.filter(
    (file) => /^web\/src\/.*\.tsx?$/.test(file) && isCode(file) && !/\.test\.tsx?$/.test(file),
  )
  const literals = new Set()
  const has = (namespace, key) => {
    const texts = all.get(namespace)?.get('en')
    if (!texts) return undefined
    if (texts.has(key)) return [key]
    const forms = [...texts.keys()].filter(
      (candidate) => pluralSuffix.test(candidate) && candidate.replace(pluralSuffix, '') === key,
    )
    return forms.length > 0 ? forms : undefined
  }
  for (const file of sources) {
    walk(parse(file).program, (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string') literals.add(node.value)
    })
    const ofRecords = usesOfRecords().filter((use) => use.file === file)
    for (const use of [...usesIn(file), ...ofRecords]) {
      const namespaces = use.namespaces ?? [...all.keys()]
      if (use.pattern) {
        let matched = false
        for (const namespace of namespaces) {
          for (const key of all.get(namespace)?.get('en')?.keys() ?? []) {
            if (use.pattern.test(key)) {
              used.add(`${namespace}:${key}`)
              matched = true
            }
          }
        }
        if (!matched)
          problems.push(`${file}:${lineAt(file, use.offset)}: no text fits the pattern ${use.pattern.source}`)
        continue
      }
      const hits = namespaces.flatMap((namespace) =>
        (has(namespace, use.key) ?? []).map((key) => `${namespace}:${key}`),
      )
      if (hits.length === 0)
        problems.push(
          `${file}:${lineAt(file, use.offset)}: there is no text ` +
            `${use.namespaces?.join(' or ') ?? 'anywhere'}:${use.key}`,
        )
      for (const hit of hits) used.add(hit)
    }
  }
  for (const [namespace, byLanguage] of all) {
    for (const key of byLanguage.get('en')?.keys() ?? []) {
      const base = key.replace(pluralSuffix, '')
      // A key may travel as data (a menu's label, a column's title) before it is asked for.
      const travels = [key, base].some((name) => literals.has(name) || literals.has(`${namespace}:${name}`))
      if (!travels && !used.has(`${namespace}:${key}`))
        problems.push(`web/src/locales/en/${namespace}.json: nothing asks for ${key}: delete it in all languages`)
    }
  }
  return problems
}

const spokenAttributes = new Set(['aria-label', 'title', 'placeholder', 'label', 'description', 'alt'])
// Names and units are the same in every language.
const untranslated =
  /^(Waybill|kg|km|m|cm|m³|Ldm|LDM|EUR|€|%|ISO|IBAN|BIC|CMR|POD|Ctrl|Esc|Enter|Shift|Alt|Cmd|English|Deutsch|Polski)$/

/** Texts that a person would read, written into a page instead of a locale file. */
function checkWrittenTexts() {
  const problems = []
  for (const file of files.filter(
    (candidate) => /^web\/src\/.*\.tsx$/.test(candidate) && !candidate.endsWith('.test.tsx'),
  )) {
    const say = (text, offset) => {
      const words = text.trim()
      if (/\p{Letter}{2,}/u.test(words) && !untranslated.test(words))
        problems.push(
          `${file}:${lineAt(file, offset)}: "${words.slice(0, 40)}" is written into the page: ` +
            'give it a key in all languages',
        )
    }
    walk(parse(file).program, (node) => {
      if (node.type === 'JSXText') say(node.value, node.start)
      if (node.type === 'JSXAttribute' && spokenAttributes.has(node.name.name) && node.value?.type === 'Literal')
        say(String(node.value.value), node.start)
    })
  }
  return problems
}

export function checkLocales() {
  const web = readLocales(rooms.web)
  const server = readLocales(rooms.server)
  const checkAll = (room, all) =>
    [...all].flatMap(([namespace, byLanguage]) => checkNamespace(room, namespace, byLanguage))
  return [
    ...web.problems,
    ...checkAll(rooms.web, web.all),
    ...checkUses(web.all),
    ...checkWrittenTexts(),
    ...server.problems,
    ...checkAll(rooms.server, server.all),
    ...checkServerUses(server.all),
    ...checkTextsInCode(languages),
  ]
}
