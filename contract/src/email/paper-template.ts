import { z } from 'zod'
import { LANGUAGES } from '../errors.ts'
import { CONTENT_MODES } from '../kit/content-modes.ts'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, issue, language, reference } from '../kit/fields.ts'
import { can } from '../permissions.ts'
import type { VariableScope } from './email-rules.ts'
import { PAPER_TYPES, type PaperType } from './paper-key.ts'
import { isBlankPaper, PaperText, variablesOfPaper } from '../kit/rich-text.ts'
import { groupOf, VARIABLES, type VariableGroup, type VariableKey } from './variables.ts'

const TEMPLATES = can('SETTINGS_ACCESS')

interface PaperRule {
  readonly scopes: readonly VariableScope[]
  /** groups whose values this paper does not have */
  readonly without: readonly VariableGroup[]
}

const INVOICE: PaperRule = {
  scopes: ['ours', 'customer', 'invoice'],
  without: ['contact', 'caseWorker'],
}
const CERTIFICATE: PaperRule = {
  scopes: ['ours', 'customer', 'order', 'route', 'driver'],
  without: ['contact'],
}

/** What the text of each document may speak of; a carrier's names no customer, a customer's no cost of ours. */
export const PAPER_RULES: Readonly<Record<PaperType, PaperRule>> = {
  ORDER_RESOLVED_DOCUMENT: {
    scopes: ['ours', 'order', 'route', 'driver', 'carrier'],
    without: ['link'],
  },
  ORDER_ARRIVAL_CERTIFICATE: CERTIFICATE,
  ORDER_EXPORT_CERTIFICATE: CERTIFICATE,
  CUSTOMER_INVOICE: INVOICE,
  COMBINED_INVOICE: INVOICE,
  PAYMENT_REMINDER: { scopes: ['ours', 'customer', 'reminder'], without: ['contact'] },
}

// Known to a mail about a change alone.
const OF_MAILS: readonly VariableKey[] = ['carrier.reason', 'carrier.changes']

/** The variables that the text of a document may hold, in the order of the catalogue. */
export function variablesOfPaperType(type: PaperType): VariableKey[] {
  const { scopes, without } = PAPER_RULES[type]
  return (Object.keys(VARIABLES) as VariableKey[]).filter(
    (key) => scopes.includes(VARIABLES[key].scope) && !without.includes(groupOf(key)) && !OF_MAILS.includes(key),
  )
}

/** What a department says on a document; with the mode `standard` it is kept and not printed. */
export const PaperWrite = z.strictObject({ mode: z.enum(CONTENT_MODES), body: PaperText })
export type PaperWrite = z.output<typeof PaperWrite>

/** Nothing of one's own: the same as no text at all. */
export const isStandardPaper = ({ mode, body }: PaperWrite): boolean => mode === 'standard' && isBlankPaper(body)

/** Refuses variables that the catalogue or this document does not have, and a text to be printed that is empty. */
export const paperWriteFor = (type: PaperType) =>
  PaperWrite.superRefine(({ mode, body }, context) => {
    const known: readonly string[] = variablesOfPaperType(type)
    for (const { path, key } of variablesOfPaper(body, ['body']))
      if (!known.includes(key)) context.addIssue(issue('unknown_variable', path, { variable: key }))
    if (mode !== 'standard' && isBlankPaper(body)) context.addIssue(issue('required', ['body']))
  })

const edited = { editedAt: z.string().nullable(), editedBy: reference.nullable() }

/** One text as the editor opens it; `version` 0: the department has none of its own. */
export const PaperTemplate = z.object({
  key: z.string(),
  version: z.number().int(),
  department: reference,
  type: z.enum(PAPER_TYPES),
  language,
  ...PaperWrite.shape,
  isOwn: z.boolean(),
  ...edited,
  /** what the document says without it: what `replace` takes away */
  standard: z.array(z.string()),
})
export type PaperTemplate = z.output<typeof PaperTemplate>

const PaperRow = z.object({
  type: z.enum(PAPER_TYPES),
  texts: z
    .array(z.object({ key: z.string(), language, isOwn: z.boolean(), mode: z.enum(CONTENT_MODES), ...edited }))
    .length(LANGUAGES.length),
})
export type PaperRow = z.output<typeof PaperRow>

const ofDepartment = z.strictObject({ id: idText })
const ofKey = z.strictObject({ id: idText, key: z.string().max(80) })

export const listPaperTemplates = endpoint({
  method: 'GET',
  path: '/departments/:id/document-templates',
  access: TEMPLATES,
  summary: 'What a department says on each document, by language',
  params: ofDepartment,
  reply: z.object({ items: z.array(PaperRow) }),
})

export const getPaperTemplate = endpoint({
  method: 'GET',
  path: '/departments/:id/document-templates/:key',
  access: TEMPLATES,
  summary: 'What a department says on one document, empty where it says nothing of its own',
  params: ofKey,
  reply: PaperTemplate,
})

/**
 * Without a text of its own the department sends version 0. What says nothing of its own goes back to the standard.
 * Errors: `unknown_variable` at its place, `required` for an empty text that is to be printed.
 */
export const putPaperTemplate = endpoint({
  method: 'PUT',
  path: '/departments/:id/document-templates/:key',
  access: TEMPLATES,
  summary: 'Write what a department says on a document',
  params: ofKey,
  body: PaperWrite,
  reply: PaperTemplate,
  needsVersion: true,
})

export const removePaperTemplate = endpoint({
  method: 'DELETE',
  path: '/departments/:id/document-templates/:key',
  access: TEMPLATES,
  summary: 'Go back to the standard text of a document',
  params: ofKey,
  needsVersion: true,
})

const Version = z.object({ version: z.number().int(), ...PaperWrite.shape, ...edited })

/** Thirty are kept; one comes back by writing it again. */
export const listPaperVersions = endpoint({
  method: 'GET',
  path: '/departments/:id/document-templates/:key/versions',
  access: TEMPLATES,
  summary: 'What this text said before, the newest first',
  params: ofKey,
  reply: z.object({ items: z.array(Version) }),
})

const DrawnPaper = z.object({
  /** the PDF in base64 */
  pdf: z.string(),
  /** variables that have no value here and no fallback: a dash is printed */
  holes: z.array(z.string()),
  /** the value of each variable that the text may hold */
  values: z.record(z.string(), z.string()),
  /** null: the built-in example */
  order: reference.nullable(),
})
export type DrawnPaper = z.output<typeof DrawnPaper>

/**
 * Nothing is stored. An order that the caller may not open is 404; one that the document cannot be made of is refused
 * at `orderId` (`route_missing`, `carrier_missing`).
 */
export const previewPaper = endpoint({
  method: 'POST',
  path: '/departments/:id/document-templates/:key/preview',
  access: TEMPLATES,
  summary: 'The PDF that a text, also one that is not saved yet, would make of an order',
  params: ofKey,
  body: z.strictObject({ text: PaperWrite, orderId: id.nullable().default(null) }),
  reply: DrawnPaper,
})

export const listPaperOrders = endpoint({
  method: 'GET',
  path: '/departments/:id/document-templates/:key/orders',
  access: TEMPLATES,
  summary: 'Orders to look at a document with',
  params: ofKey,
  query: z.strictObject({ q: z.string().max(100).optional() }),
  reply: z.object({ items: z.array(reference).max(20) }),
})
