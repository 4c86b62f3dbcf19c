import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'
import { FILES, upload } from '../../../test/upload.ts'
import { INFECTED, openTestScanner, type TestScanner } from '../../../test/virus-scanner.ts'
import { createScanner } from '../../kit/files/scanner.ts'

const test = useTestApp()
let scanner: TestScanner
let customerId: number
const words = (text: string) => Uint8Array.from([...FILES.pdf(), ...Buffer.from(text)])

beforeAll(async () => {
  scanner = await openTestScanner()
  const { body } = await test.admin.post('customers', {
    title: 'Sauber GmbH',
    countryId: await test.idOf('country', 'code', 'DE'),
  })
  customerId = body.id
})
afterAll(() => scanner.close())

const send = (bytes: Uint8Array<ArrayBuffer>, language = 'en') =>
  upload(test.admin, {
    fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId },
    file: { name: 'paper.pdf', bytes },
    headers: { 'accept-language': language },
  })

describe('a file that is uploaded', () => {
  it('with a virus is refused in the person’s language, kept nowhere, and told in the history', async () => {
    test.ports.scanner = createScanner({ url: scanner.url })
    const before = await test.ports.fileStore.kept()
    const refused = await send(words(INFECTED), 'pl')
    expect([refused.status, refused.body.code]).toEqual([422, 'file_infected'])
    expect(refused.body.title).toBe('W tym pliku znaleziono wirusa. Plik nie został zapisany.')
    expect(await test.ports.fileStore.kept()).toEqual(before)
    expect(await test.ports.fileStore.staged()).toBe(0)
    expect((await test.admin.get(`documents?customerId=${customerId}`)).body.items).toEqual([])
    const { items } = (await test.admin.get(`audit-entries?customerId=${customerId}`)).body
    expect(items[0]).toMatchObject({ action: 'fileInfected' })
    expect(items[0].changes).toContainEqual({ path: 'title', from: null, to: 'paper.pdf' })
  })

  it('is given to the scanner whole, and kept as clean', async () => {
    test.ports.scanner = createScanner({ url: scanner.url })
    const before = scanner.received()
    const bytes = words('x'.repeat(300_000))
    const kept = await send(bytes)
    expect([kept.status, kept.body.scan]).toEqual([201, 'clean'])
    expect(scanner.received() - before).toBe(bytes.length)
  })

  it('is kept as unscanned where the scanner is away, takes no such file, or says nothing', {
    tags: 'long',
  }, async () => {
    const small = await openTestScanner({ mostBytes: 1000 })
    const silent = await openTestScanner({ isSilent: true })
    const away = await openTestScanner()
    await away.close()
    for (const url of [small.url, away.url]) {
      test.ports.scanner = createScanner({ url })
      const kept = await send(words('x'.repeat(2_000_000)))
      expect([kept.status, kept.body.scan]).toEqual([201, 'unscanned'])
    }
    test.ports.scanner = createScanner({ url: silent.url, silenceMs: 100 })
    expect((await send(words('quiet'))).body.scan).toBe('unscanned')
    const { items } = (await test.admin.get(`documents?customerId=${customerId}`)).body
    expect(items.map(({ scan }: { scan: string }) => scan)).toEqual(['unscanned', 'unscanned', 'unscanned', 'clean'])
    await small.close()
    await silent.close()
  })

  it('says nothing of a scanner where none is set', async () => {
    test.ports.scanner = null
    expect((await send(words('plain'))).body.scan).toBeNull()
  })
})
