import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { inSources } from './source-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'way bill-'))
const root = pathToFileURL(`${folder}/`)
afterAll(() => rmSync(folder, { recursive: true }))

const stackAt = (file: string) => `Error: no luck\n    at start (${root.href}${file})\n    at node:internal/timers:1:2`

it('a stack names the file and line of the source, where there is a map of what was built of it', () => {
  mkdirSync(join(folder, 'server/dist'), { recursive: true })
  // Line 2 of what was built comes from line 6 of the source.
  const map = { version: 3, sources: ['../src/app/server.ts'], names: [], mappings: ';AAKA' }
  writeFileSync(join(folder, 'server/dist/main.js.map'), JSON.stringify(map))
  expect(inSources(stackAt('server/dist/main.js:2:1'), root)).toBe(stackAt('server/src/app/server.ts:6:1'))
})

it('a stack stays as it is where no map is there, and in what was not built', () => {
  for (const file of [
    'server/dist/other-ABCDEFGH.js:2:1',
    'node_modules/pg/lib/client.js:2:1',
    'server/src/main.ts:2:1',
  ])
    expect(inSources(stackAt(file), root)).toBe(stackAt(file))
})
