import { faultsOf, type FieldFault } from '@waybill/contract/kit/issues'
import type { FormErrorCode } from '@waybill/contract/errors'
import type { Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify, takeBack } from '../../../ui/notices/notify.tsx'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { ApiError, hasCode } from '../../api/api-error.ts'
import { useErrorText, useFieldErrorText } from '../../i18n/error-text.ts'
import { choicesTaken } from '../../list/reference/late-choice.ts'
import { createChangeStore } from './change-store.ts'
import type { Conflict, EntityForm, EntityFormOptions, FormApi, Latest } from './entity-form.ts'
import { firstValues } from './first-values.ts'
import { focusPath } from './focus-path.ts'
import type { FormContextValue } from './form-context.ts'
import { useDraftKeeping } from './use-draft-keeping.ts'
import { useFieldLeft } from './use-field-left.ts'
import { useProblems } from './use-problems.ts'
import { useSaveInTurn } from './use-save-in-turn.ts'
import { useSending } from './use-sending.ts'
import { createValueStore, type ValueStore } from './value-store.ts'
import { changesBetween, isSame, mergeValues, pathBefore, settleClashes, valueAt, withStoredIds } from './values.ts'

// One message at a time says why nothing was saved, and none once it was.
const NOT_SAVED = 'form-not-saved'

// What checks comes once somebody is at the form: to be seen it needs none of it.
const fetchCheck = () => import('../../shapes/check.ts')

