import { sql } from 'kysely'
import type { HeldReason } from '@waybill/contract/email'
import { REMINDER_VARIANTS } from '@waybill/contract/email/email-rules'
import { OPEN_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import type { Ctx } from '../../kit/context/context.ts'
import { notHeld } from '../../kit/database/restore-hold.ts'
import { queueMail } from './queue-mail.ts'

/*
 * A reminder to a customer without an address is a mail that is held. Whom it is for and which invoices it is about is
 * all that it keeps: its words are made when it leaves, by what is owed then (decision 146).
 */

/** A reminder that somebody has sent and that waits. */
export interface HeldReminder {
  emailId: number
  companyId: number
  customerId: number
  /** those of the press, or of several presses */
  invoiceIds: number[]
  /** 1 to 3: of the gravest of them */
  level: number
  /** the invoice that it belongs to */
  ownerId: number
  /** who pressed last */
  createdById: number | null
}

interface Which {
  emailId?: number
  companyId?: number
  customerId?: number
  /**
   * those that may leave by themselves: the customer has an address by now, or none of the invoices is to be paid any
   * more, so that it is let go
   */
  mayMove?: boolean
  isLocking?: boolean
}

/** Reminders that are held, the oldest first. */
export async function heldReminders(
  ctx: Ctx,
  { emailId, companyId, customerId, mayMove = false, isLocking = false }: Which = {},
): Promise<HeldReminder[]> {
  const given = (value: number | undefined) => sql`${value ?? null}::bigint`
  const { rows } = await sql<HeldReminder>`
    select email.id as "emailId", email."companyId", email."customerId", email.told::json as "invoiceIds",
        array_position(${REMINDER_VARIANTS}::text[], email.variant) as level, email."ownerId", email."createdById"
      from email
      where email.status = 'held' and email."ownerKind" = 'invoice' and email.told is not null
        and email.variant = any(${REMINDER_VARIANTS}::text[])
        and (${given(emailId)} is null or email.id = ${given(emailId)})
        and (${given(companyId)} is null or email."companyId" = ${given(companyId)})
        and (${given(customerId)} is null or email."customerId" = ${given(customerId)})
        and (not ${mayMove} or (${notHeld('email', sql`email.id`)} and (
          exists (select 1 from customer c where c.id = email."customerId" and c."invoiceEmail" is not null)
          or exists (select 1 from contact_person p where p."customerId" = email."customerId" and p.email is not null)
          or not exists (select 1 from invoice i
            where i.status = any(${OPEN_INVOICE_STATUSES.customer}::text[])
            and i.id in (select one::bigint from json_array_elements_text(email.told::json) one)))))
      order by email.id ${isLocking ? sql`for update` : sql``}
  `.execute(ctx.db)
  return rows
}

/**
 * Keeps a reminder until there is an address; one of the same customer and company that waits already takes its
 * invoices along. Gives the mail's id.
 */
export async function holdReminder(
  ctx: Ctx,
  { companyId, customerId, ...added }: Omit<HeldReminder, 'emailId' | 'createdById'>,
): Promise<number> {
  const [known] = await heldReminders(ctx, { companyId, customerId, isLocking: true })
  const { level, ownerId } = known !== undefined && known.level > added.level ? known : added
  const invoiceIds = [...new Set([...(known?.invoiceIds ?? []), ...added.invoiceIds])]
  return queueMail(ctx, {
    owner: { kind: 'invoice', id: ownerId },
    type: 'other_emails',
    variant: REMINDER_VARIANTS[level - 1]!,
    to: [],
    cc: [],
    subject: '',
    html: '',
    frame: { language: 'en', sender: '', footer: [] },
    documentIds: [],
    companyId,
    customerId,
    cause: { key: null, told: JSON.stringify(invoiceIds) },
    stays: { status: 'held', reason: 'noAddress', missing: [] },
    inPlaceOf: known?.emailId ?? null,
  })
}

/** Keeps another reason why a reminder is held. */
export async function noteHeld(ctx: Ctx, id: number, reason: HeldReason, missing: readonly string[]): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({ reason, missing: [...missing] })
    .where('id', '=', id)
    .where('status', '=', 'held')
    .execute()
}
