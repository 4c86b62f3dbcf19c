// `npm run person-data -- --to FILE WORD [WORD …]`: what is held about the person who is called or reached so.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { runCommand, say } from '../backup/command.ts'
import { openCommandDatabase } from '../backup/installation.ts'
import { ConfigError, readConfig } from '../config.ts'
// With it come numbers as numbers and times as the API writes them.
import { KEEP_ALIVE } from '../kit/database/db.ts'
import { LEAST_LETTERS, MOST_ROWS, personData } from './person-data.ts'

const USAGE =
  'Say where to, and what the person is called and reached by: npm run person-data -- --to FILE "Jan Kowalski" ' +
  `jan@carrier.example "+48 600 100 200". Each has ${LEAST_LETTERS} letters or digits at least.`

function readArguments(): { file: string; words: string[] } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
    const words = positionals.map((word) => word.trim())
    const isLong = (word: string) => (word.match(/[\p{L}\d]/gu) ?? []).length >= LEAST_LETTERS
    if (!values.to || words.length === 0 || !words.every(isLong)) throw new Error()
    return { file: values.to, words }
  } catch {
    throw new ConfigError(USAGE)
  }
}

/** Nothing that lies there is overwritten, and nobody else may read it. Errors: ConfigError. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new ConfigError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

await runCommand(async () => {
  const { file, words } = readArguments()
  const database = await openCommandDatabase(readConfig(undefined, { isKeyMade: false }))
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000, ...KEEP_ALIVE })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const found = await personData(client, words, new Date())
    writeNew(file, `${JSON.stringify(found, null, 2)}\n`)
    const named = found.mentions.reduce((sum, { rows }) => sum + rows.length, 0)
    say(`Written to ${file}: ${found.persons.length} records of persons, and ${named} rows that name them.`)
    for (const { table, isCut } of found.mentions)
      if (isCut) say(`Warning: of ${table} only ${MOST_ROWS} rows; search for less common words.`)
    say('Read it before you hand it out: it may name others of the same name, and others beside the person.')
    say('The insides of files (papers, photos, attachments) were not looked through.')
  } finally {
    await client.end().catch(() => undefined)
    await database.close()
  }
})
