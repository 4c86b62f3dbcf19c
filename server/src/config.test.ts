import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const read = (settings: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...settings })

describe('the settings', () => {
  it('stop the start when one is wrong, and name each', () => {
    const wrong = { PORT: '70000', SMTP_URL: 'http://mail', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', SECRET_KEY: 'short', STORAGE_URL: 'ftp://x' }
    expect(() => read(wrong)).toThrow(ConfigError)
    for (const name of Object.keys(wrong)) expect(() => read(wrong)).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it('take the defaults where nothing is set, and empty for not set', () => {
    expect(read({ PORT: '', SMTP_URL: '' })).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, smtpUrl: null, publicUrl: null, filesDir: join(dataDir, 'files') })
  })

  it('make a secret once, for the owner’s eyes alone, and keep it', () => {
    const { secretKey } = read({})
    expect(secretKey.length).toBeGreaterThanOrEqual(32)
    expect(read({}).secretKey).toBe(secretKey)
    const file = join(dataDir, 'secret.key')
    expect(readFileSync(file, 'utf8')).toBe(secretKey)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('take no slash at the end of the public address', () => {
    expect(read({ PUBLIC_URL: 'https://waybill.example/' }).publicUrl).toBe('https://waybill.example')
  })
})
