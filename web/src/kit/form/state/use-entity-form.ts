import type { ResourceApi, Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { faultsOf, type FieldFault } from '@waybill/contract/kit/issues'
import type { FieldErrorCode } from '@waybill/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useForm, type Control, type DefaultValues, type FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { notify, takeBack } from '../../../ui/notices/notify.tsx'
import { ApiError, hasCode } from '../../api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../api/call-api.ts'
import { useErrorText, useFieldErrorText } from '../../i18n/error-text.ts'
import { choicesTaken } from '../../list/reference/late-choice.ts'
import { currentSession } from '../../session/session.ts'
import { removeDraft, writeDraft, type Draft } from './draft-store.ts'
import { focusPath } from './focus-path.ts'
import type { FormContextValue, Problem } from './form-context.ts'
import { draftKeyOf } from './use-form-record.ts'
import {
  changesBetween,
  isSame,
  mergeValues,
  patchOf,
  settleClashes,
  withStoredIds,
  type Change,
  type Clash,
} from './values.ts'

/** Two people saved: what the other one changed, and where both did. */
export interface Conflict {
  clashes: readonly Clash[]
  /** their changes that touch none of mine; they are in the form already */
  taken: readonly Change[]
}

export interface EntityFormOptions<Api extends ResourceApi, Values extends FieldValues> {
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
  isReadOnly?: boolean
  /** Opens what hides a field: a folded section, a dialog */
  reveal?: (path: string) => void
  /** `isLeaving`: the person is on the way to another screen already. */
  onSaved?: (view: ViewOf<Api>, isLeaving: boolean) => void
}

/** A record in a form: its values, what changed, saving, errors, drafts, conflicts. */
export interface EntityForm<Api extends ResourceApi, Values extends FieldValues> {
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
  problems: readonly Problem[]
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
  /** When the typing was last kept on this device; null while there is none to keep */
  draftKeptAt: string | null
  /** When the draft was typed that this form began with */
  restoredFrom: string | null
  /** The person leaves without saving: nothing is kept. */
  abandon: () => Promise<void>
}

/** The ids that two people chose for one field, so that both can be shown by name. */
export const idsInClashes = (conflict: Conflict | null, ...paths: readonly string[]): number[] =>
  (conflict?.clashes ?? [])
    .flatMap(({ path, mine, theirs }) => (paths.includes(path) ? [mine, theirs] : []))
    .filter((one) => typeof one === 'number')

const DRAFT_DELAY_MS = 250
// One message at a time says why nothing was saved, and none once it was.
const NOT_SAVED = 'form-not-saved'

export function useEntityForm<Api extends ResourceApi, Values extends FieldValues>(
  options: EntityFormOptions<Api, Values>,
): EntityForm<Api, Values> {
  type View = ViewOf<Api>
  const { api, valuesOf, atoms = [], isReadOnly = false } = options
  const { t } = useTranslation('form')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()

  const [beginning] = useState(() => begin(options, atoms))
  const form = useForm<Values>({ defaultValues: beginning.values as DefaultValues<Values> })
  const [record, setRecord] = useState<{ view: View | null; base: Values }>({
    view: options.view,
    base: beginning.base,
  })
  const [conflict, setConflict] = useState<Conflict | null>(beginning.conflict)
  const [restoredFrom, setRestoredFrom] = useState(beginning.restoredFrom)
  const [draftKeptAt, setDraftKeptAt] = useState<string | null>(beginning.restoredFrom)
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [isSaving, setSaving] = useState(false)

  // What callbacks need at the moment they run, not at the moment they were made.
  const now = useRef({
    ...record,
    options,
    isAbandoned: false,
    saving: null as Promise<View | null> | null,
    key: { body: '', key: '' },
  })
  now.current.options = options
  const [changes] = useState(() => createChangeStore())
  const read = useCallback(() => form.getValues() as Values, [form])

  const store = useCallback(
    (view: View | null, base: Values, values: Values) => {
      const isMade = now.current.view === null && view !== null
      now.current.view = view
      now.current.base = base
      // What was made opens under its own address: shown here as well, it would go away under the
      // hand that already reaches for it.
      if (!isMade) setRecord({ view, base })
      form.reset(values as DefaultValues<Values>)
      changes.put(changesBetween(base, values, atoms))
      if (view !== null) queries.setQueryData([api.path, (view as Versioned).id, 'form'], { view, draft: null })
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the atoms are written once per form, beside its values
    [form, changes, queries, api],
  )

  // The person who began the form: when the session ends, the typing is still theirs.
  const [userId] = useState(() => currentSession()?.profile.id ?? 0)
  const draftKey = useCallback(
    () => draftKeyOf(api, (now.current.view as Versioned | null)?.id ?? 'new', userId),
    [api, userId],
  )
  const keepDraft = useCallback(async () => {
    if (now.current.isAbandoned) return
    if (changes.get().length === 0) {
      setDraftKeptAt(null)
      await removeDraft(draftKey())
      return
    }
    const keptAt = new Date().toISOString()
    const draft: Draft<Values> = {
      values: structuredClone(read()),
      base: now.current.base,
      version: (now.current.view as Versioned | null)?.version ?? null,
      keptAt,
    }
    if (await writeDraft(draftKey(), draft)) setDraftKeptAt(keptAt)
  }, [changes, draftKey, read])

  // Every change: what differs now, the draft, and server errors that it answers.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    changes.put(changesBetween(now.current.base, read(), atoms))
    const stop = form.subscribe({
      formState: { values: true },
      callback: ({ name }) => {
        changes.put(changesBetween(now.current.base, read(), atoms))
        if (name !== undefined) setProblems((known) => withoutPath(known, name))
        clearTimeout(timer ?? undefined)
        timer = setTimeout(() => {
          timer = null
          void keepDraft()
        }, DRAFT_DELAY_MS)
      },
    })
    const flush = () => {
      if (document.visibilityState === 'hidden') void keepDraft()
    }
    document.addEventListener('visibilitychange', flush)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', flush)
      // The session may have ended: what was typed must be there after the sign-in, and what was taken back must not.
      if (timer !== null || changes.get().length > 0) void keepDraft()
      clearTimeout(timer ?? undefined)
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the atoms are written once, options are read when used
  }, [form, changes, keepDraft, read])

  const goTo = useCallback((path: string) => {
    now.current.options.reveal?.(path)
    focusPath(path)
  }, [])

  const refuse = (faults: readonly Problem[]) => {
    setProblems(faults)
    if (faults.length > 0) goTo(faults[0]!.path)
  }

  const faultsIn = (values: Values): FieldFault[] => {
    const { options } = now.current
    const parsed = api.write.safeParse(options.bodyOf(values), { reportInput: true })
    return [...(options.check?.(values) ?? []), ...(parsed.success ? [] : faultsOf(parsed.error.issues))]
  }

  const send = async (values: Values): Promise<View> => {
    const { options, view, base } = now.current
    const body = options.bodyOf(values)
    if (view === null) {
      // A repeat of the same words after a lost answer must not make a second record.
      const text = JSON.stringify(body)
      if (now.current.key.body !== text) now.current.key = { body: text, key: newIdempotencyKey() }
      return (await callApi(api.create, { body, idempotencyKey: now.current.key.key })) as View
    }
    const patch = patchOf(options.bodyOf(base), body)
    if (Object.keys(patch).length === 0) return view
    const { id, version } = view as Versioned
    return (await callApi(api.patch, { params: { id }, body: patch, version })) as View
  }

  // Whatever changed the record has left a line in its history, and what lists and select boxes know of it is old.
  const refreshAround = () => {
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    void queries.invalidateQueries({ queryKey: [api.path], predicate: ({ queryKey }) => queryKey.at(-1) !== 'form' })
  }

  const accept = (view: View, submitted: Values = now.current.base) => {
    const typed = read()
    const saved = valuesOf(view)
    const base = withStoredIds(submitted, submitted, saved)
    const values = isSame(typed, submitted)
      ? saved
      : mergeValues(base, withStoredIds(typed, submitted, saved), saved, atoms).values
    store(view, saved, values)
    refreshAround()
  }

  const run = async (isLeaving: boolean): Promise<View | null> => {
    await choicesTaken()
    const given = read()
    const values = structuredClone(now.current.options.tidy?.(given) ?? given)
    if (!isSame(given, values)) form.reset(values as DefaultValues<Values>)
    const faults = faultsIn(values)
    if (faults.length > 0) {
      refuse(faults.map(({ path, code, params }) => ({ path, message: fieldErrorText(code, params) })))
      tellRefusal(t('errors.here'))
      return null
    }
    try {
      const before = draftKey()
      const view = await send(values)
      accept(view, values)
      setProblems([])
      setConflict(null)
      setRestoredFrom(null)
      setDraftKeptAt(null)
      await removeDraft(before)
      takeBack(NOT_SAVED)
      now.current.options.onSaved?.(view, isLeaving)
      return view
    } catch (error) {
      // An ended session speaks for itself: the login page asks.
      if (!takeRefusal(error) && !(error instanceof ApiError && error.status === 401))
        notify({
          tone: 'danger',
          title: t('notSaved'),
          detail: errorText(error),
          closeLabel: t('close'),
          id: NOT_SAVED,
        })
      return null
    }
  }

  // Spec §8. The summary, read out at once, says what it is; this says so where one looks after pressing save.
  const tellRefusal = (title: string) => notify({ tone: 'warn', title, closeLabel: t('close'), id: NOT_SAVED })

  const takeRefusal = (error: unknown): boolean => {
    if (hasCode(error, 'stale_version') && error.extra.current !== undefined) {
      meet(error.extra.current as View)
      scrollTo({ top: 0 })
      return true
    }
    if (!(error instanceof ApiError) || error.errors.length === 0) return false
    refuse(
      error.errors.map(({ path, message, code }) => ({
        path,
        message: message || fieldErrorText(code as FieldErrorCode),
      })),
    )
    tellRefusal(t('errors.onServer'))
    return true
  }

  /** Another person saved meanwhile: theirs and mine come together, and what clashes is asked. */
  const meet = (current: View) => {
    const { base } = now.current
    const theirs = valuesOf(current)
    const merged = mergeValues(base, read(), theirs, atoms)
    const taken = changesBetween(base, theirs, atoms).filter(
      (change) => !merged.clashes.some((clash) => isSame(clash.theirs, change.to)),
    )
    store(current, theirs, merged.values)
    refreshAround()
    setConflict({ clashes: merged.clashes, taken })
  }

  const save = useCallback((isLeaving = false): Promise<View | null> => {
    if (now.current.saving !== null) return now.current.saving
    setSaving(true)
    const running = run(isLeaving).finally(() => {
      now.current.saving = null
      setSaving(false)
    })
    now.current.saving = running
    return running
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what a save needs, it reads from `now` when it runs
  }, [])

  const set = useCallback((path: string, value: unknown) => form.setValue(path as never, value as never), [form])
  const context = useMemo<FormContextValue>(
    () => ({
      control: form.control as unknown as Control<FieldValues>,
      set,
      get: (path) => form.getValues(path as never),
      base: record.view === null ? null : record.base,
      problems,
      isReadOnly,
    }),
    [form, set, record, problems, isReadOnly],
  )

  return {
    view: record.view,
    base: record.base,
    context,
    values: read,
    set,
    save,
    isSaving,
    changes: changes.get,
    onChanges: changes.subscribe,
    problems,
    goTo,
    discard: () => {
      const { view, base } = now.current
      store(view, base, base)
      takeBack(NOT_SAVED)
      setProblems([])
      setConflict(null)
      setRestoredFrom(null)
      setDraftKeptAt(null)
      void removeDraft(draftKey())
    },
    accept: (view) => accept(view),
    takeRefusal,
    conflict,
    settle: (takesTheirs) => {
      if (conflict === null) return
      const { view, base } = now.current
      store(view, base, settleClashes(read(), conflict.clashes, takesTheirs))
      setConflict(null)
    },
    draftKeptAt,
    restoredFrom,
    abandon: async () => {
      now.current.isAbandoned = true
      await removeDraft(draftKey())
    },
  }
}

