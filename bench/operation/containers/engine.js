// Starts a container as an engine does, by crun: namespaces of its own, the rights that are left to it, its file system
// as it is allowed to be.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from '../../../scripts/bootstrap.js'
import { openImage } from './images.js'

/** What engines leave to root in a container where nothing is said. */
const USUAL_RIGHTS = (
  'CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL ' +
  'AUDIT_WRITE'
)
  .split(' ')
  .map((name) => `CAP_${name}`)

// crun refuses the hierarchies of a machine that has control groups of both kinds; nothing here is limited by them.
const ALONE = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec crun --cgroup-manager=disabled "$@"'
const crun = (...args) => ['unshare', ['--mount', 'sh', '-c', ALONE, 'crun', ...args]]

const mount = (destination, type, ...options) => ({ destination, type, source: type, options })
const bind = ({ source, target, isReadOnly = false }) => ({
  destination: target,
  type: 'bind',
  source,
  options: ['rbind', 'nosuid', 'nodev', isReadOnly ? 'ro' : 'rw'],
})

function userOf(rootFolder, name) {
  if (!name) return { uid: 0, gid: 0 }
  const line = readFileSync(join(rootFolder, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`the image has no user ${name}`)
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

let started = 0

/**
 * @param {object} service
 * @param {string} service.image its tag
 * @param {string} service.name of the container in its network
 * @param {Record<string, string>} service.environment
 * @param {string[] | undefined} service.entrypoint as in compose.yaml; without it that of the image
 * @param {string[] | undefined} service.command
 * @param {boolean} service.isReadOnly whether nothing of the image may be written
 * @param {boolean} service.hasRights false: root’s rights are all taken away
 * @param {boolean} service.mayGain false: no program may gain rights
 * @param {string[]} service.tmpfs
 * @param {{ source: string, target: string, isReadOnly?: boolean, isVolume?: boolean }[]} service.mounts
 * @param {{ file: string, remove: () => void }} service.card
 * @param {string} folder for what is said, and for its description
 */
export async function startContainer(service, folder) {
  started += 1
  const id = `wbc${process.pid}-${started}`
  const image = await openImage(service.image)
  for (const { source, target } of service.mounts.filter(({ isVolume }) => isVolume))
    await service.fillVolume(source, join(image.path, target))
  const user = userOf(image.path, image.config.User)
  const rights = service.hasRights ? USUAL_RIGHTS : []
  const held = user.uid === 0 ? rights : []
  const entrypoint = service.entrypoint ?? image.config.Entrypoint ?? []
  const args = [...entrypoint, ...(service.command ?? (service.entrypoint ? [] : (image.config.Cmd ?? [])))]
  const own = Object.entries(service.environment).map(([name, value]) => `${name}=${value}`)
  const env = [...(image.config.Env ?? []), ...own]
  const bundle = join(folder, id)
  mkdirSync(bundle, { recursive: true })
  writeFileSync(
    join(bundle, 'config.json'),
    JSON.stringify({
      ociVersion: '1.0.0',
      hostname: service.name,
      root: { path: image.path, readonly: service.isReadOnly },
      process: {
        terminal: false,
        user,
        args,
        cwd: image.config.WorkingDir || '/',
        env,
        capabilities: { bounding: rights, permitted: held, effective: held, inheritable: [], ambient: [] },
        noNewPrivileges: !service.mayGain,
      },
      mounts: [
        mount('/proc', 'proc'),
        mount('/dev', 'tmpfs', 'nosuid', 'strictatime', 'mode=755', 'size=65536k'),
        mount('/dev/pts', 'devpts', 'nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'),
        mount('/dev/shm', 'tmpfs', 'nosuid', 'noexec', 'nodev', 'mode=1777', `size=${service.shmSize ?? '64m'}`),
        mount('/dev/mqueue', 'mqueue', 'nosuid', 'noexec', 'nodev'),
        mount('/sys', 'sysfs', 'nosuid', 'noexec', 'nodev', 'ro'),
        ...service.tmpfs.map((path) => mount(path, 'tmpfs', 'nosuid', 'noexec', 'nodev', 'mode=1777')),
        ...service.mounts.map(bind),
      ],
      linux: {
        namespaces: [
          ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
          { type: 'network', path: service.card.file },
        ],
        maskedPaths: ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/scsi', '/sys/firmware'],
        readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
      },
    }),
  )
  let said = ''
  const log = createWriteStream(join(folder, `${service.name}.log`), { flags: 'a' })
  const child = spawn(...crun('run', '--bundle', bundle, id), { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
      log.write(chunk)
    })
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  }).then(async (code) => {
    log.end()
    await run(...crun('delete', '--force', id), { collect: true })
    service.card.remove()
    await image.remove()
    rmSync(bundle, { recursive: true, force: true })
    return code
  })
  const asItself = [
    `--user=${user.uid}:${user.gid}`,
    `--cwd=${image.config.WorkingDir || '/'}`,
    ...(service.mayGain ? [] : ['--no-new-privs']),
    ...env.map((one) => `--env=${one}`),
  ]
  const exec = (...command) => run(...crun('exec', ...asItself, id, ...command), { collect: true })
  const signal = (name) => run(...crun('kill', id, name), { collect: true })
  return {
    name: service.name,
    ended,
    said: () => said,
    /** Runs a command in it, as its user: its code and what it printed. */
    exec,
    async stop(graceMs) {
      await signal('TERM')
      const isEnded = await Promise.race([ended.then(() => true), wait(graceMs, false)])
      if (!isEnded) await signal('KILL')
      await ended
      return { isKilled: !isEnded }
    },
    health: service.healthcheck ?? healthOf(image.config),
  }
}

const healthOf = ({ Healthcheck }) => Healthcheck && { test: Healthcheck.Test }
