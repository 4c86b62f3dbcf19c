// PDF.js is run as it is made for the newest browsers (src/modules/intake/text/pdf.rules.ts). What that needs and Node
// has not is what the build for older machines brings with it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// In a process of its own: what the build adds stays.
const NAMES_THAT_IT_ADDS = `
  const Typed = Object.getPrototypeOf(Uint8Array)
  const kinds = { Array, ArrayBuffer, Iterator, Map, Math, Object, Promise, RegExp, Set, String, Typed, URL }
  const all = { ...kinds, Uint8Array, Error, WeakMap, WeakSet, Symbol, Number, Date, JSON }
  const names = () =>
    Object.entries(all).flatMap(([kind, of]) =>
      [of, of.prototype ?? {}].flatMap((one) => Reflect.ownKeys(one).map((name) => kind + ' ' + String(name))))
  const before = new Set(names())
  for (const part of ['pdf', 'pdf.worker']) await import('pdfjs-dist/legacy/build/' + part + '.mjs')
  process.stdout.write(JSON.stringify(names().filter((name) => !before.has(name))))
`

it('finds everything in Node that PDF.js calls, or in what is added for it', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', NAMES_THAT_IT_ADDS],
    { cwd: import.meta.dirname },
  )
  // No browser has the first: PDF.js joins arrays alone.
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual(['Iterator join', 'Math sumPrecise'])
})
