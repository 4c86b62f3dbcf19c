// Machines that are none: namespaces of the kernel, each with a network card that can be pulled out.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/** `front`: towards those that ask the databases; `back`: among the databases. */
export type Side = 'front' | 'back'

export interface Network {
  /** the address of a database's machine, by its number from 1 */
  address(machine: number, side: Side): string
  /** the machine with HAProxy and PgBouncer */
  door: string
  /** this process, as the machines reach it */
  here: string
  /** begins a command on the machine of that number, or on that of the door */
  on(machine: number | 'door'): string[]
  /** Pulls out a card of a machine: nothing goes in or out there, and nobody is told. */
  cut(machine: number, side: Side): void
  mend(machine: number, side: Side): void
  close(): void
}

const FRONT = '10.213.77'
const BACK = '10.213.78'
const PREFIX = /^wb(\d+)/

function ip(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
  return stdout
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const namespaces = (): string[] => {
  try {
    return readdirSync('/run/netns')
  } catch {
    return []
  }
}

function remove(namespace: string): void {
  for (const pid of ip('netns', 'pids', namespace).split('\n').filter(Boolean))
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  ip('netns', 'del', namespace)
}

// A run that was killed left its machines behind.
function removeAbandoned(): void {
  for (const name of namespaces()) {
    const pid = PREFIX.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) remove(name)
  }
  for (const { ifname } of JSON.parse(ip('-json', 'link', 'show', 'type', 'bridge') || '[]') as { ifname: string }[]) {
    const pid = PREFIX.exec(ifname)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) ip('link', 'del', ifname)
  }
}

/** So many machines for databases and one for the door, in two networks of their own. */
export function openNetwork(machines: number): Network {
  removeAbandoned()
  const base = `wb${process.pid}`
  const numbers = Array.from({ length: machines }, (_, index) => index + 1)
  const nameOf = (machine: number | 'door') => `${base}-${machine}`
  const cardOf = (machine: number | 'door', side: Side) => `${base}${side[0]}${machine === 'door' ? 'd' : machine}`
  const networkOf = (side: Side) => (side === 'front' ? FRONT : BACK)
  const address = (machine: number, side: Side) => `${networkOf(side)}.${10 + machine}`
  const door = `${FRONT}.5`
  const here = `${FRONT}.1`

  const plugIn = (machine: number | 'door', side: Side, at: string) => {
    const card = cardOf(machine, side)
    ip('link', 'add', card, 'type', 'veth', 'peer', 'name', side, 'netns', nameOf(machine))
    ip('link', 'set', card, 'master', `${base}${side}`, 'up')
    ip('-netns', nameOf(machine), 'addr', 'add', `${at}/24`, 'dev', side)
    ip('-netns', nameOf(machine), 'link', 'set', side, 'up')
  }

  const close = () => {
    for (const name of namespaces().filter((one) => one.startsWith(`${base}-`))) remove(name)
    for (const side of ['front', 'back']) spawnSync('ip', ['link', 'del', `${base}${side}`])
  }

  try {
    for (const side of ['front', 'back'] as const) {
      ip('link', 'add', `${base}${side}`, 'type', 'bridge')
      ip('addr', 'add', `${networkOf(side)}.1/24`, 'dev', `${base}${side}`)
      ip('link', 'set', `${base}${side}`, 'up')
    }
    for (const machine of [...numbers, 'door'] as const) {
      ip('netns', 'add', nameOf(machine))
      ip('-netns', nameOf(machine), 'link', 'set', 'lo', 'up')
      plugIn(machine, 'front', machine === 'door' ? door : address(machine, 'front'))
      if (machine !== 'door') plugIn(machine, 'back', address(machine, 'back'))
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    address,
    door,
    here,
    on: (machine) => ['ip', 'netns', 'exec', nameOf(machine)],
    cut: (machine, side) => void ip('link', 'set', cardOf(machine, side), 'down'),
    mend: (machine, side) => void ip('link', 'set', cardOf(machine, side), 'up'),
    close,
  }
}
