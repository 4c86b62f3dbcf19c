import { z } from 'zod'
import { EMAIL_TYPES, type EmailType } from '../email.ts'
import { LANGUAGES, type Language } from '../errors.ts'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, issue, language, reference, text } from '../kit/fields.ts'
import { can } from '../permissions.ts'
import { MailBlocks, variablesOfBlocks } from '../mail-blocks.ts'
import { EMAIL_RULES } from './email-rules.ts'
import { Line, variablesOfLine } from '../kit/rich-text.ts'
import { variablesOf } from './variables.ts'

const TEMPLATES = can('SETTINGS_ACCESS')

/** Which text is meant: of a type and variant in a language, or one that the department has added by its number. */
export type TemplateKey =
  | { type: EmailType; variant: string; language: Language; id: null }
  | { type: 'other_emails'; variant: null; language: null; id: number }

/** `order_created.de`, `order_resolved.changed.de`, `17`. A type with one variant is named without it. */
export function templateKey({ type, variant, language: spoken, id: number }: TemplateKey): string {
  if (number !== null) return String(number)
  return EMAIL_RULES[type].variants.length === 1 ? `${type}.${spoken}` : `${type}.${variant}.${spoken}`
}

/** The text that a key names, or null where there is none of that name. */
export function readTemplateKey(key: string): TemplateKey | null {
  if (/^[1-9]\d{0,15}$/.test(key)) return { type: 'other_emails', variant: null, language: null, id: Number(key) }
  const parts = key.split('.')
  const spoken = parts.pop() as Language
  const [type, variant, ...rest] = parts as [EmailType, string | undefined]
  if (rest.length > 0 || !LANGUAGES.includes(spoken) || !EMAIL_TYPES.includes(type)) return null
  const variants: readonly string[] = EMAIL_RULES[type].variants
  if (variant === undefined)
    return variants.length === 1 ? { type, variant: variants[0]!, language: spoken, id: null } : null
  return variants.length > 1 && variants.includes(variant) ? { type, variant, language: spoken, id: null } : null
}

export const REPLY_TO = ['caseWorker', 'department'] as const

/** What a department says in one mail. */
const fields = {
  subject: Line.min(1),
  blocks: MailBlocks.min(1),
  /** who an answer goes to; the department's address counts where it has one */
  replyTo: z.enum(REPLY_TO).default('caseWorker'),
  /** false: this mail does not go by itself in this language */
  isOn: z.boolean().default(true),
}

/** Refuses variables that the catalogue, or this type, does not have: an empty hole in a mail is no mail. */
function knowsItsVariables(
  { type, variant }: Pick<TemplateKey, 'type' | 'variant'>,
  { subject, blocks }: { subject: Line; blocks: z.output<typeof MailBlocks> },
  context: z.RefinementCtx,
): void {
  const known: readonly string[] = variablesOf(type, variant)
  for (const { path, key } of [...variablesOfLine(subject, ['subject']), ...variablesOfBlocks(blocks, ['blocks'])])
    if (!known.includes(key)) context.addIssue(issue('unknown_variable', path, { variable: key }))
}

export const TemplateWrite = z.strictObject(fields)
export type TemplateWrite = z.output<typeof TemplateWrite>

/** What is wrong with a text of this type: the variables that it may not hold, by their place. */
export const templateWriteFor = (key: Pick<TemplateKey, 'type' | 'variant'>) =>
  TemplateWrite.superRefine((body, context) => knowsItsVariables(key, body, context))

const own = { isOwn: z.boolean(), editedAt: z.string().nullable(), editedBy: reference.nullable() }

/** One text as the editor opens it; `version` 0: the standard text, of which the department has none of its own. */
export const Template = z.object({
  key: z.string(),
  version: z.number().int(),
  department: reference,
  type: z.enum(EMAIL_TYPES),
  variant: z.string().nullable(),
  language,
  /** of a template that the department has added */
  name: z.string().nullable(),
  ...TemplateWrite.shape,
  ...own,
})
export type Template = z.output<typeof Template>

/** One cell of the table of texts: what a mail says in one language. `missing`: English is sent instead. */
const Cell = z.object({
  key: z.string().nullable(),
  language,
  source: z.enum(['own', 'standard', 'missing']),
  isOn: z.boolean(),
  editedAt: z.string().nullable(),
  editedBy: reference.nullable(),
})

