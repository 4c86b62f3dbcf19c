import type { EmailRefusal, listEmailRefusals } from '@waybill/contract/email'
import type { z } from 'zod'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { RejectedRecipient } from '../../kit/mail/mailer.ts'
import './email.table.ts'

/*
 * Addresses that a mail server refused for good (5xx, RFC 5321, 4.2.1), so that the mistake is seen where an address
 * stands, not only at the mail that failed.
 */

const keyOf = (address: string): string => address.trim().toLowerCase()

// In one order: two deliveries at once that write the same rows must not wait for each other in a circle.
const keysOf = (addresses: readonly string[]): string[] => [...new Set(addresses.map(keyOf))].toSorted()

/** Marks the addresses that were refused for good, in the transaction of the try. */
export async function noteRefusals(ctx: Ctx, rejected: readonly RejectedRecipient[]): Promise<void> {
  const said = new Map(
    rejected.flatMap(({ address, response, transient }) =>
      transient || address === '' ? [] : [[keyOf(address), response] as const],
    ),
  )
  for (const address of keysOf([...said.keys()])) {
    const values = { at: nowOf(ctx), words: said.get(address)! }
    await ctx.db
      .insertInto('email_refusal')
      .values({ address, ...values })
      .onConflict((conflict) => conflict.column('address').doUpdateSet(values))
      .execute()
  }
}

/** Takes the marks away from addresses that a server has accepted a mail for. */
export async function forgetRefusals(ctx: Ctx, accepted: readonly string[]): Promise<void> {
  for (const address of keysOf(accepted))
    await ctx.db.deleteFrom('email_refusal').where('address', '=', address).execute()
}

/** Those of the addresses that are marked. */
export async function listRefusals(
  ctx: Ctx,
  addresses: readonly string[],
): Promise<z.output<typeof listEmailRefusals.reply>> {
  if (addresses.length === 0) return { items: [] }
  const items: EmailRefusal[] = await ctx.db
    .selectFrom('email_refusal')
    .selectAll()
    .where('address', 'in', keysOf(addresses))
    .orderBy('address')
    .execute()
  return { items }
}
