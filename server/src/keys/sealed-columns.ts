import type { KsefCertificateKind } from '@waybill/contract/e-invoice/ksef-states'
import { sealContext } from '../modules/email/index.ts'
import { ksefKeyContext } from '../modules/invoice/index.ts'
import { secondFactorContext } from '../modules/session/index.ts'
import { sealContextOf } from '../modules/webhook/index.ts'

/** What says whose a sealed value is. */
export interface SealedRow {
  id: number
  userId: number
  messageId: string
  companyId: number
  kind: KsefCertificateKind
}

/** Where something lies that the vault has sealed. */
export interface SealedColumn {
  table: string
  column: string
  /** columns that say what it was sealed for */
  reads: readonly (keyof SealedRow)[]
  /** what it was sealed for */
  contextOf(row: SealedRow): string
}

const ofUser = (table: string, column: string): SealedColumn => ({
  table,
  column,
  reads: ['userId'],
  contextOf: ({ userId }) => secondFactorContext(userId),
})

const ofWebhook = (column: string): SealedColumn => ({
  table: 'webhook',
  column,
  reads: ['id'],
  contextOf: ({ id }) => sealContextOf(id),
})

/** All of them: a new key seals each anew. A test holds this against the columns of the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ofUser('two_factor', 'secret'),
  ofUser('session', 'pendingSecret'),
  ofUser('sign_in_challenge', 'pendingSecret'),
  {
    table: 'email',
    column: 'sealedButton',
    reads: ['messageId'],
    contextOf: ({ messageId }) => sealContext(messageId),
  },
  ofWebhook('sealedSecret'),
  ofWebhook('sealedFormer'),
  {
    table: 'ksef_certificate',
    column: 'sealedKey',
    reads: ['companyId', 'kind'],
    contextOf: ({ companyId, kind }) => ksefKeyContext(companyId, kind),
  },
]
