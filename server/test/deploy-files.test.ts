import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../src/app/metrics.ts'
import { backupState } from '../src/backup/backup-runs.ts'
import { SETTING_NAMES } from '../src/config.ts'
import { useTestApp } from './app.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')
const test = useTestApp()
const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0

// What belongs to the neighbours of Waybill: its images, proxy and database, and Node.
const OF_OTHERS =
  /^(NODE_ENV|POSTGRES_(USER|PASSWORD)|WAYBILL_(DOMAIN|OWNER_PASSWORD|APP_PASSWORD)|S3_(ACCESS|SECRET)_KEY)$/
const isKnown = (name: string) => SETTING_NAMES.includes(name) || OF_OTHERS.test(name)

interface Service {
  image?: string
  environment?: Record<string, string>
  user?: string
  ports?: string[]
  volumes?: string[]
  read_only?: boolean
}
const compose = () => parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }

describe('metrics that rules and dashboard name', () => {
  let told: Set<string>
  beforeAll(async () => {
    const metrics = createMetrics({
      pools: { requests: test.database },
      figuresFrom: test.database,
      jobs: test.ports.jobs,
      backups: () => backupState(test.database.pool),
      pdf: test.ports.pdf,
    })
    // A histogram that has counted nothing has no lines yet, but its head.
    told = new Set(
      [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name!],
      ),
    )
  })
  const namesIn = (expressions: readonly string[]) => [
    ...new Set(expressions.flatMap((one) => one.match(/\b(waybill|nodejs|process)_\w+/g) ?? [])),
  ]

  it('are told by a Waybill, in the alert rules', () => {
    const { groups } = parse(read('prometheus/waybill-alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.filter(({ annotations }) => !annotations.summary)).toEqual([])
    expect(namesIn(rules.map(({ expr }) => expr)).filter((name) => !told.has(name))).toEqual([])
  })

  it('are told by a Waybill, in the dashboard, which leaves none of its own out', () => {
    const { panels } = JSON.parse(read('grafana/waybill.json')) as { panels: { targets: { expr: string }[] }[] }
    const named = namesIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(named.filter((name) => !told.has(name))).toEqual([])
    const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    const shown = new Set(named.map(bare))
    expect([...told].filter((name) => name.startsWith('waybill_') && !shown.has(bare(name)))).toEqual([])
  })
})

describe('the files of deploy', () => {
  it('set nothing that the server does not know', () => {
    const { services } = compose()
    const names = [
      ...Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment)),
      ...['waybill.env.example', 'compose.env.example'].flatMap((file) =>
        [...read(file).matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
      ),
      ...[...read('waybill.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
        [...line!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
      ),
      ...[...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
        [...line!.matchAll(/(\w+)=/g)].map(([, name]) => name!),
      ),
      ...[...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!),
    ]
    expect(names).toContain('DATABASE_OWNER_URL')
    expect([...new Set(names)].filter((name) => !isKnown(name))).toEqual([])
  })

  it('ask for every variable that compose needs in the example beside it', () => {
    const given = new Set([...read('compose.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name))
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    expect(asked.filter((name) => !given.has(name))).toEqual([])
  })

  it('open people’s port to the proxy alone, and run Waybill on a read-only file system without root', () => {
    const { services } = compose()
    const open = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
    for (const name of ['waybill-1', 'waybill-2', 'backup']) expect(services[name]).toMatchObject({ read_only: true })
    expect(read('Dockerfile')).toMatch(/^USER node$/m)
    for (const name of ['waybill-1', 'waybill-2']) expect(read('Caddyfile')).toContain(`${name}:3000`)
  })

  it('let Waybill write into every volume that it has: the image makes its folder for the user it runs as', () => {
    const made = /^ {2}&& install -d -o node -g node -m 0700 (.*)$/m.exec(read('Dockerfile'))![1]!.split(' ')
    const ours = Object.entries(compose().services).filter(([, { image }]) => image === 'waybill')
    expect(ours.map(([name]) => name)).toEqual(['waybill-1', 'waybill-2', 'backup'])
    for (const [name, { volumes = [] }] of ours)
      expect(
        volumes.map((one) => one.split(':')[1]).filter((target) => !made.includes(target!)),
        name,
      ).toEqual([])
  })

  it('back up every day, by the Waybills themselves, to where the commands look for it', () => {
    const { services } = compose()
    for (const name of ['waybill-1', 'waybill-2']) {
      expect(services[name]!.environment).toMatchObject({ BACKUP_URL: 'file:/backups' })
      expect(services[name]!.volumes).toContain('backups:/backups')
    }
    expect(services['backup']!.volumes).toContain('backups:/backups')
  })

  it('take along every command that the guide runs in a container', () => {
    const guide = readFileSync(join(DEPLOY, '../docs/operations.md'), 'utf8')
    const named = [...guide.matchAll(/docker compose [^\n`]*\bnode (\S+\.[jt]s)/g)].map(([, file]) => file!)
    expect(new Set(named)).toEqual(
      new Set(['backup', 'restore', 'doctor', 'rotate-key'].map((name) => `scripts/${name}.js`)),
    )
    for (const file of named) expect(existsSync(join(DEPLOY, '..', file)), file).toBe(true)
    expect(read('Dockerfile')).toMatch(/^COPY --from=build \S+\/scripts scripts$/m)
    // As `npm run` finds them installed: with the stamp that bootstrap.js compares.
    expect(read('Dockerfile')).toContain('> node_modules/.waybill-lockfile')
  })

  it('take along what the screens show: licences from the lockfile, what is new from the changelog', () => {
    const [, brought = ''] = /^COPY --from=build (.* \.\/)$/m.exec(read('Dockerfile'))!
    for (const name of ['package-lock.json', 'CHANGELOG.md']) expect(brought).toContain(`/opt/waybill/${name}`)
  })

  it('keep the secrets that are filled in out of the repository and out of the image', () => {
    const ignored = (path: string) => readFileSync(join(DEPLOY, path), 'utf8').split('\n')
    expect(ignored('../.gitignore')).toEqual(expect.arrayContaining(['.env', '*.key']))
    expect(ignored('Dockerfile.dockerignore')).toEqual(expect.arrayContaining(['**/.env', '**/*.key']))
  })

  it('are read by their parsers, all of them', () => {
    for (const folder of ['.', 'prometheus', 'grafana']) {
      for (const file of readdirSync(join(DEPLOY, folder)).filter((name) => /\.(yaml|json)$/.test(name)))
        expect(parse(read(join(folder, file)), { merge: true }), file).toBeTypeOf('object')
    }
  })

  it('starts what `npm start` does, with the same flags', () => {
    const bootstrap = readFileSync(join(DEPLOY, '../scripts/bootstrap.js'), 'utf8')
    const [, list = ''] = /^export const nodeFlags = \[(.*)\]$/m.exec(bootstrap) ?? []
    const started = [...list.matchAll(/'([^']+)'/g)].map(([, flag]) => flag!).concat('server/dist/main.js')
    expect(started.length).toBeGreaterThan(1)
    expect(read('Dockerfile')).toContain(`CMD ["node", ${started.map((word) => `"${word}"`).join(', ')}]`)
    expect(read('waybill.service').replace(/\\\n\s*/g, '')).toContain(`/bin/node ${started.join(' ')}\n`)
  })

  if (!HAS_SYSTEMD) console.log('the unit of systemd: skipped: systemd-analyze not here')
  else
    it('holds a unit that systemd accepts', () => {
      const folder = mkdtempSync(join(tmpdir(), 'waybill-unit-'))
      try {
        // What is not installed here stands for what will be: a program, and a file of documentation.
        const unit = read('waybill.service').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
        writeFileSync(join(folder, 'waybill.service'), unit)
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'waybill.service')], {
          encoding: 'utf8',
        })
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
})

describe('the lines that the guide of operations shows', () => {
  const guide = readFileSync(join(DEPLOY, '../docs/operations.md'), 'utf8')
  const shown = [...guide.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.trim().split('\n'))
  const unit = read('waybill.service')
  const ofUnit = (name: string) => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)?.[1]
  const isThere = (path: string) => existsSync(join(DEPLOY, '..', path))
  const scripts = (
    JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')) as { scripts: Record<string, string> }
  ).scripts

  /** What each kind of line needs, so that it does what it says; what is run is run by the tests of the commands. */
  const kinds: [RegExp, (...parts: string[]) => boolean][] = [
    [/^npm (start)$/, (name) => name in scripts],
    [/^npm run ([\w-]+)(?: |$)/, (name) => isThere(/^node (\S+)/.exec(scripts[name] ?? '')?.[1] ?? 'nowhere')],
    [/^([A-Z][A-Z0-9_]+)=/, (name) => SETTING_NAMES.includes(name)],
    [/^cp (\S+) \S+ && chmod 600 deploy\/\.env$/, isThere],
    [/^docker compose -f (\S+) up --build --detach$/, isThere],
    [
      /^docker compose -f (\S+) (?:run --rm|exec)(?: --volume \S+)? ([\w-]+)(?: node (\S+).*)?$/,
      (file, service, script) => isThere(file) && service in compose().services && isThere(script ?? file),
    ],
    [
      /^useradd --system --home-dir (\S+) --shell \S+ (\w+)$/,
      (home, user) => unit.includes(`DATA_DIR=${home}`) && ofUnit('User') === user,
    ],
    [
      /^git clone <this repository> (\S+) && cd (\S+) && npm run build$/,
      (folder, again) => folder === again && ofUnit('WorkingDirectory') === folder && 'build' in scripts,
    ],
    [/^install -D -m 0600 (\S+) (\S+)$/, (from, to) => isThere(from) && ofUnit('EnvironmentFile') === to],
    [/^install -m 0644 (deploy\/waybill\.service) \/etc\/systemd\/system\/$/, isThere],
    [/^systemctl daemon-reload && systemctl enable --now (\w+)$/, (name) => isThere(`deploy/${name}.service`)],
    // PostgreSQL's: the test of the commands writes these very lines (`server/test/long/backup.test.ts`).
    [/^(?:archive|restore|recovery)_\w+ = \S|^hot_standby = off$/, () => true],
    [/^journalctl -u (\w+)$/, (name) => isThere(`deploy/${name}.service`)],
  ]

  it('are of a kind that is looked at, and name what is there', () => {
    expect(shown.length).toBeGreaterThan(25)
    const isGood = (line: string) =>
      kinds.some(([form, holds]) => {
        const found = form.exec(line)
        return found !== null && holds(...found.slice(1))
      })
    expect(shown.filter((line) => !isGood(line))).toEqual([])
  })

  it('run commands as the user, in the folder and with the settings of the unit', () => {
    const [line = ''] = guide.match(/systemd-run [^`]*/) ?? []
    for (const part of [
      `--uid=${ofUnit('User')}`,
      `EnvironmentFile=${ofUnit('EnvironmentFile')}`,
      `--working-directory=${ofUnit('WorkingDirectory')}`,
      '--setenv=DATA_DIR=/var/lib/waybill',
    ])
      expect(line).toContain(part)
    expect(unit).toContain('DATA_DIR=/var/lib/waybill')
  })
})
