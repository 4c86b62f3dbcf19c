// What the parts of a long measurement found, a line each in `bench/.data`: one that is broken off loses only itself.
// It begins with what was measured of this version before (`bench/measured`), on another machine or another day.
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, root } from '../installation.js'

const fileOf = (name) => join(dataFolder, `${name}.jsonl`)

function begin(name) {
  mkdirSync(dataFolder, { recursive: true })
  const measured = join(root, 'bench/measured', `${name}.jsonl`)
  if (!existsSync(fileOf(name)) && existsSync(measured)) copyFileSync(measured, fileOf(name))
}

/** All that was kept of a measurement so far. */
export function kept(name) {
  begin(name)
  if (!existsSync(fileOf(name))) return []
  const text = readFileSync(fileOf(name), 'utf8').trim()
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line))
}

export function keep(name, part) {
  begin(name)
  appendFileSync(fileOf(name), `${JSON.stringify(part)}\n`)
}

/** Begins from nothing. */
export function forget(name) {
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(fileOf(name), '')
}
