import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { leanContract } from './lean-contract.ts'

const lean = (code: string, id = '/project/contract/src/thing.ts'): string => {
  const { transform } = leanContract() as Plugin & {
    transform: (this: { parse: typeof parseAst }, code: string, id: string) => { code: string } | null
  }
  return (transform.call({ parse: parseAst }, code, id)?.code ?? 'as it was').replaceAll(/\s+/g, ' ')
}

test('leaves code alone that is not the contract', () => {
  expect(lean(`const a = endpoint({ reply: b })`, '/project/web/src/thing.ts')).toBe('as it was')
})

test('leaves out what an endpoint is sent and answers, and keeps what a list is asked and a record writes', () => {
  const code = lean(
    `const list = endpoint({ method: 'GET', summary: 'Read', query: Asked, body: Thing, reply: z.object({ id }) })`,
  )
  expect(code).toContain(`method: 'GET', query: Asked`)
  expect(code).not.toMatch(/Read|Thing|reply|id/)
  expect(lean(`const save = endpoint({ method: 'POST', path: '/things', query: Asked })`)).not.toContain('Asked')
  const record = lean(`const api = resource({ path: 'things', view: View, row: pageOf(Row), write: Thing })`)
  expect(record).toContain(`path: 'things', write: Thing`)
  expect(record).not.toMatch(/View|Row/)
})

test('makes no empty shape for an endpoint, so that the login needs nothing to make shapes with', () => {
  const id = '/project/contract/src/kit/endpoint.ts'
  expect(lean(`const nothing = z.strictObject({})`, id)).toBe('const nothing = undefined')
  expect(() => lean(`const nothing = z.object({})`, id)).toThrow('no empty shape')
})

test('lets a shape go that nobody names, and leaves other values as they are', () => {
  expect(lean(`export const Thing = z.object({ id })`)).toBe(
    'export const Thing = /* @__PURE__ */(() => z.object({ id }))()',
  )
  expect(lean(`export const KINDS = ['a', 'b']`)).toBe(`export const KINDS = ['a', 'b']`)
  expect(lean(`export let last = now()`)).toBe('export let last = now()')
})

test('no page reads what was left out', () => {
  const root = join(import.meta.dirname, '..')
  const named = globSync('contract/src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^export const (\w+) = endpoint\(/gm)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(50)
  const read = new RegExp(String.raw`(?<!typeof )\b(?:${named.join('|')})\.(?:reply|summary|params|body)\b`, 'g')
  const found = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\./.test(file))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(read)].map(([what]) => `${file}: ${what}`))
  expect(found).toEqual([])
})
