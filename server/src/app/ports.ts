import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Language } from '@waybill/contract/errors'
import type { Config } from '../config.ts'
import { WAYBILL_VERSION } from '../kit/context/version.ts'
import { listenForChanges } from '../kit/database/changes.ts'
import type { Ports } from '../kit/context/context.ts'
import { createLocalFileStore } from '../kit/files/files.ts'
import { createScanner } from '../kit/files/scanner.ts'
import { createJobs, type Jobs } from '../kit/context/jobs.ts'
import { createMailer, type Mailer } from '../kit/mail/mailer.ts'
import { createMailbox } from '../kit/mail/mailbox.ts'
import { createPdfRenderer, type PdfRenderer } from '../kit/pdf/pdf.ts'
import { createS3FileStore } from '../kit/files/s3-files.ts'
import { createVault, type SecretKeys } from '../kit/context/vault.ts'
import { createKsef, createNbp } from '../modules/invoice/index.ts'
import { createVies, type Vies } from '../modules/partner/vies.ts'
import {
  renderAccountStatement,
  renderInvoice,
  type AccountStatementData,
  type InvoiceDocumentData,
} from '../modules/correspondence/index.ts'
import { createGeocoder, createRoadRouting } from '../modules/place/index.ts'
import { createOpenIdProvider } from '../modules/session/index.ts'
import type { Node } from '../modules/operations/index.ts'
import { createWebhookLine } from '../modules/webhook/index.ts'
import { jobDefinitions } from './jobs.ts'
import { upkeep } from './upkeep.ts'

declare module '../kit/context/context.ts' {
  interface Ports {
    /** null: no mail server is configured, mails wait (api, Operations) */
    mailer: Mailer | null
    pdf: PdfRenderer
    /** null: the EU's register of VAT numbers is not asked (api, Operations) */
    vies: Vies | null
    /** where links in mails lead, without a slash at the end: from the settings, never from a request */
    publicUrl: string
    /**
     * an invoice as PDF/A; the invoice asks for it, and knows no template. `createdAt` is what the file says of its own
     * creation; now where left out. `facturX` is the XML that a ZUGFeRD file carries, `pictures` are those of `pods`
     */
    invoicePdf(
      data: InvoiceDocumentData,
      language: Language,
      createdAt?: Date,
      facturX?: Uint8Array,
      pictures?: readonly Uint8Array[],
    ): Promise<Buffer>
    /** what a customer owes, as PDF/A */
    accountStatementPdf(data: AccountStatementData, language: Language): Promise<Buffer>
  }
}

// Below the minute after which proxies take a silent connection for dead; a session that ends by its time is noticed as
// soon, one that is ended at once.
const EVENT_BEAT_MS = 15_000

/** Where the fixed document templates lie. */
export const TEMPLATE_DIR = join(import.meta.dirname, '../modules/correspondence/templates')

export interface OpenPorts extends Ports {
  jobs: Jobs
}

/** Everything outside the process, as the settings say. `url` goes past a pooler: one listens, locks and backs up. */
export function openPorts(
  config: Config,
  { url: databaseUrl, pool, node, keys }: { url: string; pool: Pool; node: Node; keys: SecretKeys },
  log: FastifyBaseLogger,
): OpenPorts {
  const pdf = createPdfRenderer({ templateDir: TEMPLATE_DIR })
  return {
    node,
    files: config.storage.kind === 's3' ? createS3FileStore(config.storage) : createLocalFileStore(config.storage),
    mailer: config.smtpUrl === null ? null : createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom }),
    pdf,
    vies: config.viesUrl === null ? null : createVies({ url: config.viesUrl }),
    sessions: config.sessions,
    provider: config.provider && createOpenIdProvider(config.provider),
    passwordOnlyFor: config.passwordOnlyFor,
    publicUrl:
      config.publicUrl ?? `http://${/^(0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : config.host}:${config.port}`,
    vault: createVault(keys),
    ksef: {
      test: createKsef({ url: config.ksefUrls.test }),
      production: createKsef({ url: config.ksefUrls.production }),
    },
    nbp: config.nbpUrl === null ? null : createNbp({ url: config.nbpUrl }),
    geocoder: config.geocoderUrl === null ? null : createGeocoder({ url: config.geocoderUrl }),
    routing: config.routingUrl === null ? null : createRoadRouting({ url: config.routingUrl }),
    tiles: config.tiles,
    webhooks: createWebhookLine({ allowNets: config.webhookNets }),
    mailbox: config.mailbox && createMailbox(config.mailbox),
    scanner: config.scannerUrl === null ? null : createScanner({ url: config.scannerUrl }),
    backups: config.backup && {
      schedule: config.backup,
      source: { url: databaseUrl, keys, version: WAYBILL_VERSION },
      pool,
    },
    invoicePdf: (...given) => renderInvoice(pdf, ...given),
    accountStatementPdf: (data, language) => renderAccountStatement(pdf, data, language),
    changes: listenForChanges({ url: databaseUrl, onError: (error) => log.error({ err: error }, 'changes') }),
    eventBeatMs: EVENT_BEAT_MS,
    upkeep,
    jobs: createJobs({
      url: databaseUrl,
      definitions: jobDefinitions,
      onError: (error) => log.error({ err: error }, 'job queue'),
    }),
  }
}
