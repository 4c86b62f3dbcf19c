import { sql } from 'kysely'
import { AppError } from '../../kit/context/errors.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { sanitise } from '../../kit/mail/mail-html.ts'
import type { NewMail } from './queue-mail.ts'

/** Who sends the same words to the same people again so soon has pressed twice, or in two tabs. */
const TWIN_MS = 30_000

type Said = Pick<NewMail, 'owner' | 'type' | 'to' | 'cc' | 'subject' | 'html'> & { documentIds: number[] }

/**
 * Refuses a mail by hand that another one has said word for word, of the same record, to the same people, within
 * moments; one that was taken back or failed does not count, nor does `copyOf`. Two at once have different
 * Idempotency-Keys where they come from two tabs. Error: `conflict`.
 */
export async function refuseTwin(
  ctx: Ctx,
  { owner, type, to, cc, subject, html, documentIds }: Said,
  copyOf: number | null = null,
): Promise<void> {
  const said = await sanitise(html)
  const words = JSON.stringify(['mail by hand', owner.kind, owner.id, type, to, cc, subject, said, documentIds])
  // Not waited for, as for an Idempotency-Key: several mails in one transaction could hold each other up.
  const { rows } = await sql<{ isFirst: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${words}, 0)) as "isFirst"`.execute(ctx.db)
  if (!rows[0]?.isFirst) throw new AppError('conflict')
  const since = new Date(ctx.clock.now().getTime() - TWIN_MS).toISOString()
  const twin = await sql`
    select 1 from email where "ownerKind" = ${owner.kind} and "ownerId" = ${owner.id} and type = ${type}
      and "createdAt" > ${since} and status not in ('suppressed', 'failed') and id is distinct from ${copyOf}
      and "to" = ${to}::text[] and cc = ${cc}::text[] and subject = ${subject} and html = ${said}
      and array(select "documentId" from email_attachment where "emailId" = email.id order by position)
        = ${documentIds}::bigint[]
    limit 1`.execute(ctx.db)
  if (twin.rows.length > 0) throw new AppError('conflict')
}
