// Killed at the worst moment: the file is kept, its row is not written yet.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { S3 } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ctx } from '../../src/kit/context/context.ts'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { createLocalFileStore, type FileStore } from '../../src/kit/files/files.ts'
import { createS3FileStore } from '../../src/kit/files/s3-files.ts'
import { sweepFiles } from '../../src/modules/document/index.ts'
import { ADMIN } from '../app.ts'
import { STORAGES } from '../file-stores.ts'
import { startS3Server, type S3Server } from '../s3-server.ts'
import { encodeForm, FILES } from '../upload.ts'
import { newInstallation, type Installation } from './installation.ts'

const HOUR_MS = 3_600_000

describe.each(STORAGES)('kill -9 between a file and its row, over a %s', (storage) => {
  let s3: S3Server | null = null
  let installation: Installation
  let database: Database
  let files: FileStore
  let kept: () => Promise<string[]>

  beforeAll(async () => {
    if (storage === 's3') {
      s3 = await startS3Server()
      const { place } = s3
      const { accessKeyId, secretAccessKey } = place.credentials!
      const settings = {
        STORAGE_URL: `s3://${place.bucket}/${place.prefix}`,
        AWS_ENDPOINT_URL_S3: place.endpoint!,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      }
      installation = await newInstallation({ settings })
      files = createS3FileStore({ ...place, stagingFolder: join(installation.filesFolder, '../staging') })
      const looking = new S3({
        endpoint: place.endpoint!,
        region: place.region,
        credentials: place.credentials!,
        forcePathStyle: true,
      })
      kept = async () =>
        ((await looking.listObjects({ Bucket: place.bucket })).Contents ?? [])
          .map(({ Key }) => Key!)
          .filter((name) => !/(^|\/)(installation$|quarantine\/)/.test(name))
    } else {
      installation = await newInstallation()
      files = createLocalFileStore({ folder: installation.filesFolder })
      kept = async () =>
        (await readdir(installation.filesFolder, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('quarantine'))
          .filter(({ name }) => name !== 'installation')
          .map(({ name }) => name)
    }
    installation.start()
    await installation.untilReady(60_000)
    database = openDatabase(installation.databaseUrl(), { max: 3 })
  })
  afterAll(async () => {
    await database?.close()
    await installation?.remove()
    await s3?.close()
  })

  it('leaves no row, and after the sweep no file; what was there before stays', async () => {
    const token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token as string
    const { rows: countries } = await database.pool.query<{ id: number }>(`select id from country where code = 'DE'`)
    const { body: customer } = (await installation.call('POST', 'customers', {
      body: { title: 'Hansa Bau GmbH', countryId: countries[0]!.id },
      token,
    }))!
    const send = async (name: string) => {
      const { body, contentType } = await encodeForm({
        fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId: customer.id },
        file: { name, bytes: FILES.pdf(1_000_000) },
      })
      return fetch(`${installation.url}/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
        body: new Uint8Array(body),
      }).then(
        ({ status }) => status,
        () => null,
      )
    }
    expect(await send('before.pdf')).toBe(201)
    const before = await kept()
    expect(before).toHaveLength(1)

    const holding = await database.pool.connect()
    await holding.query('begin; lock table document in share row exclusive mode')
    const sending = send('killed.pdf')
    const waits = async () =>
      (
        await database.pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into "document"%'`,
        )
      ).rowCount === 1
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    await installation.killServer()
    await holding.query('rollback')
    holding.release()
    expect(await sending).toBeNull()

    installation.start()
    await installation.untilReady(60_000)
    const titles = async () =>
      (await database.pool.query<{ title: string }>('select title from document')).rows.map(({ title }) => title)
    expect(await titles()).toEqual(['before.pdf'])
    expect(await kept()).toHaveLength(2)
    const ctx = {
      db: database.db,
      clock: { now: () => new Date(Date.now() + 2 * HOUR_MS) },
      ports: { files },
      log: { info: () => undefined, error: () => undefined },
    } as unknown as Ctx
    // The server that came back may have a transaction open for a moment; then the sweep spares what is younger.
    do await sweepFiles.handle(ctx, {})
    while ((await kept()).length > 1)
    expect(await kept()).toEqual(before)
    expect(await send('after.pdf')).toBe(201)
  })
})
