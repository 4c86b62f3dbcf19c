// What the gates read: the files of the project, each parsed once, and what each imports.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root as project } from '../bootstrap.js'

// The gates themselves are tried on a house with every fault in it.
/** What the gates look at: the project, in their own test a house with faults. */
export const root = process.env.WAYBILL_GATE_ROOT ?? project

/** All files of the project, tracked or about to be, as paths from the root with slashes. */
export const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64e6,
})
  .split('\0')
  .filter((file) => file && existsSync(join(root, file)))
  .sort()

const texts = new Map()

/** The text of a file, read once. */
export function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
  return texts.get(file)
}

export const isCode = (file) => /\.(ts|tsx|js|mjs)$/.test(file) && !file.endsWith('.d.ts')
export const isTest = (file) => /\.test\.tsx?$/.test(file) || /^(server\/test|web\/test|e2e)\//.test(file)

const parsed = new Map()

/** The syntax tree, comments and imports of a code file. */
export function parse(file) {
  if (!parsed.has(file)) parsed.set(file, parseSync(file, textOf(file)))
  return parsed.get(file)
}

/** The line, from 1, of a place in a file. */
export function lineAt(file, offset) {
  return textOf(file).slice(0, offset).split('\n').length
}

const known = new Set(files)

function resolveImport(from, request) {
  if (request.startsWith('@waybill/contract/')) return `contract/src/${request.slice('@waybill/contract/'.length)}.ts`
  if (!request.startsWith('.')) return undefined
  const path = posix.join(dirname(from), request.split('?')[0])
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => known.has(candidate)) ?? path
}

/** What a string says that is written out whole, between quotes or between backticks without holes. */
export function wholeText(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined
}

/**
 * What a file imports: `{ line, request, target, isType }`, where `target` is the imported file of ours or undefined
 * for a package. Imports inside functions, of types in the middle of a line, and re-exports count.
 */
export function importsOf(file) {
  const { module, program } = parse(file)
  const found = []
  const add = (request, offset, isType) =>
    found.push({ line: lineAt(file, offset), request, target: resolveImport(file, request), isType })
  for (const entry of module.staticImports) {
    add(entry.moduleRequest.value, entry.start, entry.entries.length > 0 && entry.entries.every((name) => name.isType))
  }
  for (const statement of module.staticExports) {
    for (const entry of statement.entries)
      if (entry.moduleRequest) add(entry.moduleRequest.value, statement.start, entry.isType)
  }
  walk(program, (node) => {
    if (node.type === 'TSImportType' && typeof node.source?.value === 'string') add(node.source.value, node.start, true)
    if (node.type === 'ImportExpression') {
      const request = wholeText(node.source)
      if (request !== undefined) add(request, node.start, false)
    }
    // `import.meta.glob` is how the web loads its locale files; it reads no code of ours.
  })
  return found
}

/** Calls `visit` for every node of a syntax tree, parents first. */
export function walk(node, visit) {
  if (!node || typeof node.type !== 'string') return
  visit(node)
  for (const key in node) {
    const value = node[key]
    if (Array.isArray(value)) for (const item of value) walk(item, visit)
    else if (value && typeof value === 'object' && typeof value.type === 'string') walk(value, visit)
  }
}