/** What changed and is not saved, for components that show it. */
export function useChanges(
  form: Pick<EntityForm<ResourceApi, FieldValues>, 'changes' | 'onChanges'>,
): readonly Change[] {
  return useSyncExternalStore(form.onChanges, form.changes)
}

/** The first values: those read, or what was typed here before, brought together with what others saved since. */
function begin<Api extends ResourceApi, Values extends FieldValues>(
  { view, draft, valuesOf, empty }: EntityFormOptions<Api, Values>,
  atoms: readonly string[],
) {
  const base = view === null ? (empty as Values) : valuesOf(view)
  const plain = { base, values: base, conflict: null as Conflict | null, restoredFrom: null as string | null }
  if (draft === null || isSame(draft.values, draft.base)) return plain
  const version = (view as Versioned | null)?.version ?? null
  if (draft.version === version) return { ...plain, values: draft.values, restoredFrom: draft.keptAt }
  const merged = mergeValues(draft.base, draft.values, base, atoms)
  if (isSame(merged.values, base)) return plain
  return {
    ...plain,
    values: merged.values,
    restoredFrom: draft.keptAt,
    conflict: merged.clashes.length > 0 ? { clashes: merged.clashes, taken: [] } : null,
  }
}

const withoutPath = (problems: readonly Problem[], name: string): readonly Problem[] => {
  const left = problems.filter(
    ({ path }) => path !== name && !path.startsWith(`${name}.`) && !name.startsWith(`${path}.`),
  )
  return left.length === problems.length ? problems : left
}

// The list itself tells whether anything differs: a key typed into a field that is changed already moves nobody.
function createChangeStore() {
  let current: readonly Change[] = []
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    put: (next: readonly Change[]) => {
      if (
        current.length === next.length &&
        current.every(({ path, kind }, index) => path === next[index]!.path && kind === next[index]!.kind)
      )
        return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
