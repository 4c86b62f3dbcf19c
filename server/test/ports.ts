import { randomUUID } from 'node:crypto'
import { jobDefinitions } from '../src/app/jobs.ts'
import { TEMPLATE_DIR, type OpenPorts } from '../src/app/ports.ts'
import { upkeep } from '../src/app/upkeep.ts'
import { listenForChanges } from '../src/kit/database/changes.ts'
import { createJobs } from '../src/kit/context/jobs.ts'
import { WAYBILL_VERSION } from '../src/kit/context/version.ts'
import { createPdfRenderer, type PdfRenderer } from '../src/kit/pdf/pdf.ts'
import { createVault, oneKey } from '../src/kit/context/vault.ts'
import { renderAccountStatement, renderInvoice } from '../src/modules/correspondence/index.ts'
import { createKsef } from '../src/modules/invoice/index.ts'
import { createWebhookLine } from '../src/modules/webhook/index.ts'
import { openFileStore, type Storage, type TestFileStore } from './file-stores.ts'

// Nothing is handed over outside: a test that wants KSeF puts one in its place.
const awayKsef = createKsef({ url: 'http://127.0.0.1:9' })

export interface TestPorts extends OpenPorts {
  /** what lies behind `files` */
  fileStore: TestFileStore
  close(): Promise<void>
}

// One for all files of a worker: starting it takes a second, and so does its first paper.
let typesetter: PdfRenderer | undefined

function sharedTypesetter(): PdfRenderer {
  const { renderPdf, hear } = (typesetter ??= createPdfRenderer({ templateDir: TEMPLATE_DIR }))
  return { renderPdf, hear, close: () => undefined }
}

/**
 * Ports of a test: real ones over a file store of its own, without a mail server. A test that wants another replaces
 * it here and nowhere deeper.
 */
export async function testPorts(databaseUrl: string, storage: Storage = 'folder'): Promise<TestPorts> {
  const fileStore = await openFileStore(storage)
  const pdf = sharedTypesetter()
  const jobs = createJobs({ url: databaseUrl, definitions: jobDefinitions, onError: () => undefined })
  const webhooks = createWebhookLine({ allowNets: [] })
  const changes = listenForChanges({ url: databaseUrl, onError: () => undefined })
  return {
    node: { id: randomUUID(), host: 'test-node', port: 3000, version: WAYBILL_VERSION, settings: {} },
    files: fileStore.files,
    fileStore,
    mailer: null,
    pdf,
    vies: null,
    ksef: { test: awayKsef, production: awayKsef },
    nbp: null,
    provider: null,
    passwordOnlyFor: null,
    sessions: { idleSeconds: 30 * 86_400, longestSeconds: 180 * 86_400 },
    publicUrl: 'https://waybill.example/office',
    vault: createVault(oneKey('a key of the tests that nobody else has')),
    geocoder: null,
    routing: null,
    tiles: null,
    webhooks,
    scanner: null,
    mailbox: null,
    backups: null,
    invoicePdf: (...given) => renderInvoice(pdf, ...given),
    accountStatementPdf: (data, language) => renderAccountStatement(pdf, data, language),
    upkeep,
    changes,
    eventBeatMs: 100,
    jobs,
    async close() {
      await webhooks.close()
      await changes.close()
      await jobs.stop({ graceMs: 1000 })
      pdf.close()
      await fileStore.close()
    },
  }
}
