import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { readConfig, type Config } from '../config.ts'
import { checkSecretKey } from '../kit/database/secret-key.ts'
import { keepBeating, thisNode } from './this-node.ts'

const test = useTestApp()
const SETTINGS = {
  SECRET_KEY: 'k'.repeat(40),
  PUBLIC_URL: 'https://waybill.example',
  SMTP_URL: 'smtp://clerk:secret@mail.example',
}
const configOf = (more: Record<string, string> = {}): Config => readConfig({ ...SETTINGS, ...more })
const closers: (() => Promise<void>)[] = []
const warnings: object[] = []
const beats = { secretKey: SETTINGS.SECRET_KEY, onOtherKey: () => undefined }
const log = { warn: (found: object) => void warnings.push(found) }

/** A node with these settings, which serves. */
async function started(host: string, more: Record<string, string> = {}, version = '0.1.0') {
  const node = { ...thisNode(configOf(more)), host, version }
  closers.push(await keepBeating(test.database, node, { ...beats, log: log as never }))
  return node
}
const listed = async () => (await test.admin.get('operations')).body.nodes
const closeAll = async () => {
  for (const close of closers.splice(0)) await close()
}

beforeEach(async () => {
  await closeAll()
  warnings.length = 0
})
afterAll(closeAll)

describe('a node whose secret key was changed behind its back', () => {
  it('hears of it with the next sign of life, and of nothing while its key is the newest', async () => {
    await checkSecretKey(test.database.db, SETTINGS.SECRET_KEY)
    let others = 0
    const node = thisNode(configOf())
    const more = { secretKey: SETTINGS.SECRET_KEY, log: log as never, everySeconds: 0.05 }
    const stop = await keepBeating(test.database, node, { ...more, onOtherKey: () => (others += 1) })
    closers.push(stop)
    const { rows } = await test.database.pool.query('select "seenAt" from node')
    const seen = () => test.database.pool.query('select "seenAt" from node').then((now) => now.rows[0].seenAt)
    await expect.poll(seen).not.toBe(rows[0].seenAt)
    expect(others).toBe(0)
    await checkSecretKey(test.database.db, 'l'.repeat(40), { isNewAccepted: true })
    await expect.poll(() => others).toBeGreaterThan(0)
  })
})

describe('the nodes of a database', () => {
  it('are listed while they serve, and gone once they ended', async () => {
    expect(await listed()).toEqual([])
    test.ports.node = await started('waybill-1')
    await started('waybill-2')
    expect(await listed()).toEqual([
      {
        host: 'waybill-1',
        port: 3000,
        version: '0.1.0',
        startedAt: expect.stringMatching(/Z$/),
        seenAt: expect.stringMatching(/Z$/),
        isThis: true,
        isSilent: false,
        isOtherVersion: false,
        otherSettings: [],
      },
      expect.objectContaining({ host: 'waybill-2', isThis: false, isOtherVersion: false, otherSettings: [] }),
    ])
    expect(warnings).toEqual([])
    await closers.pop()!()
    expect((await listed()).map(({ host }: { host: string }) => host)).toEqual(['waybill-1'])
  })

  it('are named where their version or settings are others; what these say stands nowhere', async () => {
    test.ports.node = await started('waybill-1')
    await started('waybill-2', { SMTP_URL: '', PUBLIC_URL: 'https://other.example', HOST: '0.0.0.0', PORT: '3001' })
    await started('waybill-3', { SESSION_DAYS: '30' }, '0.0.9')
    const [, second, third] = await listed()
    expect(second).toMatchObject({ isOtherVersion: false, otherSettings: ['PUBLIC_URL', 'SMTP_URL'] })
    expect(third).toMatchObject({ isOtherVersion: true, otherSettings: ['SESSION_DAYS'] })
    expect(warnings).toContainEqual({ node: 'waybill-1:3000', version: '0.1.0', settings: ['PUBLIC_URL', 'SMTP_URL'] })
    const { rows } = await test.database.pool.query('select * from node')
    expect(JSON.stringify(rows)).not.toMatch(/clerk|secret|example/)
  })

  it('cannot have their passwords guessed by their digests, which another key makes others', () => {
    const digestOf = (key: string) => thisNode(configOf({ SECRET_KEY: key })).settings['SMTP_URL']
    expect(digestOf('k'.repeat(40))).toBe(digestOf('k'.repeat(40)))
    expect(digestOf('k'.repeat(40))).not.toBe(digestOf('l'.repeat(40)))
  })

  it('are silent after a minute and a half without a sign of life, and forgotten after a day', async () => {
    test.ports.node = await started('waybill-1')
    const other = await started('waybill-2')
    const seen = (ago: string) =>
      test.database.pool.query(`update node set "seenAt" = now() - interval '${ago}' where id = $1`, [other.id])
    await seen('80 seconds')
    expect((await listed())[1]).toMatchObject({ host: 'waybill-2', isSilent: false })
    await seen('100 seconds')
    expect((await listed())[1]).toMatchObject({ host: 'waybill-2', isSilent: true })
    await seen('25 hours')
    await started('waybill-3')
    expect((await listed()).map(({ host }: { host: string }) => host)).toEqual(['waybill-1', 'waybill-3'])
  })
})
