import { createHash } from 'node:crypto'
import { files, lineAt, parse, textOf } from './sources.js'

const folder = 'server/migrations/'
/** Every migration that has landed, in that order: its name, a blank, the SHA-256 of its text. */
const list = `${folder}landed.txt`

// It landed before this gate, with the table of moves that was in force when it was applied.
const READS_THE_PROJECT = new Set(['0007-order-moves'])

const hashOf = (name) =>
  createHash('sha256')
    .update(textOf(`${folder}${name}.ts`).replaceAll('\r\n', '\n'))
    .digest('hex')

/** What was applied somewhere stays as it was, and what is new comes behind it (decision 044). */
export function checkMigrations() {
  const names = files
    .filter((file) => file.startsWith(folder) && file.endsWith('.ts'))
    .map((file) => file.slice(folder.length, -'.ts'.length))
  const landed = files.includes(list)
    ? textOf(list)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' '))
    : []
  const isListed = new Set(landed.map(([name]) => name))
  const problems = landed.flatMap(([name, hash], index) => {
    const before = landed[index - 1]?.[0]
    if (before !== undefined && name <= before)
      return [`${list}: ${name} is listed behind ${before}: a new migration sorts last, give it a higher number`]
    if (!names.includes(name)) return [`${folder}${name}.ts has landed and is not there any more`]
    const now = hashOf(name)
    if (now === hash) return []
    return [
      `${folder}${name}.ts was changed after it landed: put it back and write a new migration. Only one that no ` +
        `database has applied may change, with its line in ${list}: ${name} ${now}`,
    ]
  })
  const last = landed.at(-1)?.[0] ?? ''
  const fresh = names.filter((name) => !isListed.has(name))
  for (const [index, name] of fresh.entries()) {
    if (name <= last)
      problems.push(`${folder}${name}.ts sorts before ${last}, which has landed: give it a higher number`)
    // The newest may still be worked on.
    else if (index < fresh.length - 1)
      problems.push(`${folder}${name}.ts is not the newest and is not listed: add to ${list}: ${name} ${hashOf(name)}`)
  }
  for (const name of names) {
    if (READS_THE_PROJECT.has(name)) continue
    for (const { moduleRequest } of parse(`${folder}${name}.ts`).module.staticImports)
      if (moduleRequest.value !== 'kysely')
        problems.push(`${folder}${name}.ts imports ${moduleRequest.value}: what changes later would change it, too`)
  }
  return problems
}

/** From here on nodes of the version before go on serving beside a database that was brought up to date. */
const EXPANDS_FROM = '0135'
const versionFile = 'server/package.json'

// Comments may say what is not done. Lines keep their places.
const withoutComments = (text) =>
  text.replace(/\/\*[^]*?\*\/|(?<![:'"`])\/\/[^\n]*|--[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))

const TAKES_AWAY = [
  [/\bdrop\s+table\s+(?:if\s+exists\s+)?"?(\w+)/gi, 'drops a table'],
  [/\bdrop\s+column\b/gi, 'drops a column'],
  [/\brename\s+(?:column\s+)?(?:"?\w+"?\s+)?to\b/gi, 'renames'],
  [/\bset\s+not\s+null\b/gi, 'demands a value in a column'],
  [/\bdrop\s+default\b/gi, 'takes away a default'],
  [/\balter\s+column\s+"?\w+"?\s+(?:set\s+data\s+)?type\b/gi, 'changes the type of a column'],
  [/\.(?:dropTable|dropColumn|renameTo|renameColumn|setNotNull|dropDefault|setDataType)\(/g, 'takes away or renames'],
]

/** The rest of one part of a statement: up to a comma that stands in no brackets, or its end. */
function partFrom(text, start) {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (text[at] === '`' || text[at] === ';' || (text[at] === ',' && depth === 0)) return text.slice(start, at)
  }
  return text.slice(start)
}

/** The table that a statement is about which holds this place; a new one is nobody's yet. */
function tableAt(text, at) {
  const begin = Math.max(text.lastIndexOf('`', at), text.lastIndexOf(';', at)) + 1
  return /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?"?(\w+)/i.exec(text.slice(begin, at))?.[1]
}

const isLower = (one, other) => {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && a[at] < b[at]
}

/**
 * A migration only adds: the version before it reads and writes the same tables until it is stopped (decision 138).
 * One that takes away says since when nobody needs it: `// contract after: 0.2.0`, a version before the present one.
 */
export function checkExpansion() {
  const { version } = JSON.parse(textOf(versionFile))
  return files
    .filter((file) => file.startsWith(folder) && file.endsWith('.ts') && file.slice(folder.length) >= EXPANDS_FROM)
    .flatMap((file) => {
      const after = /^\/\/ contract after: (\S+)$/m.exec(textOf(file))?.[1]
      if (after !== undefined)
        return /^\d+\.\d+\.\d+$/.test(after) && isLower(after, version)
          ? []
          : [`${file}: contract after ${after}, which is no version before the present one, ${version}`]
      const text = withoutComments(textOf(file))
      const made = new Set(
        [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/gi)].map(([, name]) => name),
      )
      const found = TAKES_AWAY.flatMap(([pattern, what]) =>
        [...text.matchAll(pattern)]
          .filter(({ index, 1: name }) => !made.has(name ?? tableAt(text, index)))
          .map(({ index }) => [index, what]),
      )
      for (const { index, 0: words } of text.matchAll(/\badd\s+column\s+/gi)) {
        const part = partFrom(text, index + words.length)
        const needsValue = /\bnot\s+null\b/i.test(part) && !/\bdefault\b|\bgenerated\b/i.test(part)
        if (needsValue && !made.has(tableAt(text, index))) found.push([index, 'adds a column that demands a value'])
      }
      return found
        .sort(([one], [other]) => one - other)
        .map(
          ([index, what]) =>
            `${file}:${lineAt(file, index)}: ${what}, and the version before goes on working with it: only add, or ` +
            'say since when nobody needs it: // contract after: VERSION',
        )
    })
}
