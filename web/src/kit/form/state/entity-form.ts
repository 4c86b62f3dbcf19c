import type { FieldFault } from '@waybill/contract/kit/issues'
import type { ResourceApi, ViewOf } from '@waybill/contract/kit/resource'
import type { Draft } from './draft-store.ts'
import type { FormContextValue, Problem } from './form-context.ts'
import type { KeptStore } from './kept-store.ts'
import type { Change, Clash } from './values.ts'

/** Two people saved: what the other one changed, and where both did. */
export interface Conflict {
  clashes: readonly Clash[]
  /** their changes that touch none of mine; they are in the form already */
  taken: readonly Change[]
}

/** What a form knows of the API of its record; without `create` and `patch` the form says itself how it is sent. */
export type FormApi = Pick<ResourceApi, 'path' | 'write' | 'get'> & Partial<Pick<ResourceApi, 'create' | 'patch'>>

export interface EntityFormOptions<Api extends FormApi, Values extends object> {
  api: Api
  /** Null for a record that is still to be made */
  view: ViewOf<Api> | null
  draft: Draft<Values> | null
  valuesOf: (view: ViewOf<Api>) => Values
  /** For a new record */
  empty?: Values
  /** The values as the write schema takes them */
  bodyOf: (values: Values) => object
  /** Takes out what the person left empty, before a save; indexes in errors are those of the tidied values. */
  tidy?: (values: Values) => Values
  /** What the schema does not see */
  check?: (values: Values) => FieldFault[]
  /** Names of objects that count as one field */
  atoms?: readonly string[]
  /** Sends the whole body another way than by create and patch, over the view that was read */
  send?: (body: object, view: ViewOf<Api>) => Promise<ViewOf<Api>>
  isReadOnly?: boolean
  /** Opens what hides a field: a folded section, a dialog */
  reveal?: (path: string) => void
  /** `isLeaving`: the person is on the way to another screen already. */
  onSaved?: (view: ViewOf<Api>, isLeaving: boolean) => void
  /** The server has refused a save: what is wrong stands at the fields already. */
  onRefused?: (error: unknown) => void
}

/** A record in a form: its values, what changed, saving, errors, drafts, conflicts. */
export interface EntityForm<Api extends FormApi, Values extends object> {
  view: ViewOf<Api> | null
  base: Values
  context: FormContextValue
  values: () => Values
  set: (path: string, value: unknown) => void
  /** Answers the saved record, or null where something is to be done first. */
  save: (isLeaving?: boolean) => Promise<ViewOf<Api> | null>
  isSaving: boolean
  changes: () => readonly Change[]
  onChanges: (listener: () => void) => () => void
  /** Why nothing was saved; `problemsTitle` is what the summary of them is called. */
  problems: readonly Problem[]
  problemsTitle: string
  goTo: (path: string) => void
  /** Back to what was read */
  discard: () => void
  /** Takes over the record as another action answered it; unsaved typing stays. */
  accept: (view: ViewOf<Api>) => void
  /**
   * Shows why another action on the record was refused: what another person saved, or wrong
   * fields. False where this is neither.
   */
  takeRefusal: (error: unknown) => boolean
  conflict: Conflict | null
  settle: (takesTheirs: (clash: Clash) => boolean) => void
  /** When the typing was last kept on this device */
  kept: KeptStore
  /** When the draft was typed that this form began with */
  restoredFrom: string | null
  /** The person leaves without saving: nothing is kept. */
  abandon: () => Promise<void>
}

/** A record in a form as it is at this moment, for callbacks that run later than they were made. */
export interface Latest<Api extends FormApi, Values extends object> {
  view: ViewOf<Api> | null
  base: Values
  options: EntityFormOptions<Api, Values>
}

/** The ids that two people chose for one field, so that both can be shown by name. */
export const idsInClashes = (conflict: Conflict | null, ...paths: readonly string[]): number[] =>
  (conflict?.clashes ?? [])
    .flatMap(({ path, mine, theirs }) => (paths.includes(path) ? [mine, theirs] : []))
    .filter((one) => typeof one === 'number')
