// Three databases under Patroni with etcd, HAProxy and PgBouncer in front of them: Debian's programs with the files of
// `deploy/cluster`, each on a machine of its own.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Network } from './network.ts'
import { settingsOf, startProgram, type Program } from './programs.ts'

const DEPLOY = join(import.meta.dirname, '../../../../deploy')
const MACHINES = [1, 2, 3]
const PASSWORD = 'cluster-test'
const WHOLE_WITHIN_MS = 180_000
/** Bytes that a standby may be behind while people write. */
const NEARLY_NOTHING = 2 ** 20

export interface DatabaseCluster {
  /** through HAProxy, as the role that serves */
  url: string
  /** through HAProxy, as the role that owns the tables */
  ownerUrl: string
  /** through PgBouncer and HAProxy, as the role that serves */
  pooledUrl: string
  /** the standby that has all that was acknowledged, through HAProxy, as the role that serves */
  readUrl: string
  /** where people reach the Waybills */
  peopleUrl: string
  /** the number of the machine with the primary, as all that can be asked say it */
  primary(): Promise<number>
  /** kills PostgreSQL's first process on a machine, as an out-of-memory killer would */
  killPostgres(machine: number): void
  etcdLeader(): Promise<number>
  killEtcd(machine: number): Promise<void>
  startEtcd(machine: number): void
  /** resolves when there is one primary, and the two others follow it, one of them so that nothing is lost */
  untilWhole(): Promise<void>
  /** the end of what all of them said */
  said(): string
  close(): Promise<void>
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
}

/** The settings of an example of the first machine, as another one of the network has them. */
function settingsFor(example: string, machine: number, network: Network): Record<string, string> {
  const ofAll = /_(HOSTS|CLUSTER)$/
  const moved = (value: string) => value.replace(/10\.0\.1\.1(\d)/g, (_, n: string) => network.address(+n, 'back'))
  return Object.fromEntries(
    Object.entries(settingsOf(readFileSync(join(DEPLOY, 'cluster', example), 'utf8'))).map(([name, value]) => [
      name,
      moved(ofAll.test(name) ? value : value.replace('10.0.1.11', `10.0.1.1${machine}`).replace('db1', `db${machine}`)),
    ]),
  )
}

async function json<Value>(url: string, options: RequestInit = {}): Promise<Value | null> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(2000) })
    return (await response.json()) as Value
  } catch {
    return null
  }
}

