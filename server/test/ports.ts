import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jobDefinitions } from '../src/app/jobs.ts'
import { TEMPLATE_DIR, type OpenPorts } from '../src/app/ports.ts'
import { createLocalFileStore } from '../src/kit/files.ts'
import { createJobs } from '../src/kit/jobs.ts'
import { createPdfRenderer } from '../src/kit/pdf.ts'
import { createVault } from '../src/kit/vault.ts'
import { renderInvoice } from '../src/modules/correspondence/index.ts'

export interface TestPorts extends OpenPorts {
  /** where the files lie */
  filesFolder: string
  close(): Promise<void>
}

/** Ports of a test: real ones over a folder of its own, without a mail server. A test that wants another replaces it here and nowhere deeper. */
export async function testPorts(databaseUrl: string): Promise<TestPorts> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-files-'))
  const pdf = createPdfRenderer({ templateDir: TEMPLATE_DIR })
  const jobs = createJobs({ url: databaseUrl, definitions: jobDefinitions, onError: () => undefined })
  return {
    files: createLocalFileStore({ folder }),
    filesFolder: folder,
    mailer: null,
    pdf,
    vies: null,
    publicUrl: 'https://waybill.example/office',
    vault: createVault('a key of the tests that nobody else has'),
    geocoder: null,
    routing: null,
    tiles: null,
    invoicePdf: (data, language) => renderInvoice(pdf, data, language),
    jobs,
    async close() {
      await jobs.stop({ graceMs: 1000 })
      pdf.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
