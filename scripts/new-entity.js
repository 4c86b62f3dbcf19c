// `npm run new-entity -- parcel-size`: writes a simple slice, from the migration to the form, as plain files that know
// nothing of this script.
// What it writes follows the slices of countries and type lists; the texts of the files are in scripts/new-entity.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { giveUp, root, say } from './bootstrap.js'

const templates = join(root, 'scripts', 'new-entity')
const LANGUAGES = ['en', 'de', 'pl']
const LANDED = 'server/migrations/landed.txt'
const USAGE = `Say what it is called, in English, singular, with hyphens:
  npm run new-entity -- parcel-size --de "Packstückgröße, Packstückgrößen" --pl "Rozmiar paczki, Rozmiary paczek"
--plural parcel-sizes gives a plural that English forms irregularly; --en, --de and --pl give singular and plural as
the screens show them.`

const { name, plural, words } = readArguments(process.argv.slice(2))
const camel = (kebab) => kebab.replace(/-(.)/g, (_all, letter) => letter.toUpperCase())
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const small = (text) => text.charAt(0).toLowerCase() + text.slice(1)
const spaced = (kebab) => kebab.replaceAll('-', ' ')

const texts = Object.fromEntries(
  LANGUAGES.map((language) => [language, words[language] ?? [capital(spaced(name)), capital(spaced(plural))]]),
)
const holes = {
  kebab: name,
  kebabs: plural,
  camel: camel(name),
  Camel: capital(camel(name)),
  snake: name.replaceAll('-', '_'),
  words: spaced(name),
  manyWords: spaced(plural),
  manyCamel: camel(plural),
  number: nextMigration(),
}

/** path → text; written only when every place was found */
const changes = new Map()
for (const file of filesBelow(templates)) {
  const path = filled(relative(templates, file).replace(/\.template$/, ''))
  if (existsSync(join(root, path))) giveUp(`${path} is there already: nothing was written.`)
  changes.set(path, filled(readFileSync(file, 'utf8')))
}

