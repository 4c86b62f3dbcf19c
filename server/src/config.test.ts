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

  it('know where to ask for places, roads and tiles only as the services are asked', () => {
    expect(read({})).toMatchObject({ geocoderUrl: null, routingUrl: null, tiles: null })
    for (const wrong of ['https://geo.example', 'https://geo.example/api?q=', 'ftp://geo.example/api', 'geo']) expect(() => read({ GEOCODER_URL: wrong }), wrong).toThrow(/^GEOCODER_URL: /)
    for (const wrong of ['https://tiles.example/', 'https://{s}.tiles.example/{z}/{x}/{y}.png', 'file:///{z}/{x}/{y}.png']) expect(() => read({ TILES_URL: wrong }), wrong).toThrow(/^TILES_URL: /)
    for (const right of ['https://photon.example/api', 'http://127.0.0.1:2322/api/', 'https://geo.example/nominatim/search']) expect(read({ GEOCODER_URL: right }).geocoderUrl).toBe(right)
    for (const wrong of ['ftp://osrm.example', 'osrm', 'https://osrm.example?key=1']) expect(() => read({ ROUTING_URL: wrong }), wrong).toThrow(/^ROUTING_URL: /)
    expect(read({ ROUTING_URL: 'https://osrm.example/' }).routingUrl).toBe('https://osrm.example')
    const url = 'https://tiles.example/{z}/{x}/{y}.png?key=1'
    expect(read({ TILES_URL: url }).tiles).toEqual({ url, attribution: '© OpenStreetMap contributors' })
    expect(read({ TILES_URL: url, TILES_ATTRIBUTION: '© us' }).tiles?.attribution).toBe('© us')
  })

  it('take no slash at the end of the public address', () => {
    expect(read({ PUBLIC_URL: 'https://waybill.example/' }).publicUrl).toBe('https://waybill.example')
  })
})
