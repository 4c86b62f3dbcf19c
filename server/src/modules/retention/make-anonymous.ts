import { sql } from 'kysely'
import type { PersonKind } from '@waybill/contract/operations/retention'
import type { Language } from '@waybill/contract/errors'
import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { emptyHistory, type Emptied } from '../../kit/records/audit.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { makeCarrierPersonAnonymous } from '../carrier-company/index.ts'
import { makeContactAnonymous } from '../customer/index.ts'
import { forgetAtRoutes, forgetAtStops } from '../order/index.ts'
import { makeUserAnonymous } from '../user/index.ts'
import { duePersons, type Person } from './persons.query.ts'

const TEXTS = textsOf('retention')

interface Rule {
  /** the rows that wait while it is looked who is due, and which of them is a person's */
  table: 'driver' | 'carrier_contact' | 'contact_person' | 'user' | 'order'
  rowOf(person: Person): number
  /** how many become anonymous in one transaction */
  atOnce: number
  /** gives what the history has to be emptied of */
  forget(ctx: Ctx, persons: readonly Person[]): Promise<Emptied[]>
}

/** As other records name it in the history, the way PostgreSQL writes JSON. */
const namedAs = (id: number, title: string): string => `"id": ${id}, "title": ${JSON.stringify(title)}`

const languageOfUs = async (ctx: Ctx): Promise<Language> =>
  (await ctx.db.selectFrom('company').select('language').orderBy('id').limit(1).executeTakeFirst())?.language ?? 'en'

/** A record of a person, which gets a name that says no more than its number. */
const record = (
  kind: keyof (typeof TEXTS)[Language],
  {
    table,
    history,
    forget,
  }: {
    table: Rule['table']
    /** where the history tells of it */
    history(person: Person): Emptied
    forget(ctx: Ctx, person: Person, name: string): Promise<void>
  },
): Rule => ({
  table,
  rowOf: ({ id }) => id,
  // Their names are looked for in the whole history, once for all of them.
  atOnce: 20,
  async forget(ctx, persons) {
    const texts = TEXTS[await languageOfUs(ctx)]
    const emptied = []
    for (const person of persons) {
      const { id, title } = person
      const name = filled(texts[kind], { number: id })
      await forget(ctx, person, name)
      emptied.push({ id, ...history(person), was: namedAs(id, title), is: namedAs(id, name) })
    }
    return emptied
  },
})

/** Typed at orders, whose own history alone tells of it. */
const typed = (forget: typeof forgetAtRoutes): Rule => ({
  table: 'order',
  rowOf: ({ ownerId }) => ownerId!,
  atOnce: 500,
  forget: (ctx, persons) =>
    forget(
      ctx,
      persons.map(({ id, ownerId }) => ({ id, orderId: ownerId! })),
    ),
})

const RULES: Readonly<Record<PersonKind, Rule>> = {
  driver: record('driver', {
    table: 'driver',
    history: ({ id, ownerId }) => ({ ownerKind: 'carrierCompany', ownerId: ownerId!, paths: [`drivers.${id}`] }),
    forget: (ctx, { id, ownerId }, name) =>
      makeCarrierPersonAnonymous(ctx, 'driver', { id, carrierCompanyId: ownerId!, name }),
  }),
  carrierContact: record('carrierContact', {
    table: 'carrier_contact',
    history: ({ id, ownerId }) => ({ ownerKind: 'carrierCompany', ownerId: ownerId!, paths: [`contactPersons.${id}`] }),
    forget: (ctx, { id, ownerId }, name) =>
      makeCarrierPersonAnonymous(ctx, 'carrier_contact', { id, carrierCompanyId: ownerId!, name }),
  }),
  customerContact: record('customerContact', {
    table: 'contact_person',
    history: ({ id, ownerId }) => ({ ownerKind: 'customer', ownerId: ownerId!, paths: [`contactPersons.${id}`] }),
    forget: (ctx, { id, ownerId }, name) => makeContactAnonymous(ctx, { id, customerId: ownerId!, name }),
  }),
  user: record('user', {
    table: 'user',
    history: ({ id }) => ({ ownerKind: 'user', ownerId: id, paths: ['fullName', 'email', 'phone', 'plateNumber'] }),
    forget: (ctx, { id }, name) => makeUserAnonymous(ctx, { id, name }),
  }),
  routePerson: typed(forgetAtRoutes),
  stopContact: typed(forgetAtStops),
}

/**
 * Makes the next persons of a kind anonymous whose period is over: the records or what was typed, what orders are
 * found by, and what the history says of them. One transaction. Gives how many there were.
 */
export async function makeNextAnonymous(
  ctx: Ctx,
  { kind, months }: { kind: PersonKind; months: number },
): Promise<number> {
  const { table, rowOf, atOnce, forget } = RULES[kind]
  return inTransaction(ctx, async (inner) => {
    // Through the whole history takes longer than a call may.
    await sql`set local statement_timeout = '10min'`.execute(inner.db)
    const found = await duePersons(inner, { kind, months, most: atOnce })
    if (found.length === 0) return 0
    const ids = found.map(({ id }) => id)
    // An order that takes one of them in this moment waits, or is seen by the second look; so does who saves theirs.
    await sql`
      select id from ${sql.table(table)} where id = any(${found.map(rowOf)}::bigint[]) order by id for update
    `.execute(inner.db)
    const due = await duePersons(inner, { kind, months, most: atOnce, ids })
    if (due.length === 0) return 0
    const emptied = await forget(inner, due)
    await emptyHistory(inner, emptied)
    return due.length
  })
}
