import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, id, idText, issue, language, line, reference } from '../kit/fields.ts'
import { isBlankPaper, RichText, variablesOfText } from '../kit/rich-text.ts'
import { can } from '../permissions.ts'
import { isVariable } from './variables.ts'

const SETTINGS = can('SETTINGS_ACCESS')
/** Those who write texts, and those who write mails by hand about orders and invoices. */
const WRITERS = can('SETTINGS_ACCESS', 'ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'INVOICES_PROCESSING')

/** Most snippets of one department: what a list still shows. */
export const MOST_SNIPPETS = 200

/** Characters of its JSON: a paragraph or a short list, and no letter. */
const MOST_OF_A_SNIPPET = 10_000

const saysAndFits = RichText.min(1)
  .refine((text) => JSON.stringify(text).length <= MOST_OF_A_SNIPPET, {
    message: 'too_long',
    params: { code: 'too_long', max: MOST_OF_A_SNIPPET },
  })
  .refine((text) => !isBlankPaper(text), coded('required'))

/** A paragraph under a name. Which of its variables a text may hold shows where it is put in; each has to be one. */
export const SnippetWrite = z
  .strictObject({ name: line(80), language, text: saysAndFits })
  .superRefine(({ text }, context) => {
    for (const { path, key } of variablesOfText(text, ['text']))
      if (!isVariable(key)) context.addIssue(issue('unknown_variable', path, { variable: key }))
  })
export type SnippetWrite = z.output<typeof SnippetWrite>

export const Snippet = z.object({
  id,
  version: z.number().int(),
  name: z.string(),
  language,
  text: RichText,
  editedAt: z.string(),
  editedBy: reference.nullable(),
})
export type Snippet = z.output<typeof Snippet>

const ofDepartment = z.strictObject({ id: idText })
const ofSnippet = z.strictObject({ id: idText, snippetId: idText })

export const listSnippets = endpoint({
  method: 'GET',
  path: '/departments/:id/snippets',
  access: WRITERS,
  summary: 'Paragraphs that a department keeps under a name, by name',
  params: ofDepartment,
  reply: z.object({ items: z.array(Snippet).max(MOST_SNIPPETS) }),
})

/** Errors: `taken` at `name`, `too_many`, `unknown_variable` at its place. */
export const addSnippet = endpoint({
  method: 'POST',
  path: '/departments/:id/snippets',
  access: SETTINGS,
  summary: 'Keep a paragraph under a name',
  params: ofDepartment,
  body: SnippetWrite,
  reply: Snippet,
  status: 201,
  location: null,
})

/** Texts that a snippet was put into stay as they are. Errors: as for adding one. */
export const putSnippet = endpoint({
  method: 'PUT',
  path: '/departments/:id/snippets/:snippetId',
  access: SETTINGS,
  summary: 'Rename or reword a snippet',
  params: ofSnippet,
  body: SnippetWrite,
  reply: Snippet,
  needsVersion: true,
})

export const removeSnippet = endpoint({
  method: 'DELETE',
  path: '/departments/:id/snippets/:snippetId',
  access: SETTINGS,
  summary: 'Delete a snippet',
  params: ofSnippet,
  needsVersion: true,
})