change('contract/src/api.ts', (text) => {
  const imported = withSortedLine(
    text,
    /^import \* as \w+ from '(.+)'$/,
    `import * as ${holes.camel} from './${name}/${name}.ts'`,
  )
  return replaced(imported, /^(const modules = \[\n(?: {2}\w+,\n)+)\]$/m, `$1  ${holes.camel},\n]`)
})
// Its routes, and the rule of its history.
change('server/src/app/table-records.ts', (text) => {
  const imported = withSortedLine(
    text,
    /^import \{ \w+ \} from '(\.\.\/modules.+)'$/,
    `import { ${holes.camel}Record } from '../modules/${name}/${name}.table.ts'`,
  )
  return replaced(imported, /,?\s*\]\n$/, `, ${holes.camel}Record]\n`)
})
change('contract/src/audit/audit-entry.ts', (text) =>
  replaced(
    text,
    /^ {2}}\),\n {2}reply: pageOf\(AuditEntry\),$/m,
    (found) => `    ${holes.camel}Id: idText.optional(),\n${found}`,
  ),
)
change('contract/test/rights-of-records.ts', (text) =>
  replaced(text, /^}\n(?![^])/m, `  ${/-/.test(plural) ? `'${plural}'` : plural}: settings,\n}\n`),
)
// Its screens, its place in the menu, and that the palette finds it.
change('web/src/app/routes.tsx', (text) => {
  const orders = [...text.matchAll(/group: 'settings', order: (\d+)/g)].map((match) => Number(match[1]))
  const order = Math.max(0, ...orders) + 10
  const words = `record.${holes.camel}`
  const record = `${holes.camel}Record`
  const screens = `  ...simpleRecordScreens(main, {
    path: '/${plural}',
    words: 'shell:${words}',
    access: can('SETTINGS_ACCESS'),
    menu: { labelKey: '${words}.title', icon: 'gear', group: 'settings', order: ${order} },
    found: { kindKey: '${words}.one' },
    record: () => import('../modules/${name}/${name}-record.ts').then(({ ${record} }) => ${record}),
  }),
`
  // Before the screens that belong to nothing.
  return replaced(
    text,
    /^ {2}createRoute\(\{\n {4}getParentRoute: \(\) => main,\n {4}path: '\/403',$/m,
    (found) => `${screens}${found}`,
  )
})
// What it is called, and what is said after saving: worded so that it holds for every gender.
const WORDS = {
  en: (one) => ({ create: `New ${small(one)}`, saved: `The ${small(one)} was saved successfully` }),
  de: (one) => ({ create: `${one} anlegen`, saved: `${one} wurde erfolgreich gespeichert` }),
  pl: (one) => ({ create: `Nowa pozycja: ${small(one)}`, saved: `Zapisano pomyślnie: ${small(one)}` }),
}
for (const language of LANGUAGES) {
  const [one, many] = texts[language]
  changeTexts(`web/src/locales/${language}/shell.json`, (shell) => ({
    ...shell,
    record: { ...shell.record, [holes.camel]: { title: many, one, ...WORDS[language](one) } },
  }))
  changeTexts(`server/locales/${language}/sheet.json`, (sheet) => ({
    ...sheet,
    records: { ...sheet.records, [camel(plural)]: many },
  }))
}

// What stood there before is not the newest any more: it is named with its hash, as the gate demands (decision 044).
const before = missingMigrations()
if (before.length > 0) change(LANDED, (list) => list + before.join(''))

for (const [path, text] of changes) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  say(path)
}
// What fits into a line hangs on the name.
const formatter = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
const formatted = [...changes.keys()].filter((path) => path !== LANDED)
execFileSync(process.execPath, [formatter, 'format', '--write', ...formatted], { cwd: root, stdio: 'ignore' })

const untranslated = LANGUAGES.filter((language) => language !== 'en' && !words[language])
const folders = `{${untranslated.join(',')}}`
const english =
  untranslated.length > 0
    ? `, and the words for ${untranslated.join(' and ')}, which are English so far ` +
      `(web/src/locales/${folders}/shell.json: record.${holes.camel}; ` +
      `server/locales/${folders}/sheet.json: records.${camel(plural)})`
    : ''
say(`Written: ${changes.size} files. Still yours: a line in docs/GLOSSARY.md${english}.`)
say('Then: npm run check')

function readArguments(given) {
  const options = { plural: undefined, en: undefined, de: undefined, pl: undefined }
  const names = []
  for (let index = 0; index < given.length; index += 1) {
    const option = /^--(\w+)$/.exec(given[index])?.[1]
    if (option === undefined) names.push(given[index])
    else if (option in options && given[index + 1] !== undefined) options[option] = given[(index += 1)]
    else giveUp(USAGE)
  }
  const isName = (text) => /^[a-z]+(-[a-z]+)*$/.test(text)
  if (names.length !== 1 || !isName(names[0]) || !isName(options.plural ?? 'plural')) giveUp(USAGE)
  const pairs = LANGUAGES.flatMap((language) => {
    if (options[language] === undefined) return []
    const pair = options[language].split(',').map((text) => text.trim())
    if (pair.length !== 2 || pair.some((text) => text === '' || /["\\]/.test(text))) giveUp(USAGE)
    return [[language, pair]]
  })
  return { name: names[0], plural: options.plural ?? pluralOf(names[0]), words: Object.fromEntries(pairs) }
}

function pluralOf(singular) {
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`
}

function migrations() {
  return readdirSync(join(root, 'server', 'migrations'))
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
}

/** The lines that the list of landed migrations lacks. */
function missingMigrations() {
  const list = readFileSync(join(root, LANDED), 'utf8').split('\n')
  const isListed = new Set(list.map((line) => line.split(' ')[0]))
  return migrations()
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((migration) => !isListed.has(migration))
    .map((migration) => {
      const text = readFileSync(join(root, 'server', 'migrations', `${migration}.ts`), 'utf8').replaceAll('\r\n', '\n')
      return `${migration} ${createHash('sha256').update(text).digest('hex')}\n`
    })
}

function nextMigration() {
  const last = migrations().at(-1)
  return String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
}

function filesBelow(folder) {
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

function filled(text) {
  return text.replace(/__(number|kebabs?|camel|Camel|snake|words|manyWords|manyCamel)__/g, (_hole, key) => holes[key])
}

function change(path, edit) {
  changes.set(path, edit(readFileSync(join(root, path), 'utf8')))
}

function changeTexts(path, edit) {
  change(path, (text) => `${JSON.stringify(edit(JSON.parse(text)), null, 2)}\n`)
}

/** The one place that fits; a file that has moved on stops everything before anything is written. */
function replaced(text, pattern, by) {
  if (text.match(new RegExp(pattern.source, `${pattern.flags}g`))?.length !== 1)
    giveUp(
      `The place for the new lines was not found (${pattern.source}): nothing was written. ` +
        'Add them by hand, or mend scripts/new-entity.js.',
    )
  return text.replace(pattern, by)
}

/** Adds a line to those of its kind, in the order of what they import. */
function withSortedLine(text, pattern, line) {
  const lines = text.split('\n')
  const keyOf = (candidate) => pattern.exec(candidate)?.[1]
  const key = keyOf(line)
  const before = lines.findIndex((candidate) => (keyOf(candidate) ?? '') > key)
  const last = lines.findLastIndex((candidate) => keyOf(candidate) !== undefined)
  if (last === -1) giveUp(`No line like ${line} was found: nothing was written.`)
  return lines.toSpliced(before === -1 ? last + 1 : before, 0, line).join('\n')
}
