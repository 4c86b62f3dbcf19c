import { createHash } from 'node:crypto'
import { files, parse, textOf } from './sources.js'

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
