// The network of the composition: a bridge that this machine reaches, and a network card for each container.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const PREFIX = /^wbc(\d+)/

function ip(...args) {
  const { status, stdout, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
  return stdout
}

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const namespaces = () => {
  try {
    return readdirSync('/run/netns')
  } catch {
    return []
  }
}

// A run that was killed left its cards behind.
function removeAbandoned() {
  const isAbandoned = (name) => PREFIX.test(name) && !isRunning(Number(PREFIX.exec(name)[1]))
  for (const name of namespaces().filter(isAbandoned)) ip('netns', 'del', name)
  for (const { ifname } of JSON.parse(ip('-json', 'link', 'show', 'type', 'bridge') || '[]'))
    if (isAbandoned(ifname)) ip('link', 'del', ifname)
}

/** @param {string} subnet as compose.yaml says it, of 24 bits: `172.30.0.0/24` */
export function openNetwork(subnet) {
  removeAbandoned()
  const bridge = `wbc${process.pid}`
  const [base, bits] = subnet.replace(/\.0\//, ' ').split(' ')
  if (bits !== '24') throw new Error(`${subnet} is not a network of 24 bits`)
  let last = 1
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('addr', 'add', `${base}.1/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  return {
    /** the address of this machine in it */
    outside: `${base}.1`,
    /** the next address that nobody has */
    nextAddress: () => `${base}.${(last += 1)}`,
    /** A namespace with a card of that address; answers its file, and what takes it away. */
    plugIn(address) {
      const number = address.split('.').at(-1)
      const name = `${bridge}-${number}`
      const card = `${bridge}v${number}`
      ip('netns', 'add', name)
      ip('link', 'add', card, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      ip('link', 'set', card, 'master', bridge, 'up')
      ip('-netns', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      for (const one of ['eth0', 'lo']) ip('-netns', name, 'link', 'set', one, 'up')
      return { file: `/run/netns/${name}`, remove: () => ip('netns', 'del', name) }
    },
    close() {
      for (const name of namespaces().filter((one) => one.startsWith(`${bridge}-`))) ip('netns', 'del', name)
      ip('link', 'del', bridge)
    },
  }
}
