import { createHash } from 'node:crypto'
import type { EmailType } from '@waybill/contract/email'
import { MAX_ATTACHED_BYTES, MAX_ATTACHED_MB, SUBJECT_HOLE, type MailPage } from '@waybill/contract/email/by-hand'
import { variablesOf } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { LOGO_SOURCE, sanitise } from '../../../kit/mail/mail-html.ts'
import type { MailFacts } from '../mail/mail-facts.query.ts'
import { mailText, type MailData } from '../mail/mail-text.mail.ts'
import { isOfRecord } from './filled-blocks.mail.ts'
import type { RecordFile } from './mail-record.query.ts'

/* What the page of a mail by hand works with, whatever record the mail is about. */

export type Attachable = MailPage['documents'][number]

/** They show what we pay the carrier. */
export const WITH_OUR_COST: readonly string[] = [
  'ORDER_RESOLVED_DOCUMENT',
  'CARRIER_INVOICE',
] satisfies RecordFile['documentType'][]

export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** What the record says to this mail; what time alone changes is no change of it. */
export function seenOf(data: MailData, language: Language): string {
  const values = Object.entries(data.values).filter(([key]) => !key.startsWith('delay.'))
  return createHash('sha256')
    .update(JSON.stringify([language, { ...data, values }]))
    .digest('hex')
    .slice(0, 32)
}

export const knownValues = ({ values }: MailData, { type, variant }: { type: EmailType; variant: string | null }) =>
  Object.fromEntries(
    variablesOf(type, variant).flatMap((key) => {
      const value = values[key]
      return value === undefined ? [] : [[key, value]]
    }),
  )

/** How the parts look that the record gives; the logo from where it stands, for no page fetches parts of a mail. */
export async function partsOf(
  blocks: MailPage['blocks'],
  data: MailData,
  { facts, language }: { facts: Pick<MailFacts, 'logo'>; language: Language },
): Promise<Record<string, string>> {
  const logo = facts.logo === null ? null : Buffer.from(facts.logo).toString('base64')
  const parts: Record<string, string> = {}
  for (const block of blocks.filter(isOfRecord)) {
    const html = await sanitise(mailText({ subject: [], blocks: [block] }, data, language).html)
    parts[block.id] = logo === null ? html : html.replaceAll(LOGO_SOURCE, `data:image/png;base64,${logo}`)
  }
  return parts
}

interface Answerers extends Pick<MailFacts, 'department' | 'caseWorker'> {
  us: Pick<MailFacts['us'], 'email'>
}

export const replyToOf = (
  wanted: 'caseWorker' | 'department',
  { department, caseWorker, us }: Answerers,
): string | null =>
  (wanted === 'department' ? department.email : null) ?? caseWorker?.email ?? department.email ?? us.email

/** Refuses a mail whose text has a place without a value: `value_missing`. */
export function refuseHoles(subject: string, holes: readonly string[]): void {
  const fields = [
    ...(subject.includes(SUBJECT_HOLE)
      ? [{ path: 'subject', code: 'value_missing' as const, params: { variable: SUBJECT_HOLE } }]
      : []),
    ...holes.map((variable) => ({ path: 'blocks', code: 'value_missing' as const, params: { variable } })),
  ]
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** The files that are asked for. Errors: `unknown_reference`, why one cannot go, `attachments_too_big`. */
export function chosenFiles(documentIds: readonly number[], documents: readonly Attachable[]): Attachable[] {
  if (new Set(documentIds).size < documentIds.length) throw fieldError('documentIds', 'duplicate_key')
  const files = documentIds.map((documentId, index) => {
    const file = documents.find((one) => one.documentId === documentId)
    if (!file) throw fieldError(`documentIds.${index}`, 'unknown_reference')
    if (file.refusedFor !== null) throw fieldError(`documentIds.${index}`, file.refusedFor)
    return file
  })
  if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_ATTACHED_BYTES)
    throw fieldError('documentIds', 'attachments_too_big', { max: MAX_ATTACHED_MB })
  return files
}
