// Waybill as it was at a commit, from the project's own history: its contract and server, with the packages of today.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

export const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-C', root, ...args], { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] })

/** False where this is a clone without the history up to it. */
export function isInHistory(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** The tree of a commit in a new folder, where its code finds its own contract and everybody's packages. */
export function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-state-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, 'package.json', 'contract', 'server') })
  mkdirSync(join(folder, 'node_modules/@waybill'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== '@waybill'))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of ['contract', 'server'])
    symlinkSync(join(folder, name), join(folder, 'node_modules/@waybill', name))
  return folder
}
