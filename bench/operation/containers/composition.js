// Reads a compose file and does what `docker compose` does with its services: up, run, exec, stop, down.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { root } from '../../installation.js'
import { startContainer } from './engine.js'
import { imageFor } from './images.js'
import { openNetwork } from './network.js'

const HEALTHY_WITHIN_MS = 180_000

// In each string: `${NAME:?}` has to be given, `${NAME:-words}` may be missing.
function filledIn(part, values) {
  if (Array.isArray(part)) return part.map((one) => filledIn(one, values))
  if (part !== null && typeof part === 'object')
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, filledIn(one, values)]))
  if (typeof part !== 'string') return part
  return part.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name, kind, words) => {
    if (values[name]) return values[name]
    if (kind === '-') return words
    throw new Error(`${name} is not given`)
  })
}

const listOf = (value) => (value === undefined ? undefined : [value].flat())
const milliseconds = (text) => Number.parseFloat(text) * 1000

/** @param {string} folder for volumes and what is said */
export function openComposition({ file, values, folder }) {
  const read = () => filledIn(parse(readFileSync(file, 'utf8'), { merge: true }), values)
  const beside = (path) => resolve(dirname(file), path)
  const { networks } = read()
  const network = openNetwork(networks.inside.ipam.config[0].subnet)
  const volumes = join(folder, 'volumes')
  const addresses = Object.fromEntries(Object.keys(read().services).map((name) => [name, network.nextAddress()]))
  const hosts = join(folder, 'hosts')
  mkdirSync(volumes, { recursive: true })
  // Names are asked for here; an engine answers them by DNS.
  const lines = Object.entries(addresses).map(([name, address]) => `${address} ${name}`)
  writeFileSync(hosts, `127.0.0.1 localhost\n${lines.join('\n')}\n`)
  const running = new Map()

  // As engines do: an empty volume becomes what the image has in its place, with its owner.
  const fillVolume = async (source, place) => {
    if (existsSync(source)) return
    mkdirSync(source, { recursive: true })
    if (!existsSync(place)) return
    cpSync(place, source, { recursive: true, preserveTimestamps: true })
    const { uid, gid, mode } = statSync(place)
    chownSync(source, uid, gid)
    chmodSync(source, mode & 0o7777)
  }
  const mountOf = (text, base) => {
    const [source, target, mode] = text.split(':')
    const isVolume = !/^[./]/.test(source)
    return {
      source: isVolume ? join(volumes, source) : base(source),
      target,
      isReadOnly: mode === 'ro',
      isVolume,
    }
  }
  const configOf = ({ source, target }) => {
    const own = join(folder, `config-${source}`)
    writeFileSync(own, read().configs[source].content)
    return { source: own, target, isReadOnly: true }
  }

  async function start(name, { isBeside = false, command, volume = [] } = {}) {
    const service = read().services[name]
    const address = isBeside ? network.nextAddress() : addresses[name]
    return startContainer(
      {
        name: isBeside ? `${name}-run` : name,
        image: imageFor(service.image),
        environment: service.environment ?? {},
        entrypoint: listOf(service.entrypoint),
        command: command ?? listOf(service.command),
        isReadOnly: service.read_only ?? false,
        hasRights: !(service.cap_drop ?? []).includes('ALL'),
        mayGain: !(service.security_opt ?? []).includes('no-new-privileges:true'),
        tmpfs: service.tmpfs ?? [],
        shmSize: service.shm_size?.replace(/mb$/, 'm'),
        healthcheck: service.healthcheck,
        mounts: [
          ...(service.volumes ?? []).map((text) => mountOf(text, beside)),
          ...volume.map((text) => mountOf(text, (path) => resolve(folder, path))),
          ...(service.configs ?? []).map(configOf),
          { source: hosts, target: '/etc/hosts', isReadOnly: true },
          // What stands in for the store is a program of this folder.
          ...(name === 'store' ? [{ source: root, target: '/waybill', isReadOnly: true }] : []),
        ],
        card: network.plugIn(address),
        fillVolume,
      },
      folder,
    )
  }

  async function untilHealthy(name) {
    const container = running.get(name)
    const { test, interval } = container.health
    const deadline = performance.now() + HEALTHY_WITHIN_MS
    let ended = null
    void container.ended.then((code) => (ended = code))
    for (;;) {
      const { code, output } = await container.exec(...test.slice(1))
      if (code === 0) return
      if (ended !== null || performance.now() > deadline)
        throw new Error(`${name} did not become healthy: ${output.trim()}\n${container.said().slice(-3000)}`)
      await wait(Math.min(500, interval === undefined ? 500 : milliseconds(interval)))
    }
  }

  /** Until the containers that a service waits for are as it wants them. */
  async function ready(dependencies) {
    for (const [name, { condition }] of Object.entries(dependencies)) {
      await up([name])
      if (condition === 'service_healthy') await untilHealthy(name)
      if (condition === 'service_completed_successfully') await completed(name)
    }
  }
  // Started again until it ends well, as `restart: on-failure` says.
  async function completed(name) {
    const deadline = performance.now() + HEALTHY_WITHIN_MS
    while ((await running.get(name).ended) !== 0) {
      if (performance.now() > deadline) throw new Error(`${name} did not end well:\n${running.get(name).said()}`)
      await wait(500)
      running.set(name, await start(name))
    }
  }
  const dependenciesOf = ({ depends_on: given = {} }) =>
    Array.isArray(given) ? Object.fromEntries(given.map((name) => [name, { condition: 'service_started' }])) : given

  async function up(names) {
    for (const name of names) {
      if (running.has(name)) continue
      await ready(dependenciesOf(read().services[name]))
      running.set(name, await start(name))
    }
  }
  async function stop(names) {
    const killed = []
    for (const name of names) {
      const container = running.get(name)
      if (container === undefined) continue
      running.delete(name)
      const grace = read().services[name].stop_grace_period ?? '10s'
      if ((await container.stop(milliseconds(grace))).isKilled) killed.push(name)
    }
    return killed
  }

  return {
    address: (name) => addresses[name],
    /** the address of this machine in the network */
    outside: network.outside,
    volume: (name) => join(volumes, name),
    said: (name) => running.get(name).said(),
    /** All services that are no tools, and until those with a health are well. */
    async up(names) {
      const { services } = read()
      const all = names ?? Object.keys(services).filter((name) => services[name].profiles === undefined)
      await up(all)
      for (const name of all) if (running.get(name)?.health) await untilHealthy(name)
    },
    /** Stops them as the file says; answers those that had to be killed. */
    stop,
    exec: (name, ...command) => running.get(name).exec(...command),
    /** A container of the service that does one thing and is gone: its code and what it said. */
    async run(name, command, volume = []) {
      await ready(dependenciesOf(read().services[name]))
      const container = await start(name, { isBeside: true, command, volume })
      const code = await container.ended
      return { code, output: container.said() }
    },
    async down() {
      await stop([...running.keys()].toReversed())
    },
    removeVolume: (name) => rmSync(join(volumes, name), { recursive: true }),
    async close() {
      await this.down()
      network.close()
    },
  }
}
