import { createHash } from 'node:crypto'
import type { EmailType } from '@waybill/contract/email'
import type { Db } from '../../src/kit/database/db.ts'
import { sanitise } from '../../src/kit/mail/mail-html.ts'
import type { Frame } from '../../src/modules/email/index.ts'
import { insertRows, takeIds } from './bulk.ts'
import type { World } from './world.ts'

/** A mail that went out in the year. */
export interface NewMail {
  ownerKind: 'order' | 'invoice'
  ownerId: number
  type: EmailType
  /** which of the type's texts, where it has several */
  variant?: string
  to: string[]
  subject: string
  html: string
  frame: Frame
  createdById: number | null
  queuedAt: string
  documentIds: number[]
  /** it has not left: the PDF of its invoice is not made */
  waitsForPaper?: boolean
}

const REFUSAL = '550 5.1.1 The email account that you tried to reach does not exist'

const mailHash = (of: string) => createHash('sha256').update(of).digest('hex').slice(0, 32)

/**
 * The outbox of the year: every mail has been sent, or refused for good, or waits for a paper, so that a start with a
 * mail server sends none of them again. What is still to come is planned beside them. All addresses end in .example.
 */
export async function seedMails(db: Db, world: World, mails: readonly NewMail[]): Promise<void> {
  const { random, journal } = world
  const sorted = mails.toSorted((a, b) => (a.queuedAt < b.queuedAt ? -1 : a.queuedAt > b.queuedAt ? 1 : 0))
  const stray = sorted.find(({ to }) => to.some((address) => !address.endsWith('.example')))
  if (stray) throw new Error(`a demo mail would go to ${stray.to.join(', ')}`)
  const ids = await takeIds(db, 'email', sorted.length)
  const tryIds = await takeIds(db, 'email_try', sorted.length)
  const rows: Record<'email' | 'attachment' | 'try', Record<string, unknown>[]> = { email: [], attachment: [], try: [] }
  for (const [index, { documentIds, queuedAt, html, waitsForPaper = false, ...mail }] of sorted.entries()) {
    const id = ids[index]!
    const at = new Date(Math.min(Date.parse(queuedAt) + random.int(400, 6000), world.now)).toISOString()
    const isRefused = mail.ownerKind === 'order' && random.chance(0.003)
    rows.email.push({
      id,
      variant: null,
      ...mail,
      cc: [],
      html: await sanitise(html),
      status: waitsForPaper ? 'planned' : isRefused ? 'failed' : 'sent',
      waitsFor: waitsForPaper ? 'document' : null,
      tries: waitsForPaper ? 0 : 1,
      lastError: isRefused ? REFUSAL : null,
      notBefore: queuedAt,
      createdAt: queuedAt,
      sentAt: isRefused || waitsForPaper ? null : at,
      messageId: `<${mailHash(`${mail.ownerKind} ${mail.ownerId} ${mail.type} ${queuedAt}`)}@waybill.mail>`,
    })
    documentIds.forEach((documentId, position) => rows.attachment.push({ emailId: id, position, documentId }))
    if (waitsForPaper) continue
    rows.try.push({
      id: tryIds[index],
      emailId: id,
      at,
      isSent: !isRefused,
      response: isRefused ? REFUSAL : `250 2.0.0 Ok: queued as ${random.digits(4)}${random.letters(6)}`,
    })
    journal.push({
      at: queuedAt,
      actorId: mail.createdById,
      ownerKind: mail.ownerKind,
      ownerId: mail.ownerId,
      action: 'mailQueued',
      changes: [
        { path: 'type', from: null, to: mail.type },
        { path: 'to', from: null, to: mail.to },
        { path: 'subject', from: null, to: mail.subject },
      ],
      reason: null,
    })
  }
  await insertRows(db, 'email', rows.email)
  await insertRows(db, 'email_attachment', rows.attachment)
  await insertRows(db, 'email_try', rows.try)
}
