// Programs that tests and measurements use and npm cannot bring: Debian's packages, installed where that is allowed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run, say } from './bootstrap.js'

/**
 * Installs what is missing.
 * @param {{ program: string, paths: string[], debian: string }[]} tools a program is there where one of its paths is
 * @returns {Promise<string | null>} a sentence about what is missing still; null where nothing is
 */
export async function installTools(tools) {
  const missing = tools.filter(({ paths }) => !paths.some((path) => existsSync(path)))
  if (missing.length === 0) return null
  const names = missing.map(({ debian }) => debian)
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) {
    const programs = missing.map(({ program }) => program).join(', ')
    return `${programs} are missing; on Debian: sudo apt-get install ${names.join(' ')}.`
  }
  say(`Installing ${names.join(', ')} …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, collect: true })
  const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    env,
    collect: true,
  })
  return code === 0 ? null : `${names.join(', ')} could not be installed: ${output.trim().split('\n').at(-1)}.`
}

/** Why machines of one's own, network cards included, cannot be made here; null where they can. */
export function whyNoMachines() {
  if (process.getuid?.() !== 0) return 'only root may make network namespaces'
  const { status, stderr, error } = spawnSync('unshare', ['--net', '--mount', 'true'], { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim())
}
