import { sql } from 'kysely'
import type { PersonKind } from '@waybill/contract/operations/retention'
import type { Language } from '@waybill/contract/errors'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { makeCarrierPersonAnonymous } from '../carrier-company/index.ts'
import { makeContactAnonymous } from '../customer/index.ts'
import { makeUserAnonymous } from '../user/index.ts'
import { duePersons, type Person } from './persons.query.ts'

const TEXTS = textsOf('retention')
/** Persons whose names are looked for in the history by one pass through all of it. */
const AT_ONCE = 20

interface Rule {
  table: 'driver' | 'carrier_contact' | 'contact_person' | 'user'
  /** the record whose history tells of it, and where in it */
  history(person: Person): { ownerKind: string; ownerId: number; paths: string[] }
  forget(ctx: Ctx, person: Person, name: string): Promise<void>
}

const RULES: Readonly<Record<PersonKind, Rule>> = {
  driver: {
    table: 'driver',
    history: ({ id, ownerId }) => ({ ownerKind: 'carrierCompany', ownerId: ownerId!, paths: [`drivers.${id}`] }),
    forget: (ctx, { id, ownerId }, name) =>
      makeCarrierPersonAnonymous(ctx, 'driver', { id, carrierCompanyId: ownerId!, name }),
  },
  carrierContact: {
    table: 'carrier_contact',
    history: ({ id, ownerId }) => ({ ownerKind: 'carrierCompany', ownerId: ownerId!, paths: [`contactPersons.${id}`] }),
    forget: (ctx, { id, ownerId }, name) =>
      makeCarrierPersonAnonymous(ctx, 'carrier_contact', { id, carrierCompanyId: ownerId!, name }),
  },
  customerContact: {
    table: 'contact_person',
    history: ({ id, ownerId }) => ({ ownerKind: 'customer', ownerId: ownerId!, paths: [`contactPersons.${id}`] }),
    forget: (ctx, { id, ownerId }, name) => makeContactAnonymous(ctx, { id, customerId: ownerId!, name }),
  },
  user: {
    table: 'user',
    history: ({ id }) => ({ ownerKind: 'user', ownerId: id, paths: ['fullName', 'email', 'phone', 'plateNumber'] }),
    forget: (ctx, { id }, name) => makeUserAnonymous(ctx, { id, name }),
  },
}

/** As other records name it in the history, the way PostgreSQL writes JSON. */
const namedAs = (id: number, title: string): string => `"id": ${id}, "title": ${JSON.stringify(title)}`

const languageOfUs = async (ctx: Ctx): Promise<Language> =>
  (await ctx.db.selectFrom('company').select('language').orderBy('id').limit(1).executeTakeFirst())?.language ?? 'en'

/**
 * Makes the next persons of a kind anonymous whose period is over: the records, what orders are found by, and what the
 * history says of them. One transaction. Gives how many there were.
 */
export async function makeNextAnonymous(
  ctx: Ctx,
  { kind, months }: { kind: PersonKind; months: number },
): Promise<number> {
  const rule = RULES[kind]
  return inTransaction(ctx, async (inner) => {
    // Through the whole history takes longer than a call may.
    await sql`set local statement_timeout = '10min'`.execute(inner.db)
    const found = await duePersons(inner, { kind, months, most: AT_ONCE })
    if (found.length === 0) return 0
    const ids = found.map(({ id }) => id)
    // An order that takes one of them in this moment waits, or is seen by the second look.
    await sql`select id from ${sql.table(rule.table)} where id = any(${ids}::bigint[]) order by id for update`.execute(
      inner.db,
    )
    const due = await duePersons(inner, { kind, months, most: AT_ONCE, ids })
    const language = await languageOfUs(inner)
    const emptied = []
    for (const person of due) {
      const name = filled(TEXTS[language][kind], { number: person.id })
      await rule.forget(inner, person, name)
      emptied.push({
        id: person.id,
        ...rule.history(person),
        was: namedAs(person.id, person.title),
        is: namedAs(person.id, name),
      })
    }
    await sql`select empty_audit(${JSON.stringify(emptied)}::jsonb, ${nowOf(inner)}::timestamptz)`.execute(inner.db)
    return due.length
  })
}