async function until(what: string, said: () => string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WHOLE_WITHIN_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${WHOLE_WITHIN_MS / 1000} s\n${said()}`)
    await wait(200)
  }
}

/** `folder` is readable by everybody; `waybills` are host and port of the two that people reach by the door. */
export async function startDatabaseCluster({
  network,
  folder,
  waybills,
}: {
  network: Network
  folder: string
  waybills: [string, string]
}): Promise<DatabaseCluster> {
  const database = 'waybill'
  const urlAs = (role: string, port: number) => `postgres://${role}:${PASSWORD}@${network.door}:${port}/${database}`
  const running = new Map<string, Program>()
  const said = () => [...running].map(([name, program]) => `--- ${name}\n${program.said()}`).join('\n')
  const folderOf = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** As PostgreSQL's user, with sockets of its own: the file system is one for all machines. */
  const start = (name: string, machine: number | 'door', command: string[], env: Record<string, string> = {}) => {
    const sockets = folderOf(`${name}-sockets`)
    for (const path of [folderOf(name), sockets]) chmodSync(path, 0o700)
    spawnSync('chown', ['-R', 'postgres:', join(folder, name), sockets])
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    const inOwnFolder = ['sh', '-c', 'mount --bind "$0" /run/postgresql && exec "$@"', sockets]
    running.set(
      name,
      startProgram([...network.on(machine), ...inOwnFolder, ...asPostgres, ...command], {
        env: { HOME: join(folder, name), ...env },
        logFile: join(folder, `${name}.log`),
      }),
    )
  }

  const startEtcd = (machine: number) =>
    start(`etcd${machine}`, machine, ['etcd'], {
      ...settingsFor('etcd.env.example', machine, network),
      ETCD_DATA_DIR: join(folder, `etcd${machine}`, 'data'),
    })
  const dataOf = (machine: number) => join(folder, `patroni${machine}`, 'data')
  const startPatroni = (machine: number) =>
    start(`patroni${machine}`, machine, ['patroni', join(DEPLOY, 'cluster/patroni.yaml')], {
      ...settingsFor('patroni.env.example', machine, network),
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(machine),
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    })

  const members = async (): Promise<Member[]> => {
    for (const machine of MACHINES) {
      const found = await json<{ members: Member[] }>(`http://${network.address(machine, 'front')}:8008/cluster`)
      if (found !== null) return found.members
    }
    return []
  }
  const isWhole = async () => {
    const all = await members()
    const roles = all.map(({ role }) => role).toSorted()
    return (
      all.length === MACHINES.length &&
      all.every(({ state, lag = 0 }) => ['running', 'streaming'].includes(state) && Number(lag) < NEARLY_NOTHING) &&
      roles.join() === 'leader,replica,sync_standby'
    )
  }
  const etcdLeader = async () => {
    for (const machine of MACHINES) {
      const status = await json<{ leader?: string; header: { member_id: string } }>(
        `http://${network.address(machine, 'back')}:2379/v3/maintenance/status`,
        { method: 'POST', body: '{}' },
      )
      if (status?.leader !== undefined && status.leader === status.header.member_id) return machine
    }
    return 0
  }
  const primary = async () => {
    const leaders = (await members()).filter(({ role }) => role === 'leader')
    return leaders.length === 1 ? Number(/\d+$/.exec(leaders[0]!.name)![0]) : 0
  }
  const found = async (what: string, ask: () => Promise<number>): Promise<number> => {
    let machine = 0
    await until(what, said, async () => (machine = await ask()) > 0)
    return machine
  }

  const cluster: DatabaseCluster = {
    url: urlAs('waybill_app', 5000),
    ownerUrl: urlAs('waybill_owner', 5000),
    pooledUrl: urlAs('waybill_app', 6432),
    readUrl: urlAs('waybill_app', 5001),
    peopleUrl: `http://${network.door}:8080`,
    primary: () => found('a primary', primary),
    killPostgres(machine) {
      const file = join(dataOf(machine), 'postmaster.pid')
      process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
    },
    etcdLeader: () => found('a leader of etcd', etcdLeader),
    async killEtcd(machine) {
      const program = running.get(`etcd${machine}`)!
      program.signal('SIGKILL')
      await program.untilEnded()
    },
    startEtcd,
    untilWhole: () => until('a primary and two that follow', said, isWhole),
    said,
    async close() {
      const patronis = MACHINES.map((machine) => running.get(`patroni${machine}`))
      for (const program of patronis) program?.signal('SIGTERM')
      await Promise.all(patronis.map((program) => program?.untilEnded()))
      // The rest has nothing to put in order.
      network.close()
    },
  }

  try {
    mkdirSync('/run/postgresql', { recursive: true })
    for (const machine of MACHINES) startEtcd(machine)
    await cluster.etcdLeader()
    for (const machine of MACHINES) startPatroni(machine)
    await cluster.untilWhole()
    const roles = spawnSync('sh', [join(DEPLOY, 'database-roles.sh')], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH!,
        PGHOST: network.address(await cluster.primary(), 'front'),
        PGPASSWORD: PASSWORD,
        POSTGRES_USER: 'postgres',
        WAYBILL_OWNER_PASSWORD: PASSWORD,
        WAYBILL_APP_PASSWORD: PASSWORD,
      },
    })
    if (roles.status !== 0) throw new Error(roles.stderr)
    const addresses = settingsOf(readFileSync(join(DEPLOY, 'cluster/haproxy.env.example'), 'utf8'))
    start('haproxy', 'door', ['haproxy', '-db', '-f', join(DEPLOY, 'cluster/haproxy.cfg')], {
      ...addresses,
      DATABASE_DOOR: network.door,
      PEOPLE_DOOR: network.door,
      ...Object.fromEntries(MACHINES.map((machine) => [`DB${machine}`, network.address(machine, 'front')])),
      WAYBILL1: waybills[0],
      WAYBILL2: waybills[1],
    })
    const pooler = folderOf('pgbouncer')
    writeFileSync(join(pooler, 'userlist.txt'), `"waybill_app" "${PASSWORD}"\n`)
    writeFileSync(
      join(pooler, 'pgbouncer.ini'),
      readFileSync(join(DEPLOY, 'cluster/pgbouncer.ini'), 'utf8')
        .replaceAll('10.0.0.5', network.door)
        .replaceAll('/etc/pgbouncer', pooler),
    )
    start('pgbouncer', 'door', ['pgbouncer', join(pooler, 'pgbouncer.ini')])
  } catch (error) {
    await cluster.close()
    throw error
  }
  return cluster
}
