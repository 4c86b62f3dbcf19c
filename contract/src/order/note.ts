import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text } from '../kit/fields.ts'
import { listBase, pageOf } from '../kit/paging.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/** How long the author may change or remove a note: later others have acted on it. */
export const NOTE_CHANGE_HOURS = 24

/** As many people one note may name. */
export const MOST_MENTIONS = 20

/** A note on an order. `text` holds `@<full name>` where it names somebody; `mentionIds` says whom it means. */
export const NoteWrite = z.strictObject({
  text: text(4000),
  mentionIds: z.array(id).max(MOST_MENTIONS).default([]),
})
export type NoteWrite = z.output<typeof NoteWrite>

export const Note = z.object({
  id,
  version: z.number().int(),
  text: z.string(),
  author: reference,
  mentions: z.array(reference),
  createdAt: z.string(),
  /** when it was last written anew; null where it stands as it was */
  changedAt: z.string().nullable(),
  /** the caller wrote it, not longer ago than NOTE_CHANGE_HOURS */
  mayChange: z.boolean(),
})
export type Note = z.output<typeof Note>

const ofOrder = z.strictObject({ id: idText })
const ofNote = z.strictObject({ id: idText, noteId: idText })

/** Rights of all of them: those of the order. An order that was merged takes no notes any more (`conflict`). */
export const listNotes = endpoint({
  method: 'GET',
  path: '/orders/:id/notes',
  access: ORDER_ACCESS,
  summary: 'The notes on an order, newest first',
  params: ofOrder,
  query: z.strictObject({ page: listBase.page, cursor: listBase.cursor, perPage: listBase.perPage }),
  reply: pageOf(Note),
})

/** Errors: `unknown_reference` for somebody who may not see the order. */
export const createNote = endpoint({
  method: 'POST',
  path: '/orders/:id/notes',
  access: ORDER_ACCESS,
  summary: 'Write a note on an order, and name people in it',
  params: ofOrder,
  body: NoteWrite,
  reply: Note,
  status: 201,
  location: null,
})

/** One's own alone, and not for long: else `conflict`. */
export const changeNote = endpoint({
  method: 'PUT',
  path: '/orders/:id/notes/:noteId',
  access: ORDER_ACCESS,
  summary: 'Write one’s own note anew',
  params: ofNote,
  body: NoteWrite,
  reply: Note,
  needsVersion: true,
})

export const removeNote = endpoint({
  method: 'DELETE',
  path: '/orders/:id/notes/:noteId',
  access: ORDER_ACCESS,
  summary: 'Remove one’s own note',
  params: ofNote,
})

/** The caller has the notes of an order before their eyes: what names them there no longer waits. */
export const seeNotes = endpoint({
  method: 'POST',
  path: '/orders/:id/notes/seen',
  access: ORDER_ACCESS,
  summary: 'Say that one has seen the notes of an order',
  params: ofOrder,
})

/** Who may see an order, and so can be named in its notes: by the beginning of a word of the name, at most twenty. */
export const listNoteReaders = endpoint({
  method: 'GET',
  path: '/orders/:id/readers',
  access: ORDER_ACCESS,
  summary: 'People who may see an order, to name them in a note',
  params: ofOrder,
  query: z.strictObject({ q: listBase.q }),
  reply: z.object({ items: z.array(reference) }),
})

const Mention = z.object({
  noteId: id,
  order: reference,
  customer: reference,
  author: reference,
  text: z.string(),
  createdAt: z.string(),
})
export type Mention = z.output<typeof Mention>

/** What names the caller in orders that they may see and have not opened since: fifty at most, the latest first. */
export const listMentions = endpoint({
  method: 'GET',
  path: '/orders/mentions',
  access: ORDER_ACCESS,
  summary: 'Notes that name the caller and were not seen yet',
  reply: z.object({ items: z.array(Mention) }),
})
