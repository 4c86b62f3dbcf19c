import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { coded, id, idText, reference, text } from './kit/fields.ts'
import { isPlainText } from './kit/text.ts'

/** The path of the resource whose rows a list shows, e.g. `carrier-companies`. */
const list = z
  .string()
  .regex(/^[a-z]+(-[a-z]+)*$/)
  .max(40)

const column = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9.]*$/)
  .max(60)
const columns = z.array(column).max(60)

/** Narrower nothing can be read, wider it is no column. */
export const COLUMN_PX = { min: 48, max: 600 } as const
const widths = z
  .record(column, z.number().int().min(COLUMN_PX.min).max(COLUMN_PX.max))
  .refine((given) => Object.keys(given).length <= 60, coded('too_many'))

/**
 * How one person wants the screens to look (domain, People and rights). A list that is not named shows its standard
 * columns.
 */
export const Preferences = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** rows of 28 or 36 px */
  density: z.enum(['compact', 'normal']),
  /** the columns shown, in this order, by list */
  columns: z.record(list, columns),
  /** those of them that stay at the left while the others scroll sideways, by list */
  pinned: z.record(list, columns),
  /** px of the columns that somebody has made wider or narrower, by list */
  widths: z.record(list, widths),
  /** the saved view with which a list begins, by list */
  defaultViews: z.record(list, id),
  /** the version whose news this person has looked at; left out: of none so far */
  seenVersion: z.string().max(20).optional(),
})
export type Preferences = z.output<typeof Preferences>

export const getPreferences = endpoint({
  method: 'GET',
  path: '/profile/preferences',
  access: 'signedIn',
  inPerson: true,
  summary: 'One’s own preferences',
  reply: Preferences,
})

/**
 * A merge patch: other lists keep their columns, `null` gives a list back its standard ones and pins none. No
 * version: the last click counts.
 */
export const patchPreferences = endpoint({
  method: 'PATCH',
  path: '/profile/preferences',
  access: 'signedIn',
  inPerson: true,
  summary: 'Change one’s own preferences',
  body: z
    .strictObject({
      theme: Preferences.shape.theme,
      density: Preferences.shape.density,
      columns: z.record(list, columns.nullable()),
      pinned: z.record(list, columns.nullable()),
      widths: z.record(list, widths.nullable()),
      defaultViews: z.record(list, id.nullable()),
      seenVersion: text(20),
    })
    .partial(),
  reply: Preferences,
})

/** A department means the owner's, as it is when somebody looks. */
export const VIEW_AUDIENCES = ['nobody', 'department', 'all'] as const

/**
 * The columns that a view shows, in this order, and those of them that are pinned; null: it leaves them to the
 * person who looks.
 */
const viewColumns = z.strictObject({ shown: columns, pinned: columns }).nullable()

/** A saved view of a list: a name for what its address says, and for the columns that it shows. */
export const ViewWrite = z.strictObject({
  list,
  name: text(80),
  /** the address's query, without the question mark */
  query: z.string().max(4000).refine(isPlainText, coded('invalid_text')),
  columns: viewColumns.default(null),
  sharedWith: z.enum(VIEW_AUDIENCES).default('nobody'),
})

export const View = z.object({
  id,
  version: z.number().int(),
  ...ViewWrite.shape,
  owner: reference,
  isOwn: z.boolean(),
})
export type View = z.output<typeof View>

const oneView = z.strictObject({ id: idText })

/** Of others only what they share, and only of lists that one may open. */
export const listViews = endpoint({
  method: 'GET',
  path: '/profile/views',
  access: 'signedIn',
  inPerson: true,
  summary: 'Saved views, own and shared ones, by name; of one list or of all',
  query: z.strictObject({ list: list.optional() }),
  reply: z.object({ items: z.array(View) }),
})

/** Errors: `taken` where one has a view of this name for the list already. */
export const createView = endpoint({
  method: 'POST',
  path: '/profile/views',
  access: 'signedIn',
  inPerson: true,
  summary: 'Save a view',
  body: ViewWrite,
  reply: View,
  status: 201,
  location: null,
})

/** One's own alone; another's is 404. */
export const patchView = endpoint({
  method: 'PATCH',
  path: '/profile/views/:id',
  access: 'signedIn',
  inPerson: true,
  summary: 'Change one’s own view',
  params: oneView,
  body: ViewWrite.omit({ list: true })
    .extend({ columns: viewColumns, sharedWith: z.enum(VIEW_AUDIENCES) })
    .partial(),
  reply: View,
  needsVersion: true,
})

export const removeView = endpoint({
  method: 'DELETE',
  path: '/profile/views/:id',
  access: 'signedIn',
  inPerson: true,
  summary: 'Delete one’s own view',
  params: oneView,
})
