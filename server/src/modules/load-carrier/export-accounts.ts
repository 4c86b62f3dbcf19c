import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportAccounts, exportMovements, Movement } from '@waybill/contract/load-carrier/account'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { day, euros, number, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { accountLines, type AccountLine } from './account.query.ts'
import { admitToAccounts, admittedHolder } from './holder.policy.ts'
import { allMovements } from './movement.query.ts'

const TEXTS = wordingsOf('load-carrier')

const accountSheet: SheetOf<AccountLine> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.holder, ({ holder }) => holder),
    text(TEXTS.columns.city, ({ detail }) => detail),
    text(TEXTS.columns.type, ({ type }) => type),
    number(TEXTS.columns.balance, ({ pieces }) => pieces),
    number(TEXTS.columns.limit, ({ limit }) => limit),
    number(TEXTS.columns.to30, ({ ages }) => ages.to30),
    number(TEXTS.columns.to60, ({ ages }) => ages.to60),
    number(TEXTS.columns.to90, ({ ages }) => ages.to90),
    number(TEXTS.columns.over90, ({ ages }) => ages.over90),
    euros(TEXTS.columns.worth, ({ worthCents }) => worthCents),
  ],
}

const movementSheet: SheetOf<Movement> = {
  title: TEXTS.movements,
  columns: [
    day(TEXTS.columns.date, ({ movedOn }) => movedOn),
    text(TEXTS.columns.type, ({ type }) => type.title),
    text(TEXTS.columns.order, ({ stop }) => stop?.orderNumber ?? null),
    text(TEXTS.columns.stop, ({ stop }) => stop?.title ?? null),
    text(TEXTS.columns.noteNumber, ({ noteNumber }) => noteNumber),
    number(TEXTS.columns.given, ({ given }) => given),
    number(TEXTS.columns.received, ({ received }) => received),
    number(TEXTS.columns.damaged, ({ damaged }) => damaged),
    number(TEXTS.columns.balance, ({ balance }) => balance),
    text(TEXTS.columns.invoice, ({ invoice }) => invoice?.title ?? null),
    text(TEXTS.columns.note, ({ note }) => note),
  ],
}

/** Answers with the accounts as a table. Error: `forbidden`. */
export async function exportAccountsAs(
  ctx: Ctx,
  { format, ...asked }: z.output<typeof exportAccounts.query>,
  reply: FastifyReply,
): Promise<void> {
  // Before the first byte: a refusal is no file.
  admitToAccounts(ctx, asked.holder)
  const wanted = { name: 'load-carriers', format, timeZone: asked.timeZone }
  await sendSheet(ctx, reply, accountSheet, accountLines(ctx, asked), wanted)
}

/** Answers with all movements of an account as a table. Errors: `forbidden`, `not_found`. */
export async function exportMovementsAs(
  ctx: Ctx,
  { format, timeZone, ...which }: z.output<typeof exportMovements.query>,
  reply: FastifyReply,
): Promise<void> {
  await admittedHolder(ctx, { kind: which.holder, id: which.holderId })
  const wanted = { name: 'load-carrier-movements', format, timeZone }
  await sendSheet(ctx, reply, movementSheet, allMovements(ctx, which), wanted)
}
