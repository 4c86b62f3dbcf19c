// What a process has used, from /proc: processor time in ms, memory in MB.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, totalmem } from 'node:os'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')

const TICK_MS = 10

function statOf(pid) {
  try {
    // The name, in brackets, may hold blanks; the fields after it do not.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      ppid: Number(fields[1]),
      ownMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      childrenMs: (Number(fields[13]) + Number(fields[14])) * TICK_MS,
    }
  } catch {
    return null
  }
}

export const processorMs = (pid) => statOf(pid)?.ownMs ?? 0

/** All of a PostgreSQL: the postmaster, its backends of now, and those that have ended. */
export function postgresMs(pidFile) {
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const own = statOf(postmaster)
  let sum = own.ownMs + own.childrenMs
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = statOf(Number(name))
    if (stat?.ppid === postmaster) sum += stat.ownMs
  }
  return sum
}

export function memoryMb(pid) {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kb) / 1024
}

export function peakMemoryMb(pid) {
  const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kb) / 1024
}

/**
 * A process with all that it started, each page shared between them counted once; what
 * has ended meanwhile is not there.
 */
export const familyMemoryMb = (pid) => familyMemory(pid).mb

/** `cacheMb` is what of it processes share: the buffers of PostgreSQL, which fill up to the size that is set. */
export function familyMemory(pid) {
  const parents = new Map()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) parents.set(Number(name), stat.ppid)
  }
  const isOfFamily = (one) => one === pid || (parents.has(one) && isOfFamily(parents.get(one)))
  let [kb, cacheKb] = [0, 0]
  const inText = (text, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
  for (const one of [...parents.keys()].filter(isOfFamily)) {
    try {
      const text = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8')
      kb += inText(text, 'Pss')
      cacheKb += inText(text, 'Pss_Shmem')
    } catch (error) {
      if (one === pid) throw error
    }
  }
  return { mb: kb / 1024, cacheMb: cacheKb / 1024 }
}

export async function postgresVersion(url) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}

export const machine = () =>
  [
    `${cpus().length} × ${cpus()[0].model.trim()}`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Node ${process.versions.node}`,
    new Date().toISOString().slice(0, 10),
  ].join(', ')
