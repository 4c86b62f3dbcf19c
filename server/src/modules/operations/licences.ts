import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Licence } from '@waybill/contract/operations/overview'

interface Locked {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
}

const LOCKFILE = join(import.meta.dirname, '../../../../package-lock.json')
let known: Promise<Licence[]> | null = null

async function read(): Promise<Licence[]> {
  const { packages } = JSON.parse(await readFile(LOCKFILE, 'utf8')) as { packages: Record<string, Locked> }
  const found = new Map<string, Licence>()
  for (const [path, { version = '', license, dev, link }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1)!
    // What only builds and tests Waybill is not part of it.
    if (name === path || dev === true || link === true) continue
    found.set(`${name}@${version}`, { name, version, licence: license ?? '' })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The packages that an installation holds, as the lockfile names them: the check lets none in that says nothing. */
export const licences = (): Promise<Licence[]> => (known ??= read())
