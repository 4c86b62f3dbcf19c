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

test('leaves out what an endpoint is sent and answers, and keeps what a record writes and a list is asked', () => {
  const code = lean(
    `const save = endpoint({ method: 'POST', summary: 'Save', query: Asked, body: Thing, reply: z.object({ id }) })`,
  )
  expect(code).toContain(`method: 'POST'`)
  expect(code).not.toMatch(/Save|Asked|Thing|reply|id/)
  expect(lean(`const list = endpoint({ path, query: listQuery, reply })`)).toContain('path, query: listQuery')
  const record = lean(`const api = resource({ path: 'things', view: View, row: pageOf(Row), write: Thing })`)
  expect(record).toContain(`path: 'things', write: Thing`)
  expect(record).not.toMatch(/View|Row/)
})

test('lets a shape go that nobody names, and leaves other values as they are', () => {
  expect(lean(`export const Thing = z.object({ id })`)).toBe(
    'export const Thing = /* @__PURE__ */(() => z.object({ id }))()',
  )
  expect(lean(`export const KINDS = ['a', 'b']`)).toBe(`export const KINDS = ['a', 'b']`)
  expect(lean(`export let last = now()`)).toBe('export let last = now()')
})
