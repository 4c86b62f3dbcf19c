import { sql } from 'kysely'
import type { z } from 'zod'
import { SENT_EMAIL, EMAIL_TYPES } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import {
  KEPT_VERSIONS,
  readTemplateKey,
  templateKey,
  templateWriteFor,
  type addTemplate as addEndpoint,
  type listTemplateVersions,
  type Template,
  type TemplateKey,
  type TemplateRow,
  type TemplateWrite,
} from '@waybill/contract/email/template'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import { wordsOfText } from '@waybill/contract/kit/rich-text'
import { wordsOfBlocks } from '@waybill/contract/mail-blocks'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { audit } from '../../kit/records/audit.ts'
import { refuseIbans } from '../email/index.ts'
import './mail-template.table.ts'
import { standardText } from './standard-texts.ts'

const MAX_ADDED = 100
const SENT_DAYS = 30

/** A text as it is stored, or the standard in its place. */
interface Stored {
  id: number | null
  version: number
  type: Template['type']
  variant: string | null
  name: string | null
  language: Language
  text: TemplateWrite
  editedAt: string | null
  editedBy: Reference | null
}

/** Error: `not_found` for a department that there is not, or that the company chosen at the top leaves out. */
export async function departmentOf(ctx: Ctx, id: number): Promise<Reference> {
  const found = await ctx.db
    .selectFrom('department')
    .select(['id', 'abbreviation as title', 'companyId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found || (ctx.companyFilter !== null && ctx.companyFilter !== found.companyId)) throw new AppError('not_found')
  return { id: found.id, title: found.title }
}

function keyOf(text: string): TemplateKey {
  const key = readTemplateKey(text)
  if (key === null) throw new AppError('not_found')
  return key
}

const rows = (ctx: Ctx, departmentId: number) =>
  ctx.db
    .selectFrom('email_template as own')
    .leftJoin('user as editor', 'editor.id', 'own.editedById')
    .select(['own.id', 'own.version', 'own.type', 'own.variant', 'own.name', 'own.language', 'own.subject'])
    .select(['own.blocks', 'own.replyTo', 'own.isOn', 'own.editedAt', 'editor.id as editorId'])
    .select('editor.fullName as editorName')
    .where('own.departmentId', '=', departmentId)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const storedOf = ({ subject, blocks, replyTo, isOn, editorId, editorName, ...row }: Row): Stored => ({
  ...row,
  text: { subject, blocks, replyTo, isOn },
  editedBy: editorId === null ? null : { id: editorId, title: editorName! },
})

/** The department's own text, or undefined. */
async function ownText(ctx: Ctx, departmentId: number, key: TemplateKey): Promise<Stored | undefined> {
  const found = rows(ctx, departmentId)
  const row = await (key.id === null
    ? found
        .where('own.type', '=', key.type)
        .where('own.variant', '=', key.variant)
        .where('own.language', '=', key.language)
    : found.where('own.id', '=', key.id).where('own.name', 'is not', null)
  ).executeTakeFirst()
  return row && storedOf(row)
}

/** What the department says: its own text, else the standard. Error: `not_found` for an added one that is gone. */
async function textAt(ctx: Ctx, departmentId: number, key: TemplateKey): Promise<Stored> {
  const own = await ownText(ctx, departmentId, key)
  if (own) return own
  if (key.id !== null) throw new AppError('not_found')
  const { type, variant, language } = key
  return {
    id: null,
    version: 0,
    type,
    variant,
    name: null,
    language,
    text: standardText({ type, variant, language }),
    editedAt: null,
    editedBy: null,
  }
}

const keyText = ({ id, name, type, variant, language }: Stored): string =>
  name === null ? templateKey({ type, variant: variant!, language, id: null }) : String(id)

const viewOf = (department: Reference, stored: Stored): Template => {
  const { type, variant, name, language, version, text, editedAt, editedBy } = stored
  return {
    key: keyText(stored),
    version,
    department,
    type,
    variant,
    language,
    name,
    ...text,
    isOwn: version > 0,
    editedAt,
    editedBy,
  }
}

/** One text of a department with what stands around it, for who renders it. */
export async function templateAt(ctx: Ctx, departmentId: number, key: string): Promise<Template> {
  const department = await departmentOf(ctx, departmentId)
  return viewOf(department, await textAt(ctx, departmentId, keyOf(key)))
}

/** A body that is not saved, checked for what its type may speak of. Error: `unknown_variable` at its place. */
export const checkedText = (key: string, body: TemplateWrite): TemplateWrite =>
  parseInput(templateWriteFor(keyOf(key)), body)

const columnsOf = (ctx: Ctx, { subject, blocks, replyTo, isOn }: TemplateWrite) => ({
  subject: JSON.stringify(subject),
  blocks: JSON.stringify(blocks),
  replyTo,
  isOn,
  editedAt: nowOf(ctx),
  editedById: actorOf(ctx).userId,
})

/** A carrier's IBAN stands in no mail, and so in no text that mails are made of. */
const refuseIbansIn = (ctx: Ctx, { subject, blocks }: TemplateWrite): Promise<void> =>
  refuseIbans(ctx, [
    ...wordsOfText([{ type: 'paragraph', content: subject }]).map((text) => ({ path: 'subject', text })),
    ...wordsOfBlocks(blocks, 'blocks'),
  ])

/** Keeps what a text said, of each text the last thirty. */
async function keepVersion(ctx: Ctx, departmentId: number, key: string, version: number, text: TemplateWrite) {
  await ctx.db
    .insertInto('email_template_version')
    .values({ departmentId, key, version, ...columnsOf(ctx, text) })
    .execute()
  await ctx.db
    .deleteFrom('email_template_version')
    .where('departmentId', '=', departmentId)
    .where('key', '=', key)
    .where('version', '<=', version - KEPT_VERSIONS)
    .execute()
}

/** The version after all that there were, also before the way back to the standard. */
async function nextVersion(ctx: Ctx, departmentId: number, key: string): Promise<number> {
  const { last } = await ctx.db
    .selectFrom('email_template_version')
    .select(sql<number>`coalesce(max(version), 0)`.as('last'))
    .where('departmentId', '=', departmentId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return last + 1
}

/**
 * Writes the department's own text. Two who write at once: the second gets `stale_version` with what stands there now.
 * Other errors: `not_found`, `unknown_variable`, `iban_in_mail`.
 */
export async function putTemplate(
  ctx: Ctx,
  departmentId: number,
  key: string,
  version: number,
  body: TemplateWrite,
): Promise<Template> {
  const text = checkedText(key, body)
  await refuseIbansIn(ctx, text)
  const parsed = keyOf(key)
  const before = await templateAt(ctx, departmentId, key)
  const stale = async () => new AppError('stale_version', { current: await templateAt(ctx, departmentId, key) })
  if (before.version !== version) throw await stale()
  const next = await nextVersion(ctx, departmentId, key)
  const columns = { ...columnsOf(ctx, text), version: next }
  const { type, variant, language } = before
  const written =
    version === 0
      ? await ctx.db
          .insertInto('email_template')
          .values({ departmentId, type, variant, name: null, language, ...columns })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
      : await ctx.db
          .updateTable('email_template')
          .set(columns)
          .where('departmentId', '=', departmentId)
          .where('version', '=', version)
          .where((eb) =>
            parsed.id === null
              ? eb.and({ type, variant, language })
              : eb.and([eb('id', '=', parsed.id), eb('name', 'is not', null)]),
          )
          .returning('id')
          .executeTakeFirst()
  if (!written) throw await stale()
  await keepVersion(ctx, departmentId, key, next, text)
  const after = await templateAt(ctx, departmentId, key)
  await tellHistory(ctx, departmentId, 'templateChanged', after)
  return after
}

/** History names which text of the department was changed, not its words: those stand among its versions. */
const tellHistory = (ctx: Ctx, departmentId: number, action: string, { key, name, language }: Template) =>
  audit(ctx, { ownerKind: 'department', ownerId: departmentId, action, after: { template: name ?? key, language } })

/** Back to the standard; one that the department has added is gone. Errors: `not_found`, `stale_version`. */
export async function removeTemplate(ctx: Ctx, departmentId: number, key: string, version: number): Promise<void> {
  const before = await templateAt(ctx, departmentId, key)
  if (!before.isOwn) throw new AppError('not_found')
  const { id } = (await ownText(ctx, departmentId, keyOf(key)))!
  const gone = await ctx.db
    .deleteFrom('email_template')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  if (!gone) throw new AppError('stale_version', { current: await templateAt(ctx, departmentId, key) })
  await tellHistory(ctx, departmentId, 'templateRemoved', before)
}

/** Errors: `taken` where the department has one of this name in this language, `too_many`, `unknown_variable`. */
export async function addTemplate(
  ctx: Ctx,
  departmentId: number,
  { name, language, ...body }: z.output<typeof addEndpoint.body>,
): Promise<Template> {
  const department = await departmentOf(ctx, departmentId)
  const text = parseInput(templateWriteFor({ type: 'other_emails', variant: null }), body)
  await refuseIbansIn(ctx, text)
  const { count } = await ctx.db
    .selectFrom('email_template')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('departmentId', '=', departmentId)
    .where('name', 'is not', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_ADDED) throw fieldError('name', 'too_many', { max: MAX_ADDED })
  const { id } = await ctx.db
    .insertInto('email_template')
    .values({
      departmentId,
      type: 'other_emails',
      variant: null,
      name,
      language,
      version: 1,
      ...columnsOf(ctx, text),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepVersion(ctx, departmentId, String(id), 1, text)
  const made = viewOf(department, await textAt(ctx, departmentId, keyOf(String(id))))
  await tellHistory(ctx, departmentId, 'templateAdded', made)
  return made
}

type Versions = z.output<typeof listTemplateVersions.reply>

export async function listVersions(ctx: Ctx, departmentId: number, key: string): Promise<Versions> {
  await templateAt(ctx, departmentId, key)
  const found = await ctx.db
    .selectFrom('email_template_version as kept')
    .leftJoin('user as editor', 'editor.id', 'kept.editedById')
    .select(['kept.version', 'kept.subject', 'kept.blocks', 'kept.replyTo', 'kept.isOn', 'kept.editedAt'])
    .select(['editor.id as editorId', 'editor.fullName as editorName'])
    .where('kept.departmentId', '=', departmentId)
    .where('kept.key', '=', key)
    .orderBy('kept.version', 'desc')
    .limit(KEPT_VERSIONS)
    .execute()
  return {
    items: found.map(({ editorId, editorName, ...version }) => ({
      ...version,
      editedBy: editorId === null ? null : { id: editorId, title: editorName! },
    })),
  }
}

/** How many mails of each type and variant the orders and invoices of a department sent lately. */
async function sentCounts(ctx: Ctx, departmentId: number): Promise<Map<string, number>> {
  const since = new Date(ctx.clock.now().getTime() - SENT_DAYS * 86_400_000).toISOString()
  const { rows: counted } = await sql<{ type: string; count: number }>`
    select email.type, count(*)::int as count from email
      where email.status = ${SENT_EMAIL} and email."sentAt" >= ${since}
        and (email."ownerKind" = 'order' and exists (select 1 from "order" o
            where o.id = email."ownerId" and o."departmentId" = ${departmentId})
          or email."ownerKind" = 'invoice' and exists (select 1 from invoice_order link
            join "order" o on o.id = link."orderId"
            where link."invoiceId" = email."ownerId" and o."departmentId" = ${departmentId}))
      group by email.type
  `.execute(ctx.db)
  return new Map(counted.map(({ type, count }) => [type, count]))
}

/** Each mail in each language: own, standard, or missing where only a name of the department's own has it. */
export async function listTemplates(ctx: Ctx, departmentId: number): Promise<{ items: TemplateRow[] }> {
  await departmentOf(ctx, departmentId)
  const stored = (await rows(ctx, departmentId).orderBy('own.name').orderBy('own.id').execute()).map(storedOf)
  const sent = await sentCounts(ctx, departmentId)
  const cellOf = (language: Language, own: Stored | undefined, standardKey: string | null) => ({
    key: own ? keyText(own) : standardKey,
    language,
    source: own ? ('own' as const) : standardKey === null ? ('missing' as const) : ('standard' as const),
    isOn: own?.text.isOn ?? true,
    editedAt: own?.editedAt ?? null,
    editedBy: own?.editedBy ?? null,
  })
  const known = EMAIL_TYPES.flatMap((type) =>
    EMAIL_RULES[type].variants.map(
      (variant): TemplateRow => ({
        type,
        variant,
        name: null,
        sentCount: sent.get(type) ?? 0,
        texts: LANGUAGES.map((language) =>
          cellOf(
            language,
            stored.find((one) => one.type === type && one.variant === variant && one.language === language),
            templateKey({ type, variant, language, id: null }),
          ),
        ),
      }),
    ),
  )
  const added = Map.groupBy(
    stored.filter((one) => one.name !== null),
    ({ name }) => name!,
  )
  return {
    items: [
      ...known,
      ...[...added].map(
        ([name, texts]): TemplateRow => ({
          type: 'other_emails',
          variant: null,
          name,
          sentCount: 0,
          texts: LANGUAGES.map((language) =>
            cellOf(
              language,
              texts.find((one) => one.language === language),
              null,
            ),
          ),
        }),
      ),
    ],
  }
}

/**
 * The text that a mail of this department takes: its own in the language, else the standard in that language. Of a
 * name of its own that has no text in the language, the English one, else any.
 */
export async function textToSend(
  ctx: Ctx,
  departmentId: number,
  wanted: Pick<Stored, 'type' | 'variant' | 'name' | 'language'>,
): Promise<{ text: TemplateWrite; language: Language } | null> {
  const { type, variant, name, language } = wanted
  if (name === null) {
    const key = { type, variant: variant!, language, id: null }
    return { text: (await textAt(ctx, departmentId, key)).text, language }
  }
  const named = (
    await rows(ctx, departmentId).where(sql`search_key(own.name)`, '=', sql`search_key(${name})`).execute()
  )
    .map(storedOf)
    .toSorted((one, other) => LANGUAGES.indexOf(one.language) - LANGUAGES.indexOf(other.language))
  const found = named.find((one) => one.language === language) ?? named[0]
  return found ? { text: found.text, language: found.language } : null
}

/** The names of the texts that a department has added, in any language. */
export async function addedTexts(ctx: Ctx, departmentId: number): Promise<string[]> {
  const found = await ctx.db
    .selectFrom('email_template')
    .select('name')
    .distinct()
    .where('departmentId', '=', departmentId)
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return found.map(({ name }) => name!)
}
