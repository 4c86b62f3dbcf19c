import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RESOURCES } from '@waybill/contract/api'
import { expect, test } from 'vitest'

test('what can be picked by its address is a list of the contract that everybody may pick from', () => {
  const src = join(import.meta.dirname, 'src')
  const named = globSync('**/*.{ts,tsx}', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(/\bpickable\('([^']+)'\)/g)])
    .map(([, path]) => path)
  expect(named.length).toBeGreaterThan(3)
  const open = RESOURCES.filter(({ compact }) => compact.access === 'signedIn').map(({ path }) => path)
  expect(named.filter((path) => !open.includes(path!))).toEqual([])
})
