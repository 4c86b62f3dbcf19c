import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import { useState, type ReactNode } from 'react'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { useScreenTitle } from '../../record/screen-title.ts'
import { BackLink } from './back-link.tsx'
import { FormProvider } from '../state/form-context.ts'
import { FormMessages } from './form-messages.tsx'
import classes from './form-page.module.css'
import { LeaveGuard } from './leave-guard.tsx'
import { PhoneSaveBar, SaveButton, UnsavedMark } from './save-bar.tsx'
import type { RecordState } from './state-change.tsx'
import type { EntityForm } from '../state/entity-form.ts'

/** Parts of a form side by side. */
export interface FormTabs<Key extends string> {
  current: Key
  select: (key: Key) => void
  /** Which part a field stands in */
  tabOf: (path: string) => Key
}

/** Which part of a form is open: the first, or the one that the address names. What is typed in the others stays. */
export function useFormTabs<Key extends string>(
  keys: readonly [Key, ...Key[]],
  tabOf: (path: string) => Key,
): FormTabs<Key> {
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: unknown }
  const named = keys.find((key) => key === tab) ?? keys[0]
  // The address follows a moment later; who jumps to a field must find its part open at once.
  const [state, setState] = useState({ current: named, named })
  if (state.named !== named) setState({ current: named, named })
  return {
    current: state.current,
    tabOf,
    select: (key) => {
      setState({ current: key, named: state.named })
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, tab: key === keys[0] ? undefined : key })) as never,
        replace: true,
        resetScroll: false,
      })
    },
  }
}

/** How a form shows its record's history. */
export interface RecordHistory {
  /** Shows and hides it */
  button: ReactNode
  /** The history itself, while it is open */
  rail: ReactNode
  /** Who saved last, for conflicts */
  newestBy: string | null
}

interface FormPageProps<Api extends ResourceApi, Values extends object, Key extends string> {
  form: EntityForm<Api, Values>
  /** What the record is called */
  name: string
  back: { to: string; label: string }
  state: RecordState
  history: RecordHistory
  /** The view's primary button where that is not saving; it stays in sight on phones. */
  mainAction?: ReactNode
  tabs?: (FormTabs<Key> & { label: string; labels: Readonly<Record<Key, string>> }) | undefined
  /** What is open now is a table: it takes the whole width */
  isWide?: boolean
  labelOf: (path: string) => string
  wordsOf: (path: string, value: unknown) => ReactNode
  children: ReactNode
}

/**
 * The page of a record: a header that stays, what is wrong, the parts, a bar to save on
 * phones, and the guard at the door.
 */
export function FormPage<Api extends ResourceApi, Values extends object, Key extends string = string>({
  form,
  name,
  back,
  state,
  history,
  mainAction,
  tabs,
  isWide = false,
  labelOf,
  wordsOf,
  children,
}: FormPageProps<Api, Values, Key>) {
  const { isReadOnly } = form.context
  useScreenTitle(name)
  return (
    <FormProvider value={form.context}>
      <header className={classes.head}>
        <BackLink to={back.to} label={back.label} />
        <div className={classes.name}>
          <h1 title={name}>{name}</h1>
          {state.mark === null ? null : <span className={classes.note}>{state.mark}</span>}
        </div>
        <div className={classes.actions}>
          {isReadOnly ? null : <UnsavedMark form={form} />}
          {history.button}
          {state.button}
          {isReadOnly ? null : (
            <span className={classes.desk}>
              <SaveButton form={form} isPrimary={mainAction === undefined} />
            </span>
          )}
          {mainAction}
        </div>
      </header>
      {tabs === undefined ? null : (
        <div className={classes.tabs}>
          <TabBar
            label={tabs.label}
            current={tabs.current}
            onSelect={tabs.select}
            tabs={(Object.keys(tabs.labels) as Key[]).map((key) => {
              const wrong = form.problems.filter(({ path }) => tabs.tabOf(path) === key).length
              return {
                key,
                label: tabs.labels[key],
                ...(wrong === 0 ? {} : { count: wrong, countTone: 'danger' as const }),
              }
            })}
          />
        </div>
      )}
      <div
        className={classes.columns}
        data-aside={history.rail !== null || undefined}
        data-tabs={tabs !== undefined || undefined}
      >
        <div className={classes.sections} data-read-only={isReadOnly || undefined} data-wide={isWide || undefined}>
          <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} other={history.newestBy} />
          {children}
        </div>
        {history.rail}
      </div>
      {isReadOnly ? null : <PhoneSaveBar form={form} isPrimary={mainAction === undefined} />}
      <LeaveGuard form={form} name={<b>{name}</b>} labelOf={labelOf} />
      {state.dialog}
    </FormProvider>
  )
}