/** A record in a form: read, typed, saved, and brought together with what others save. */
export function useEntityForm<Api extends FormApi, Values extends object>(
  options: EntityFormOptions<Api, Values>,
): EntityForm<Api, Values> {
  type View = ViewOf<Api>
  const { api, valuesOf, atoms = [], isReadOnly = false } = options
  const { t } = useTranslation('form')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()

  const [beginning] = useState(() => firstValues(options, atoms))
  const [form] = useState(() => createValueStore(beginning.values))
  const [record, setRecord] = useState<{ view: View | null; base: Values }>({
    view: options.view,
    base: beginning.base,
  })
  const [conflict, showConflict] = useState<Conflict | null>(beginning.conflict)
  // Read by a save that a key starts: what is shown may be older.
  const conflictNow = useRef(conflict)
  const setConflict = (next: Conflict | null) => {
    conflictNow.current = next
    showConflict(next)
  }

  const latest = useRef<Latest<Api, Values>>({ ...record, options })
  latest.current.options = options
  const now = useCallback(() => latest.current, [])
  const [changes] = useState(() => createChangeStore())
  const read = form.get

  const drafts = useDraftKeeping({ api, now, changes, read, restoredFrom: beginning.restoredFrom })
  const { keepSoon } = drafts
  const reveal = useCallback((path: string) => latest.current.options.reveal?.(path), [])
  const { problems, title: problemsTitle, marked, goTo, refuse, remark, answer, clear } = useProblems(reveal)
  const send = useSending(api, now)
  useFetchOnTouch(fetchCheck)

  const store = useCallback(
    (view: View | null, base: Values, values: Values) => {
      const isMade = latest.current.view === null && view !== null
      latest.current.view = view
      latest.current.base = base
      // What was made opens under its own address: shown here as well, it would go away under the hand that already
      // reaches for it.
      if (!isMade) setRecord({ view, base })
      form.reset(values)
      changes.put(changesBetween(base, values, atoms))
      if (view !== null) queries.setQueryData([api.path, (view as Versioned).id, 'form'], { view, draft: null })
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the atoms are written once per form, beside its values
    [form, changes, queries, api],
  )

  // Every change: what differs now, the draft, and server errors that it answers.
  useEffect(() => {
    changes.put(changesBetween(latest.current.base, read(), atoms))
    return form.subscribe((path) => {
      changes.put(changesBetween(latest.current.base, read(), atoms))
      if (path !== undefined) answer(path)
      keepSoon()
    })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the atoms are written once per form, beside its values
  }, [form, changes, keepSoon, answer, read])

  const faultsIn = (values: Values, { check }: Awaited<ReturnType<typeof fetchCheck>>): FieldFault[] => {
    const { options } = latest.current
    const parsed = check(api.write, options.bodyOf(values))
    return [...(options.check?.(values) ?? []), ...(parsed.success ? [] : faultsOf(parsed.error.issues))]
  }

  // A number or an address that cannot be one is told on leaving its field, not in the round after the next. What is
  // still empty may be on its way.
  useFieldLeft((path) => {
    const typed = valueAt(read(), path)
    if (typeof typed !== 'string' || isSame(typed, valueAt(latest.current.base, path))) return
    const look = async () => {
      const { check } = await fetchCheck()
      // Written on meanwhile: it is looked at once it is left again.
      if (valueAt(read(), path) !== typed) return
      const parsed = check(api.write, latest.current.options.bodyOf(read()))
      const fault = parsed.success ? undefined : faultsOf(parsed.error.issues).find((one) => one.path === path)
      if (fault !== undefined && fault.code !== 'required') remark(path, fieldErrorText(fault.code, fault.params))
    }
    // Where it cannot be fetched a save says so.
    look().catch(() => undefined)
  })
  // Whatever changed the record has left a line in its history, and what lists and select boxes know of it is old.
  const refreshAround = () => {
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    void queries.invalidateQueries({ queryKey: [api.path], predicate: ({ queryKey }) => queryKey.at(-1) !== 'form' })
  }

  const accept = (view: View, submitted: Values = latest.current.base) => {
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
    // Before anything is read: what is typed until it has come is saved as well.
    const checking = await fetchCheck().catch(sayNotSaved)
    if (checking === null) return null
    await choicesTaken()
    // What both changed is chosen above the form: a key that saves must not choose for the person.
    if ((conflictNow.current?.clashes.length ?? 0) > 0) {
      notify({ tone: 'warn', title: t('conflict.chooseFirst'), closeLabel: t('close'), id: NOT_SAVED })
      focusPath('clashes')
      return null
    }
    const given = structuredClone(read())
    const values = structuredClone(latest.current.options.tidy?.(given) ?? given)
    const faults = faultsIn(values, checking)
    if (faults.length > 0) {
      refuse(
        faults.map(({ path, code, params }) => ({
          path: pathBefore(path, given, values),
          message: fieldErrorText(code, params),
        })),
        t('errors.here'),
      )
      takeBack(NOT_SAVED)
      return null
    }
    if (!isSame(given, values)) form.reset(values)
    try {
      const before = drafts.keyNow()
      const view = await send(values)
      accept(view, values)
      clear()
      setConflict(null)
      await drafts.forget(before)
      takeBack(NOT_SAVED)
      latest.current.options.onSaved?.(view, isLeaving)
      return view
    } catch (error) {
      latest.current.options.onRefused?.(error)
      // Nothing was saved: rows that were not sent are still there to be written in.
      const isUntouched = isSame(read(), values)
      if (isUntouched) form.reset(given)
      // An ended session speaks for itself: the login page asks.
      if (
        !takeRefusal(error, (path) => (isUntouched ? pathBefore(path, given, values) : path)) &&
        !(error instanceof ApiError && error.status === 401)
      )
        sayNotSaved(error)
      return null
    }
  }

  const sayNotSaved = (error: unknown) => {
    notify({ tone: 'danger', title: t('notSaved'), detail: errorText(error), closeLabel: t('close'), id: NOT_SAVED })
    return null
  }

  const takeRefusal = (error: unknown, placeOf = (path: string) => path): boolean => {
    if (hasCode(error, 'stale_version') && error.extra.current !== undefined) {
      meet(error.extra.current as View)
      scrollTo({ top: 0 })
      return true
    }
    if (!(error instanceof ApiError) || error.errors.length === 0) return false
    refuse(
      error.errors.map(({ path, message, code }) => ({
        path: placeOf(path),
        message: message || fieldErrorText(code as FormErrorCode),
      })),
      t('errors.onServer'),
    )
    takeBack(NOT_SAVED)
    return true
  }

  /** Another person saved meanwhile: theirs and mine come together, and what clashes is asked. */
  const meet = (current: View) => {
    const { base } = latest.current
    const theirs = valuesOf(current)
    const merged = mergeValues(base, read(), theirs, atoms)
    const taken = changesBetween(base, theirs, atoms).filter(
      (change) => !merged.clashes.some((clash) => isSame(clash.theirs, change.to)),
    )
    store(current, theirs, merged.values)
    refreshAround()
    setConflict({ clashes: merged.clashes, taken })
  }

  const { save, isSaving } = useSaveInTurn<View>({
    run,
    // What was made goes on under its own address, with what was typed.
    isMaking: () => latest.current.view === null,
    isUnchanged: () => isSame(read(), latest.current.base),
  })

  const { set } = form
  const context = useMemo<FormContextValue>(
    () => ({
      store: form as unknown as ValueStore,
      set,
      get: form.at,
      base: record.view === null ? null : record.base,
      problems: marked,
      remark,
      isReadOnly,
      of: { path: api.path, id: (record.view as Versioned | null)?.id ?? 'new' },
    }),
    [form, set, record, marked, remark, isReadOnly, api],
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
    problemsTitle,
    goTo,
    discard: () => {
      const { view, base } = latest.current
      store(view, base, base)
      takeBack(NOT_SAVED)
      clear()
      setConflict(null)
      void drafts.forget(drafts.keyNow())
    },
    accept: (view) => accept(view),
    takeRefusal: (error) => takeRefusal(error),
    conflict,
    settle: (takesTheirs) => {
      if (conflict === null) return
      const { view, base } = latest.current
      store(view, base, settleClashes(read(), conflict.clashes, takesTheirs))
      setConflict(null)
    },
    kept: drafts.kept,
    restoredFrom: drafts.restoredFrom,
    abandon: drafts.abandon,
  }
}
