// What a file and its row go through together, wherever files are kept.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { STORAGES } from '../../../test/file-stores.ts'
import { FILES, upload } from '../../../test/upload.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { sweepFiles } from './index.ts'

const HOUR_MS = 3_600_000

describe.each(STORAGES)('files and rows over a %s', (storage) => {
  const app = useTestApp({ storage })
  let customerId: number
  let admin: Caller
  beforeAll(async () => {
    admin = app.admin
    const { body } = await app.admin.post('customers', {
      title: 'Nordlicht Maschinenbau GmbH',
      countryId: await app.idOf('country', 'code', 'DE'),
    })
    customerId = body.id
  })

  /** Two hours on, when the session is over too. */
  const later = async () => {
    app.clock.advance(2 * HOUR_MS)
    admin = app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
  }

  const send = (name: string, bytes = FILES.pdf(), headers: Record<string, string> = {}) =>
    upload(admin, { fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId }, file: { name, bytes }, headers })
  const keys = async () =>
    (await app.database.pool.query<{ fileKey: string }>('select "fileKey" from document')).rows
      .map((row) => row.fileKey)
      .toSorted()
  const kept = async () => (await app.ports.fileStore.kept()).toSorted()
  /** Each file has its row, each row its file, and nothing is on its way. */
  const expectPairs = async () => {
    expect(await kept()).toEqual(await keys())
    expect(await app.ports.fileStore.staged()).toBe(0)
  }
  const sweep = () =>
    sweepFiles.handle(
      {
        db: app.database.db,
        clock: app.clock,
        ports: app.ports,
        log: { info: () => undefined, error: () => undefined },
      } as unknown as Ctx,
      {},
    )
  const stray = async (text: string) =>
    app.ports.files.keep(await app.ports.files.stage(Readable.from([Buffer.from(text)]), { maxBytes: 100 }))

  it('come back byte for byte, of 25 MB too, and go together', { tags: 'long' }, async () => {
    const bytes = FILES.pdf(MAX_FILE_BYTES)
    bytes.set(Buffer.from('the end'), MAX_FILE_BYTES - 7)
    const { status, body } = await send('policy.pdf', bytes)
    expect(status).toBe(201)
    const file = await admin.get(`documents/${body.id}/file`)
    expect([file.status, file.headers['content-type'], file.headers['content-length']]).toEqual([
      200,
      'application/pdf',
      String(MAX_FILE_BYTES),
    ])
    expect(file.raw.equals(bytes)).toBe(true)
    await expectPairs()
    expect((await admin.delete(`documents/${body.id}`)).status).toBe(204)
    await expectPairs()
  })

  it('one byte more than 25 MB, a type that is not allowed and an owner that is not there leave neither', async () => {
    const before = await keys()
    expect((await send('big.pdf', FILES.pdf(MAX_FILE_BYTES + 1))).status).toBe(413)
    expect((await send('program.pdf', FILES.exe())).status).toBe(415)
    expect(
      (
        await upload(admin, {
          fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId: 999_999 },
          file: { name: 'a.pdf', bytes: FILES.pdf() },
        })
      ).status,
    ).toBe(404)
    expect(await keys()).toEqual(before)
    await expectPairs()
  })

  it('where the row fails, the file goes', async () => {
    const before = await keys()
    await app.asOwner('alter table document add constraint "not_today" check (title <> \'refused.pdf\') not valid')
    expect((await send('refused.pdf')).status).toBe(500)
    expect((await send('refused.pdf', FILES.pdf(), { 'idempotency-key': randomUUID() })).status).toBe(500)
    await app.asOwner('alter table document drop constraint "not_today"')
    expect(await keys()).toEqual(before)
    await expectPairs()
  })

  it('a file that a crash left alone is swept after an hour, one with a row never', async () => {
    await send('stays.pdf')
    const orphan = await stray('orphan')
    await sweep()
    expect(await kept()).toContain(orphan)
    await later()
    await sweep()
    expect(await kept()).not.toContain(orphan)
    await expectPairs()
  })

  it('of another installation are left alone', async () => {
    await sweep()
    const alone = await stray('theirs')
    const { rows } = await app.database.pool.query<{ id: string }>('select id from installation_id')
    await app.asOwner('update installation_id set id = gen_random_uuid()')
    await later()
    await sweep()
    expect(await kept()).toContain(alone)
    await app.asOwner(`update installation_id set id = '${rows[0]!.id}'`)
    await sweep()
    expect(await kept()).not.toContain(alone)
    await expectPairs()
  })

  it('are put aside for thirty days, and come back with their row', async () => {
    const { body } = await send('restored.pdf')
    // As after a restore: the database is that of an earlier time, and later the right one.
    const { rows } = await app.database.pool.query<{ row: { fileKey: string } }>(
      'delete from document where id = $1 returning to_jsonb(document) as row',
      [body.id],
    )
    const { row } = rows[0]!
    await later()
    await sweep()
    expect(await kept()).not.toContain(row.fileKey)
    await app.database.pool.query(
      'insert into document overriding system value select * from jsonb_populate_record(null::document, $1)',
      [JSON.stringify(row)],
    )
    await sweep()
    expect((await admin.get(`documents/${body.id}/file`)).raw.equals(FILES.pdf())).toBe(true)
    expect(await app.ports.fileStore.aside()).not.toEqual([])
    app.clock.advance(31 * 24 * HOUR_MS)
    await later()
    await sweep()
    expect(await app.ports.fileStore.aside()).toEqual([])
    await expectPairs()
  })

  it('where the commit gets no answer, the file stays until the sweep can tell', async () => {
    const before = await keys()
    await app.asOwner(`
      create function end_connection() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger "gone_at_commit" after insert on document deferrable initially deferred
        for each row execute function end_connection()
    `)
    expect((await send('unanswered.pdf')).status).toBe(503)
    await app.asOwner('drop trigger "gone_at_commit" on document; drop function end_connection()')
    expect(await keys()).toEqual(before)
    expect(await kept()).toHaveLength(before.length + 1)
    await later()
    await sweep()
    await expectPairs()
  })

  it('a repeat with the same key keeps one file', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const answers = [await send('once.pdf', FILES.pdf(), headers), await send('once.pdf', FILES.pdf(), headers)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]!.body.id).toBe(answers[0]!.body.id)
    await expectPairs()
  })

  it('a file whose row is being written right now is not swept, however late the clock', async () => {
    const writing = await app.database.pool.connect()
    await writing.query('begin; lock table document in share row exclusive mode')
    const before = await keys()
    const sent: { answer: Answer | null } = { answer: null }
    const sending = send('being-written.pdf').then((answer) => (sent.answer = answer))
    // It waits at the lock: its file is there, its row is not.
    const waits = async () =>
      (
        await app.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'insert into "document"%'`,
        )
      ).rowCount === 1
    while (!(await waits())) expect(sent.answer).toBeNull()
    expect(await kept()).toHaveLength(before.length + 1)
    await later()
    await sweep()
    expect(await kept()).toHaveLength(before.length + 1)
    await writing.query('commit')
    writing.release()
    const { status, body } = await sending
    expect(status).toBe(201)
    expect((await admin.get(`documents/${body.id}/file`)).status).toBe(200)
    await expectPairs()
  })

  it('a row whose file is missing says so, in the person’s language, and can still be removed', async () => {
    const { body } = await send('lost.pdf')
    const { rows } = await app.database.pool.query<{ fileKey: string }>(
      'select "fileKey" from document where id = $1',
      [body.id],
    )
    await app.ports.files.remove(rows[0]!.fileKey)
    const answer = await admin.get(`documents/${body.id}/file`, { headers: { 'accept-language': 'de' } })
    expect([answer.status, answer.body.code, answer.body.title]).toEqual([
      404,
      'file_missing',
      'Diese Datei liegt nicht mehr im Dateispeicher. Bitte laden Sie sie erneut hoch.',
    ])
    expect((await admin.delete(`documents/${body.id}`)).status).toBe(204)
    await expectPairs()
  })
})

describe('while the bucket does not answer', () => {
  const app = useTestApp({ storage: 's3' })

  it('files are “unavailable”, nothing is half done, the rest works', async () => {
    const { body: customer } = await app.admin.post('customers', {
      title: 'Nordlicht Maschinenbau GmbH',
      countryId: await app.idOf('country', 'code', 'DE'),
    })
    const send = (name: string) =>
      upload(app.admin, {
        fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId: customer.id },
        file: { name, bytes: FILES.pdf() },
      })
    const { body: kept } = await send('kept.pdf')
    const { body: removed } = await send('removed.pdf')
    const { fileStore, files } = app.ports
    await fileStore.server!.stop()
    const refused = await send('refused.pdf')
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(JSON.stringify(refused.body)).not.toMatch(/ECONN|127\.0\.0\.1/)
    expect((await app.admin.get(`documents/${kept.id}/file`)).status).toBe(503)
    expect((await app.admin.delete(`documents/${removed.id}`)).status).toBe(204)
    expect(
      (await app.admin.get(`documents?customerId=${customer.id}`)).body.items.map(
        ({ title }: { title: string }) => title,
      ),
    ).toEqual(['kept.pdf'])
    expect(await fileStore.staged()).toBe(0)
    await fileStore.server!.start()
    expect((await app.admin.get(`documents/${kept.id}/file`)).status).toBe(200)
    expect(await files.answers()).toBe(true)
    // The bytes of what was removed meanwhile are the sweep's.
    expect(await fileStore.kept()).toHaveLength(2)
    app.clock.advance(2 * HOUR_MS)
    await sweepFiles.handle(
      {
        db: app.database.db,
        clock: app.clock,
        ports: app.ports,
        log: { info: () => undefined, error: () => undefined },
      } as unknown as Ctx,
      {},
    )
    expect(await fileStore.kept()).toHaveLength(1)
  })
})
