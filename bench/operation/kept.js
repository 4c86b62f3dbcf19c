// What the parts of a long measurement found, a line each in `bench/.data`: one that is broken off loses only itself.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../installation.js'

const fileOf = (name) => join(dataFolder, `${name}.jsonl`)

/** All that was kept of a measurement so far. */
export const kept = (name) =>
  existsSync(fileOf(name))
    ? readFileSync(fileOf(name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

export function keep(name, part) {
  mkdirSync(dataFolder, { recursive: true })
  appendFileSync(fileOf(name), `${JSON.stringify(part)}\n`)
}

export const forget = (name) => rmSync(fileOf(name), { force: true })