const TemplateRow = z.object({
  type: z.enum(EMAIL_TYPES),
  variant: z.string().nullable(),
  name: z.string().nullable(),
  /** mails of this type, variant and department in the last thirty days */
  sentCount: z.number().int(),
  texts: z.array(Cell).length(LANGUAGES.length),
})
export type TemplateRow = z.output<typeof TemplateRow>

const ofDepartment = z.strictObject({ id: idText })
const ofKey = z.strictObject({ id: idText, key: z.string().max(80) })

export const listTemplates = endpoint({
  method: 'GET',
  path: '/departments/:id/email-templates',
  access: TEMPLATES,
  summary: 'What a department says in each mail: its own texts, and where the standard stands',
  params: ofDepartment,
  reply: z.object({ items: z.array(TemplateRow) }),
})

export const getTemplate = endpoint({
  method: 'GET',
  path: '/departments/:id/email-templates/:key',
  access: TEMPLATES,
  summary: 'One text of a department, or the standard where it has none',
  params: ofKey,
  reply: Template,
})

/** Without a text of its own the department sends version 0. Errors: `unknown_variable` at its place. */
export const putTemplate = endpoint({
  method: 'PUT',
  path: '/departments/:id/email-templates/:key',
  access: TEMPLATES,
  summary: 'Write a department’s own text',
  params: ofKey,
  body: TemplateWrite,
  reply: Template,
  needsVersion: true,
})

export const removeTemplate = endpoint({
  method: 'DELETE',
  path: '/departments/:id/email-templates/:key',
  access: TEMPLATES,
  summary: 'Go back to the standard text, or delete one that the department has added',
  params: ofKey,
  needsVersion: true,
})

/** A mail by hand of a name of the department's own; its other languages are added under the same name. */
export const addTemplate = endpoint({
  method: 'POST',
  path: '/departments/:id/email-templates',
  access: TEMPLATES,
  summary: 'Add a text of a name of its own',
  params: ofDepartment,
  body: TemplateWrite.extend({ name: text(80), language }),
  reply: Template,
  status: 201,
  location: null,
})

const Version = z.object({ version: z.number().int(), ...TemplateWrite.shape, ...own }).omit({ isOwn: true })

/** Thirty are kept. */
export const KEPT_VERSIONS = 30
export const listTemplateVersions = endpoint({
  method: 'GET',
  path: '/departments/:id/email-templates/:key/versions',
  access: TEMPLATES,
  summary: 'What this text said before, the newest first',
  params: ofKey,
  reply: z.object({ items: z.array(Version).max(KEPT_VERSIONS) }),
})

/** A mail as it would leave: its HTML is whole, so that it is shown apart from the page. */
const Rendered = z.object({
  to: z.string().nullable(),
  from: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** variables that have no value here and no fallback, as they stand in the text */
  holes: z.array(z.string()),
  /** blocks that are left out here, by their id */
  leftOut: z.array(z.string()),
  /** the value of each variable that the text may hold */
  values: z.record(z.string(), z.string()),
  /** null: the built-in example */
  order: reference.nullable(),
})
export type RenderedMail = z.output<typeof Rendered>

/** Nothing is stored. An order that the caller may not open is 404. */
export const previewTemplate = endpoint({
  method: 'POST',
  path: '/departments/:id/email-templates/:key/preview',
  access: TEMPLATES,
  summary: 'What a text, also one that is not saved yet, would say of an order',
  params: ofKey,
  body: z.strictObject({ text: TemplateWrite, orderId: id.nullable().default(null) }),
  reply: Rendered,
})

export const testTemplate = endpoint({
  method: 'POST',
  path: '/departments/:id/email-templates/:key/test',
  access: TEMPLATES,
  summary: 'Send a text, also one that is not saved yet, to oneself',
  params: ofKey,
  body: z.strictObject({ text: TemplateWrite, orderId: id.nullable().default(null) }),
  reply: z.object({ to: z.string() }),
})

/** The orders of this department that fit a text of this type, the newest first. */
export const listSampleOrders = endpoint({
  method: 'GET',
  path: '/departments/:id/email-templates/:key/orders',
  access: TEMPLATES,
  summary: 'Orders to look at a text with',
  params: ofKey,
  query: z.strictObject({ q: z.string().max(100).optional() }),
  reply: z.object({ items: z.array(reference).max(20) }),
})
