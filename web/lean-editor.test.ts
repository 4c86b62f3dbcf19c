import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst, type Plugin } from 'vite'
import { expect, test } from 'vitest'
import { leanEditor } from './lean-editor.ts'

const tiptap = join(import.meta.dirname, '../node_modules/@tiptap')
const CORE = join(tiptap, 'core/dist/index.js')

type Transform = (
  this: { parse: typeof parseAst; error: (words: string) => never },
  code: string,
  id: string,
) => { code: string } | null
const lean = (code: string, id: string): string => {
  const { transform } = leanEditor() as Plugin & { transform: Transform }
  const error = (words: string) => {
    throw new Error(words)
  }
  return transform.call({ parse: parseAst, error }, code, id)?.code ?? code
}

test('a command that the build leaves out is refused where a text calls it', () => {
  const ours = '/project/web/src/modules/mail-template/bar.tsx'
  expect(() => lean(`editor.chain().focus().updateAttributes('link', {}).run()`, ours)).toThrow(/updateAttributes/)
  expect(() => lean('editor.commands.clearContent()', ours)).toThrow(/clearContent/)
  expect(lean('editor.chain().focus().toggleBold().run()', ours)).toContain('toggleBold')
})

test('an editor without the parts that are looked for is no editor of ours', () => {
  expect(() => lean('export const a = 1', CORE)).toThrow(/TipTap has 0 of/)
})

test('the editor keeps what its own keys call', () => {
  const core = lean(readFileSync(CORE, 'utf8'), CORE)
  const [, kept = ''] = /commands_exports = .*?\{(.*?)\n\}/s.exec(core) ?? []
  const [, keymap = ''] = /const Keymap = (.*?)\n\}\);/s.exec(core) ?? []
  const called = [...keymap.matchAll(/commands\.(\w+)\(/g)].map(([, name]) => name!)
  expect(called.length).toBeGreaterThan(10)
  expect(called.filter((name) => !kept.includes(`\t${name}:`) && name !== 'first')).toEqual([])
})

test('the extensions keep what they are, without Markdown', () => {
  for (const file of globSync('extension-{bold,hard-break,paragraph}/dist/index.js', { cwd: tiptap })) {
    const path = join(tiptap, file)
    const code = lean(readFileSync(path, 'utf8'), path)
    expect(code, file).not.toMatch(/^\t(?:parse|render)Markdown/m)
    expect(code, file).toMatch(/parseHTML/)
  }
})
