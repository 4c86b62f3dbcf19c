import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { State } from '@waybill/contract/kit/fields'
import type { Page } from '@waybill/contract/kit/paging'
import type { ResourceApi, WriteOf } from '@waybill/contract/kit/resource'
import type { ComponentType } from 'react'
import type { z } from 'zod'
import { hasAccess } from '../session/session.ts'
import type { ReferenceSelectProps } from '../list/reference/reference-select.tsx'
import type { CompactApi } from '../list/reference/references.ts'
import type { Format } from '../i18n/format.ts'

/** What every simple record has; the rest as its contract says. */
export type RecordView = {
  id: number
  version: number
  title: string
  /** In the language of the person, where a record has titles in several */
  shownTitle?: string
  state: State
} & Record<string, unknown>

/** What lists and forms call a record. */
export const titleOf = ({ title, shownTitle }: RecordView): string => shownTitle ?? title

type Answers<View> = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<View>>

/** A resource whose records have a title and can be deactivated. */
export interface RecordApi extends ResourceApi {
  list: Answers<Page<RecordView>>
  get: Answers<RecordView>
  create: Answers<RecordView>
  patch: Answers<RecordView>
}

/**
 * How a field is typed, listed and said: a line of text, a measure, hundredths of a percent, an amount, yes or no, one
 * of a few, or another record. It is called `fields.<name>` in the texts of its record.
 */
export type RecordField<Name extends string = string> = {
  name: Name
  isRequired?: boolean
  /** Below the field: a key of the texts */
  hint?: string
} & (
  | { kind: 'text'; maxLength: number; isUpperCase?: boolean }
  /** `places`: how many after the point, at most */
  | { kind: 'number'; unit: string; places: number }
  | { kind: 'percent' }
  /** Euros, held in cents */
  | { kind: 'money' }
  | { kind: 'flag' }
  /** Value → key of the texts */
  | { kind: 'choice'; choices: Readonly<Record<string, string>> }
  /** Typed by a widget of its own; `empty` is what a new record has, `said` the word for what changed in it */
  | { kind: 'own'; empty: unknown; said: string }
  /** `shown`: where the record holds the other one with its title */
  | { kind: 'reference'; api: CompactApi; shown: string }
)

/** A field as a column of the list; between the title, which comes first, and the state. */
export interface RecordColumn<Name extends string = string> {
  field: Name
  /** px */
  width: number
  isSorted?: boolean
  isHiddenOnPhone?: boolean
  /** Right-aligned, where its field is no number */
  isNumber?: boolean
  /** A key of the texts, where it is not called as its field */
  header?: string
  /** What it says, where that is not the value of its field alone */
  textOf?: (row: RecordView, format: Format) => string
}

/** A field by which the list can be narrowed; called like the field where no key of the texts is given. */
export interface RecordFilter<Name extends string = string> {
  field: Name
  label?: string
}

/** A record that is a handful of fields: what its list and its form need to know of it. */
export interface RecordDescription {
  api: RecordApi
  /** What the history calls it: `<name>Id` */
  name: string
  /** In the order of the form */
  fields: readonly RecordField[]
  columns: readonly RecordColumn[]
  filters: readonly RecordFilter[]
  /** The card of a phone */
  phoneGrid: string
}

/** A described record with its words, as the table of screens names them. */
export interface SimpleRecord extends RecordDescription {
  /** Where `title`, `one`, `create` and `saved` stand: a file of texts, or a part of it as `file:part` */
  words: string
  /** The files of its other sentences; the first that has one says it */
  texts: readonly string[]
}

type NameOf<Api extends ResourceApi> = Extract<keyof WriteOf<Api>, string>

/** The one field of a record that has nothing but a title. */
export const TITLE = { name: 'title', kind: 'text', maxLength: 100, isRequired: true } as const

/** The titles by language, which may be left empty. */
export const TITLES = [
  { name: 'titleEn', kind: 'text', maxLength: 100 },
  { name: 'titleDe', kind: 'text', maxLength: 100 },
  { name: 'titlePl', kind: 'text', maxLength: 100 },
] as const

/** Describes a record; what is left out is as a record has it that is a title alone. */
export const simpleRecord = <Api extends RecordApi>(given: {
  api: Api
  name: string
  fields?: readonly RecordField<NameOf<Api>>[]
  columns?: readonly RecordColumn<NameOf<Api>>[]
  filters?: readonly RecordFilter<NameOf<Api>>[]
  phoneGrid?: string
}): RecordDescription => ({
  fields: [TITLE],
  columns: [],
  filters: [],
  phoneGrid: '"title actions" 28px / minmax(0, 1fr) auto',
  ...given,
})

interface WidgetProps {
  name: string
  label: string
  hint?: string
  isRequired?: boolean
}

/** What the form of a record needs beside plain fields; a file of its own, because the list does without. */
export interface RecordWidgets {
  /** For fields that are one of a few */
  choice?: ComponentType<WidgetProps & { choices: readonly { value: string; label: string }[] }>
  /** For references: field → select box */
  selects?: Readonly<Record<string, ComponentType<ReferenceSelectProps>>>
  /** In place of the usual one: field → field of a form */
  fields?: Readonly<Record<string, ComponentType<WidgetProps>>>
}

/** Where a record is opened. */
export const recordPath = ({ api }: RecordDescription, id: number): string => `/${api.path}/${id}/edit`

/** Whether the person may change records of this kind, and not only read them. */
export const mayWrite = ({ api }: RecordDescription): boolean => hasAccess(api.patch.access)
